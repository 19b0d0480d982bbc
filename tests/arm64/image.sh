#!/bin/bash
# SPDX-License-Identifier: MIT
# An image of the arm64 Debian in which arm64-test has installed the product, with Debian's own kernel
# beside it. QEMU's board `virt` boots it; a systemd of its own starts the table, with simulated dice.
# It is booted once, and the table must answer.
#
#   sudo tests/arm64/image.sh INSTALLED FOLDER     INSTALLED is the root of arm64-test
#
# A Pi does not boot it: it lacks the Pi's own first programs, its camera and its pins.
# Exit status: 0 the table answered, or skipped with the reason; 1 not.
set -euo pipefail

target=image
installed=$(realpath -m "${1:?expected a root}")
folder=$(realpath -m "${2:?expected a folder}")
root=$folder/root
readonly PACKAGES=(systemd-sysv udev kmod dbus busybox-static) DISK_MB=3000 PORT=18080 LONGEST_S=2400
# shellcheck source=tests/appliance/debian_root.sh
source "$(dirname "${BASH_SOURCE[0]}")/../appliance/debian_root.sh"
# shellcheck source=tests/arm64/emulator.sh
source "$(dirname "${BASH_SOURCE[0]}")/emulator.sh"
# shellcheck source=tests/machine/kernel.sh
source "$(dirname "${BASH_SOURCE[0]}")/../machine/kernel.sh"

copy_root() {
    step "the Debian of arm64-test, with a systemd and a kernel"
    rm -rf --one-file-system "$root"
    mkdir -p "$folder"
    cp -a "$installed" "$root"
    rm -rf "$root"/{root/{arm64,wheels},var/lib/dicebell/*,tmp/*}
    mount_kernel
    set_environment
    inside apt-get update -q >"$folder/log" || fail "apt-get failed; see $folder/log"
    inside apt-get install -qy --no-install-recommends "${PACKAGES[@]}" >>"$folder/log" 2>&1 ||
        fail "apt-get failed; see $folder/log"
    version=$(inside apt-cache depends linux-image-arm64 | awk '$1 == "Depends:" { sub("linux-image-", "", $2); print $2 }')
    inside sh -c "cd /root && apt-get -qq -o APT::Sandbox::User=root download linux-image-$version" >>"$folder/log" 2>&1 ||
        fail "the kernel cannot be downloaded; see $folder/log"
    kernel=$folder/kernel-$version
    rm -rf "$kernel"
    dpkg-deb -x "$root/root/linux-image-$version"*.deb "$kernel"
    rm "$root/root/linux-image-$version"*.deb
    ln -s usr/lib "$kernel/lib"
    depmod -b "$kernel" "$version"
    cp -r "$kernel/lib/modules" "$root/usr/lib/"
}

# A table for a machine without devices, which gets an address from QEMU.
furnish() {
    local units=$root/etc/systemd/system
    sed -i -e '/^\[camera\]/,/^\[/ s|^driver = .*|driver = "simulated"|' \
        -e '/^\[web\]/,/^\[/ s|^host = .*|host = "0.0.0.0"|' "$root/etc/dicebell/dicebell.toml"
    echo dicebell-image >"$root/etc/hostname"
    printf '[Match]\nName=e*\n[Network]\nDHCP=yes\n' >"$root/etc/systemd/network/80-image.network"
    inside systemctl enable systemd-networkd 2>>"$folder/log"
    # An emulated processor is slower than units and devices are allowed to be.
    mkdir -p "$root/etc/systemd/system.conf.d" "$units/dicebell.service.d"
    printf '[Manager]\nDefaultTimeoutStartSec=900\nDefaultDeviceTimeoutSec=900\n' >"$root/etc/systemd/system.conf.d/image.conf"
    printf '[Service]\nTimeoutStartSec=900\nWatchdogSec=600\n' >"$units/dicebell.service.d/image.conf"
}

make_image() {
    step "the image"
    busybox=$root/bin/busybox
    cp "$kernel/boot/vmlinuz-$version" "$folder/vmlinuz"
    make_initrd "$folder/initrd.gz" "$here/tests/machine/guest/init" virtio_blk virtio_net crc32c_generic ext4
    unmount_kernel
    rm -f "$folder/disk.img"
    mke2fs -q -F -t ext4 -L dicebell -d "$root" "$folder/disk.img" ${DISK_MB}M
}

boot() {
    local end=$((SECONDS + LONGEST_S)) command health
    command=(qemu-system-aarch64 -M virt -cpu cortex-a57 -smp 2 -m 2048 -nographic -no-reboot
        -kernel "$folder/vmlinuz" -initrd "$folder/initrd.gz" -append "console=ttyAMA0 quiet panic=-1"
        -drive "file=$folder/disk.img,format=raw,if=virtio" -nic "user,hostfwd=tcp:127.0.0.1:$PORT-:8080")
    step "it boots"
    "${command[@]}" -snapshot </dev/null >"$folder/console.log" 2>&1 &
    machine=$!
    trap 'kill $machine 2>/dev/null; unmount_kernel' EXIT
    until health=$(curl --silent --max-time 20 "http://127.0.0.1:$PORT/healthz") && [[ $health == *'"ok":true'* ]]; do
        kill -0 $machine 2>/dev/null || fail "the machine went off; see $folder/console.log"
        [ $SECONDS -lt $end ] || fail "the table did not answer within $LONGEST_S s; see $folder/console.log"
        sleep 2
    done
    step "the table answers: $health"
    printf '     start it with: %s\n' "$(printf '%q ' "${command[@]}")"
}

[ "$(id -u)" = 0 ] || skip "expected root rights; run: sudo make image"
[ -e "$installed/opt/dicebell/current" ] || skip "expected the Debian of arm64-test; run: sudo make arm64-test"
for program in qemu-system-aarch64 cpio xzcat depmod curl; do
    command -v "$program" >/dev/null || skip "expected $program; run: apt-get install qemu-system-arm cpio xz-utils kmod curl"
done
if [ -z "${OWN_MOUNTS:-}" ]; then
    unshare --mount true 2>/dev/null || skip "expected a machine that allows mounts (unshare --mount)"
    OWN_MOUNTS=yes exec unshare --mount --propagation private bash "${BASH_SOURCE[0]}" "$@"
fi
trap unmount_kernel EXIT
prepare_emulator
copy_root
furnish
make_image
boot
