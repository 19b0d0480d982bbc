# SPDX-License-Identifier: MIT
"""The screen beside the tray: is one connected, and does a desktop show something on it?"""

from __future__ import annotations

from collections.abc import Iterator

from controller.maintenance.doctor.context import Patient
from controller.maintenance.doctor.finding import Finding, note, ok

DISPLAY = "display"
START_DESKTOP = "boot to the desktop: sudo raspi-config, System Options, Boot, Desktop Autologin"
CONNECT = "connect one and start anew, or open the kiosk's page in a browser elsewhere"


def check_display(patient: Patient) -> Iterator[Finding]:
    """Look for a desktop and for connected screens."""
    machine = patient.machine
    if desktop := _desktop(patient):
        yield ok(DISPLAY, desktop)
    else:
        yield note(DISPLAY, "no desktop runs, so no kiosk can show here", START_DESKTOP)
    states = machine.files("sys/class/drm", "card*-*/status")
    screens = [path.parent for path in states if path.read_text().strip() == "connected"]
    for screen in screens:
        modes = machine.text(str((screen / "modes").relative_to(machine.root))).splitlines()
        name = screen.name.partition("-")[2]
        yield ok(DISPLAY, f"a screen at {name}, {modes[0] if modes else 'its size is not told'}")
    if states and not screens:
        yield note(DISPLAY, "no screen is connected", CONNECT)


def _desktop(patient: Patient) -> str:
    """Return which desktop runs: of whoever asks, or else of anybody on this machine."""
    machine = patient.machine
    if name := machine.environment.get("WAYLAND_DISPLAY"):
        return f"Wayland ({name})"
    if name := machine.environment.get("DISPLAY"):
        return f"X ({name})"
    sockets = [path for path in machine.files("run/user", "*/wayland-*") if path.suffix != ".lock"]
    if sockets:
        return f"Wayland ({sockets[0].name} of user {sockets[0].parent.name})"
    if found := machine.files("tmp/.X11-unix", "X*"):
        return f"X (:{found[0].name.removeprefix('X')})"
    return ""
