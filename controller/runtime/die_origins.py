# SPDX-License-Identifier: MIT
"""
The bridge from rest to rest: which of the dice that lie now lay there before.

The watcher saw how every die came to its place since the rest before, and the table
remembers what lay in the tray; between the two there may have been rests that the table
took no dice from. They are brought together here, in the table's own thread, so that a
reading is never compared with anything but what the table knows at that moment. What
was seen flying is thrown wherever it lies, and nothing that a hand set becomes thrown.
What was not seen stays unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.table.events import DiceRead, Event, ReadingDoubtful, TrayDie
from vision.reading import Origin
from vision.tracking.die_matching import MatchedDie, match_dice

_KEPT, _TURNED = Origin.KEPT.value, Origin.TURNED.value
_THROWN, _PLACED = Origin.THROWN.value, Origin.PLACED.value
_UNSEEN = Origin.UNSEEN.value


def match_dice_to_table(event: Event, lie: Sequence[TrayDie]) -> Event:
    """Return the event with the origin of every die in it told, seen from the dice that lay."""
    if not isinstance(event, DiceRead | ReadingDoubtful):
        return event
    known = _match_known(event.dice, lie)
    dice = (_with_origin(die, known.get(index), lie) for index, die in enumerate(event.dice))
    return replace(event, dice=tuple(dice))


def _match_known(dice: Sequence[TrayDie], lie: Sequence[TrayDie]) -> Mapping[int, MatchedDie]:
    """Pair dice with those that lay, by their places, and by the ways on which they were seen."""
    near = [index for index, die in enumerate(dice) if die.origin != _THROWN]
    unturned = [place for place, index in enumerate(near) if dice[index].origin == _UNSEEN]
    found = match_dice(lie, [dice[index] for index in near], unturned=unturned)
    known = {near[place]: match for place, match in found.items()}
    for index, die in enumerate(dice):
        if index not in known and die.was and die.origin in (_KEPT, _TURNED):
            taken = {match.before for match in known.values()}
            before = _find_by_previous_face(die, lie, taken)
            if before is not None:
                known[index] = MatchedDie(before, Origin(die.origin))
    return known


def _find_by_previous_face(die: TrayDie, lie: Sequence[TrayDie], taken: set[int]) -> int | None:
    """Return the die that lay with the face which this one showed before it was knocked away."""
    shown = (die.was, die.polarity)
    for index, old in enumerate(lie):
        if index not in taken and (old.face, old.polarity) == shown:
            return index
    return None


def _with_origin(die: TrayDie, known: MatchedDie | None, lie: Sequence[TrayDie]) -> TrayDie:
    if known is not None:
        was = lie[known.before].face if known.origin is Origin.TURNED else 0
        return replace(die, origin=known.origin.value, was=was)
    # What stayed since a rest that the table took nothing from is as new to it as that rest was.
    # Turned or placed is by hand, whoever knew the die.
    if die.origin in (_TURNED, _PLACED):
        return replace(die, origin=_PLACED, was=0)
    return replace(die, origin=_UNSEEN if die.origin == _UNSEEN else _THROWN, was=0)
