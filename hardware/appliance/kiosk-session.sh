#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs once when the desktop comes up, and hands the screen to the service manager of the session:
# that one brings the kiosk back whenever it ends, which the desktop would not do.
set -eu
systemctl --user import-environment DISPLAY WAYLAND_DISPLAY XDG_SESSION_TYPE XAUTHORITY
exec systemctl --user restart dicebell-kiosk.service
