# SPDX-License-Identifier: MIT
"""
Just dice on a screen: throw again, change the number of dice, or end it.

The arrows change the number by one. Which dice stay is decided in the tray, never on a screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.base.languages.message import message
from controller.games import ui
from controller.games.contract import Options
from controller.games.free_dice.notation import AGAIN, DICE_MOST, END, THROW, count_text
from controller.games.free_dice.rules import FreeDiceState
from controller.games.free_dice.view import FreeDiceGameView


class FreeDiceUI(ui.GameUI[FreeDiceState]):
    def list_offers(self, position: FreeDiceState, player: str) -> tuple[ui.OfferedChoice, ...]:
        actions = (action for action in position.legal_actions(player) if action != AGAIN)
        return tuple(
            ui.plain_offer(position, player, text, text if text in (THROW, END) else "dice")
            for text in actions
        )

    def tap_die(
        self, position: FreeDiceState, player: str, turn: ui.TurnContext, index: int
    ) -> ui.SelectionResult:
        return ui.SelectionResult(
            refusal=message("Nothing has to be tapped here."),
            remedy=message("Leave the dice that stay, and throw the others."),
        )

    def find_arrows(
        self, offers: Sequence[ui.OfferedChoice], turn: ui.TurnContext, cursor: int
    ) -> ui.Arrows:
        """Lead, in a ring from the present number, to one die fewer or more, and to the end."""
        fewer = [count_text(count) for count in range(1, len(turn.faces))]
        indices = {offer.action: index for index, offer in enumerate(offers)}
        numbers = [index for index, offer in enumerate(offers) if offer.kind == "dice"]
        before = [index for index in numbers if offers[index].action in fewer]
        after = [index for index in numbers if index not in before]
        throw, end = ([indices[action]] if action in indices else [] for action in (THROW, END))
        return ui.step_arrows([*before, *throw, *after, *end], cursor)

    def label_arrows(self, turn: ui.TurnContext) -> tuple[str | None, str | None]:
        return message("fewer dice"), message("more dice")

    def create_view(self, position: FreeDiceState, turn: ui.TurnContext) -> FreeDiceGameView:
        return FreeDiceGameView(position, turn)

    def build_help(self, options: Options) -> list[ui.HelpPart]:
        return [
            ui.help_part(
                message("Just dice"),
                message("Throw, and the table reads: faces, sum, equal dice. There are no rules."),
                message("Throw again at any time. You need not press anything."),
                message("With several players the turn goes round with every throw of all dice."),
            ),
            ui.help_part(
                message("Dice that stay"),
                message(
                    "Leave some dice as they lie and throw the others: that is a new roll too."
                ),
                message("It belongs to the same player. The screen marks the dice that stayed."),
            ),
            ui.help_part(
                message("Number of dice"),
                message(
                    "Left and right change the number before a throw, from 1 to {most}.",
                    most=DICE_MOST,
                ),
                message("It never ends by itself: choose “End”, or leave it and continue later."),
            ),
        ]
