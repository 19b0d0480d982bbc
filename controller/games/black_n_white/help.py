# SPDX-License-Identifier: MIT
"""The rules of Black'n'White in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.games.black_n_white.round import MOST_THROWS
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part


def build_help(options: Options) -> list[HelpPart]:
    chips = options["chips_per_player"]
    lie = "1 chip per player lies" if chips == 1 else f"{chips} chips per player lie"
    return [
        help_part(
            "What it is about",
            f"Whoever is the last to hold chips loses. {lie} in the middle.",
        ),
        help_part(
            "What beats what",
            "Doubles beat everything, 6-6 is the highest. Then the numbers, from 65 down to 12.",
            "One die gives the tens, the same colour for all in a round.",
        ),
        help_part(
            "A round",
            f"The starter throws up to {MOST_THROWS} times: stop, or throw one die or both again. "
            "As many throws as the starter used, all others have.",
            "Without a double the starter says which colour gives the tens; after a double the "
            "next player without one says it.",
        ),
        help_part(
            "Phase 1: chips are handed out",
            "The lowest takes a chip and starts the next round; among equals, the last to throw.",
            "When the last chip is taken, phase 2 begins.",
        ),
        help_part(
            "Phase 2: chips go out of the game",
            "The highest puts a chip out; of equal highest, the first to throw it: a result must "
            "be beaten.",
            "Only players with chips play. Most chips start; equal ones throw off, most pips "
            "start, equal pips throw again.",
            "Without chips you have won. Who alone still holds chips has lost.",
        ),
    ]
