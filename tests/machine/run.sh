#!/bin/bash
# SPDX-License-Identifier: MIT
# Build the virtual machine where something has changed, and play scenarios at its table. The first
# build takes ten minutes and 6 GB. Without KVM a boot takes minutes too; it is saved for next time.
#
#   sudo tests/machine/run.sh FOLDER PYTHON [WORD...]     QUICK=1: only the most important
#                                                         CORES=1: its processors (2)
#
# Exit status: 0 all as expected, or skipped with the reason; 1 not.
set -euo pipefail

target='machine-test'
folder=$(realpath -m "${1:?expected a folder}")
python=${2:?expected a python}
# shellcheck source=tests/machine/kernel.sh
source "$(dirname "${BASH_SOURCE[0]}")/kernel.sh"
# shellcheck source=tests/machine/root.sh
source "$(dirname "${BASH_SOURCE[0]}")/root.sh"

require_machine debootstrap v4l2loopback-source bzip2 e2fsprogs
if [ -z "${OWN_MOUNTS:-}" ]; then
    unshare --mount true 2>/dev/null || skip "expected a machine that allows mounts (unshare --mount)"
    OWN_MOUNTS=yes exec unshare --mount --propagation private bash "${BASH_SOURCE[0]}" "$@"
fi
shift 2
lock_folder
trap unmount_kernel EXIT
unpack_kernel
add_module gpiosim
add_module v4l2loopback
make_debian
install_product
make_disk
unmount_kernel
make_initrd "$folder/initrd.gz" "$machine/guest/init" virtio_pci virtio_blk crc32c_generic ext4
find_processor
options=()
[ -z "${QUICK:-}" ] || options+=(--quick)
step "$(du -sh "$folder" | cut -f 1) in $folder"
cd "$here"
"$python" -m tests.machine "${options[@]}" --processor "${processor[*]}" --kernel "$kernel/boot/vmlinuz-$version" "$folder" "$@"
