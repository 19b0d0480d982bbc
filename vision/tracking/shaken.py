# SPDX-License-Identifier: MIT
"""
Decide whether dice under a dome were shaken between two rests.

No hand reaches a die there, so nothing is placed or picked out: a shake throws all dice, and a push
moves all of them with the dome. Dice are compared in their positions under the dome. If most of
them show the same face in the same position, or all do after the dome was turned, it was no shake.
"""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import pi

from vision.reading import DieReading, DomeFoot, Origin, TrayReading
from vision.tracking.die_matching import KEPT_EDGES

_NEAR_MIDDLE_EDGES = 0.5  # Nearer to the dome's middle, in edges, a die shows no turn.
_LEAST_TURNED = 3  # Dice that show a turn of the dome; one or two may by chance.


_RidingDie = tuple[DieReading, complex]  # A die and its place from the dome's middle, in edges.


def assign_origins_under_dome(before: TrayReading | None, now: TrayReading) -> TrayReading:
    """Return the reading of a rest with the origin of every die, by the last certain one before."""
    if before is None or before.dome is None or now.dome is None:
        dice = (replace(die, origin=Origin.PRESENT) for die in now.dice)
        return replace(now, dice=tuple(dice))
    stayed = _find_stayed(_ride(before, before.dome), _ride(now, now.dome))
    if not stayed:
        dice = (replace(die, origin=Origin.THROWN) for die in now.dice)
        return replace(now, dice=tuple(dice))
    left = [die for i, die in enumerate(before.dice) if i not in stayed.values()]
    found = []
    for j, die in enumerate(now.dice):
        if j in stayed:
            # Its old face finds it again in what the table knows, wherever the dome stands now.
            found.append(replace(die, origin=Origin.KEPT, was=die.face))
        else:
            was = left.pop(0).face if left else 0
            found.append(replace(die, origin=Origin.TURNED, was=was))
    return replace(now, dice=tuple(found))


def _ride(reading: TrayReading, dome: DomeFoot) -> list[_RidingDie]:
    middle = complex(*dome.center_px)
    return [(die, (complex(*die.center_px) - middle) / die.edge_px) for die in reading.dice]


def _find_stayed(before: Sequence[_RidingDie], now: Sequence[_RidingDie]) -> dict[int, int]:
    """Return the old index of each die that was not shaken; empty if the dice were."""
    stayed = _match(before, now, 0.0)
    if 2 * len(stayed) > min(len(before), len(now)):
        return stayed
    if len(before) != len(now) or len(now) < _LEAST_TURNED:
        return {}
    for turn in _list_turns(before, now):
        turned = _match(before, now, turn)
        if len(turned) == len(now):
            return turned
    return {}


def _match(before: Sequence[_RidingDie], now: Sequence[_RidingDie], turn: float) -> dict[int, int]:
    """Return the old index of each die that is in its position, if the dome was turned."""
    pairs = sorted(
        (abs(new[1] - rect(1.0, turn) * old[1]), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(now)
        if _is_alike(old[0], new[0])
    )
    found: dict[int, int] = {}
    for edges, i, j in pairs:
        if edges <= KEPT_EDGES and j not in found and i not in found.values():
            found[j] = i
    return found


def _list_turns(before: Sequence[_RidingDie], now: Sequence[_RidingDie]) -> Iterator[float]:
    for old in before:
        for new in now:
            is_far = min(abs(old[1]), abs(new[1])) > _NEAR_MIDDLE_EDGES
            if is_far and _is_alike(old[0], new[0]):
                yield (phase(new[1]) - phase(old[1])) % (2.0 * pi)


def _is_alike(old: DieReading, new: DieReading) -> bool:
    return (old.face, old.polarity) == (new.face, new.polarity)
