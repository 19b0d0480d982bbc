#!/bin/bash
# SPDX-License-Identifier: MIT
# Starts the root's own systemd as the first process of a container of its own, and runs one
# script of the root in it. Needs leave to make namespaces and a cgroup2 file system.
#
#   boot.sh ROOT SCRIPT      SCRIPT is a path inside ROOT; its exit status is this one's
set -euo pipefail

root=$1 script=$2
readonly LONGEST_S=1800

# What runs as the first script in the new namespaces: a machine's bare folders, then systemd.
container() {
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --bind "$root/proc/sys" "$root/proc/sys"
    mount -o remount,ro,bind "$root/proc/sys"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    local device name major minor
    for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
        IFS=: read -r name major minor <<<"$device"
        mknod -m 666 "$root/dev/$name" c "$major" "$minor"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    # Not chroot: in one the kernel refuses the user namespaces that units ask for.
    cd "$root"
    pivot_root . mnt
    umount --lazy /mnt
    cd /
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        /lib/systemd/systemd --system --log-target=null --show-status=no --unit=trial.target
}

if [ "${3:-}" = inside ]; then
    container
fi

cat >"$root/etc/systemd/system/trial.target" <<'END'
[Unit]
Description=A trial
Requires=basic.target trial.service
END
cat >"$root/etc/systemd/system/trial.service" <<END
[Unit]
Description=The trial's script
After=basic.target
[Service]
Type=oneshot
PassEnvironment=
EnvironmentFile=-/root/trial.env
ExecStart=/bin/bash -c '$script; echo \$? >/root/trial.status; systemctl exit 0'
StandardOutput=append:/root/trial.out
StandardError=append:/root/trial.out
END
rm -f "$root/root/trial.status"
: >"$root/root/trial.out"
timeout --signal=KILL "$LONGEST_S" unshare --mount --pid --cgroup --uts --ipc --fork --kill-child \
    bash "${BASH_SOURCE[0]}" "$root" "$script" inside >/dev/null 2>&1 || true
cat "$root/root/trial.out"
rm -f "$root/etc/systemd/system/trial.target" "$root/etc/systemd/system/trial.service"
[ -e "$root/root/trial.status" ] || { echo "boot.sh: the script did not come to its end" >&2; exit 3; }
exit "$(cat "$root/root/trial.status")"
