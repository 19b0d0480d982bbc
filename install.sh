#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a table of this machine: a Raspberry Pi, or any other 64-bit Debian.
# Run it again at any time: that is the repair, and nothing that was played or set is lost.
#
#   sudo ./install.sh               the table, its service and the kiosk's screen
#   sudo ./install.sh --no-kiosk    without a screen of its own; the page is for other machines
#   sudo ./install.sh --uninstall   take all that away again; games and settings stay
#
# Exit status: 0 done, 1 the new version does not come up, 2 not done. What is not done is taken back:
# then the machine is as it was before, but for packages of the system.
set -Eeuo pipefail

readonly ROOT=/opt/dicebell DATA=/var/lib/dicebell SETTINGS=/etc/dicebell ACCOUNT=dicebell
readonly CONFIG=$SETTINGS/dicebell.toml APPLIANCE=$ROOT/current/appliance
readonly BASE_PACKAGES=(python3 python3-venv ca-certificates curl)
readonly PI_PACKAGES=(python3-picamera2 python3-gpiozero python3-lgpio)
readonly KIOSK_PACKAGES=(chromium fonts-dejavu-core fonts-noto-core)

# What the system has of the table: a link here, and what it leads to in the version in use.
readonly LINKS=(
    "/usr/local/bin/dicebell $ROOT/current/bin/dicebell"
    "/etc/systemd/system/dicebell.service $APPLIANCE/dicebell.service"
    "/etc/systemd/system/multi-user.target.wants/dicebell.service $APPLIANCE/dicebell.service"
    "/etc/polkit-1/rules.d/50-dicebell.rules $APPLIANCE/50-dicebell.rules"
)
readonly KIOSK_LINKS=(
    "/etc/systemd/user/dicebell-kiosk.service $APPLIANCE/dicebell-kiosk.service"
    "/etc/xdg/autostart/dicebell-kiosk.desktop $APPLIANCE/dicebell-kiosk.desktop"
)

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

step() { printf '\n== %s\n' "$*"; }
say() { printf '   %s\n' "$*"; }
complain() { printf 'install.sh: %s\n' "$*" >&2; }

is_explained=no
refuse() {
    complain "$*"
    is_explained=yes
    exit 2
}

# The commands that take back what this run has done, the last one first.
undo=()
undo_with() { undo+=("$(printf '%q ' "$@")"); }

# However the installer ends, it says why, and what is not done is taken back.
end() {
    local status=$1 line=$2 command=$3 i
    [ $BASHPID = $$ ] || exit "$status"  # a part of a pipeline; the whole one fails too
    set +e
    trap - ERR EXIT
    trap '' INT TERM HUP
    [ "$status" != 0 ] || exit 0
    if [ $is_explained = no ]; then
        complain "expected line $line to go well ($command), it ended with status $status"
    fi
    for ((i = ${#undo[@]} - 1; i >= 0; i--)); do
        eval "${undo[i]}" || complain "this was not taken back: ${undo[i]}"
    done
    if [ ${#undo[@]} != 0 ]; then
        if is_booted; then systemctl daemon-reload; fi
        complain "what was begun is taken back; run it again when this is mended"
    fi
    [ "$status" = 1 ] && [ $is_explained = yes ] || status=2
    exit "$status"
}
trap 'end $? $LINENO "$BASH_COMMAND"' ERR EXIT
trap 'refuse "it was interrupted"' INT TERM HUP

is_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }
is_booted() { [ -d /run/systemd/system ]; }
is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
can_be_had() { [ "$(apt-cache --no-all-versions show "$@" 2>/dev/null | grep -c ^Package:)" = $# ]; }

require_machine() {
    [ "$(id -u)" = 0 ] || refuse "expected root; run: sudo ./install.sh"
    command -v apt-get >/dev/null || refuse "expected a Debian with apt-get, found another system"
    local architecture
    architecture=$(dpkg --print-architecture)
    case $architecture in
        arm64 | amd64) ;;
        *) refuse "expected a 64-bit system (arm64 or amd64), found $architecture" ;;
    esac
    exec 9>/run/dicebell-install.lock
    flock --nonblock 9 || refuse "expected to be alone, found another install.sh at work"
}

# Run apt-get; print the end of its errors only, and leave all of them in apt_errors.
run_apt() {
    local status=0
    apt_errors=$(DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=120 "$@" 2>&1 >/dev/null) ||
        status=$?
    if [ -n "$apt_errors" ]; then tail -n 3 <<<"$apt_errors" >&2; fi
    return $status
}

# What to do about an error of apt-get.
explain_apt() {
    case $1 in
        *"No space"* | *"enough free space"*) echo "Make room on the disk: sudo apt-get clean." ;;
        *resolv* | *"onnect to"* | *"Failed to fetch"* | *"timed out"*)
            echo "Connect this machine to the network." ;;
        *"Unable to locate"* | *"no installation candidate"*)
            echo "Let /etc/apt name the sources of this system: sudo apt-get update." ;;
        *) echo "Repair the packages: sudo apt-get --fix-broken install." ;;
    esac
}

