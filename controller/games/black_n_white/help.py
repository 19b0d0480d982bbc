# SPDX-License-Identifier: MIT
"""The rules of Black'n'White in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.base.languages.message import message, plural_message
from controller.games.black_n_white.round import MOST_THROWS
from controller.games.contract import Options
from controller.games.ui import HelpPart, help_part


def build_help(options: Options) -> list[HelpPart]:
    return [
        _build_aim(int(options["chips_per_player"])),
        _build_ranking(),
        _build_round(),
        _build_first_phase(),
        _build_second_phase(),
    ]


def _build_aim(chips: int) -> HelpPart:
    return help_part(
        message("The aim"),
        message("Get rid of your chips. Whoever does so last loses."),
        plural_message(
            "At first {count} chip for each player is in the middle.",
            "At first {count} chips for each player are in the middle.",
            chips,
        ),
    )


def _build_ranking() -> HelpPart:
    return help_part(
        message("What beats what"),
        message("Doubles beat everything else, from 6-6 down to 1-1."),
        message(
            "Then come the house numbers: one die gives the tens, the other one the units. 65 is "
            "the highest, 12 the lowest."
        ),
        message("The same colour gives the tens for the whole round."),
    )


def _build_round() -> HelpPart:
    return help_part(
        message("A round"),
        message(
            "The starter throws both dice up to {count} times. After each throw: stop, or throw "
            "white, black or both again.",
            count=MOST_THROWS,
        ),
        message("The others follow clockwise. They may throw at most as often as the starter did."),
        message(
            "The starter says which colour gives the tens. With a double, the next player who "
            "stops without one says it."
        ),
    )


def _build_first_phase() -> HelpPart:
    return help_part(
        message("Phase 1: hand out the chips"),
        message(
            "The lowest result takes a chip from the middle and starts the next round. If several "
            "share it, the one who threw last takes the chip."
        ),
        message("The first player starts the first round: by the booklet, the youngest."),
        message("When the last chip is taken, phase 2 begins."),
    )


def _build_second_phase() -> HelpPart:
    return help_part(
        message("Phase 2: get rid of the chips"),
        message("Only players with chips throw. Without chips you have won."),
        message(
            "The player with the most chips starts. If several have the most, they throw both "
            "dice once: the most pips start, equal pips throw again."
        ),
        message(
            "The highest result puts a chip out of the game. If several share it, the first one "
            "to throw it does: a result must be beaten."
        ),
        message("When only one player has chips, that player has lost."),
    )
