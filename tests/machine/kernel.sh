#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions for virtual machines that run Debian's kernel with simulated devices. A script that boots
# one sets $target (of make) and $folder (kept for the next time), and sources this.

readonly LINUX=6.1 LGPIO=0.2.2.0
busybox=/bin/busybox
began=$SECONDS

step() { printf '#### %4d s  %s\n' $((SECONDS - began)) "$*"; }
skip() {
    echo "$target: skipped; $1"
    exit 0
}
fail() {
    echo "$target: $1" >&2
    exit 1
}

# Set $version and $kernel, or say what is missing besides the given packages.
require_machine() {
    [ "$(id -u)" = 0 ] || skip "expected root rights; run: sudo make $target"
    [ "$(uname -m)" = x86_64 ] || skip "expected a PC (x86_64), found $(uname -m)"
    local missing=() package
    for package in qemu-system-x86 linux-headers-amd64 linux-source-$LINUX gcc make xz-utils busybox-static cpio kmod "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] || skip "expected these packages; run: apt-get install ${missing[*]}"
    command -v qemu-system-x86_64 >/dev/null || skip "expected qemu-system-x86_64 in PATH"
    version=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 | grep -o "${LINUX}[^ ,]*-amd64") ||
        skip "expected the kernel $LINUX of Debian 12 in linux-headers-amd64"
    kernel=$folder/kernel-$version
}

lock_folder() {
    mkdir -p "$folder"
    exec 9>"$folder/lock"
    flock --nonblock 9 || fail "another run uses $folder; wait for its end"
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
    rm -rf "$folder/download" "$kernel"
    mv "$kernel.new" "$kernel"
}

# Debian's kernel comes without the simulated chip, and without the interrupts it needs: both become
# one module. A module may not look an interrupt up by itself, so the kernel's own function does.
unpack_gpiosim() {
    local source=linux-source-$LINUX
    tar -x --transform 's|.*/||' -f "/usr/src/$source.tar.xz" \
        $source/drivers/gpio/gpio-sim.c $source/drivers/gpio/gpiolib.h $source/kernel/irq/irq_sim.c
    sed -i -e 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' \
        -e '/^EXPORT_SYMBOL_GPL/d' irq_sim.c
    printf 'obj-m := gpiosim.o\ngpiosim-y := gpio-sim.o irq_sim.o\n' >Makefile
}

# A webcam whose pictures a program writes.
unpack_v4l2loopback() { tar -x --strip-components=2 -f /usr/src/v4l2loopback.tar.bz2; }

# Add one of these two modules to the kernel.
add_module() {
    local extra=$kernel/lib/modules/$version/extra work=$folder/$1
    [ ! -e "$extra/$1.ko" ] || return 0
    step "the module $1"
    rm -rf "$work"
    mkdir -p "$work" "$extra"
    (cd "$work" && "unpack_$1")
    make -C "/lib/modules/$version/build" M="$work" modules >"$work/log" 2>&1 ||
        fail "the module $1 cannot be built; see $work/log"
    mv "$work/$1.ko" "$extra/"
    depmod -b "$kernel" "$version"
}

# Pack what the kernel starts with: a first program, and modules, which it loads in this order.
make_initrd() {
    local image=$1 init=$2 root=$folder/initrd number=10 modules module
    shift 2
    modules=$(modprobe -d "$kernel" -S "$version" --show-depends -a "$@" | awk '$1 == "insmod" && !seen[$2]++ { print $2 }')
    rm -rf "$root"
    mkdir -p "$root"/{bin,modules,dev,proc,sys,new}
    cp "$busybox" "$root/bin/"
    install -m 755 "$init" "$root/init"
    for module in $modules; do
        # Those of newer kernels are packed, and busybox does not unpack them.
        xzcat --force "$module" >"$root/modules/$number-$(basename "$module" .xz)"
        number=$((number + 1))
    done
    (cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$image"
    rm -r "$root"
}

# Set $processor, the options of QEMU. A KVM without the processor's help (PVM) may be there: it runs
# only kernels made for it, and this one hangs. Of emulated processors, one without AVX is the fastest.
find_processor() {
    local kvm=(-accel kvm -cpu host) output
    processor=(-accel "tcg,thread=multi,tb-size=512" -cpu Nehalem)
    output=$(timeout 10 qemu-system-x86_64 "${kvm[@]}" -m 512 -nic none -display none -monitor none -serial stdio \
        -no-reboot -kernel "$kernel/boot/vmlinuz-$version" -append 'console=ttyS0 panic=-1' </dev/null 2>&1 || true)
    [[ $output != *'Linux version'* ]] || processor=("${kvm[@]}")
    processor+=(-smp "${CORES:-2}")
}
