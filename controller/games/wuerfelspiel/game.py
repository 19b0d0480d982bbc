# SPDX-License-Identifier: MIT
"""Würfelspiel as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.languages.message import Message, message
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.dice import parse_roll, roll_text
from controller.games.ui import (
    Arrows,
    GameUI,
    HelpPart,
    OfferedChoice,
    SelectionResult,
    SheetView,
    TurnContext,
)
from controller.games.wuerfelspiel import picking, reasons
from controller.games.wuerfelspiel.arrows import find_arrows
from controller.games.wuerfelspiel.help import build_help
from controller.games.wuerfelspiel.notation import DICE_COUNT
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import WuerfelspielSheet
from controller.games.wuerfelspiel.view import WuerfelspielGameView, describe_fill


class WuerfelspielUI(GameUI[WuerfelspielState]):
    """Würfelspiel on a screen."""

    def list_offers(self, position: WuerfelspielState, player: str) -> tuple[OfferedChoice, ...]:
        return picking.list_offers(position, player)

    def tap_die(
        self, position: WuerfelspielState, player: str, turn: TurnContext, index: int
    ) -> SelectionResult:
        return picking.tap_die(position, player, turn, index)

    def find_arrows(
        self, offers: Sequence[OfferedChoice], turn: TurnContext, cursor: int
    ) -> Arrows:
        return find_arrows(offers, cursor)

    def label_arrows(self, turn: TurnContext) -> tuple[str | None, str | None]:
        return message("next row"), message("next column")

    def create_view(self, position: WuerfelspielState, turn: TurnContext) -> WuerfelspielGameView:
        return WuerfelspielGameView(position, turn)

    def describe_action(self, action: str) -> Message | None:
        return describe_fill(action)

    def without_offers(self, sheet: SheetView) -> object:
        return [[cell["points"] for cell in row["cells"]] for row in sheet["rows"]]

    def explain_action(self, position: WuerfelspielState, player: str, action: str) -> str:
        return reasons.explain_action(position, player, action)

    def build_help(self, options: Options) -> list[HelpPart]:
        return build_help()


class WuerfelspielGame:
    """Würfelspiel by its page, for one to six players."""

    key = "wuerfelspiel"
    title = message("Würfelspiel")
    options: Mapping[str, OptionRule] = {}
    players_range: tuple[int, int | None] = (1, 6)
    chooses_together = False
    polarities = ("",) * DICE_COUNT
    ui: GameUI[Any] = WuerfelspielUI()

    def start(self, players: Sequence[str], options: Options) -> WuerfelspielState:
        """
        Return the position before the first roll, which is the first player's.

        Raises:
            InputError: The names are empty or not unique, there are none or more than six, or
                an option is given.
        """
        fewest, most = self.players_range
        names = require_players(players, fewest=fewest, most=most)
        require_options(options, self.options)
        return WuerfelspielState(names, (WuerfelspielSheet(),) * len(names))

    def die_text(self, face: int, polarity: str) -> str:
        """Write one die as it stands in a roll; its colour means nothing here."""
        return str(face)

    def parse_roll(self, text: str) -> tuple[str, ...]:
        """
        Read a roll from its text: its dice, smallest face first.

        Raises:
            InputError: The text is not five digits from 1 to 6.
        """
        return tuple(roll_text(parse_roll(text, count=DICE_COUNT)))

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        """Write dice as read in the record's text form; the colour of a die means nothing here."""
        return roll_text(faces)


WUERFELSPIEL = WuerfelspielGame()
