#!/bin/bash
# SPDX-License-Identifier: MIT
# The installer in a fresh Debian 13, as far as a folder tree without its own kernel reaches:
# twice, with the units verified, the service's command run by its account, backup and restore.
#
#   sudo tests/appliance/install_root.sh [ROOT]     ROOT is made anew (build/install-root)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=$(realpath -m "${1:-$here/build/install-root}")
readonly here root SUITE=trixie
began=$SECONDS

tell() { printf '\n#### %4d s  %s\n' $((SECONDS - began)) "$*"; }
refuse() {
    printf 'install_root.sh: %s\n' "$*" >&2
    exit 2
}

release() {
    local place
    for place in "$root/dev/shm" "$root/dev/pts" "$root/dev" "$root/proc"; do
        if mountpoint -q "$place"; then umount --lazy "$place"; fi
    done
}

# The machine's own way to its packages, whatever that is: mirror, proxy, certificates.
# shellcheck disable=SC2016  # apt-get itself fills in the place
debian_mirror() { apt-get indextargets --format '$(SITE)' | grep -v security | head -n 1; }
package_settings() {
    local file name
    for file in /etc/apt/apt.conf.d/*; do
        if grep -q '^Acquire::' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
    done
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$root/etc/pip.conf"; fi
    environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        LANG=C.UTF-8 PIP_ROOT_USER_ACTION=ignore)
    for name in PIP_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT http_proxy https_proxy no_proxy; do
        if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
    done
    if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
        cp /etc/ssl/certs/ca-certificates.crt "$root/root/machine-certificates.crt"
        environment+=(PIP_CERT=/root/machine-certificates.crt)
    fi
}

inside() { chroot "$root" env -i "${environment[@]}" "$@"; }

make_root() {
    command -v debootstrap >/dev/null || refuse "expected debootstrap; run: apt-get install debootstrap"
    release
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=systemd,dbus,ca-certificates \
        $SUITE "$root" "$(debian_mirror)" >"$root.log" 2>&1 || refuse "debootstrap failed; see $root.log"
    mount_kernel
    package_settings
}

mount_kernel() {
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mountpoint -q "$root/dev/pts" || mount -t devpts devpts "$root/dev/pts" 2>/dev/null || true
    mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
}

can_boot() {
    unshare --mount --pid --cgroup --uts --ipc --fork --kill-child \
        sh -c 'mount -t cgroup2 cgroup2 /mnt && umount /mnt' 2>/dev/null
}

copy_checkout() {
    mkdir -p "$root/home/pi/dicebell"
    (cd "$here" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
        tar --create --files-from=- | tar --extract --directory "$root/home/pi/dicebell")
    chown -R 1000:1000 "$root/home/pi"
}

require() { "$@" || refuse "expected: $*"; }

[ "$(id -u)" = 0 ] || refuse "expected root; run: sudo $0"
# Mounts of its own go with the script, however it ends: the machine's /dev must never be left
# in a folder that somebody clears away.
if [ -z "${OWN_MOUNTS:-}" ]; then
    OWN_MOUNTS=yes exec unshare --mount --propagation private bash "${BASH_SOURCE[0]}" "$root"
fi
trap release EXIT

tell "a fresh Debian ($SUITE)"
make_root
copy_checkout
tell "install.sh, the first time"
inside /home/pi/dicebell/install.sh
tell "install.sh, once more"
echo '# mine' >>"$root/etc/dicebell/dicebell.toml"
inside /home/pi/dicebell/install.sh
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
    release
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
