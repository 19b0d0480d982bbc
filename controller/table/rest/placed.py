# SPDX-License-Identifier: MIT
"""
Dice that a hand set: which of them the table asked for, and which are a doubt.

A die counts because it was thrown. One that a hand set is read as well as any other, so
only its way there tells them apart; and the table itself asks for hands, wherever a die
leans or can't be read. So it remembers at such a rest which dice were certain. As long as
all of these still lie there, what was set since is what it asked for, wherever that was
put, and play goes on. Any other die that was set is a doubt: it is thrown again, or a
press says that it counts. Either way it stays marked as placed, on the screen and in
the journal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from controller.table.events import KEPT, PLACED, TURNED, SeenDie, SeenDoubt
from controller.table.state import Mending, TableState

PUSHED_EDGES = 0.75
"""A die that was pushed no farther than this share of its edge is still the same one."""

_ASKS_FOR_NO_HAND = ("count", "foreign object", PLACED)
"""Doubts that are not mended by setting a die: it is thrown in or again, or a thing taken out."""


def with_memory(mending: Mending | None, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return the dice at rest; what was placed at the rest before and lies there still is so."""
    placed = [die for die in mending.certain if die.origin == PLACED] if mending else []
    return tuple(
        replace(die, origin=PLACED) if _is_new(die) and _among(die, placed) else die for die in dice
    )


def unasked(mending: Mending | None, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return those of the dice at rest that a hand set and nobody asked it to."""
    placed = tuple(die for die in dice if die.origin == PLACED)
    if mending is None or not _is_asked(mending, dice):
        return placed
    return tuple(die for die in placed if _among(die, mending.unasked))


def mending_after(before: Mending | None, after: TableState) -> Mending:
    """Return what is to be remembered of this rest, because something in it is in doubt."""
    is_asked = any(doubt.kind not in _ASKS_FOR_NO_HAND for doubt in after.doubts)
    is_still = before is not None and _is_asked(before, after.seen)
    return Mending(after.seen, unasked(before, after.seen), is_asked or is_still)


def placed_doubts(dice: Sequence[SeenDie]) -> tuple[SeenDoubt, ...]:
    """Return the doubt about each of these dice, which a hand set."""
    return tuple(_doubt(die, "Throw it again, or confirm that it counts.") for die in dice)


def placed_notes(dice: Sequence[SeenDie]) -> tuple[SeenDoubt, ...]:
    """Return what the journal says of each of the dice that a hand set as it was asked to."""
    return tuple(_doubt(die, "It was asked for.") for die in dice if die.origin == PLACED)


def _doubt(die: SeenDie, mend: str) -> SeenDoubt:
    text = f"The {die.face} here was not seen to be thrown. {mend}"
    return SeenDoubt(PLACED, text, die.center_px, die.edge_px)


def _is_asked(mending: Mending, dice: Sequence[SeenDie]) -> bool:
    """Tell whether hands were asked for, and left alone what was certain."""
    return mending.is_asked and all(_among(die, dice) for die in mending.certain)


def _is_new(die: SeenDie) -> bool:
    return die.origin not in (KEPT, TURNED)


def _among(die: SeenDie, dice: Sequence[SeenDie]) -> bool:
    """Tell whether this die is one of those, pushed a little or not."""
    return any(
        (die.face, die.polarity) == (other.face, other.polarity)
        and math.dist(die.center_px, other.center_px) <= PUSHED_EDGES * other.edge_px
        for other in dice
    )
