# SPDX-License-Identifier: MIT
"""Choice as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.languages.message import message
from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.notation import DICE_COUNT
from controller.games.choice.rules import ChoiceState
from controller.games.choice.screen import ChoiceUI
from controller.games.choice.sheet import ChoiceSheet
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.game import Game
from controller.games.ui import GameUI


class ChoiceGame(Game):
    """Choice with or without jokers. Solo play is allowed, any number of players too."""

    key = "choice"
    title = message("Choice")
    options: Mapping[str, OptionRule] = {
        "jokers": OptionRule(message("Jokers"), (False, True), False),
        "secret": OptionRule(message("Secret choices"), (False, True), False),
    }
    players_range: tuple[int, int | None] = (1, None)
    chooses_together = True
    polarities = ("",) * DICE_COUNT
    ui: GameUI[Any] = ChoiceUI()

    def start(self, players: Sequence[str], options: Options) -> ChoiceState:
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        chosen = require_options(options, self.options)
        count = len(names)
        return ChoiceState(
            names,
            (ChoiceSheet(),) * count,
            jokers=(Jokers(JOKERS),) * count if chosen["jokers"] else (),
            secret=bool(chosen["secret"]),
        )


CHOICE = ChoiceGame()
