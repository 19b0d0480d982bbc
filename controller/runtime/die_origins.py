# SPDX-License-Identifier: MIT
"""
Find the origin of each die by comparing a reading with the dice that the table knows.

The rest detector follows dice from one rest to the next. The table may have ignored some rests
in between, so its own dice decide. This runs in the table's thread, with the state of that
moment. A die seen in flight is thrown wherever it stops; a die set by hand never becomes thrown.
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
    """Return the event with the origin of every die, relative to the known dice."""
    if not isinstance(event, DiceRead | ReadingDoubtful):
        return event
    known = _match_known(event.dice, lie)
    dice = (_with_origin(die, known.get(index), lie) for index, die in enumerate(event.dice))
    return replace(event, dice=tuple(dice))


def _match_known(dice: Sequence[TrayDie], lie: Sequence[TrayDie]) -> Mapping[int, MatchedDie]:
    """Match dice to known ones by position, and by the movement that was seen."""
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
    """Return the known die with the face that this one showed before it was knocked away."""
    shown = (die.was, die.polarity)
    for index, old in enumerate(lie):
        if index not in taken and (old.face, old.polarity) == shown:
            return index
    return None


def _with_origin(die: TrayDie, known: MatchedDie | None, lie: Sequence[TrayDie]) -> TrayDie:
    if known is not None:
        was = lie[known.before].face if known.origin is Origin.TURNED else 0
        return replace(die, origin=known.origin.value, was=was)
    # A die that stayed since an ignored rest has the origin that it had at that rest.
    # Turned or placed means by hand, even for an unknown die.
    if die.origin in (_TURNED, _PLACED):
        return replace(die, origin=_PLACED, was=0)
    return replace(die, origin=_UNSEEN if die.origin == _UNSEEN else _THROWN, was=0)
