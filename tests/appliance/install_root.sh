#!/bin/bash
# SPDX-License-Identifier: MIT
# The installer in a fresh Debian 13, as far as a folder tree without its own kernel reaches: with
# every step failing, then twice, with the units verified, the service's command run by its account,
# backup and restore.
#
#   sudo tests/appliance/install_root.sh [ROOT]     ROOT is made anew (build/install-root)
set -euo pipefail

# shellcheck source=tests/appliance/debian_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/debian_root.sh"
root=$(realpath -m "${1:-$here/build/install-root}")
readonly root
began=$SECONDS

tell() { printf '\n#### %4d s  %s\n' $((SECONDS - began)) "$*"; }
refuse() {
    printf 'install_root.sh: %s\n' "$*" >&2
    exit 2
}

make_root() {
    command -v debootstrap >/dev/null || refuse "expected debootstrap; run: apt-get install debootstrap"
    unmount_kernel
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=systemd,dbus,ca-certificates \
        $SUITE "$root" "$(find_debian_mirror)" >"$root.log" 2>&1 || refuse "debootstrap failed; see $root.log"
    mount_kernel
    carry_package_settings
    set_environment
}

can_boot() {
    unshare --mount --pid --cgroup --uts --ipc --fork --kill-child \
        sh -c 'mount -t cgroup2 cgroup2 /mnt && umount /mnt' 2>/dev/null
}

require() { "$@" || refuse "expected: $*"; }

# What the system has of the table, a line each.
describe_system() {
    (cd "$root" && ls -d opt/dicebell etc/dicebell var/lib/dicebell 2>/dev/null
        find etc usr/local opt/dicebell -maxdepth 4 -type l -lname '*dicebell*' -printf '%p -> %l\n' 2>/dev/null | sort
        find opt/dicebell/releases -mindepth 1 -maxdepth 1 2>/dev/null | sort
        grep dicebell etc/passwd etc/group || true)
}

# Run a command that is refused with these words and leaves the system as it was.
fails() {
    local words=$1 before status=0
    shift
    before=$(describe_system)
    "$@" >"$root.out" 2>&1 || status=$?
    if [ $status != 2 ] || ! grep -q "install.sh: .*$words" "$root.out"; then
        tail -n 20 "$root.out"
        refuse "expected status 2 with '$words', found status $status: $*"
    fi
    [ "$(describe_system)" = "$before" ] || {
        diff <(echo "$before") <(describe_system)
        refuse "expected the system as before: $*"
    }
    echo "     $(grep 'install.sh: ' "$root.out" | head -n 1)"
}

# shellcheck disable=SC2120  # `fails` passes an argument.
install() { inside /home/pi/dicebell/install.sh "$@"; }
without_network() { inside env {http,https}_proxy=http://127.0.0.1:9 /home/pi/dicebell/install.sh; }

# A disk with so many megabytes in place of the folder of the versions.
with_small_disk() {
    local status=0
    mkdir -p "$root/opt/dicebell"
    mount -t tmpfs -o "size=$1" tmpfs "$root/opt/dicebell"
    install || status=$?
    umount "$root/opt/dicebell"
    rmdir "$root/opt/dicebell"
    return $status
}

# End it and all that it has started once it builds the new version, as Ctrl-C does.
interrupted() {
    : >"$root.begun"
    setsid chroot "$root" env -i "${environment[@]}" /home/pi/dicebell/install.sh >"$root.begun" 2>&1 &
    local process=$!
    tail --follow --pid=$process --lines=+1 "$root.begun" | grep --max-count=1 --quiet '^== The program' || true
    kill -TERM -- -$process
    local status=0
    wait $process || status=$?
    cat "$root.begun"
    return $status
}

[ "$(id -u)" = 0 ] || refuse "expected root; run: sudo $0"
# Mounts of its own go with the script, however it ends: the machine's /dev must never be left
# in a folder that somebody clears away.
if [ -z "${OWN_MOUNTS:-}" ]; then
    OWN_MOUNTS=yes exec unshare --mount --propagation private bash "${BASH_SOURCE[0]}" "$root"
fi
trap unmount_kernel EXIT

tell "a fresh Debian ($SUITE)"
make_root
copy_checkout
tell "install.sh, which does not go well"
fails "found --nonsense" install --nonsense
fails "Connect this machine to the network" without_network
fails "the words above say why not" with_small_disk 50M
fails "it was interrupted" interrupted
tell "install.sh, the first time, without an account for a desktop"
require test -z "$(awk -F: '$3 == 1000' "$root/etc/passwd")"
install
tell "install.sh, once more, after an apt that was killed"
echo '# mine' >>"$root/etc/dicebell/dicebell.toml"
inside sh -c 'cd /tmp && apt-get -q download fonts-dejavu-core && dpkg --unpack fonts-dejavu-core_*.deb' >/dev/null
require test "$(inside dpkg-query -W -f '${db:Status-Status}' fonts-dejavu-core)" = unpacked
inside useradd --uid 1000 --no-create-home pi
install
require test "$(inside dpkg-query -W -f '${db:Status-Status}' fonts-dejavu-core)" = installed
require inside sh -c 'id --name --groups pi | grep -qw dicebell'
fails "it was interrupted" interrupted
require grep -q '^# mine$' "$root/etc/dicebell/dicebell.toml"
require test "$(find "$root/opt/dicebell/releases" -mindepth 1 -maxdepth 1 | wc -l)" = 2
require test -z "$(find "$root/home/pi" -user 0 -print -quit)"

tell "the units"
require inside systemd-analyze verify --man=no /etc/systemd/system/dicebell.service
require inside env XDG_RUNTIME_DIR=/tmp systemd-analyze verify --man=no --user /etc/systemd/user/dicebell-kiosk.service
inside systemd-analyze security --offline=true /etc/systemd/system/dicebell.service | tail -n 1

tell "the service's command, by its account"
require inside python3 -B /home/pi/dicebell/tests/appliance/in_root.py

tell "update, and back"
require inside dicebell update --from /home/pi/dicebell
after=$(readlink "$root/opt/dicebell/current")
require inside dicebell update --back
require test "$after" = "$(readlink "$root/opt/dicebell/previous")"

tell "under a systemd of its own"
if can_boot; then
    unmount_kernel
    printf '%s\n' "${environment[@]}" >"$root/root/trial.env"
    require "$here/tests/appliance/boot.sh" "$root" /home/pi/dicebell/tests/appliance/booted.sh
    mount_kernel
else
    echo "     skipped: this machine lets nobody start a systemd in a container"
fi

tell "uninstall"
inside /home/pi/dicebell/install.sh --uninstall
require test ! -e "$root/opt/dicebell" -a ! -L "$root/usr/local/bin/dicebell"
require test -e "$root/var/lib/dicebell/journal.jsonl" -a -e "$root/etc/dicebell/dicebell.toml"
tell "all as it should be"
