#!/bin/bash
# SPDX-License-Identifier: MIT
# Sourced: the kernel starts programs of arm64. `skip` is the sourcing script's.

readonly EMULATOR=/usr/lib/binfmt.d/qemu-aarch64.conf FORMATS=/proc/sys/fs/binfmt_misc

# Let the kernel start programs of arm64 by qemu, in a root that holds no qemu (flag F).
prepare_emulator() {
    [ "$(dpkg --print-architecture)" != arm64 ] || return 0
    [ -e $EMULATOR ] || skip 'expected qemu-user-static; run: apt-get install qemu-user-static'
    [ -e $FORMATS/register ] || mount -t binfmt_misc binfmt_misc $FORMATS 2>/dev/null ||
        skip 'this machine does not allow other formats of programs (binfmt_misc)'
    [ -e $FORMATS/qemu-aarch64 ] || cat $EMULATOR >$FORMATS/register ||
        skip 'this machine does not allow to register qemu-aarch64 (binfmt_misc)'
    grep -q '^flags:.*F' $FORMATS/qemu-aarch64 || skip 'expected qemu-aarch64 with the flag F in binfmt_misc'
}
