# SPDX-License-Identifier: MIT
"""
Which die is which, from one rest to the next, and how each came to lie where it lies.

Dice have no names, but they have places and ways. A die that lies just as it lay is the
same. Every other die was seen on its way (`vision.tracking.die_histories`): what was followed from
the place of an old die is that die, pushed or knocked away; what came flying is thrown,
even onto the place of an old die with the same face. Only where a hand was at work, or
nothing was seen, places decide: the same face close by is that die, another face means
that it was turned, and a die that tips over one edge moves by exactly its edge, so
*turned* reaches a little further than *kept*. What is left was placed if a hand was seen
at it. Otherwise it is *unseen*: dropped frames are no evidence of a hand.

Distances are counted in edges of the die itself: that holds with and without a
calibration, near the camera and far from it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Protocol

from vision.reading import DieReading, Origin, Point, TrayReading
from vision.tracking.die_histories import Arrival
from vision.tracking.trajectory import ArrivalKind


@dataclass(frozen=True, slots=True)
class MatchParams:
    """
    How far a die may be from where one lay and still be that one, in edges of the die.

    Attributes:
        stayed_edges: With the same face up, untouched: readings jitter far less.
        stayed_deg: So much its angle may differ then, in degrees.
        kept_edges: With the same face up: pushed a little.
        turned_edges: With another face up: tipped over an edge, and pushed a little.
    """

    stayed_edges: float = 0.2
    stayed_deg: float = 10.0
    kept_edges: float = 0.75
    turned_edges: float = 1.25


ArrivalLookup = Callable[[Sequence[DieReading], Sequence[DieReading]], Sequence[Arrival]]
"""Tells how dice arrived: given those that lie no more and those that are new, one for each new."""


class PlacedDie(Protocol):
    """A die with its place in the picture, whoever keeps it: enough to know it again."""

    @property
    def face(self) -> int:
        """The number up."""
        ...

    @property
    def polarity(self) -> object:
        """Whether the body is lighter or darker than the pips; the same die has the same one."""
        ...

    @property
    def center_px(self) -> Point:
        """Centre of the top face."""
        ...

    @property
    def edge_px(self) -> float:
        """Length of a face edge; 0 for a die whose place nobody knows."""
        ...


@dataclass(frozen=True, slots=True)
class MatchedDie:
    """
    A die that was known again.

    Attributes:
        before: Its index among the dice before.
        origin: `KEPT`, or `TURNED` where it shows another face.
    """

    before: int
    origin: Origin


def assign_origins(
    before: TrayReading | None, now: TrayReading, witness: ArrivalLookup
) -> TrayReading:
    """
    Tell of every die how it came to lie where it lies.

    Args:
        before: The reading of the rest before; none at the first rest.
        now: The reading of this rest.
        witness: Tells how the dice arrived that do not lie as one lay before.

    Returns:
        The reading of this rest, the origin of every die filled in.
    """
    if before is None:
        return _fill_in_origins(now, dict.fromkeys(range(len(now.dice)), (Origin.PRESENT, 0)))
    stayed = _find_untouched(before.dice, now.dice)
    gone = [i for i in range(len(before.dice)) if i not in stayed.values()]
    new = [j for j in range(len(now.dice)) if j not in stayed]
    old_dice, new_dice = [before.dice[i] for i in gone], [now.dice[j] for j in new]
    judged = _classify_new_dice(old_dice, new_dice, witness(old_dice, new_dice))
    told = dict.fromkeys(stayed, (Origin.KEPT, 0))
    return _fill_in_origins(now, told | {j: judged[place] for place, j in enumerate(new)})


def match_dice(
    before: Sequence[PlacedDie],
    now: Sequence[PlacedDie],
    params: MatchParams | None = None,
    *,
    unturned: Collection[int] = (),
) -> Mapping[int, MatchedDie]:
    """
    Pair the dice of two rests, same faces first, then nearest.

    Args:
        before: The dice of the rest before.
        now: The dice of this rest.
        params: How far a die may be from where one lay.
        unturned: Indices among `now` of dice without evidence that a hand turned them: with
            another face they are not paired.

    Returns:
        By the index of each die of `now` that was known again, which one it was.
    """
    params = params or MatchParams()
    pairs = sorted(
        (old.face != new.face, dist(old.center_px, new.center_px) / old.edge_px, i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(now)
        if old.polarity == new.polarity and old.edge_px > 0.0
    )
    known: dict[int, MatchedDie] = {}
    taken: set[int] = set()
    for is_turned, edges, i, j in pairs:
        limit = params.turned_edges if is_turned else params.kept_edges
        if edges > limit or i in taken or j in known or (is_turned and j in unturned):
            continue
        taken.add(i)
        known[j] = MatchedDie(i, Origin.TURNED if is_turned else Origin.KEPT)
    return known


_OriginAndFace = tuple[Origin, int]

_ORIGINS = {
    # What looked the same all the time lay there, though it was not read then.
    ArrivalKind.LAY_THERE: Origin.KEPT,
    ArrivalKind.BY_HAND: Origin.PLACED,
    # Followed from a die of another colour: two dice were confused.
    ArrivalKind.FOLLOWED: Origin.UNSEEN,
    ArrivalKind.UNSEEN: Origin.UNSEEN,
}
"""How a die came that is none of those that lay there; one that was thrown is told before."""


def _classify_new_dice(
    old: Sequence[DieReading], new: Sequence[DieReading], arrivals: Sequence[Arrival]
) -> list[_OriginAndFace]:
    """Return origin and former face of each new die, by how it arrived."""
    told: dict[int, _OriginAndFace] = {}
    taken: set[int] = set()
    for j, arrival in enumerate(arrivals):
        i = arrival.before
        if arrival.manner is ArrivalKind.THROWN:
            told[j] = (Origin.THROWN, 0)
        elif i is not None and old[i].polarity == new[j].polarity:
            is_kept = old[i].face == new[j].face
            told[j] = (Origin.KEPT if is_kept else Origin.TURNED, old[i].face)
            taken.add(i)
    left_old = [i for i in range(len(old)) if i not in taken]
    left_new = [j for j in range(len(new)) if j not in told]
    unturned = [place for place, j in enumerate(left_new) if not arrivals[j].may_be_turned]
    known = match_dice([old[i] for i in left_old], [new[j] for j in left_new], unturned=unturned)
    for place, j in enumerate(left_new):
        if place in known:
            is_turned = known[place].origin is Origin.TURNED
            was = old[left_old[known[place].before]].face if is_turned else 0
            told[j] = (known[place].origin, was)
        else:
            told[j] = (_ORIGINS[arrivals[j].manner], 0)
    return [told[j] for j in range(len(new))]


def _find_untouched(before: Sequence[DieReading], now: Sequence[DieReading]) -> dict[int, int]:
    """Return which of the dice now, by index, lie just as which of those before."""
    params = MatchParams()
    stayed: dict[int, int] = {}
    for j, new in enumerate(now):
        for i, old in enumerate(before):
            if i not in stayed.values() and _is_untouched(old, new, params):
                stayed[j] = i
                break
    return stayed


def _is_untouched(old: DieReading, new: DieReading, params: MatchParams) -> bool:
    if (old.face, old.polarity) != (new.face, new.polarity):
        return False
    if dist(old.center_px, new.center_px) > params.stayed_edges * old.edge_px:
        return False
    turn_deg = abs(old.angle_deg - new.angle_deg) % 90.0
    return min(turn_deg, 90.0 - turn_deg) <= params.stayed_deg


def _fill_in_origins(reading: TrayReading, told: Mapping[int, _OriginAndFace]) -> TrayReading:
    dice = (
        replace(die, origin=told[index][0], was=told[index][1])
        for index, die in enumerate(reading.dice)
    )
    return replace(reading, dice=tuple(dice))
