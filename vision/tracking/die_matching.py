# SPDX-License-Identifier: MIT
"""
Match the dice of two rests, and find the origin of each.

An untouched die is the same die. For the others the trajectories decide
(`vision.tracking.die_histories`). Only if a hand was at work, or nothing was seen, positions
decide: the same face nearby is the same die, another face nearby means that it was turned.
A die that tips moves by its edge, so *turned* reaches further than *kept*. Dropped frames are
no evidence of a hand. Distances are in edges of the die, with or without a calibration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Protocol

from vision.reading import DieReading, Origin, Point, TrayReading
from vision.tracking.die_histories import Arrival
from vision.tracking.trajectory import ArrivalKind

# How far a die may be from an old position and still be the same die, in its edges.
_STAYED_EDGES = 0.2  # For an untouched die; readings jitter far less.
_STAYED_DEG = 10.0  # How far the angle of an untouched die may differ.
KEPT_EDGES = 0.75  # For a die with the same face that was pushed a little.
_TURNED_EDGES = 1.25  # For a die that was tipped over an edge and pushed a little.


ArrivalLookup = Callable[[Sequence[DieReading], Sequence[DieReading]], Sequence[Arrival]]
"""Returns the arrival of each new die, given the dice that are gone and those that are new."""


class PlacedDie(Protocol):
    """A die with its position in the picture: enough to match it."""

    @property
    def face(self) -> int:
        """The number up."""

    @property
    def polarity(self) -> object:
        """Whether the body is lighter or darker than the pips; the same die has the same one."""

    @property
    def center_px(self) -> Point:
        """Centre of the top face."""

    @property
    def edge_px(self) -> float:
        """Length of a face edge; 0 if the position is unknown."""


@dataclass(frozen=True, slots=True)
class MatchedDie:
    before: int  # The index of that die.
    origin: Origin  # `KEPT`, or `TURNED` if it shows another face.


def assign_origins(
    before: TrayReading | None, now: TrayReading, explain: ArrivalLookup
) -> TrayReading:
    """
    Return the reading of a rest with the origin of every die; `before` is `None` at the first rest.
    """
    if before is None:
        return _fill_in_origins(now, dict.fromkeys(range(len(now.dice)), (Origin.PRESENT, 0)))
    stayed = _find_untouched(before.dice, now.dice)
    gone = [i for i in range(len(before.dice)) if i not in stayed.values()]
    new = [j for j in range(len(now.dice)) if j not in stayed]
    old_dice, new_dice = [before.dice[i] for i in gone], [now.dice[j] for j in new]
    classified = _classify_new_dice(old_dice, new_dice, explain(old_dice, new_dice))
    found = dict.fromkeys(stayed, (Origin.KEPT, 0))
    return _fill_in_origins(now, found | {j: classified[place] for place, j in enumerate(new)})


def match_dice(
    before: Sequence[PlacedDie], now: Sequence[PlacedDie], *, unturned: Collection[int] = ()
) -> Mapping[int, MatchedDie]:
    """
    Match the dice of two rests, those with the same face first, then the nearest.

    `unturned` are indices in `now` of dice that no hand can have turned: they are never matched
    with another face. Returned are the matched dice by their index in `now`.
    """
    pairs = sorted(
        (old.face != new.face, dist(old.center_px, new.center_px) / old.edge_px, i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(now)
        if old.polarity == new.polarity and old.edge_px > 0.0
    )
    known: dict[int, MatchedDie] = {}
    taken: set[int] = set()
    for is_turned, edges, i, j in pairs:
        limit = _TURNED_EDGES if is_turned else KEPT_EDGES
        if edges > limit or i in taken or j in known or (is_turned and j in unturned):
            continue
        taken.add(i)
        known[j] = MatchedDie(i, Origin.TURNED if is_turned else Origin.KEPT)
    return known


# The origin of a new die without a match, by its arrival; thrown ones are decided before.
_ORIGINS = {
    # It looked the same all the time, so it was there, but was not read then.
    ArrivalKind.LAY_THERE: Origin.KEPT,
    ArrivalKind.BY_HAND: Origin.PLACED,
    # Followed to a die of another colour: two trajectories were swapped.
    ArrivalKind.FOLLOWED: Origin.UNSEEN,
    ArrivalKind.UNSEEN: Origin.UNSEEN,
}


def _classify_new_dice(
    old: Sequence[DieReading], new: Sequence[DieReading], arrivals: Sequence[Arrival]
) -> list[tuple[Origin, int]]:
    found: dict[int, tuple[Origin, int]] = {}
    taken: set[int] = set()
    for j, arrival in enumerate(arrivals):
        i = arrival.before
        if arrival.kind is ArrivalKind.THROWN:
            found[j] = (Origin.THROWN, 0)
        elif i is not None and old[i].polarity == new[j].polarity:
            is_kept = old[i].face == new[j].face
            found[j] = (Origin.KEPT if is_kept else Origin.TURNED, old[i].face)
            taken.add(i)
    left_old = [i for i in range(len(old)) if i not in taken]
    left_new = [j for j in range(len(new)) if j not in found]
    unturned = [place for place, j in enumerate(left_new) if not arrivals[j].may_be_turned]
    known = match_dice([old[i] for i in left_old], [new[j] for j in left_new], unturned=unturned)
    for place, j in enumerate(left_new):
        if place in known:
            is_turned = known[place].origin is Origin.TURNED
            was = old[left_old[known[place].before]].face if is_turned else 0
            found[j] = (known[place].origin, was)
        else:
            found[j] = (_ORIGINS[arrivals[j].kind], 0)
    return [found[j] for j in range(len(new))]


def _find_untouched(before: Sequence[DieReading], now: Sequence[DieReading]) -> dict[int, int]:
    stayed: dict[int, int] = {}
    for j, new in enumerate(now):
        for i, old in enumerate(before):
            if i not in stayed.values() and _is_untouched(old, new):
                stayed[j] = i
                break
    return stayed


def _is_untouched(old: DieReading, new: DieReading) -> bool:
    if (old.face, old.polarity) != (new.face, new.polarity):
        return False
    if dist(old.center_px, new.center_px) > _STAYED_EDGES * old.edge_px:
        return False
    turn_deg = abs(old.angle_deg - new.angle_deg) % 90.0
    return min(turn_deg, 90.0 - turn_deg) <= _STAYED_DEG


def _fill_in_origins(reading: TrayReading, found: Mapping[int, tuple[Origin, int]]) -> TrayReading:
    dice = (replace(die, origin=found[j][0], was=found[j][1]) for j, die in enumerate(reading.dice))
    return replace(reading, dice=tuple(dice))
