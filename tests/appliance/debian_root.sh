#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions for a Debian 13 of its own in the folder $root. A script that makes one sources this.
# Its packages come from the sources that apt and pip on this machine are configured with.

readonly SUITE=trixie
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly here

# Print the first Debian archive in the settings of apt.
find_debian_mirror() {
    # shellcheck disable=SC2016  # apt-get itself fills these in
    echo "${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE) $(COMPONENT) $(ORIGIN)' \
        'Created-By: Packages' 2>/dev/null | awk '$2 == "main" && $3 == "Debian" { print $1; exit }')}"
}

# Copy the proxies and certificates with which this machine reaches its package sources.
carry_package_settings() {
    apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90machine"
    local certificates=/etc/ssl/certs/ca-certificates.crt
    if [ -e $certificates ]; then cp $certificates "$root$certificates"; fi
    if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$root/etc/pip.conf"; fi
    cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
}

# Set the variables with which `inside` runs a program.
set_environment() {
    environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PIP_ROOT_USER_ACTION=ignore
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt)
    local name
    for name in PIP_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT http_proxy https_proxy no_proxy; do
        if [ -n "${!name:-}" ]; then environment+=("$name=${!name}"); fi
    done
}

inside() { chroot "$root" env -i "${environment[@]}" "$@"; }

mount_kernel() {
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mountpoint -q "$root/dev/pts" || mount -t devpts devpts "$root/dev/pts" 2>/dev/null || true
    mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
}

unmount_kernel() {
    local place
    for place in "$root/dev/shm" "$root/dev/pts" "$root/dev" "$root/proc"; do
        if mountpoint -q "$place"; then umount --lazy "$place"; fi
    done
}

# Copy the files of this checkout, changed ones included, for the account with the number 1000.
copy_checkout() {
    rm -rf "$root/home/pi/dicebell"
    mkdir -p "$root/home/pi/dicebell"
    (cd "$here" && git ls-files -z --cached --others --exclude-standard |
        xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh |
        tar --create --null --files-from=- | tar --extract --directory "$root/home/pi/dicebell")
    chown -R 1000:1000 "$root/home/pi"
}

# The files of the checkout that install.sh installs, as one digest.
digest_product() {
    (cd "$here" && git ls-files -z --cached --others --exclude-standard -- \
        install.sh pyproject.toml 'hashes*' 'constraints*' README.md LICENSE controller hardware vision webui |
        xargs -0 sha256sum 2>/dev/null | sha256sum | cut -c -16)
}
