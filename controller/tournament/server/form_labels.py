# SPDX-License-Identifier: MIT
"""
The refusal of an official's form in words of the form.

An entry names its keys as the journal has them, and an archive is checked with those names. Who
fills in a form knows its labels.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.base.errors import RefusedError
from controller.base.languages.message import Message, message

LABELS: Mapping[str, Message] = {
    "event.name": message("Name of the event"),
    "table_result.points": message("Results in the order above"),
    "name": message("Name"),
    "style": message("Format"),
    "game": message("Game"),
    "games": message("Games or rounds"),
    "jokers": message("With jokers (Choice)"),
    "clock_s": message("Seconds for a choice"),
    "scoring": message("Result of a duplicate event"),
    "tie_break": message("What breaks ties in a duplicate event"),
    "absence": message("A game with a missed roll, in a duplicate event"),
    "corrected": message("A round on a corrected roll"),
    "pairing": message("Draws"),
    "table_size": message("Players at a table, 3 or 4"),
    "lives": message("Lives in Black'n'White"),
    "tie_breaks": message("What orders equal scores of matches"),
    "bye": message("A round without an opponent, in matches"),
    "late": message("A round before a player came, in a Swiss"),
    "half_byes": message("Rounds that a player may take off, in a Swiss"),
    "team_best": message("Members of a team who count, 0 for all"),
    "by": message("Your name, which stands beside your decisions"),
    "reason": message("Reason"),
    "player": message("Player"),
    "key": message("Key of the person"),
    "section": message("Section"),
    "team": message("Team"),
    "game_opened.players": message("Numbers of the players of a play-off"),
    "players": message("Players"),
    "other": message("Number of the other player"),
    "points": message("Points"),
    "losers": message("Numbers of those who lost"),
    "table": message("Table"),
    "box": message("Table"),
    "round": message("Round"),
    "ruling": message("Ruling"),
    "minutes": message("Minutes until the round ends, 0 for no clock"),
    "round_end": message("When the clock of a round ends"),
    "roll": message("Roll"),
    "faces": message("Faces"),
    "decision": message("Decision"),
}
"""The label of each field of the forms: by kind and key, else by key."""


def describe_refusal(error: RefusedError) -> str:
    """
    Return why a form was refused, with the label of the field that is wrong.

    A part of an entry that no field of the form stands for is not named; the reason is.
    """
    where = error.where
    if isinstance(where, Message):
        whole: str = error.args[0]
        return whole
    key = where.rpartition(".")[2].partition("[")[0]
    label = LABELS.get(where) or LABELS.get(key)
    said = message("expected {expected}, found {found}", expected=error.expected, found=error.found)
    return message("{where}: {error}", where=label, error=said) if label else said
