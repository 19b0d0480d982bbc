# SPDX-License-Identifier: MIT
"""
Was it thrown? How each die came to where it lies, followed back from there.

At rest it is known where every die ended, so the frames before are gone through
backwards: up to when did it lie there, and what was it before? Three answers end the
search. A hand was over its place when it came to lie there: a hand set it. Its way leads
back to the place of a die that lay there until that moment: it is that die, pushed or
knocked away, however far. Or it came freely, fast and from afar, with no hand at it: it
was thrown. A hand or a die that merely passes over a die which already lies there is no
arrival, because before that the die is seen lying there too.

What was not seen is not thrown: where the frames are missing that would show it,
the answer is `UNSEEN`, never a guess in favour of a throw.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from vision.watching.blobs import Between, BlobParams, Place, Point, Seen, shows_hand
from vision.watching.motion import SmallCopy

_MOST_S = 0.1
"""Frames that are further apart tell no speed, only the mean of a way that slows down."""


class Manner(Enum):
    """How a die came to lie where it lies."""

    LAY_THERE = "lay there"
    BY_HAND = "by hand"
    FOLLOWED = "followed"
    THROWN = "thrown"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Arrival:
    """
    How one die arrived.

    Attributes:
        manner: How.
        before: Where it was followed back to: index among the dice before; else none.
    """

    manner: Manner
    before: int | None = None


@dataclass(frozen=True, slots=True)
class ThrownParams:
    """
    What a throw looks like. Lengths are in edges of the die.

    Attributes:
        lasting_s: So far back frames are kept.
        frames: And at most so many of them.
        way_edges: A thrown die was seen on a way of at least this length, free of hands.
        fast_edges_s: And at least so fast.
        steps: And on so many frames.
        reach_edges: A die is looked for so far around where it is expected.
        reach_edges_s: And so much further, times the time between the frames: dice that bounce
            change their speed at once.
        struck_edges: A die that left its place was next seen no further away than this, and
            `struck_edges_s` times the time between the frames.
        missing_s: So long it may be lost, behind others or in their blur; on a single frame for
            however long that lasts, unless it is the last before it lies, or a hand is there.
        lone_areas: A blob of at most so many dice is no two.
        single_areas: One of more than so many is no single one.
        blobs: What looks unlike a rest.
    """

    lasting_s: float = 8.0
    frames: int = 240
    way_edges: float = 1.5
    fast_edges_s: float = 6.0
    steps: int = 2
    reach_edges: float = 0.8
    reach_edges_s: float = 60.0
    struck_edges: float = 0.8
    struck_edges_s: float = 15.0
    missing_s: float = 0.18
    lone_areas: float = 1.8
    single_areas: float = 2.6
    blobs: BlobParams = field(default_factory=BlobParams)


class Footage:
    """
    The small copies since the rest before.

    Args:
        before: Copy of that rest.
        at_s: When it was taken.
        params: How much is kept.
    """

    def __init__(self, before: SmallCopy, at_s: float, params: ThrownParams) -> None:
        self._before, self._before_at_s = before, at_s
        self._params = params
        # A quarter of the memory that floats would take.
        self._frames: deque[tuple[NDArray[np.uint8], float]] = deque(maxlen=params.frames)

    def add(self, copy: SmallCopy, at_s: float) -> None:
        """Keep the next frame."""
        self._frames.append((copy.grey.astype(np.uint8), at_s))
        while at_s - self._frames[0][1] > self._params.lasting_s:
            self._frames.popleft()

    def shows_hand(self, copy: SmallCopy, edge_px: float | None) -> bool:
        """Tell whether a hand is in a picture; `edge_px` of a die in it, where that is known."""
        return shows_hand(copy.grey, self._before.grey, edge_px, self._params.blobs)

    def arrivals(
        self, after: SmallCopy, before: Sequence[Place], now: Sequence[Place]
    ) -> tuple[Arrival, ...]:
        """
        Tell of every die of a rest how it arrived.

        Args:
            after: Copy of the rest that all this led to, of the same shape.
            before: Where dice lay at the rest before and lie no more.
            now: Where dice lie that did not lie there before.
        """
        if not now:
            return ()
        params = self._params
        between = Between(self._before.grey, after.grey, tuple(before), tuple(now), params.blobs)
        kept = ((grey.astype(np.float32), at_s) for grey, at_s in reversed(self._frames))
        frames = pairwise(chain(kept, [(self._before.grey, self._before_at_s)] * 2))
        seen = (between.see(grey, at_s, earlier) for (grey, at_s), (earlier, _) in frames)
        return _followed_back(seen, before, now, params)


class _Way:
    """The way of one die, from its place at rest back in time."""

    def __init__(self, place: Place, params: ThrownParams) -> None:
        self.place = place
        self._params = params
        self.before: int | None = None
        self.company: set[int] = set()
        self._start()

    def _start(self) -> None:
        """Lie there, as on every frame since."""
        self.is_under_hand = False
        self.is_under_way = False
        self.is_lost = False
        self.company.clear()
        self.middle_px = self.place.middle_px
        self._step_px_s = np.zeros(2)
        self._seen_s: float | None = None
        self._missed = 0
        self._way_edges = self._fast_edges_s = 0.0
        self._steps = 0

    @property
    def is_open(self) -> bool:
        """Whether it is still to be followed further back."""
        return self.is_under_way and not self.is_lost and self.before is None

    @property
    def is_in_flight(self) -> bool:
        """Whether it was seen on its way, free of hands, on enough frames for a throw."""
        return self.before is None and self._steps >= self._params.steps

    @property
    def manner(self) -> Manner:
        """What it looks like so far."""
        if self.before is not None:
            return Manner.FOLLOWED
        if self.is_under_hand:
            return Manner.BY_HAND
        if self._is_throw():
            return Manner.THROWN
        return Manner.UNSEEN if self.is_under_way else Manner.LAY_THERE

    def take_place(self, *, at_s: float, lies: bool, is_covered: bool) -> None:
        """Take what its place looks like on the frame before the last one taken."""
        if self.before is not None:
            return
        self.is_lost |= self._missed > 1 and self.is_long_missed(at_s)
        if lies:
            # Whatever came later only passed over it.
            self._start()
            self._seen_s = at_s
        elif is_covered and not self._steps:
            self.is_under_hand = self.is_under_way = self.is_lost = True
        else:
            self.is_under_way = True

    def is_long_missed(self, at_s: float) -> bool:
        """Tell whether it was not found for so long that it may have been anywhere."""
        return self._missed > 0 and self._passed_s(at_s) > self._params.missing_s

    def expected(self, at_s: float) -> Point:
        """Return where it should be on an earlier frame."""
        return self.middle_px + self._step_px_s * self._passed_s(at_s)

    def reach_px(self, at_s: float) -> float:
        """Return how far around that it may be."""
        params = self._params
        reach = params.reach_edges + params.reach_edges_s * min(self._passed_s(at_s), _MOST_S)
        return reach * self.place.edge_px

    def struck_px(self, at_s: float) -> float:
        """Return how far from there a die may have lain that was struck then."""
        params = self._params
        reach = params.struck_edges + params.struck_edges_s * min(self._passed_s(at_s), _MOST_S)
        return reach * self.place.edge_px

    def _passed_s(self, at_s: float) -> float:
        return 0.0 if self._seen_s is None else self._seen_s - at_s

    def take(self, middle_px: Point, at_s: float) -> None:
        """Take where it was on that frame."""
        step_px = middle_px - self.middle_px
        step_edges = float(np.hypot(*step_px)) / self.place.edge_px
        passed_s = self._passed_s(at_s)
        if passed_s > 0.0:
            self._step_px_s = step_px / passed_s
            # What slows down evenly began twice as fast as it was on the whole.
            began = 2.0 if passed_s > _MOST_S else 1.0
            self._fast_edges_s = max(self._fast_edges_s, began * step_edges / passed_s)
        self._way_edges += step_edges
        self._steps += 1
        self.middle_px, self._seen_s, self._missed = middle_px, at_s, 0

    def miss(self, *, shows_hand: bool) -> None:
        """Take that it was not found on a frame; what came out of nothing may be set by a hand."""
        self._missed += 1 if self._steps and not shows_hand else 2

    def end_at_hand(self) -> None:
        """Take that it came out of a hand; from close by, that is a hand which let go of it."""
        self.is_lost = True
        self.is_under_hand = not self._is_throw()

    def _is_throw(self) -> bool:
        params = self._params
        return (
            self._steps >= params.steps
            and self._way_edges >= params.way_edges
            and self._fast_edges_s >= params.fast_edges_s
        )


def _followed_back(
    frames: Iterable[Seen], before: Sequence[Place], now: Sequence[Place], params: ThrownParams
) -> tuple[Arrival, ...]:
    """Follow all dice back through the frames, the newest frame first."""
    ways = [_Way(place, params) for place in now]
    lay_later = [False] * len(before)
    for seen in frames:
        for way, lies, is_covered in zip(ways, seen.lies_after, seen.covered, strict=True):
            way.take_place(at_s=seen.at_s, lies=lies, is_covered=is_covered)
        left = [lies and not later for lies, later in zip(seen.lies_before, lay_later, strict=True)]
        _claim(ways, seen, before, left, params)
        lay_later = [lies or later for lies, later in zip(seen.lies_before, lay_later, strict=True)]
    return tuple(
        Arrival(manner, way.before if manner is Manner.FOLLOWED else None)
        for way, manner in zip(ways, _manners(ways), strict=True)
    )


def _manners(ways: Sequence[_Way]) -> list[Manner]:
    """
    Return how each die arrived.

    Dice that fly in one bunch hide each other's ways. What flew in the same blob as a thrown
    die, with no hand at either, was thrown with it. Where one of them lay in the tray before
    and another did not, nobody can tell which is which after they met.
    """
    mixed = _mixed(ways)
    manners = [Manner.UNSEEN if index in mixed else way.manner for index, way in enumerate(ways)]
    for _ in ways:
        for index, way in enumerate(ways):
            is_bound = any(manners[other] is Manner.THROWN for other in way.company)
            if is_bound and way.is_in_flight and index not in mixed:
                manners[index] = Manner.THROWN
    return manners


def _mixed(ways: Sequence[_Way]) -> set[int]:
    """Return the ways, by index, that met another kind: from the tray, and from elsewhere."""
    return {
        index
        for index, way in enumerate(ways)
        for other in way.company
        if index in ways[other].company and (way.before is None) != (ways[other].before is None)
    }


def _claim(
    ways: Sequence[_Way],
    seen: Seen,
    before: Sequence[Place],
    left: Sequence[bool],
    params: ThrownParams,
) -> None:
    """Give each way that is open what is nearest to where its die should be on this frame."""
    claims = sorted(
        claim
        for index, way in enumerate(ways)
        if way.is_open
        for claim in _claims(index, way, seen, before, left, params)
    )
    served: set[int] = set()
    together: dict[int, list[int]] = {}
    taken: set[tuple[bool, int]] = set()
    for _, _, index, is_blob, number in claims:
        if index in served or (is_blob, number) in taken:
            continue
        served.add(index)
        way = ways[index]
        if not is_blob:
            way.before = number
            taken.add((False, number))
            continue
        blob = seen.blobs[number]
        if blob.is_hand:
            way.end_at_hand()
            continue
        if blob.areas <= params.lone_areas:
            taken.add((True, number))
        else:
            together.setdefault(number, []).append(index)
        middle_px = _in_blob(seen, number, way.expected(seen.at_s), way.reach_px(seen.at_s), params)
        assert middle_px is not None, "only blobs within reach are claimed"
        way.take(middle_px, seen.at_s)
        # Before this it was not in the picture: what left the picture then is another.
        way.is_lost = blob.reaches_out
    shows_hand = any(blob.is_hand for blob in seen.blobs)
    for index, way in enumerate(ways):
        if way.is_open and index not in served:
            way.miss(shows_hand=shows_hand)
    for group in together.values():
        for index in group:
            ways[index].company.update(group)


def _claims(
    index: int,
    way: _Way,
    seen: Seen,
    before: Sequence[Place],
    left: Sequence[bool],
    params: ThrownParams,
) -> Iterable[tuple[bool, float, int, bool, int]]:
    """
    Yield what may be this die on the frame.

    What was there before and what is far are the last choices: each comes as whether it was
    still, its distance, the way, whether it is a blob, and its number.
    """
    expected_px, reach_px = way.expected(seen.at_s), way.reach_px(seen.at_s)
    for number, blob in enumerate(seen.blobs):
        if blob.is_still and not blob.is_hand:
            continue
        middle_px = _in_blob(seen, number, expected_px, reach_px, params)
        if middle_px is not None and _away(middle_px, expected_px) <= reach_px:
            yield blob.was_still, _away(middle_px, expected_px), index, True, number
    if way.is_long_missed(seen.at_s):
        return
    for number, place in enumerate(before):
        # A die that was struck leaves its place faster than it lay there: by where it was next.
        away = min(_away(place.middle_px, expected_px), _away(place.middle_px, way.middle_px))
        if left[number] and away <= way.struck_px(seen.at_s):
            yield False, away, index, False, number


def _in_blob(
    seen: Seen, number: int, expected_px: Point, reach_px: float, params: ThrownParams
) -> Point | None:
    """Return where in a blob a die is: its middle if it is one, else nearest to where expected."""
    blob = seen.blobs[number]
    if blob.areas <= params.single_areas and not blob.is_hand:
        return blob.middle_px
    return seen.nearest(number, expected_px, reach_px)


def _away(one: Point, other: Point) -> float:
    return float(np.hypot(*(one - other)))
