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

What was not seen is neither thrown nor set by a hand: if the frames are missing that
would show it, and no hand was near, the answer is `UNSEEN`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from vision.tracking.hands import confirm_hands, is_hand_near
from vision.tracking.merged_blobs import split_blob
from vision.tracking.motion import SmallCopy
from vision.tracking.motion_blobs import DiePlace, FrameBlobs, MotionComparison, Point, shows_hand
from vision.tracking.trajectory import ArrivalKind, ThrowParams, Trajectory


@dataclass(frozen=True, slots=True)
class Arrival:
    """
    How one die arrived.

    Attributes:
        manner: How.
        before: Where it was followed back to: index among the dice before; else none.
        may_be_turned: Whether it may be a die that a hand turned in its place: not if it was seen
            in flight, and not for lack of frames.
    """

    manner: ArrivalKind
    before: int | None = None
    may_be_turned: bool = True


class FrameHistory:
    """
    The small copies since the rest before.

    Args:
        before: Copy of that rest.
        at_s: When it was taken.
        params: How much is kept.
    """

    def __init__(self, before: SmallCopy, at_s: float, params: ThrowParams) -> None:
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
        self, after: SmallCopy, before: Sequence[DiePlace], now: Sequence[DiePlace]
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
        between = MotionComparison(
            self._before.grey, after.grey, tuple(before), tuple(now), params.blobs
        )
        kept = ((grey.astype(np.float32), at_s) for grey, at_s in reversed(self._frames))
        frames = pairwise(chain(kept, [(self._before.grey, self._before_at_s)] * 2))
        seen = (between.see(grey, at_s, earlier) for (grey, at_s), (earlier, _) in frames)
        return _trace_back(confirm_hands(seen, params.hands), before, now, params)


def _trace_back(
    frames: Iterable[FrameBlobs],
    before: Sequence[DiePlace],
    now: Sequence[DiePlace],
    params: ThrowParams,
) -> tuple[Arrival, ...]:
    """Follow all dice back through the frames, the newest frame first."""
    ways = [Trajectory(place, params) for place in now]
    lay_later = [False] * len(before)
    newer_s: float | None = None
    for seen in frames:
        gap_s = 0.0 if newer_s is None else newer_s - seen.at_s
        newer_s = seen.at_s
        for way, lies, is_covered in zip(ways, seen.lies_after, seen.covered, strict=True):
            way.take_place(at_s=seen.at_s, lies=lies, is_covered=is_covered)
            way.take_gap(gap_s)
            if is_hand_near(seen, way.place, gap_s, params.hands):
                way.take_hand(seen.at_s)
        left = [lies and not later for lies, later in zip(seen.lies_before, lay_later, strict=True)]
        _assign_observations(ways, seen, before, left, params)
        lay_later = [lies or later for lies, later in zip(seen.lies_before, lay_later, strict=True)]
    return tuple(
        Arrival(
            manner,
            way.before if manner is ArrivalKind.FOLLOWED else None,
            may_be_turned=manner is ArrivalKind.BY_HAND or way.may_be_turned,
        )
        for way, manner in zip(ways, _classify_arrivals(ways), strict=True)
    )


def _classify_arrivals(ways: Sequence[Trajectory]) -> list[ArrivalKind]:
    """
    Return how each die arrived.

    Dice that fly in one bunch hide each other's ways. What flew in the same blob as a thrown
    die, with no hand at either, was thrown with it. Where one of them lay in the tray before
    and another did not, nobody can tell which is which after they met.
    """
    mixed = _find_mixed_up(ways)
    manners = [
        ArrivalKind.UNSEEN if index in mixed else way.manner for index, way in enumerate(ways)
    ]
    for _ in ways:
        for index, way in enumerate(ways):
            is_bound = any(manners[other] is ArrivalKind.THROWN for other in way.company)
            if is_bound and way.is_in_flight and index not in mixed:
                manners[index] = ArrivalKind.THROWN
    thrown = [
        way for way, manner in zip(ways, manners, strict=True) if manner is ArrivalKind.THROWN
    ]
    for index, way in enumerate(ways):
        is_one_of_them = any(way.came_with(other) for other in thrown)
        if manners[index] is ArrivalKind.UNSEEN and is_one_of_them and index not in mixed:
            manners[index] = ArrivalKind.THROWN
    return manners


