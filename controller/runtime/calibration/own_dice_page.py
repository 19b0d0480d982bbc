# SPDX-License-Identifier: MIT
"""The owner's dice as the page and the terminal see them: plain values, and what to do next."""

from __future__ import annotations

from controller.base.languages.message import Message, chain_messages, message, plural_message
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.views import OwnDiceView


def view_own_dice(session: OwnDiceSession) -> OwnDiceView:
    """Return how far the dice are known."""
    throw = session.throw
    return {
        "text": describe_next_step(session),
        "kept": session.kept_throws,
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


def describe_next_step(session: OwnDiceSession) -> Message:
    """Return how far the dice are known and what to do next, in words."""
    if session.throw is not None:
        return message(
            "Compare each face with its die. Correct a wrong number, enter the number of a doubted"
            " die that lies flat, and confirm."
        )
    if not session.throws:
        if session.kept_throws:
            return plural_message(
                "The table has learnt from {count} throw of your dice.",
                "The table has learnt from {count} throws of your dice.",
                session.kept_throws,
            )
        return message("Throw all your dice and read them; five throws are enough.")
    throws = plural_message(
        "{count} throw is confirmed.", "{count} throws are confirmed.", session.throws
    )
    if wanted := session.wanted:
        missing = plural_message(
            "{count} more is wanted. Throw to other positions.",
            "{count} more are wanted. Throw to other positions.",
            wanted,
        )
        return chain_messages([throws, missing])
    return chain_messages([throws, message("That is enough: keep the dice, or throw again.")])
