#!/bin/bash
# SPDX-License-Identifier: MIT
# Process 1 of the small machine: make it look like a Raspberry Pi 4, run the tests, switch it off.
exec >/dev/ttyS0 2>&1 </dev/null
source /run/share/job
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
ip link set lo up 2>/dev/null
mkdir -p /dev/pts
mount -t devpts pts /dev/pts
sed '/^Revision\|^Model/d' /proc/cpuinfo >/run/cpuinfo
printf 'Revision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B Rev 1.5\n' >>/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo
echo "booted after $(cut -d ' ' -f 1 /proc/uptime) s"
cd "$CHECKOUT" || exit
PYTHONPATH=$LGPIO PYTHONDONTWRITEBYTECODE=1 \
    "$PYTHON" -m pytest -p no:cacheprovider -p no:hypothesispytest --confcutdir tests/machine/gpio --color no -q tests/machine/gpio "$@"
echo $? >/run/share/status
sync
echo o >/proc/sysrq-trigger
sleep 60
