# SPDX-License-Identifier: MIT
"""
Dice that were not seen to be thrown: which of them the table asked for, and which are a doubt.

A die counts because it was thrown. One that a hand set is read as well as any other, so
only its way there tells them apart; and the table itself asks for hands, wherever a die
leans or can't be read. So it remembers at such a rest which dice were certain. As long as
all of these still lie there, what was set since is what it asked for, wherever that was
put, and play goes on. Any other die that was set is a doubt: it is thrown again, or a
press says that it counts. Either way it stays marked as placed, on the screen and in
the journal.

A die that is only unseen, because frames were missing, counts as thrown: nothing speaks for
a hand. The journal keeps that it was unseen. A table that is to see every throw doubts it
as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from controller.table.events import KEPT, PLACED, TURNED, UNSEEN, TrayDie, TrayDoubt
from controller.table.state import RepairMemory, TableState

PUSHED_EDGES = 0.75
"""A die that was pushed no farther than this share of its edge is still the same one."""

_NEEDS_NO_HAND = ("count", "foreign object", PLACED, UNSEEN)
"""Doubts that are not mended by setting a die: it is thrown in or again, or a thing taken out."""


def mark_still_placed(mending: RepairMemory | None, dice: Sequence[TrayDie]) -> tuple[TrayDie, ...]:
    """Return the dice at rest; what was placed or unseen before and lies there still is so."""
    certain = mending.certain if mending else ()
    return tuple(_restore_origin(die, certain) if _is_new(die) else die for die in dice)


def _restore_origin(die: TrayDie, certain: Sequence[TrayDie]) -> TrayDie:
    for origin in (PLACED, UNSEEN):
        if _is_among(die, [other for other in certain if other.origin == origin]):
            return replace(die, origin=origin)
    return die


def list_unrequested(
    mending: RepairMemory | None, dice: Sequence[TrayDie], *, see_every_throw: bool
) -> tuple[TrayDie, ...]:
    """
    Return those of the dice at rest that may not be thrown, and that no doubt asked for.

    Args:
        mending: What is remembered of the doubts before.
        dice: The dice at rest.
        see_every_throw: Whether that holds for unseen dice too, not only for placed ones.
    """
    doubtful = (PLACED, UNSEEN) if see_every_throw else (PLACED,)
    placed = tuple(die for die in dice if die.origin in doubtful)
    if mending is None or not _is_requested(mending, dice):
        return placed
    return tuple(die for die in placed if _is_among(die, mending.unrequested))


def remember_repair(before: RepairMemory | None, after: TableState) -> RepairMemory:
    """Return what is to be remembered of this rest, because something in it is in doubt."""
    is_asked = any(doubt.kind not in _NEEDS_NO_HAND for doubt in after.doubts)
    is_still = before is not None and _is_requested(before, after.dice_read)
    doubtful = list_unrequested(before, after.dice_read, see_every_throw=after.see_every_throw)
    return RepairMemory(after.dice_read, doubtful, is_asked or is_still)


def doubt_placed(dice: Sequence[TrayDie]) -> tuple[TrayDoubt, ...]:
    """Return the doubt about each of these dice, placed or unseen."""
    return tuple(_build_doubt(die, "Throw it again, or confirm that it counts.") for die in dice)


def note_placed(dice: Sequence[TrayDie]) -> tuple[TrayDoubt, ...]:
    """Return what the journal says of each of the dice that a hand set as it was asked to."""
    return tuple(_build_doubt(die, "It was asked for.") for die in dice if die.origin == PLACED)


def _build_doubt(die: TrayDie, mend: str) -> TrayDoubt:
    is_placed = die.origin == PLACED
    what = "was set by a hand" if is_placed else "was not seen to be thrown"
    kind = PLACED if is_placed else UNSEEN
    return TrayDoubt(kind, f"The {die.face} here {what}. {mend}", die.center_px, die.edge_px)


def _is_requested(mending: RepairMemory, dice: Sequence[TrayDie]) -> bool:
    """Tell whether hands were asked for, and left alone what was certain."""
    return mending.is_requested and all(_is_among(die, dice) for die in mending.certain)


def _is_new(die: TrayDie) -> bool:
    return die.origin not in (KEPT, TURNED)


def _is_among(die: TrayDie, dice: Sequence[TrayDie]) -> bool:
    """Tell whether this die is one of those, pushed a little or not."""
    return any(
        (die.face, die.polarity) == (other.face, other.polarity)
        and math.dist(die.center_px, other.center_px) <= PUSHED_EDGES * other.edge_px
        for other in dice
    )
