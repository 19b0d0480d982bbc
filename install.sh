#!/bin/bash
# SPDX-License-Identifier: MIT
# Makes a table of this machine: a Raspberry Pi, or any other 64-bit Debian.
# Run it again at any time: that is the repair, and nothing that was played or set is lost.
#
#   sudo ./install.sh               the table, its service and the kiosk's screen
#   sudo ./install.sh --no-kiosk    without a screen of its own; the page is for other machines
#   sudo ./install.sh --uninstall   take all that away again; games and settings stay
#
# Exit status: 0 done, 1 the new version does not come up and the one before runs again, 2 not done.
set -euo pipefail

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
refuse() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

is_pi() { grep -qs 'Raspberry Pi' /proc/device-tree/model; }
is_booted() { [ -d /run/systemd/system ]; }
is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
can_be_had() { apt-cache show "$1" >/dev/null 2>&1; }

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

# What is wanted and not there, a line each.
missing_packages() {
    local wanted=("${BASE_PACKAGES[@]}") package
    [ "$with_kiosk" = no ] || wanted+=("${KIOSK_PACKAGES[@]}")
    if is_pi || can_be_had python3-picamera2; then wanted+=("${PI_PACKAGES[@]}"); fi
    for package in "${wanted[@]}"; do
        is_installed "$package" || echo "$package"
    done
}

install_packages() {
    step "Packages of the system"
    local missing
    mapfile -t missing < <(missing_packages)
    if [ ${#missing[@]} = 0 ]; then
        say "all there"
    else
        apt-get update -q >/dev/null || refuse "expected apt-get update to go well; is the network there?"
        mapfile -t missing < <(missing_packages)
        say "installing ${missing[*]}"
        DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}" >/dev/null ||
            refuse "expected apt-get to install ${missing[*]}; is the network there?"
    fi
    if ! is_installed python3-picamera2; then
        say "python3-picamera2 is not to be had on this system: no camera on a ribbon cable and no"
        say "buttons on pins here. A webcam works, and so does the simulated tray."
    fi
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        refuse "expected Python 3.11 or newer (Debian 12), found $(python3 --version)"
}

make_account() {
    step "The account $ACCOUNT, which may use the camera and the pins and nothing else"
    getent passwd $ACCOUNT >/dev/null ||
        useradd --system --user-group --home-dir $DATA --no-create-home --shell /usr/sbin/nologin $ACCOUNT
    local group
    for group in video gpio render; do
        getent group "$group" >/dev/null && usermod --append --groups "$group" $ACCOUNT
    done
    install -d -m 700 $DATA
    install -d -m 755 $SETTINGS
    chown --recursive $ACCOUNT:$ACCOUNT $DATA $SETTINGS
    say "games are kept in $DATA, the settings are $CONFIG"
}

make_version() {
    step "The program, beside the version in use if there is one (some minutes on a Pi)"
    release=$(cd "$here" && python3 -B -m controller.appliance.updates $ROOT $CONFIG make "$here") ||
        refuse "the new version was not made or does not work here; nothing has changed"
    say "made and tried: $release"
}

write_settings() {
    step "Settings"
    if [ -e $CONFIG ]; then
        say "$CONFIG is there and stays as it is"
        return
    fi
    local camera=simulated panel=none
    if is_installed python3-picamera2; then camera=pi; fi
    if is_pi && is_installed python3-lgpio; then panel=gpio; fi
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
        mkdir -p "$(dirname "$link")"
        ln -sfn "$target" "$link"
    done
}

unlink_all() {
    local pair link target
    for pair in "$@"; do
        read -r link target <<<"$pair"
        rm -f "$link"
    done
}

link_kiosk() {
    if [ "$with_kiosk" = no ]; then
        unlink_all "${KIOSK_LINKS[@]}"
        return
    fi
    step "The kiosk's screen"
    link_all "${KIOSK_LINKS[@]}"
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
    if [ "$user" = root ]; then user=$(getent passwd 1000 | cut -d : -f 1); fi
    if [ -z "$user" ]; then
        say "there is no account for a desktop yet; later, for its user NAME: usermod -aG $ACCOUNT NAME"
        return
    fi
    usermod --append --groups $ACCOUNT "$user"
    say "the screen of the user $user counts as the table's own, from the next start of the machine"
    say "for another user NAME: sudo usermod -aG $ACCOUNT NAME"
}

use_version() {
    step "Into use"
    local status=0
    (cd "$here" && python3 -B -m controller.appliance.updates $ROOT $CONFIG use "$release") || status=$?
    [ $status = 0 ] || exit $status
    echo "$here" >$ROOT/source
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
link_kiosk
use_version
tell_end
