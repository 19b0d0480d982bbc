# SPDX-License-Identifier: MIT
"""What a page may do to the simulated tray: throw, nudge, ..., or let its camera fail."""

from __future__ import annotations

from collections.abc import Callable

from controller.errors import InputError
from webui.commands import require_fields, require_keys, shown
from webui.gate import FAULTS, TrayControls


def move_tray(body: object, tray: TrayControls) -> None:
    """
    Do to the tray what the request asks.

    Raises:
        InputError: It asks for nothing that a hand can do there.
    """
    fields = require_fields(body, "do")
    name = fields["do"]
    if name == "fault":
        require_keys(fields, ("do", "name"))
        tray.set_fault(_fault(fields["name"]))
        return
    moves = _moves(tray)
    move = moves.get(name) if isinstance(name, str) else None
    if move is None:
        raise InputError(expected=f"do: one of {', '.join(moves)}, fault", found=shown(name))
    require_keys(fields, ("do",))
    move()


def _moves(tray: TrayControls) -> dict[str, Callable[[], None]]:
    return {
        "throw": tray.throw,
        "nudge": tray.nudge,
        "turn": tray.turn,
        "tilt": tray.tilt,
        "take_out": tray.take_out,
        "put_back": tray.put_back,
    }


def _fault(name: object) -> str | None:
    if name is None or (isinstance(name, str) and name in FAULTS):
        return name
    raise InputError(expected=f"name: null or one of {', '.join(FAULTS)}", found=shown(name))
