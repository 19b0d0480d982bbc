#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Make a folder in which the real picamera2 runs with the real libcamera, without a camera.
#
# Raspberry Pi OS is based on Debian 13. The pipeline `virtual` of libcamera delivers pictures
# from a folder like a camera. A separate Debian 13 with the newest libcamera and picamera2 from
# the Python index is as close to a Pi as a PC gets. Its packages come from the source that apt
# on this machine is configured with.
#
#   make_root.sh ROOT CONSTRAINTS     (as root; does nothing if ROOT is finished)
#
# Exit status 3, with the reason, if this machine cannot make one.
set -euo pipefail
root=$(realpath -m "$1") constraints=$2
# shellcheck source=tests/appliance/debian_root.sh
source "$(dirname "$0")/../appliance/debian_root.sh"
camera=$here/tests/picamera
mirror=$(find_debian_mirror)
recipe=$(cat "$camera"/make_root.sh "$camera"/memory.c "$camera"/virtual.yaml "$constraints" | sha256sum)

cannot() { echo "picamera root: $1" >&2; exit 3; }

[ "$(cat "$root/camera/recipe" 2>/dev/null)" = "$recipe" ] && exit 0
[ "$(id -u)" = 0 ] || cannot 'expected root rights, for chroot'
[ -n "$mirror" ] || cannot 'expected a Debian package source in the settings of apt; set DEBIAN_MIRROR'
command -v debootstrap >/dev/null || cannot 'expected debootstrap; run: apt-get install debootstrap'
if [ -e "$root" ] && [ ! -d "$root/camera" ]; then
    echo "picamera root: expected a folder of its own, found $root in use" >&2
    exit 2
fi
rm -rf --one-file-system "$root" "$root.log"
mkdir -p "$root/camera/frames"
mknod "$root/probe" c 1 3 2>/dev/null || cannot 'this machine does not allow device files (mknod)'
rm "$root/probe"
unshare --mount true 2>/dev/null || cannot 'this machine does not allow mounts (unshare --mount)'

# Print the long output only if something fails.
logged() { "$@" >>"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }; }
inside() { "$camera/in_root.sh" "$root" env DEBIAN_FRONTEND=noninteractive "$@"; }

echo "picamera root: Debian 13 into $root"
compiling=gcc,libc6-dev,linux-libc-dev,libcap-dev,python3-dev
logged debootstrap --variant=minbase --include=ca-certificates,python3-venv,$compiling \
    "$SUITE" "$root" "$mirror"
carry_package_settings

echo 'picamera root: libcamera, newer than in Debian 13 itself, which has no virtual camera'
echo "deb $mirror $SUITE-backports main" >"$root/etc/apt/sources.list.d/backports.list"
logged inside apt-get -q update
logged inside apt-get -qy --no-install-recommends -t $SUITE-backports install python3-libcamera

echo 'picamera root: picamera2 and what the tests need'
mkdir -p "$root/usr/share/libcamera/pipeline/virtual"
cp "$camera/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
cp "$camera/memory.c" "$constraints" "$root/camera/"
inside gcc -shared -fPIC -O1 -Wall -Werror -o /camera/memory.so /camera/memory.c -ldl
inside python3 -m venv --system-site-packages /camera/venv
inside env -u PIP_FIND_LINKS /camera/venv/bin/pip install -q --disable-pip-version-check \
    -c "/camera/$(basename "$constraints")" picamera2 opencv-python-headless numpy pytest hypothesis

echo "$recipe" >"$root/camera/recipe"
