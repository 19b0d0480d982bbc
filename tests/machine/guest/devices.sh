#!/bin/bash
# SPDX-License-Identifier: MIT
# The devices of a table that nobody built: a chip with the 58 lines of a Pi 4, a webcam without
# pictures yet, and what a Pi says of itself in /proc/cpuinfo.
set -euo pipefail

modprobe gpiosim
modprobe v4l2loopback exclusive_caps=1 max_buffers=4 card_label="A webcam"
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank
echo 58 >$chip/bank/num_lines
echo pinctrl-bcm2711 >$chip/bank/label
echo 1 >$chip/live
# The pull-up of a button that nobody presses.
for line in 5 6 13 19; do echo pull-up >/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio$line/pull; done
{
    cat /proc/cpuinfo
    printf 'Revision\t: c03114\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n'
} >/run/cpuinfo
udevadm settle
chgrp gpio /dev/gpiochip0
chmod 660 /dev/gpiochip0
