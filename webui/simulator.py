# SPDX-License-Identifier: MIT
"""
Run a page's action on the simulated tray: throw, pick up, ..., or a fault of the camera.

A page points at a position of the tray picture. The tray finds the die there, because it may
have moved while the request was in flight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.base.errors import InputError
from controller.base.languages.message import message
from hardware.simulated.hands import SimulatedHands
from webui.commands import Fields, one_of, quote_json

MOST_PX = 100_000

FAULTS = {
    "dark": message("Dark"),
    "frozen": message("Frozen"),
    "dropped": message("Frames dropped"),
    "blocked": message("Covered"),
    "blurred": message("Blurred"),
    "moved": message("Moved"),
    "gone": message("Unplugged"),
}
"""The faults of the simulated camera, and the texts of their buttons."""


def _pixel(fields: Fields, key: str) -> float:
    value = fields[key]
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Infinity and NaN fail this comparison too.
        if -MOST_PX <= value <= MOST_PX:
            return float(value)
    raise InputError(
        expected=message("{key}: a position in pixels of the picture", key=key),
        found=quote_json(value),
    )


def _fault(name: object) -> str | None:
    if name is None or (isinstance(name, str) and name in FAULTS):
        return name
    raise InputError(expected=one_of("name", ("null", *FAULTS)), found=quote_json(name))


_Do = Callable[[Fields, SimulatedHands], None]
ACTIONS: Mapping[str, tuple[tuple[str, ...], _Do]] = {
    "throw": ((), lambda _, tray: tray.throw()),
    "nudge": ((), lambda _, tray: tray.nudge()),
    "turn": ((), lambda _, tray: tray.turn()),
    "tilt": ((), lambda _, tray: tray.tilt()),
    "take_out": ((), lambda _, tray: tray.take_out()),
    "put_back": ((), lambda _, tray: tray.put_back()),
    "lay_cards": ((), lambda _, tray: tray.lay_cards()),
    "take_cards": ((), lambda _, tray: tray.take_cards()),
    "knock": ((), lambda _, tray: tray.knock()),
    "take": (("x", "y"), lambda at, tray: tray.pick_up(_pixel(at, "x"), _pixel(at, "y"))),
    "turn_at": (("x", "y"), lambda at, tray: tray.turn_at(_pixel(at, "x"), _pixel(at, "y"))),
    "fault": (("name",), lambda fields, tray: tray.set_fault(_fault(fields["name"]))),
}
"""Every action at the tray: its keys, and its function."""
