# SPDX-License-Identifier: MIT
"""Just dice as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.dice import make_roll, roll_text
from controller.games.free_dice.notation import COUNTS, DICE_MOST
from controller.games.free_dice.rules import FreeDiceState
from controller.games.free_dice.screen import FreeDiceUI
from controller.games.free_dice.tally import FaceTally
from controller.games.game import Game
from controller.games.ui import GameUI

USUAL_COUNT = 5


class FreeDiceGame(Game):
    """Just dice, for any number of players."""

    key = "dice"
    title = message("Just dice")
    options: Mapping[str, OptionRule] = {
        "dice": OptionRule(message("Dice"), values=COUNTS, default=USUAL_COUNT)
    }
    players_range: tuple[int, int | None] = (1, None)
    chooses_together = False
    polarities = ("",) * USUAL_COUNT
    ui: GameUI[Any] = FreeDiceUI()

    def start(self, players: Sequence[str], options: Options) -> FreeDiceState:
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        count = int(require_options(options, self.options)["dice"])
        if count not in COUNTS:
            expected = message("1 to {most} dice", most=DICE_MOST)
            raise InputError(expected=expected, found=str(count), where="dice")
        tallies = (FaceTally(),) * len(names)
        return FreeDiceState(names, tallies, count, count)

    def parse_roll(self, text: str) -> tuple[str, ...]:
        """Read 1 to 20 digits, smallest face first; only a position knows how many it needs."""
        if len(text) not in COUNTS or any(sign not in "123456" for sign in text):
            expected = message("1 to {most} digits from 1 to 6", most=DICE_MOST)
            raise InputError(expected=expected, found=repr(text))
        return tuple(roll_text(make_roll(int(sign) for sign in text)))


FREE_DICE = FreeDiceGame()
