# SPDX-License-Identifier: MIT
"""The owner's dice as the page and the terminal see them: plain values, and what to do next."""

from __future__ import annotations

from collections import Counter

from controller.calibration.own_dice import OwnDiceSession
from controller.calibration.views import OwnDiceView
from controller.languages.message import Message, chain_messages, message, plural_message


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


def describe_next_step(session: OwnDiceSession) -> Message:
    """Return how far the dice are known and what to do next, in words."""
    if session.throw is not None:
        return message(
            "Compare each face with its die. Correct a wrong number, enter the number of a doubted"
            " die that lies flat, and confirm."
        )
    if not session.throws:
        if session.kept_faces:
            return plural_message(
                "The table knows {count} face of your dice.",
                "The table knows {count} faces of your dice.",
                session.kept_faces,
            )
        return message("Throw all your dice and read them; about five throws are enough.")
    throws = plural_message(
        "{count} throw is confirmed.", "{count} throws are confirmed.", session.throws
    )
    if wanted := session.wanted:
        missing = message(
            "Still missing: {faces}. Throw again, or keep these.", faces=format_wanted(wanted)
        )
        return chain_messages([throws, missing])
    return chain_messages([throws, message("That is enough: keep the dice, or throw again.")])


def format_wanted(wanted: Counter[int]) -> Message:
    """Format how many faces of each number are still wanted, such as `2 × six`."""
    words = (
        message("one"),
        message("two"),
        message("three"),
        message("four"),
        message("five"),
        message("six"),
    )
    counts = [
        chain_messages([f"{wanted[number]} ×", words[number - 1]]) for number in sorted(wanted)
    ]
    return chain_messages(counts, ", ")
