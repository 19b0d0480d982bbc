#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Make a folder in which the real picamera2 drives the real libcamera, without any camera.
#
# Raspberry Pi OS stands on Debian 13; libcamera has a pipeline for tests, `virtual`, that shows
# pictures from a folder as a camera would. So a Debian 13 of its own, with the newest libcamera
# that it offers and picamera2 from the Python index, is as near to a Pi as a PC comes.
#
#   make_root.sh ROOT CONSTRAINTS     (as root; does nothing where ROOT is finished)
#
# It ends with status 3 where this machine cannot make one, and says why.
set -euo pipefail
root=$(realpath -m "$1") constraints=$2
here=$(cd "$(dirname "$0")" && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
recipe=$(cat "$here"/make_root.sh "$here"/memory.c "$here"/virtual.yaml "$constraints" | sha256sum)

cannot() { echo "picamera root: $1" >&2; exit 3; }

[ "$(cat "$root/camera/recipe" 2>/dev/null)" = "$recipe" ] && exit 0
[ "$(id -u)" = 0 ] || cannot 'expected root rights, for chroot'
command -v debootstrap >/dev/null || cannot 'expected debootstrap; run: apt-get install debootstrap'
if [ -e "$root" ] && [ ! -d "$root/camera" ]; then
    echo "picamera root: expected a folder of its own, found $root in use by others" >&2
    exit 2
fi
rm -rf --one-file-system "$root" "$root.log"
mkdir -p "$root/camera/frames"
mknod "$root/probe" c 1 3 2>/dev/null || cannot 'this machine lets nobody make device files (mknod)'
rm "$root/probe"
unshare --mount true 2>/dev/null || cannot 'this machine lets nobody mount (unshare --mount)'

# Long and dull; of interest only where something fails.
logged() { "$@" >>"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }; }
inside() { "$here/in_root.sh" "$root" env DEBIAN_FRONTEND=noninteractive "$@"; }

echo "picamera root: Debian 13 into $root"
compiling=gcc,libc6-dev,linux-libc-dev,libcap-dev,python3-dev
logged debootstrap --variant=minbase --include=ca-certificates,python3-venv,$compiling \
    trixie "$root" "$mirror"
# Proxies and the like, as this machine reaches its mirrors; and the certificates that it trusts.
apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90machine"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
[ -e /etc/pip.conf ] && cp /etc/pip.conf "$root/etc/pip.conf"
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true

echo 'picamera root: libcamera, newer than in Debian 13 itself, which has no virtual camera'
echo "deb $mirror trixie-backports main" >"$root/etc/apt/sources.list.d/backports.list"
logged inside apt-get -q update
logged inside apt-get -qy --no-install-recommends -t trixie-backports install python3-libcamera

echo 'picamera root: picamera2 and what the tests need'
mkdir -p "$root/usr/share/libcamera/pipeline/virtual"
cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
cp "$here/memory.c" "$constraints" "$root/camera/"
inside gcc -shared -fPIC -O1 -Wall -Werror -o /camera/memory.so /camera/memory.c -ldl
inside python3 -m venv --system-site-packages /camera/venv
inside env -u PIP_FIND_LINKS /camera/venv/bin/pip install -q --disable-pip-version-check \
    -c "/camera/$(basename "$constraints")" picamera2 opencv-python-headless numpy pytest hypothesis

echo "$recipe" >"$root/camera/recipe"