# What is wanted and not there, a line each.
missing_packages() {
    local wanted=("${BASE_PACKAGES[@]}") package
    [ "$with_kiosk" = no ] || wanted+=("${KIOSK_PACKAGES[@]}")
    if can_be_had "${PI_PACKAGES[@]}"; then wanted+=("${PI_PACKAGES[@]}"); fi
    for package in "${wanted[@]}"; do
        is_installed "$package" || echo "$package"
    done
}

install_packages() {
    step "Packages of the system"
    local missing list_errors=""
    mapfile -t missing <<<"$(missing_packages)"
    # On a Pi the lists of packages may be missing, too.
    if [ -n "${missing[*]}" ] || { is_pi && ! can_be_had "${PI_PACKAGES[@]}"; }; then
        dpkg --configure -a >/dev/null ||
            refuse "expected dpkg to finish what was interrupted; run: sudo dpkg --configure -a"
        # Not every source that fails is needed here.
        run_apt update || true
        list_errors=$apt_errors
        mapfile -t missing <<<"$(missing_packages)"
    fi
    if [ -z "${missing[*]}" ]; then
        say "all there"
    else
        say "installing ${missing[*]}"
        run_apt install --no-install-recommends "${missing[@]}" ||
            refuse "expected apt-get to install ${missing[*]}; its own words above say why not." \
                "$(explain_apt "$list_errors $apt_errors") Then run sudo ./install.sh again"
    fi
    if ! can_be_had "${PI_PACKAGES[@]}"; then
        if is_pi && [ -n "$list_errors" ]; then
            refuse "expected the package sources to answer; their errors are above." \
                "$(explain_apt "$list_errors") Then run sudo ./install.sh again"
        fi
        say "The package sources of this system lack ${PI_PACKAGES[*]}:"
        say "no camera on a ribbon cable and no buttons on pins here. A webcam works, and so does the"
        say "simulated tray."
        if is_pi; then
            say "Raspberry Pi OS has these packages, this system has not: for that camera and for pins"
            say "write Raspberry Pi OS (64-bit) to the card."
        fi
    fi
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        refuse "expected Python 3.11 or newer (Debian 12), found $(python3 --version)"
}

make_account() {
    step "The account $ACCOUNT, which may use the camera and the pins and nothing else"
    if ! getent passwd $ACCOUNT >/dev/null; then
        useradd --system --user-group --home-dir $DATA --no-create-home --shell /usr/sbin/nologin $ACCOUNT
        undo_with userdel $ACCOUNT
    fi
    local group folder
    for group in video gpio render; do
        if getent group "$group" >/dev/null; then usermod --append --groups "$group" $ACCOUNT; fi
    done
    for folder in $DATA $SETTINGS $ROOT; do
        if [ ! -e "$folder" ]; then undo_with rm -rf "$folder"; fi
    done
    install -d -m 700 $DATA
    install -d -m 755 $SETTINGS
    chown --recursive $ACCOUNT:$ACCOUNT $DATA $SETTINGS
    say "games are kept in $DATA, the settings are $CONFIG"
}

make_version() {
    step "The program, beside the version in use if there is one (some minutes on a Pi)"
    release=$(cd "$here" && python3 -B -m controller.appliance.updates $ROOT $CONFIG make "$here") ||
        refuse "expected the new version to be made and to work here; the words above say why not"
    undo_with rm -rf "$release"
    say "made and tried: $release"
}