def _find_mixed_up(ways: Sequence[Trajectory]) -> set[int]:
    """Return the ways, by index, that met another kind: from the tray, and from elsewhere."""
    return {
        index
        for index, way in enumerate(ways)
        for other in way.confused
        if index in ways[other].confused and (way.before is None) != (ways[other].before is None)
    }


def _assign_observations(
    ways: Sequence[Trajectory],
    seen: FrameBlobs,
    before: Sequence[DiePlace],
    left: Sequence[bool],
    params: ThrowParams,
) -> None:
    """Give each way that is open what is nearest to where its die should be on this frame."""
    claims = sorted(
        claim
        for index, way in enumerate(ways)
        if way.is_open
        for claim in _rank_candidates(index, way, seen, before, left, params)
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
        if blob.is_hand or blob.may_be_hand:
            way.end_at_hand() if blob.is_hand else way.end_unclear()
            continue
        if blob.areas <= params.lone_areas:
            taken.add((True, number))
        together.setdefault(number, []).append(index)
    shows_hand = any(blob.is_hand or blob.may_be_hand for blob in seen.blobs)
    for index, way in enumerate(ways):
        if way.is_open and index not in served:
            way.miss(shows_hand=shows_hand)
    _share_blobs(ways, together, seen, params)


def _share_blobs(
    ways: Sequence[Trajectory],
    together: Mapping[int, Sequence[int]],
    seen: FrameBlobs,
    params: ThrowParams,
) -> None:
    """Give each blob to the dice that are in it, and note which of them may be swapped."""
    for number, group in together.items():
        before_px = {index: ways[index].middle_px for index in group}
        _assign_blob(number, [ways[index] for index in group], seen, params)
        for index, other in permutations(group, 2):
            ways[index].company.add(other)
            steps_px = [
                _distance_px(ways[each].middle_px, before_px[each]) for each in (index, other)
            ]
            apart_px = _distance_px(ways[index].middle_px, ways[other].middle_px)
            if apart_px < max(params.apart_edges * ways[index].place.edge_px, *steps_px):
                ways[index].confused.add(other)


def _assign_blob(
    number: int, group: Sequence[Trajectory], seen: FrameBlobs, params: ThrowParams
) -> None:
    """Give one blob to all the dice that are in it."""
    blob = seen.blobs[number]
    expected_px = [way.expected(seen.at_s) for way in group]
    split_px: Sequence[Point | None] = [None] * len(group)
    if len(group) > 1 and blob.areas <= params.single_areas * len(group):
        split_px = split_blob(seen.pixels_of(number), expected_px)
    for way, at_px, middle_px in zip(group, expected_px, split_px, strict=True):
        if middle_px is None:
            middle_px = _locate_in_blob(seen, number, at_px, way.reach_px(seen.at_s), params)
        assert middle_px is not None, "only blobs within reach are claimed"
        way.take(middle_px, seen.at_s)
        # Before this it was not in the picture: what left the picture then is another.
        way.is_lost = blob.reaches_out


def _rank_candidates(
    index: int,
    way: Trajectory,
    seen: FrameBlobs,
    before: Sequence[DiePlace],
    left: Sequence[bool],
    params: ThrowParams,
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
        middle_px = _locate_in_blob(seen, number, expected_px, reach_px, params)
        if middle_px is not None and _distance_px(middle_px, expected_px) <= reach_px:
            yield blob.was_still, _distance_px(middle_px, expected_px), index, True, number
    if way.is_long_missed(seen.at_s):
        return
    for number, place in enumerate(before):
        # A die that was struck leaves its place faster than it lay there: by where it was next.
        away = min(
            _distance_px(place.middle_px, expected_px), _distance_px(place.middle_px, way.middle_px)
        )
        if left[number] and away <= way.struck_px(seen.at_s):
            # It must be one of the dice under way. If frames are missing, it may be gone as well.
            is_watched = way.passed_s(seen.at_s) <= params.blind_s
            rank_px = away - way.struck_px(seen.at_s) if is_watched else away
            yield False, rank_px, index, False, number


def _locate_in_blob(
    seen: FrameBlobs, number: int, expected_px: Point, reach_px: float, params: ThrowParams
) -> Point | None:
    """Return where in a blob a die is: its middle if it is one, else nearest to where expected."""
    blob = seen.blobs[number]
    if blob.areas <= params.single_areas and not blob.is_hand:
        return blob.middle_px
    return seen.nearest(number, expected_px, reach_px)


def _distance_px(one: Point, other: Point) -> float:
    return float(np.hypot(*(one - other)))
