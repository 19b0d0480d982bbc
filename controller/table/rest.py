# SPDX-License-Identifier: MIT
"""
What dice at rest mean while a roll is waited for.

A roll is all the dice, every one of them thrown. Fewer, more, or some that still lie
as they lay when the last roll was taken: each has its own answer, and none is a roll.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.games import GAMES
from controller.table.events import ReadingDoubtful, SeenDie, SeenDoubt
from controller.table.lie import unmoved
from controller.table.state import Notice, Phase, TableState


@dataclass(frozen=True, slots=True)
class Taken:
    """The dice at rest are a new roll."""


def judged_rest(state: TableState, dice: tuple[SeenDie, ...]) -> TableState | Taken:
    """Return that certain dice are a new roll, or the state that says what is missing."""
    wanted = GAMES[state.game_key].dice_count
    stayed = unmoved(state.lie, dice)
    calm = replace(state, phase=Phase.AWAITING_ROLL, seen=dice, doubts=(), notice=None)
    if len(stayed) == len(dice):
        # None in view, or all as they lay: the others are in the bell.
        return calm
    if len(dice) != wanted:
        return replace(calm, phase=Phase.STRAIGHTEN, doubts=(_count_doubt(len(dice), wanted),))
    if stayed:
        return replace(calm, notice=_not_thrown(len(stayed), wanted))
    return Taken()


def judged_doubt(state: TableState, event: ReadingDoubtful) -> TableState:
    """Return the state that asks to straighten what is uncertain."""
    return replace(
        state,
        phase=Phase.STRAIGHTEN,
        seen=event.dice,
        doubts=event.doubts,
        picture=event.picture,
        notice=None,
    )


def _count_doubt(found: int, wanted: int) -> SeenDoubt:
    missing = "Put all of them into the tray." if found < wanted else "Take out what is too many."
    return SeenDoubt("count", f"{found} of {wanted} dice in the tray. {missing}")


def _not_thrown(stayed: int, wanted: int) -> Notice:
    dice = "die was" if stayed == 1 else "dice were"
    return Notice("info", f"{stayed} {dice} not thrown.", f"Throw all {wanted} dice.")
