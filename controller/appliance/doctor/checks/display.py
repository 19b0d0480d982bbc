# SPDX-License-Identifier: MIT
"""Check the screen: is one connected, and does a desktop run?"""

from __future__ import annotations

from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok
from controller.base.languages.message import message

DISPLAY = "display"
START_DESKTOP = message(
    "boot to the desktop: sudo raspi-config, System Options, Boot, Desktop Autologin"
)
CONNECT = message("connect one and restart, or open the kiosk's page in a browser elsewhere")


def check_display(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    host = context.host
    if desktop := _desktop(context):
        yield ok(DISPLAY, desktop)
    else:
        yield note(DISPLAY, message("no desktop runs, so there is no kiosk here"), START_DESKTOP)
    states = host.files("sys/class/drm", "card*-*/status")
    screens = [path.parent for path in states if path.read_text().strip() == "connected"]
    for screen in screens:
        modes = host.text(str((screen / "modes").relative_to(host.root))).splitlines()
        name = screen.name.partition("-")[2]
        if modes:
            what = message("a screen at {connector}, {size}", connector=name, size=modes[0])
        else:
            what = message("a screen at {connector}, its size is unknown", connector=name)
        yield ok(DISPLAY, what)
    if states and not screens:
        yield note(DISPLAY, message("no screen is connected"), CONNECT)


def _desktop(context: DiagnosticContext) -> str:
    """Return the running desktop: of this user, otherwise of any user."""
    host = context.host
    if name := host.environment.get("WAYLAND_DISPLAY"):
        return f"Wayland ({name})"
    if name := host.environment.get("DISPLAY"):
        return f"X ({name})"
    sockets = [path for path in host.files("run/user", "*/wayland-*") if path.suffix != ".lock"]
    if sockets:
        return f"Wayland ({sockets[0].name} of user {sockets[0].parent.name})"
    if found := host.files("tmp/.X11-unix", "X*"):
        return f"X (:{found[0].name.removeprefix('X')})"
    return ""
