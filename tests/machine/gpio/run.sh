#!/bin/bash
# SPDX-License-Identifier: MIT
# Test the drivers on pins on real kernel devices, in a small virtual machine: the kernel of Debian,
# its simulated GPIO chip, and this machine's root, which it can only read.
#
#   sudo tests/machine/gpio/run.sh FOLDER PYTHON [PYTEST-OPTION...]   FOLDER is kept for the next time
#                                                                      CORES=1: its processors (2)
#
# Exit status: 0 all as expected, or skipped with the reason; 1 not; 2 wrong use.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$here/../../.." && pwd)
target=machine-gpio
folder=$(realpath -m "${1:?expected a folder}")
python=$(cd "$(dirname "${2:?expected a python}")" && pwd)/$(basename "$2")
shift 2
readonly here checkout folder python TIMEOUT_S=1800
# shellcheck source=tests/machine/kernel.sh
source "$here/../kernel.sh"

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
    step "the machine boots, with ${processor[*]}"
    rm -rf "$folder/gpio-share"
    mkdir "$folder/gpio-share"
    printf 'CHECKOUT=%q\nPYTHON=%q\nLGPIO=%q\nset --' "$checkout" "$python" "$folder/lgpio-$LGPIO" >"$folder/gpio-share/job"
    [ $# = 0 ] || printf ' %q' "$@" >>"$folder/gpio-share/job"
    # In the foreground it ends with this script, too, if somebody else's patience is shorter.
    timeout --foreground $TIMEOUT_S qemu-system-x86_64 "${processor[@]}" -m 2048 -no-reboot \
        -display none -monitor none -serial stdio -net none \
        -kernel "$kernel/boot/vmlinuz-$version" -initrd "$folder/gpio-initrd.gz" \
        -append 'console=ttyS0 quiet panic=-1' \
        -virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap \
        -virtfs "local,path=$folder/gpio-share,mount_tag=share,security_model=none" </dev/null |
        sed -u 's|\r$||' || fail "the machine did not end within $TIMEOUT_S s, or broke down"
    [ -e "$folder/gpio-share/status" ] || fail 'the machine ended before its tests did'
    step "the machine has ended"
    return "$(cat "$folder/gpio-share/status")"
}

require_machine
lock_folder
unpack_kernel
add_module gpiosim
install_lgpio
make_initrd "$folder/gpio-initrd.gz" "$here/init" virtio_pci 9pnet_virtio 9p overlay configfs gpiosim
find_processor
boot "$@"
