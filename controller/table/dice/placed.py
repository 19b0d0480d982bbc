# SPDX-License-Identifier: MIT
"""
Dice that were not seen to be thrown: which of them the table asked for, and which are a doubt.

A die counts because it was thrown. But the table itself asks for hands if a die leans or
can't be read, so it remembers which dice were certain then. While these stay, any die that
was set since is what it asked for. Any other placed die is a doubt: the player throws it
again or confirms it. It stays marked as placed, on the screen and in the journal.

An unseen die has no evidence of a hand, because frames were missing. It counts as thrown,
unless the table must see every throw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from controller.base.languages.message import Message, chain_messages, message
from controller.table.events import KEPT, PLACED, TURNED, UNSEEN, TrayDie, TrayDoubt
from controller.table.state import RepairMemory, TableState

PUSHED_EDGES = 0.75
"""A die that moved no farther than this share of its edge is still the same one."""

_THROW_OR_CONFIRM = message("Throw it again, or confirm that it counts.")
_REQUESTED = message("It was asked for.")

_NEEDS_NO_HAND = ("count", "foreign object", PLACED, UNSEEN)
"""Doubts that no die set by hand repairs: a die is thrown, or an object removed."""


def mark_still_placed(memory: RepairMemory | None, dice: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice at rest; a die that was placed or unseen before still is."""
    certain = memory.certain if memory else ()
    return tuple(_restore_origin(die, certain) if _is_new(die) else die for die in dice)


def _restore_origin(die: TrayDie, certain: Sequence[TrayDie]) -> TrayDie:
    for origin in (PLACED, UNSEEN):
        if _is_among(die, [other for other in certain if other.origin == origin]):
            return replace(die, origin=origin)
    return die


def list_unrequested(
    memory: RepairMemory | None, dice: Sequence[TrayDie], *, see_every_throw: bool
) -> tuple[TrayDie, ...]:
    """Return dice that may not be thrown and no doubt asked for; `see_every_throw`: unseen too."""
    doubtful = (PLACED, UNSEEN) if see_every_throw else (PLACED,)
    placed = tuple(die for die in dice if die.origin in doubtful)
    if memory is None or not _is_requested(memory, dice):
        return placed
    return tuple(die for die in placed if _is_among(die, memory.unrequested))


def remember_repair(before: RepairMemory | None, after: TableState) -> RepairMemory:
    """Return what to remember of this doubtful reading."""
    is_asked = any(doubt.kind not in _NEEDS_NO_HAND for doubt in after.reading.doubts)
    is_still = before is not None and _is_requested(before, after.reading.dice)
    doubtful = list_unrequested(
        before, after.reading.dice, see_every_throw=after.setup.see_every_throw
    )
    return RepairMemory(after.reading.dice, doubtful, is_asked or is_still)


def doubt_placed(dice: Sequence[TrayDie]) -> tuple[TrayDoubt, ...]:
    """Return a doubt for each of these dice, placed or unseen."""
    return tuple(_build_doubt(die, _THROW_OR_CONFIRM) for die in dice)


def note_placed(dice: Sequence[TrayDie]) -> tuple[TrayDoubt, ...]:
    """Return a note for the journal on each die that a hand set on request."""
    return tuple(_build_doubt(die, _REQUESTED) for die in dice if die.origin == PLACED)


def _build_doubt(die: TrayDie, remedy: Message) -> TrayDoubt:
    if die.origin == PLACED:
        kind, what = PLACED, message("The {face} here was set by a hand.", face=die.face)
    else:
        kind, what = UNSEEN, message("The {face} here was not seen to be thrown.", face=die.face)
    return TrayDoubt(kind, chain_messages([what, remedy]), die.center_px, die.edge_px)


def _is_requested(memory: RepairMemory, dice: Sequence[TrayDie]) -> bool:
    """Return whether the table asked for hands, and they left the certain dice alone."""
    return memory.is_requested and all(_is_among(die, dice) for die in memory.certain)


def _is_new(die: TrayDie) -> bool:
    return die.origin not in (KEPT, TURNED)


def _is_among(die: TrayDie, dice: Sequence[TrayDie]) -> bool:
    """Return whether this die is one of those, even if it was pushed a little."""
    return any(
        (die.face, die.polarity) == (other.face, other.polarity)
        and math.dist(die.center_px, other.center_px) <= PUSHED_EDGES * other.edge_px
        for other in dice
    )
