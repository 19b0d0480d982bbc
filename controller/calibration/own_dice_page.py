# SPDX-License-Identifier: MIT
"""The owner's dice as the page and the terminal see them: plain values, and what to do next."""

from __future__ import annotations

from collections import Counter

from controller.calibration.own_dice import OwnDiceSession
from controller.calibration.views import OwnDiceView


def view_own_dice(session: OwnDiceSession) -> OwnDiceView:
    """Return how far the dice are known."""
    throw = session.throw
    return {
        "text": describe_next_step(session),
        "kept": session.kept_faces,
        "throws": session.throws,
        "is_enough": not session.wanted,
        "faces": [
            {
                "number": face.number,
                "read": face.read,
                "doubt": face.doubt,
                "center_px": face.center_px,
                "edge_px": face.edge_px,
            }
            for face in (throw.faces if throw else ())
        ],
        "picture_wh": throw.picture_wh if throw else (0, 0),
    }


def describe_next_step(session: OwnDiceSession) -> str:
    """Return how far the dice are known and what to do next, in words."""
    if session.throw is not None:
        return (
            "Compare each face with its die. Correct a wrong number, give a doubted die that lies"
            " flat its number, and confirm."
        )
    if not session.throws:
        if session.kept_faces:
            return f"The table knows {session.kept_faces} faces of your dice."
        return "Throw all your dice and read them; about five throws are enough."
    throws = f"Confirmed: {session.throws} throw{'s' if session.throws > 1 else ''}."
    wanted = session.wanted
    if wanted:
        return f"{throws} Still wanted: {format_wanted(wanted)}. Throw again, or keep these."
    return f"{throws} That is enough: keep the dice, or throw again."


def format_wanted(wanted: Counter[int]) -> str:
    """Format how many faces of each number are still wanted, such as `2 × six`."""
    words = ("one", "two", "three", "four", "five", "six")
    return ", ".join(f"{wanted[number]} × {words[number - 1]}" for number in sorted(wanted))
