# SPDX-License-Identifier: MIT
"""
Throws of a game that leaves the dice to the players (`controller.games.contract.FreeThrows`).

A rest is a roll if at least one die was thrown; the others are the dice that stayed. Who takes,
pushes or turns dice by hand has thrown nothing. A die that the table asked to straighten is part
of its throw, also if it is the only one.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.games.contract import FreeThrows
from controller.table.dice.placed import list_unrequested
from controller.table.events import KEPT, PLACED, TURNED, TrayDie
from controller.table.state import TableState, require_game


def has_thrown_dice(state: TableState, dice: Sequence[TrayDie]) -> bool:
    """Return whether at least one of the dice at rest was thrown, as far as anybody saw."""
    unrequested = list_unrequested(state.repair_memory, dice, see_every_throw=False)
    by_hand = [die for die in unrequested if die.origin == PLACED]
    return any(die.origin not in (KEPT, TURNED) and die not in by_hand for die in dice)


def name_free_throw(state: TableState, dice: Sequence[TrayDie]) -> str:
    """
    Return the action that follows from the dice that stayed; empty for an announced throw.

    A die that shows another face without a throw stayed too, if any other die did. Without those it
    was a throw of all dice.
    """
    game = require_game(state)
    if state.roller is not None or not isinstance(game, FreeThrows):
        return ""
    is_partial = any(die.origin == KEPT for die in dice)
    return game.name_throw(sum(die.origin in (KEPT, TURNED) for die in dice) * is_partial)
