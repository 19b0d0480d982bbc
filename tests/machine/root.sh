#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions for the disk of the virtual machine: a Debian 13 in which install.sh has installed this
# checkout. Each layer is kept in $folder and built again only if what it is made from has changed.
# run.sh sources this, after kernel.sh.

# shellcheck source=tests/appliance/debian_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/../appliance/debian_root.sh"
readonly machine=$here/tests/machine CHECKOUT=/home/pi/dicebell
# A desktop such as that of Raspberry Pi OS, what a Pi has for the pins, and what the tests use.
readonly PACKAGES=systemd,systemd-sysv,systemd-timesyncd,dbus,dbus-user-session,libpam-systemd,udev,kmod,polkitd,login,procps,iproute2,ca-certificates,curl,python3,python3-pip,python3-venv,labwc,seatd,lxsession,grim,chromium,fonts-dejavu-core,fonts-noto-core
# lgpio, the library of the pins, is in Raspberry Pi OS but in no Debian: it is built from its source.
readonly PIN_LIBRARIES=(gpiozero==2.0.1 "lgpio==$LGPIO") PIN_COMPILER=(gcc libc6-dev python3-dev swig)
readonly DISK_MB=6000
root=$folder/root

# Whether a layer was made from just this; if not, what follows makes it.
is_made_from() { [ "$(cat "$folder/$1.made-from" 2>/dev/null)" = "$2" ]; }
note() { echo "$2" >"$folder/$1.made-from"; }

# What of these tests is in the disk itself.
digest_guest() {
    cat "${BASH_SOURCE[0]}" "$machine"/guest/{init,*.service,*.toml} | sha256sum | cut -c -16
}

# PYPI=1 lets lgpio's setup.py include the C library instead of expecting it installed.
build_pin_libraries() {
    inside apt-get install -qy --no-install-recommends "${PIN_COMPILER[@]}" &&
        inside env PYPI=1 pip3 install -q --break-system-packages "${PIN_LIBRARIES[@]}" &&
        inside apt-get purge -qy --autoremove "${PIN_COMPILER[@]}"
}

make_debian() {
    local recipe="$SUITE $PACKAGES ${PIN_LIBRARIES[*]} $version" mirror log=$folder/debian.log
    set_environment
    if is_made_from debian "$recipe"; then
        mount_kernel
        return
    fi
    step "Debian ($SUITE) with a desktop"
    rm -f "$folder"/{product,disk}.made-from
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    mirror=$(find_debian_mirror)
    [ -n "$mirror" ] || skip "expected a Debian package source in the settings of apt; set DEBIAN_MIRROR"
    debootstrap --variant=minbase --include=ca-certificates $SUITE "$root" "$mirror" >"$log" 2>&1 ||
        fail "debootstrap failed; see $log"
    mount_kernel
    carry_package_settings
    # A root that a power cut breaks is made anew: dpkg need not wait for the disk.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/machine"
    # A service that starts in a folder would run on this machine.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    inside apt-get update -q >>"$log"
    inside apt-get install -qy --no-install-recommends ${PACKAGES//,/ } >>"$log" 2>&1 || fail "apt-get failed; see $log"
    build_pin_libraries >>"$log" 2>&1 || fail "no libraries of the pins; see $log"
    inside apt-get clean
    cp -r "$kernel/lib/modules" "$root/lib/"
    inside useradd -u 1000 -m -s /bin/bash -G video,render pi
    inside groupadd --force --system gpio
    note debian "$recipe"
}

install_product() {
    local log=$folder/install.log
    is_made_from product "$(digest_product)" && return
    step "install.sh"
    rm -f "$folder/disk.made-from"
    copy_checkout
    inside $CHECKOUT/install.sh >"$log" 2>&1 || fail "install.sh failed; see $log"
    # A second version, to which the table goes back and forth; the machine has no network.
    inside dicebell update --from $CHECKOUT >>"$log" 2>&1 || fail "update failed; see $log"
    note product "$(digest_product)"
}

# Add the tests' own part: devices, the agent that runs the tests' commands, a desktop that logs in.
furnish() {
    local units=$root/etc/systemd/system unit
    for unit in "$machine"/guest/*.service; do
        cp "$unit" "$units/"
        ln -sf "../$(basename "$unit")" "$units/multi-user.target.wants/"
    done
    mkdir -p "$root"/{srv/machine,home/pi/.config/labwc} "$root/etc/systemd/system.conf.d" \
        "$units"/{getty@tty1,dicebell}.service.d "$root/etc/systemd/user/dicebell-kiosk.service.d"
    # Programs and films of the tests come on a disk of their own, so that they can change alone.
    echo '/dev/vdb /srv/machine ext4 ro 0 0' >"$root/etc/fstab"
    # An emulated processor is slower than units and devices are allowed to be.
    printf '[Manager]\nDefaultTimeoutStartSec=900\nDefaultDeviceTimeoutSec=900\n' >"$root/etc/systemd/system.conf.d/machine.conf"
    # What only a Pi reports of itself; ProtectProc would hide a file mounted outside of the unit.
    printf '[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\nTimeoutStartSec=900\nWatchdogSec=600\n' \
        >"$units/dicebell.service.d/machine.conf"
    # A crash of the interpreter names each thread's lines in the journal.
    echo 'Environment=PYTHONFAULTHANDLER=1' >>"$units/dicebell.service.d/machine.conf"
    printf '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin pi --noclear %%I linux\n' \
        >"$units/getty@tty1.service.d/machine.conf"
    printf '[ "$(tty)" != /dev/tty1 ] || exec labwc\n' >"$root/home/pi/.bash_profile"
    printf 'lxsession-xdg-autostart &\n' >"$root/home/pi/.config/labwc/autostart"
    printf 'LIBSEAT_BACKEND=seatd\nWLR_RENDERER=pixman\nXDG_SESSION_TYPE=wayland\n' >"$root/etc/environment"
    inside usermod -aG video,render,input pi
    inside chown -R pi:pi /home/pi
    inside usermod -aG gpio dicebell
    printf '[Service]\nEnvironment=KIOSK_PATIENCE=600\n' >"$root/etc/systemd/user/dicebell-kiosk.service.d/machine.conf"
    ln -sf /lib/systemd/system/seatd.service "$units/multi-user.target.wants/"
    sed -i 's/^ExecStart=seatd.*/ExecStart=seatd -g video/' "$root/lib/systemd/system/seatd.service"
    cp "$machine/guest/dicebell.toml" "$root/etc/dicebell/dicebell.toml"
    inside chown dicebell:dicebell /etc/dicebell/dicebell.toml
    echo dicebell-machine >"$root/etc/hostname"
}

make_disk() {
    local recipe
    recipe="$(digest_product) $(digest_guest) $version"
    is_made_from disk "$recipe" && return
    step "the disk"
    furnish
    unmount_kernel
    rm -f "$folder/disk.img"
    mke2fs -q -F -t ext4 -L dicebell -d "$root" "$folder/disk.img" ${DISK_MB}M
    note disk "$recipe"
}
