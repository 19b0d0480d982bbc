# SPDX-License-Identifier: MIT
"""
Choices of Just dice: throw again, change the number of dice, or end it.

The arrows change the number by one. Which dice stay is decided in the tray, never on a screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.base.languages.message import message
from controller.games.free_dice.notation import AGAIN, END, THROW, count_text
from controller.games.free_dice.rules import FreeDiceState
from controller.games.ui import (
    Arrows,
    OfferedChoice,
    SelectionResult,
    plain_offer,
    step_arrows,
)


def list_offers(game: FreeDiceState, player: str) -> tuple[OfferedChoice, ...]:
    """Return what this player may choose on a screen; a throw of some dice needs no choice."""
    actions = (action for action in game.legal_actions(player) if action != AGAIN)
    return tuple(plain_offer(game, player, text, _kind(text)) for text in actions)


def find_arrows(offers: Sequence[OfferedChoice], cursor: int, count: int) -> Arrows:
    """
    Return where the arrows lead: one die fewer or more, and the end beyond the largest number.

    Args:
        offers: Everything that the player may do.
        cursor: The offer under the cursor; -1 for none.
        count: The number of dice now, whose place in the ring the next throw has.
    """
    indices = {offer.action: index for index, offer in enumerate(offers)}
    numbers = [index for index, offer in enumerate(offers) if offer.kind == "dice"]
    before = [index for index in numbers if offers[index].action in _fewer(count)]
    after = [index for index in numbers if index not in before]
    throw, end = ([indices[action]] if action in indices else [] for action in (THROW, END))
    return step_arrows([*before, *throw, *after, *end], cursor)


def tap_die() -> SelectionResult:
    """Return why a tap selects nothing."""
    return SelectionResult(
        refusal=message("Nothing has to be tapped here."),
        remedy=message("Leave the dice that stay, and throw the others."),
    )


def _kind(action: str) -> str:
    return action if action in (THROW, END) else "dice"


def _fewer(count: int) -> tuple[str, ...]:
    return tuple(count_text(fewer) for fewer in range(1, count))
