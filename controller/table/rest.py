# SPDX-License-Identifier: MIT
"""
What dice at rest mean: a roll, not yet a roll, or nothing at all.

A roll is all the dice, every one of them thrown. Fewer, more, or some that still lie
as they lay before the throw: each has its own answer, and none is a roll. Dice that
come to rest while no throw is under way are remembered, so that a hand which later
passes over them does not make a roll of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.games import GAMES
from controller.table.events import DiceRead, ReadingDoubtful, SeenDoubt
from controller.table.lie import together, unmoved
from controller.table.state import Notice, Phase, TableState


@dataclass(frozen=True, slots=True)
class Taken:
    """The dice at rest are a new roll."""


def judged_rest(state: TableState, event: DiceRead) -> TableState | Taken:
    """Return that certain dice are a new roll, or the state that says what is missing."""
    dice, wanted = event.dice, len(GAMES[state.game_key].polarities)
    stayed = unmoved(state.lie, dice)
    calm = replace(state, phase=Phase.AWAITING_ROLL, seen=dice, lie=dice, doubts=(), notice=None)
    if len(stayed) == len(dice):
        # None in view, or all as they lay: the others are in the bell.
        return calm
    if len(dice) != wanted:
        count = _count_doubt(len(dice), wanted)
        return judged_doubt(state, ReadingDoubtful((count,), dice, event.picture))
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


def unasked_rest(state: TableState, event: DiceRead) -> TableState:
    """Return the state that knows these dice, read while no throw was under way."""
    lying = replace(state, seen=event.dice, lie=event.dice)
    if state.game is None or not isinstance(judged_rest(state, event), Taken):
        return lying
    if state.phase is Phase.CHOOSING and not _is_first_look(state):
        text = f"{state.chooser} chooses first; this throw does not count."
        return replace(lying, notice=Notice("info", text, "Throw again after that."))
    if state.phase is Phase.AWAITING_ROLL and state.lie:
        text = "This throw was not seen from its start."
        return replace(lying, notice=Notice("info", text, f"Throw all {len(event.dice)} dice."))
    return lying


def unasked_doubt(state: TableState, event: ReadingDoubtful) -> TableState:
    """Return the same for an uncertain reading: what could be read lies there as well."""
    return replace(state, seen=event.dice, lie=together(state.lie, event.dice))


def _is_first_look(state: TableState) -> bool:
    """Tell whether nothing was read yet since the table came back to a roll."""
    return not state.seen and state.lie == state.rolled


def _count_doubt(found: int, wanted: int) -> SeenDoubt:
    missing = "Put all of them into the tray." if found < wanted else "Take out what is too many."
    return SeenDoubt("count", f"{found} of {wanted} dice in the tray. {missing}")


def _not_thrown(stayed: int, wanted: int) -> Notice:
    dice = "die was" if stayed == 1 else "dice were"
    return Notice("info", f"{stayed} {dice} not thrown.", f"Throw all {wanted} dice.")
