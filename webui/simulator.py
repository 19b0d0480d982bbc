# SPDX-License-Identifier: MIT
"""
Run a page's action on the simulated tray: throw, pick up, ..., or a fault of the camera.

A page points at a position of the tray picture. The tray finds the die there, because it may
have moved while the request was in flight.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.base.errors import InputError
from controller.base.languages.message import message
from hardware.simulated.hands import SimulatedHands
from webui.commands import Fields, one_of, quote_json, require_fields, require_keys

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


def run_simulator_action(body: object, tray: SimulatedHands) -> None:
    """Run the action of a request; InputError if it is unknown or malformed."""
    fields = require_fields(body, "do")
    name = fields["do"]
    if name == "fault":
        require_keys(fields, ("do", "name"))
        tray.set_fault(_fault(fields["name"]))
        return
    moves, grasps = _list_moves(tray), _list_grasps(tray)
    if isinstance(name, str) and name in grasps:
        require_keys(fields, ("do", "x", "y"))
        grasps[name](_pixel(fields, "x"), _pixel(fields, "y"))
        return
    move = moves.get(name) if isinstance(name, str) else None
    if move is None:
        expected = one_of("do", [*moves, *grasps, "fault"])
        raise InputError(expected=expected, found=quote_json(name))
    require_keys(fields, ("do",))
    move()


def _list_moves(tray: SimulatedHands) -> dict[str, Callable[[], None]]:
    return {
        "throw": tray.throw,
        "nudge": tray.nudge,
        "turn": tray.turn,
        "tilt": tray.tilt,
        "take_out": tray.take_out,
        "put_back": tray.put_back,
        "lay_cards": tray.lay_cards,
        "take_cards": tray.take_cards,
        "knock": tray.knock,
    }


def _list_grasps(tray: SimulatedHands) -> dict[str, Callable[[float, float], None]]:
    return {"take": tray.pick_up, "turn_at": tray.turn_at}


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
