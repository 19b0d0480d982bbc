#!/bin/bash
# SPDX-License-Identifier: MIT
# Test the drivers on pins on real kernel devices, in a small virtual machine: the kernel of Debian,
# its simulated GPIO chip, and this machine's root, which it can only read.
#
#   sudo tests/machine/gpio/run.sh FOLDER PYTHON [PYTEST-OPTION...]   FOLDER is kept for the next time
#
# Exit status: 0 all as expected, or skipped with the reason; 1 not; 2 wrong use.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$here/../../.." && pwd)
folder=$(realpath -m "${1:?expected a folder}")
python=$(cd "$(dirname "${2:?expected a python}")" && pwd)/$(basename "$2")
shift 2
readonly here checkout folder python LINUX=6.1 LGPIO=0.2.2.0 TIMEOUT_S=1800
readonly PACKAGES=(qemu-system-x86 linux-headers-amd64 linux-source-$LINUX gcc make xz-utils busybox-static cpio kmod)
began=$SECONDS

step() { printf '#### %4d s  %s\n' $((SECONDS - began)) "$*"; }
skip() {
    echo "machine-gpio: skipped; $1"
    exit 0
}
fail() {
    echo "machine-gpio: $1" >&2
    exit 1
}

require_machine() {
    [ "$(id -u)" = 0 ] || skip 'expected root rights, to share the root of this machine with another'
    [ "$(uname -m)" = x86_64 ] || skip "expected a PC (x86_64), found $(uname -m)"
    local missing=() package
    for package in "${PACKAGES[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] || skip "expected these packages; run: apt-get install ${missing[*]}"
    command -v qemu-system-x86_64 >/dev/null || skip "expected qemu-system-x86_64 in PATH"
    version=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 | grep -o "$LINUX[^ ,]*-amd64") ||
        skip "expected the kernel $LINUX of Debian 12 in linux-headers-amd64"
    kernel=$folder/kernel-$version
}

# The kernel is only unpacked: nothing of it is installed here.
unpack_kernel() {
    [ ! -e "$kernel/boot/vmlinuz-$version" ] || return 0
    step "the kernel $version"
    rm -rf "$folder/download"
    mkdir "$folder/download"
    (cd "$folder/download" && apt-get -qq -o APT::Sandbox::User=root download "linux-image-$version") ||
        skip "the package linux-image-$version cannot be downloaded; run: apt-get update"
    dpkg-deb -x "$folder"/download/*.deb "$kernel.new"
    depmod -b "$kernel.new" "$version"
    rm -rf "$folder/download" "$kernel"
    mv "$kernel.new" "$kernel"
}

# Debian's kernel comes without the simulated chip, and without the interrupts it needs: both become
# one module. A module may not look an interrupt up by itself, so the kernel's own function does.
build_chip() {
    [ ! -e "$kernel/gpiosim.ko" ] || return 0
    step "the module of the simulated chip"
    local work=$folder/gpiosim source=linux-source-$LINUX
    rm -rf "$work"
    mkdir "$work"
    tar -x -C "$work" --transform 's|.*/||' -f "/usr/src/$source.tar.xz" \
        $source/drivers/gpio/gpio-sim.c $source/drivers/gpio/gpiolib.h $source/kernel/irq/irq_sim.c
    sed -i -e 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' \
        -e '/^EXPORT_SYMBOL_GPL/d' "$work/irq_sim.c"
    printf 'obj-m := gpiosim.o\ngpiosim-y := gpio-sim.o irq_sim.o\n' >"$work/Makefile"
    make -C "/lib/modules/$version/build" M="$work" modules >"$work/log" 2>&1 ||
        fail "the module cannot be built; see $work/log"
    mv "$work/gpiosim.ko" "$kernel/"
}

# What the kernel needs to find this machine's root; later modules come from there.
make_initrd() {
    local root=$folder/initrd
    rm -rf "$root"
    mkdir -p "$root"/{bin,modules,dev,proc,sys,lower,upper,new}
    cp /bin/busybox "$root/bin/"
    cp "$here/init" "$root/init"
    modprobe -d "$kernel" -S "$version" --show-depends -a virtio_pci 9pnet_virtio 9p overlay configfs |
        awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$folder/modules"
    local number=10 module
    while read -r module; do
        cp "$module" "$root/modules/$((number++))-$(basename "$module")"
    done <"$folder/modules"
    cp "$kernel/gpiosim.ko" "$root/modules/$number-gpiosim.ko"
    (cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$folder/initrd.gz"
}

# lgpio comes with Raspberry Pi OS and with no other Debian.
install_lgpio() {
    "$python" -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' ||
        skip "expected Python 3.11 or 3.12, for which there is an lgpio, found $("$python" --version)"
    [ ! -e "$folder/lgpio-$LGPIO" ] || return 0
    step "lgpio $LGPIO"
    "$python" -m pip install -q --disable-pip-version-check --only-binary :all: \
        --target "$folder/lgpio.new" "lgpio==$LGPIO" || skip "lgpio $LGPIO cannot be downloaded"
    mv "$folder/lgpio.new" "$folder/lgpio-$LGPIO"
}

boot() {
    # A KVM without the processor's help does not run this kernel. Emulated AVX is slow.
    local processor=(-cpu Nehalem -accel tcg,thread=multi)
    if [ -w /dev/kvm ] && grep -qw 'vmx\|svm' /proc/cpuinfo; then processor=(-cpu host -accel kvm); fi
    step "the machine boots, with ${processor[3]}"
    rm -rf "$folder/share"
    mkdir "$folder/share"
    printf 'CHECKOUT=%q\nPYTHON=%q\nLGPIO=%q\nset --' "$checkout" "$python" "$folder/lgpio-$LGPIO" >"$folder/share/job"
    [ $# = 0 ] || printf ' %q' "$@" >>"$folder/share/job"
    timeout $TIMEOUT_S qemu-system-x86_64 "${processor[@]}" -m 2048 -smp 2 -no-reboot \
        -display none -monitor none -serial stdio -net none \
        -kernel "$kernel/boot/vmlinuz-$version" -initrd "$folder/initrd.gz" \
        -append 'console=ttyS0 quiet panic=-1' \
        -virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap \
        -virtfs "local,path=$folder/share,mount_tag=share,security_model=none" </dev/null |
        sed -u 's|\r$||' || fail "the machine did not end within $TIMEOUT_S s, or broke down"
    [ -e "$folder/share/status" ] || fail 'the machine ended before its tests did'
    step "the machine has ended"
    return "$(cat "$folder/share/status")"
}

require_machine
mkdir -p "$folder"
unpack_kernel
build_chip
install_lgpio
make_initrd
boot "$@"
