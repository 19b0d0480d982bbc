# SPDX-License-Identifier: MIT
"""The rules of Würfelspiel in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.games.ui import HelpPart, help_part
from controller.games.wuerfelspiel.rules import THROWS, TURNS
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    FIVE_EQUAL,
    FULL_HOUSE,
    LARGE_STRAIGHT,
    SMALL_STRAIGHT,
)


def build_help() -> list[HelpPart]:
    return [
        help_part(
            "What it is about",
            f"Fill all {TURNS} cells of your sheet, one a turn. The highest total wins.",
            "The columns count once, twice and three times.",
        ),
        help_part(
            "A turn",
            f"Throw five dice, then up to {THROWS - 1} times again those that you do not keep: "
            "take them, leave the others.",
            "Then fill one empty cell; after an earlier throw too. What does not fit counts 0.",
        ),
        help_part(
            "Upper rows",
            "Ones to sixes: the sum of the dice that show that face.",
            f"{BONUS_FROM} or more in the six upper rows of a column: {BONUS} more in it.",
        ),
        help_part(
            "Lower rows",
            "3 or 4 of a kind and chance: the sum of all five dice.",
            f"Full house {FULL_HOUSE}: three equal and two others equal; five equal are none.",
            f"Small straight, four in a row, {SMALL_STRAIGHT}; large straight, five in a row, "
            f"{LARGE_STRAIGHT}.",
            f"5 of a kind {FIVE_EQUAL}; there is no bonus for further ones.",
        ),
    ]
