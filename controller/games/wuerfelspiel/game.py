# SPDX-License-Identifier: MIT
"""Würfelspiel as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.languages.message import message
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.game import Game
from controller.games.ui import GameUI
from controller.games.wuerfelspiel.notation import DICE_COUNT
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.screen import WuerfelspielUI
from controller.games.wuerfelspiel.sheet import WuerfelspielSheet


class WuerfelspielGame(Game):
    """Würfelspiel by its page, for one to six players."""

    key = "wuerfelspiel"
    title = message("Würfelspiel")
    options: Mapping[str, OptionRule] = {}
    players_range: tuple[int, int | None] = (1, 6)
    chooses_together = False
    polarities = ("",) * DICE_COUNT
    ui: GameUI[Any] = WuerfelspielUI()

    def start(self, players: Sequence[str], options: Options) -> WuerfelspielState:
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        require_options(options, self.options)
        return WuerfelspielState(names, (WuerfelspielSheet(),) * len(names))


WUERFELSPIEL = WuerfelspielGame()
