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
here=$(cd "$(dirname "$0")" && pwd)
# The first Debian archive in the settings of apt.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE) $(COMPONENT) $(ORIGIN)' \
    'Created-By: Packages' 2>/dev/null | awk '$2 == "main" && $3 == "Debian" { print $1; exit }')}
recipe=$(cat "$here"/make_root.sh "$here"/memory.c "$here"/virtual.yaml "$constraints" | sha256sum)

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
inside() { "$here/in_root.sh" "$root" env DEBIAN_FRONTEND=noninteractive "$@"; }

echo "picamera root: Debian 13 into $root"
compiling=gcc,libc6-dev,linux-libc-dev,libcap-dev,python3-dev
logged debootstrap --variant=minbase --include=ca-certificates,python3-venv,$compiling \
    trixie "$root" "$mirror"
# The proxies and certificates with which this machine reaches its package sources.
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
