# SPDX-License-Identifier: MIT
"""
The bridge from rest to rest: which of the dice that lie now lay there before.

`vision.watching.track` knows a die again by its place, and the table remembers what lay in
the tray. The two are brought together here, in the table's own thread, so that a
reading is never compared with anything but what the table knows at that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controller.table.events import DiceRead, Event, ReadingDoubtful, SeenDie
from vision.reading import Origin
from vision.watching.track import Known, known_again


def followed(event: Event, lie: Sequence[SeenDie]) -> Event:
    """Return the event with the origin of every die in it told, seen from the dice that lay."""
    if not isinstance(event, DiceRead | ReadingDoubtful):
        return event
    known = known_again(lie, event.dice)
    dice = (_with_origin(die, known.get(index), lie) for index, die in enumerate(event.dice))
    return replace(event, dice=tuple(dice))


def _with_origin(die: SeenDie, known: Known | None, lie: Sequence[SeenDie]) -> SeenDie:
    if known is None:
        return replace(die, origin=Origin.THROWN.value)
    was = lie[known.before].face if known.origin is Origin.TURNED else 0
    return replace(die, origin=known.origin.value, was=was)