write_settings() {
    step "Settings"
    if [ -e $CONFIG ]; then
        say "$CONFIG is there and stays as it is"
        return
    fi
    local camera=auto panel=none
    if is_installed python3-picamera2; then camera=pi; fi
    if is_pi && is_installed python3-lgpio; then panel=gpio; fi
    undo_with rm -f $CONFIG $CONFIG.new
    "$release/bin/dicebell" run --print-config |
        sed -e "s|^folder = .*|folder = \"$DATA\"|" \
            -e "/^\[camera\]/,/^\[/ s|^driver = .*|driver = \"$camera\"|" \
            -e "/^\[panel\]/,/^\[/ s|^driver = .*|driver = \"$panel\"|" >$CONFIG.new
    "$release/bin/dicebell" run --config $CONFIG.new --print-config >/dev/null ||
        refuse "expected settings that can be used, found those in $CONFIG.new"
    chown $ACCOUNT:$ACCOUNT $CONFIG.new
    mv $CONFIG.new $CONFIG
    say "written: camera \"$camera\", panel \"$panel\""
}

link_all() {
    local pair link target
    for pair in "$@"; do
        read -r link target <<<"$pair"
        take_link_back "$link"
        mkdir -p "$(dirname "$link")"
        ln -sfn "$target" "$link"
    done
}

unlink_all() {
    local pair link target
    for pair in "$@"; do
        read -r link target <<<"$pair"
        take_link_back "$link"
        rm -f "$link"
    done
}

take_link_back() {
    if [ -L "$1" ]; then undo_with ln -sfn "$(readlink "$1")" "$1"; else undo_with rm -f "$1"; fi
}

use_version() {
    step "Into use"
    local status=0
    if is_booted && [ ! -e $ROOT/current ]; then undo_with systemctl stop dicebell.service; fi
    take_link_back $ROOT/current
    (cd "$here" && python3 -B -m controller.appliance.updates $ROOT $CONFIG use "$release") || status=$?
    if [ $status != 0 ]; then
        is_explained=yes
        exit $status
    fi
    echo "$here" >$ROOT/source
    undo=()
}

set_up_screen() {
    [ "$with_kiosk" = yes ] || return 0
    step "The kiosk's screen"
    let_kiosk_read_key
    if command -v raspi-config >/dev/null; then
        raspi-config nonint do_boot_behaviour B4 || say "log in by hand: raspi-config did not set it"
        raspi-config nonint do_blanking 1 || say "the screen may go dark: raspi-config did not set it"
    fi
    say "it comes up with the desktop, at the next start"
}

# Whoever installs is taken for the user of the desktop; without sudo that is the first account.
let_kiosk_read_key() {
    local user=${SUDO_USER:-root}
    if [ "$user" = root ]; then user=$(id --user --name 1000 2>/dev/null) || user=""; fi
    if [ -z "$user" ]; then
        say "there is no account for a desktop yet; later, for its user NAME: usermod -aG $ACCOUNT NAME"
    elif usermod --append --groups $ACCOUNT "$user"; then
        say "the screen of the user $user counts as the table's own, from the next start of the machine"
        say "for another user NAME: sudo usermod -aG $ACCOUNT NAME"
    else
        say "the user $user cannot read the kiosk's key; later: sudo usermod -aG $ACCOUNT $user"
    fi
}

tell_end() {
    step "Done"
    say "what works on this machine, and the mend where something does not:  sudo dicebell doctor"
    say "the settings:                                                       sudo nano $CONFIG"
    say "after changing them:                                                sudo systemctl restart dicebell"
}

uninstall() {
    step "Taking the table away"
    if is_booted; then systemctl stop dicebell.service || true; fi
    unlink_all "${LINKS[@]}" "${KIOSK_LINKS[@]}"
    undo=()
    if is_booted; then systemctl daemon-reload; fi
    rm -rf $ROOT
    say "games in $DATA and settings in $SETTINGS stay; for good they go with:"
    say "sudo rm -r $DATA $SETTINGS; sudo userdel $ACCOUNT"
}

with_kiosk=yes
what=install
for option in "$@"; do
    case $option in
        --no-kiosk) with_kiosk=no ;;
        --uninstall) what=uninstall ;;
        *) refuse "expected --no-kiosk or --uninstall, found $option" ;;
    esac
done
require_machine
if [ $what = uninstall ]; then
    uninstall
    exit
fi
install_packages
make_account
make_version
write_settings
link_all "${LINKS[@]}"
if [ $with_kiosk = yes ]; then link_all "${KIOSK_LINKS[@]}"; else unlink_all "${KIOSK_LINKS[@]}"; fi
use_version
set_up_screen
tell_end
