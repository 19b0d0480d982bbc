#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run a command in a folder that is a system of its own, with /proc in it for as long as it runs.
#   in_root.sh ROOT COMMAND...
set -euo pipefail
root=$1
shift
# In a mount namespace of its own: whatever happens, nothing stays mounted.
exec unshare --mount --propagation private sh -c \
    'mount -t proc proc "$0/proc" 2>/dev/null || mount --bind /proc "$0/proc"; exec chroot "$0" "$@"' \
    "$root" "$@"
