# SPDX-License-Identifier: MIT
"""
Trace every die back from where it rests to decide how it arrived.

At rest the end of every trajectory is known, so the frames are followed backwards. A hand over
the position means that a hand set the die. A trajectory that ends at a die of the last rest
means that this die was pushed. A fast, free trajectory from afar is a throw.
Something that only passes over a resting die is no arrival: earlier frames show the die too.
Without frames as evidence of a throw or a hand, the answer is `UNSEEN`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, permutations
from math import dist

import numpy as np
from numpy.typing import NDArray

from vision.face import Floats
from vision.reading import TrayReading
from vision.tracking.hands import confirm_hands, is_hand_near
from vision.tracking.motion import SmallCopy
from vision.tracking.motion_blobs import DiePlace, FrameBlobs, MotionComparison, Point, shows_hand
from vision.tracking.trajectory import BLIND_S, ArrivalKind, Trajectory

_HISTORY_S = 8.0  # How long frames are kept.
_MOST_FRAMES = 240  # How many of them at most.
_SWAP_EDGES = 1.2  # Dice in one blob with middles nearer than this may be swapped.
_LONE_AREAS = 1.8  # A blob of at most this many die areas is a single die.
_SINGLE_AREAS = 2.6  # A blob of more than this many die areas is several dice.


@dataclass(frozen=True, slots=True)
class Arrival:
    kind: ArrivalKind
    before: int | None = None  # Index of the die of the last rest that it was, or `None`.
    # Whether a hand may have turned it in its position. False if it was seen in flight, or if
    # frames are missing.
    may_be_turned: bool = True


class FrameHistory:
    """The small copies of all frames since the last rest, and what was read there."""

    def __init__(self, reading: TrayReading, before: SmallCopy, at_s: float) -> None:
        self.reading = reading
        self._before, self._before_at_s = before, at_s
        # A quarter of the memory that floats would take.
        self._frames: deque[tuple[NDArray[np.uint8], float]] = deque(maxlen=_MOST_FRAMES)

    def add(self, copy: SmallCopy, at_s: float) -> None:
        """Add the next frame, and drop those that are too old."""
        self._frames.append((copy.grey.astype(np.uint8), at_s))
        while at_s - self._frames[0][1] > _HISTORY_S:
            self._frames.popleft()

    def shows_hand(self, copy: SmallCopy, edge_px: float | None) -> bool:
        """Return whether a hand is in a picture; `edge_px` is that of a die, if known."""
        return shows_hand(copy.grey, self._before.grey, edge_px)

    def explain_arrivals(
        self, after: SmallCopy, before: Sequence[DiePlace], now: Sequence[DiePlace]
    ) -> tuple[Arrival, ...]:
        """
        Return how each new die of a rest arrived.

        `before` are positions of the last rest that are empty now, `now` those that were empty
        then.
        """
        if not now:
            return ()
        comparison = MotionComparison(self._before.grey, after.grey, tuple(before), tuple(now))
        stored = ((grey.astype(np.float32), at_s) for grey, at_s in reversed(self._frames))
        frames = pairwise(chain(stored, [(self._before.grey, self._before_at_s)] * 2))
        blobs = (comparison.compare(grey, at_s, earlier) for (grey, at_s), (earlier, _) in frames)
        return _trace_back(confirm_hands(blobs), before, now)


def _trace_back(
    frames: Iterable[FrameBlobs], before: Sequence[DiePlace], now: Sequence[DiePlace]
) -> tuple[Arrival, ...]:
    trajectories = [Trajectory(place) for place in now]
    was_there_later = [False] * len(before)
    newer_s: float | None = None
    for frame in frames:
        gap_s = 0.0 if newer_s is None else newer_s - frame.at_s
        newer_s = frame.at_s
        for trajectory, looks_same, is_covered in zip(
            trajectories, frame.looks_as_after, frame.covered, strict=True
        ):
            trajectory.add_rest_view(at_s=frame.at_s, looks_same=looks_same, is_covered=is_covered)
            trajectory.add_gap(gap_s)
            if is_hand_near(frame, trajectory.place, gap_s):
                trajectory.add_hand(frame.at_s)
        both = list(zip(frame.looks_as_before, was_there_later, strict=True))
        left = [stands and not later for stands, later in both]
        _assign_observations(trajectories, frame, before, left)
        was_there_later = [stands or later for stands, later in both]
    return tuple(
        Arrival(
            kind,
            trajectory.before if kind is ArrivalKind.FOLLOWED else None,
            may_be_turned=kind is ArrivalKind.BY_HAND or trajectory.may_be_turned,
        )
        for trajectory, kind in zip(trajectories, _classify_arrivals(trajectories), strict=True)
    )


def _classify_arrivals(trajectories: Sequence[Trajectory]) -> list[ArrivalKind]:
    """
    Return how each die arrived.

    Dice that fly close together hide each other. A die that flew in the blob of a thrown die,
    without a hand, was thrown too. If only one of two such dice was in the tray before, it is
    unknown which is which after they met.
    """
    mixed = {
        index
        for index, trajectory in enumerate(trajectories)
        for other in trajectory.swappable
        if index in trajectories[other].swappable
        and (trajectory.before is None) != (trajectories[other].before is None)
    }
    kinds = [
        ArrivalKind.UNSEEN if index in mixed else trajectory.kind
        for index, trajectory in enumerate(trajectories)
    ]
    for _ in trajectories:
        for index, trajectory in enumerate(trajectories):
            is_bound = any(kinds[other] is ArrivalKind.THROWN for other in trajectory.blob_mates)
            if is_bound and trajectory.is_in_flight and index not in mixed:
                kinds[index] = ArrivalKind.THROWN
    thrown = [
        one for one, kind in zip(trajectories, kinds, strict=True) if kind is ArrivalKind.THROWN
    ]
    for index, trajectory in enumerate(trajectories):
        is_one_of_them = any(trajectory.came_with(other) for other in thrown)
        if kinds[index] is ArrivalKind.UNSEEN and is_one_of_them and index not in mixed:
            kinds[index] = ArrivalKind.THROWN
    return kinds


def _assign_observations(
    trajectories: Sequence[Trajectory],
    frame: FrameBlobs,
    before: Sequence[DiePlace],
    left: Sequence[bool],
) -> None:
    claims = sorted(
        claim
        for index, trajectory in enumerate(trajectories)
        if trajectory.is_open
        for claim in _rank_candidates(index, trajectory, frame, before, left)
    )
    served: set[int] = set()
    together: dict[int, list[int]] = {}
    taken: set[tuple[bool, int]] = set()
    for _, _, index, is_blob, number in claims:
        if index in served or (is_blob, number) in taken:
            continue
        served.add(index)
        trajectory = trajectories[index]
        if not is_blob:
            trajectory.before = number
            taken.add((False, number))
            continue
        blob = frame.blobs[number]
        if blob.is_hand or blob.may_be_hand:
            trajectory.end_in_hand() if blob.is_hand else trajectory.end_unclear()
            continue
        if blob.areas <= _LONE_AREAS:
            taken.add((True, number))
        together.setdefault(number, []).append(index)
    shows_hand = any(blob.is_hand or blob.may_be_hand for blob in frame.blobs)
    for index, trajectory in enumerate(trajectories):
        if trajectory.is_open and index not in served:
            trajectory.mark_missed(shows_hand=shows_hand)
    _share_blobs(trajectories, together, frame)


def _share_blobs(
    trajectories: Sequence[Trajectory], together: Mapping[int, Sequence[int]], frame: FrameBlobs
) -> None:
    """Assign each blob to the dice in it, and note which of them may be swapped."""
    for number, group in together.items():
        before_px = {index: trajectories[index].middle_px for index in group}
        _assign_blob(number, [trajectories[index] for index in group], frame)
        for index, other in permutations(group, 2):
            trajectories[index].blob_mates.add(other)
            steps_px = [
                _distance_px(trajectories[each].middle_px, before_px[each])
                for each in (index, other)
            ]
            apart_px = _distance_px(trajectories[index].middle_px, trajectories[other].middle_px)
            if apart_px < max(_SWAP_EDGES * trajectories[index].place.edge_px, *steps_px):
                trajectories[index].swappable.add(other)


def _assign_blob(number: int, group: Sequence[Trajectory], frame: FrameBlobs) -> None:
    blob = frame.blobs[number]
    expected_px = [trajectory.predict(frame.at_s) for trajectory in group]
    split_px: Sequence[Point | None] = [None] * len(group)
    if len(group) > 1 and blob.areas <= _SINGLE_AREAS * len(group):
        split_px = split_blob(frame.blob_pixels(number), expected_px)
    for trajectory, at_px, middle_px in zip(group, expected_px, split_px, strict=True):
        if middle_px is None:
            middle_px = _locate_in_blob(
                frame, number, at_px, trajectory.search_radius_px(frame.at_s)
            )
        assert middle_px is not None, "only blobs within reach are candidates"
        trajectory.add_position(middle_px, frame.at_s, is_at_border=blob.reaches_out)


def _rank_candidates(
    index: int,
    trajectory: Trajectory,
    frame: FrameBlobs,
    before: Sequence[DiePlace],
    left: Sequence[bool],
) -> Iterable[tuple[bool, float, int, bool, int]]:
    """
    Yield what may be this die on the frame, as tuples that sort the likeliest first.

    Each is whether it was still, its distance, the trajectory's index, whether it is a blob,
    and the number of the blob or of the old die.
    """
    expected_px, reach_px = trajectory.predict(frame.at_s), trajectory.search_radius_px(frame.at_s)
    for number, blob in enumerate(frame.blobs):
        if blob.is_still and not blob.is_hand:
            continue
        middle_px = _locate_in_blob(frame, number, expected_px, reach_px)
        if middle_px is not None and _distance_px(middle_px, expected_px) <= reach_px:
            yield blob.was_still, _distance_px(middle_px, expected_px), index, True, number
    if trajectory.is_long_missed(frame.at_s):
        return
    for number, place in enumerate(before):
        # A die that is struck leaves at once, so its next position counts as well.
        away = min(
            _distance_px(place.middle_px, expected_px),
            _distance_px(place.middle_px, trajectory.middle_px),
        )
        if left[number] and away <= trajectory.strike_radius_px(frame.at_s):
            # With all frames, it must be one of the moving dice. Else it may have left as well.
            is_watched = trajectory.elapsed_s(frame.at_s) <= BLIND_S
            rank_px = away - trajectory.strike_radius_px(frame.at_s) if is_watched else away
            yield False, rank_px, index, False, number


def _locate_in_blob(
    frame: FrameBlobs, number: int, expected_px: Point, reach_px: float
) -> Point | None:
    """Return a die's position in a blob: the middle of a single one, else the nearest pixel."""
    blob = frame.blobs[number]
    if blob.areas <= _SINGLE_AREAS and not blob.is_hand:
        return blob.middle_px
    return frame.nearest_pixel(number, expected_px, reach_px)


def _distance_px(one: Point, other: Point) -> float:
    return dist(one.tolist(), other.tolist())  # A fraction of what NumPy takes for two numbers.


def split_blob(pixels_px: Floats, expected_px: Sequence[Point]) -> list[Point]:
    """
    Return the middle of each die in a blob of several, from its pixels x and y, (n, 2).

    Dice that meet are one blob for some frames. Predicted positions alone drift until two
    trajectories swap. Together the dice cover the blob, so k-means over its pixels separates them.
    """
    middles = np.array(expected_px)
    count = len(middles)
    x, y = np.ascontiguousarray(pixels_px.T)
    nearest = np.full(len(x), -1)
    for _ in range(5):
        away = [(x - at_x) ** 2 + (y - at_y) ** 2 for at_x, at_y in middles]
        before, nearest = nearest, np.argmin(away, axis=0)
        if np.array_equal(before, nearest):
            break
        pixels, *sums = (np.bincount(nearest, each, count) for each in (None, x, y))
        has_some = pixels > 0
        middles[has_some] = (np.stack(sums, axis=1) / np.maximum(pixels, 1)[:, None])[has_some]
    return list(middles)
