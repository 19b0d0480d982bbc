# SPDX-License-Identifier: MIT
"""Choice as the registry knows it: how it starts, how it writes dice, and its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.base.languages.message import message
from controller.games.choice import picking, reasons
from controller.games.choice.help import build_help
from controller.games.choice.jokers import JOKERS, TERMINATOR, Jokers
from controller.games.choice.notation import DICE_COUNT
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet
from controller.games.choice.view import ChoiceGameView
from controller.games.contract import OptionRule, Options, require_options, require_players
from controller.games.dice import parse_roll, roll_text
from controller.games.ui import (
    Arrows,
    DieLimit,
    GameUI,
    HelpPart,
    OfferedChoice,
    Selection,
    SelectionResult,
    TurnContext,
    step_arrows,
)


class ChoiceUI(GameUI[ChoiceState]):
    """Choice on a screen."""

    def list_offers(self, position: ChoiceState, player: str) -> tuple[OfferedChoice, ...]:
        return picking.list_offers(position, player)

    def tap_die(
        self, position: ChoiceState, player: str, turn: TurnContext, index: int
    ) -> SelectionResult:
        return picking.tap_die(position, player, turn, index)

    def tap_joker(
        self, position: ChoiceState, player: str, turn: TurnContext, joker: str
    ) -> SelectionResult:
        return picking.tap_joker(position, player, turn, joker)

    def list_limits(
        self, position: ChoiceState, player: str, turn: TurnContext
    ) -> Mapping[int, DieLimit]:
        return picking.list_limits(position, player, turn)

    def keep_selection(self, turn: TurnContext, action: str) -> Selection:
        return picking.keep_joker(turn, action)

    def find_arrows(
        self, offers: Sequence[OfferedChoice], turn: TurnContext, cursor: int
    ) -> Arrows:
        return step_arrows(picking.list_within_joker(offers, turn), cursor)

    def label_arrows(self, turn: TurnContext) -> tuple[str | None, str | None]:
        if turn.selection.joker == TERMINATOR:
            return None, None
        return super().label_arrows(turn)

    def create_view(self, position: ChoiceState, turn: TurnContext) -> ChoiceGameView:
        return ChoiceGameView(position, turn)

    def explain_action(self, position: ChoiceState, player: str, action: str) -> str:
        return reasons.explain_action(position, player, action)

    def build_help(self, options: Options) -> list[HelpPart]:
        return build_help(options)


class ChoiceGame:
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
        """
        Return the position before the first roll, which is the first player's.

        Raises:
            InputError: The names are empty or not unique, there are none, or an option is
                unknown or no flag.
        """
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


CHOICE = ChoiceGame()
