# SPDX-License-Identifier: MIT
"""
The trajectory of one die, from where it lies back in time.

It collects the evidence frame by frame: where the die was, how fast, whether a hand was
near, and how far apart the frames were. Without evidence of a throw or of a hand the
answer is `UNSEEN`, never a guess in favour of either.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from vision.tracking.hands import HandParams
from vision.tracking.motion_blobs import BlobParams, DiePlace, Point

_MOST_S = 0.1
"""Frames that are further apart tell no speed, only the mean of a way that slows down."""


class ArrivalKind(Enum):
    """
    How a die came to lie where it lies.

    `UNSEEN`: nothing shows a throw, and nothing a hand either.
    """

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

    manner: ArrivalKind
    before: int | None = None


@dataclass(frozen=True, slots=True)
class ThrowParams:
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
        blind_s: Where frames are further apart than this, a die may fly past unseen.
        apart_edges: Dice in one blob whose middles are nearer than this may be swapped.
        together_s: Dice of one throw come to lie within this time.
        lone_areas: A blob of at most so many dice is no two.
        single_areas: One of more than so many is no single one.
        blobs: What looks unlike a rest.
        hands: How long a hand stays, and how near it is to what it sets.
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
    blind_s: float = 0.08
    apart_edges: float = 1.2
    together_s: float = 0.5
    lone_areas: float = 1.8
    single_areas: float = 2.6
    blobs: BlobParams = field(default_factory=BlobParams)
    hands: HandParams = field(default_factory=HandParams)


class Trajectory:
    """
    The trajectory of one die, from its place at rest back in time.

    Args:
        place: Where it lies at rest.
        params: What a throw looks like.

    Attributes:
        before: Index of the die before that it was followed back to; none so far.
        company: Indices of the dice that were in one blob with it.
        confused: Those among them that were so near that the two may be swapped.
        lies_since_s: When it was first seen to lie there.
    """

    def __init__(self, place: DiePlace, params: ThrowParams) -> None:
        self.place = place
        self._params = params
        self.before: int | None = None
        self.company: set[int] = set()
        self.confused: set[int] = set()
        self.lies_since_s: float | None = None
        self._start()

    def _start(self) -> None:
        """Lie there, as on every frame since."""
        self.is_under_hand = False
        self.is_under_way = False
        self.is_lost = False
        self._is_hand_near = False
        self._is_unclear = False
        self._longest_gap_s = 0.0
        self.company.clear()
        self.confused.clear()
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
    def manner(self) -> ArrivalKind:
        """What it looks like so far."""
        if self.before is not None:
            return ArrivalKind.FOLLOWED
        if self.is_under_hand:
            return ArrivalKind.BY_HAND
        if self._is_throw():
            return ArrivalKind.THROWN
        if not self.is_under_way:
            return ArrivalKind.LAY_THERE
        return ArrivalKind.BY_HAND if self._is_hand_near else ArrivalKind.UNSEEN

    @property
    def may_be_turned(self) -> bool:
        """Whether all that is known of it fits a die that was turned in its place."""
        is_blind = self._is_unclear or self._longest_gap_s > self._params.blind_s
        return not is_blind and not self._is_throw()

    def came_with(self, other: Trajectory) -> bool:
        """Return whether it came to lie as the other one did, and no hand can have hidden."""
        if self._is_unclear or self._longest_gap_s > self._params.hands.least_s:
            return False
        if self.lies_since_s is None or other.lies_since_s is None:
            return False
        return abs(self.lies_since_s - other.lies_since_s) <= self._params.together_s

    def take_gap(self, gap_s: float) -> None:
        """Take how long nothing was seen around a frame."""
        if self.is_open:
            self._longest_gap_s = max(self._longest_gap_s, gap_s)

    def take_hand(self, at_s: float) -> None:
        """Take that a hand is near the place on a frame."""
        since_s = at_s if self.lies_since_s is None else self.lies_since_s
        self._is_hand_near |= since_s - at_s <= self._params.hands.around_s

    def take_place(self, *, at_s: float, lies: bool, is_covered: bool) -> None:
        """Take what its place looks like on the frame before the last one taken."""
        if self.before is not None:
            return
        self.is_lost |= self._missed > 1 and self.is_long_missed(at_s)
        if lies:
            # Whatever came later only passed over it.
            self._start()
            self._seen_s = self.lies_since_s = at_s
        elif is_covered and not self._steps:
            self.is_under_hand = self.is_under_way = self.is_lost = True
        else:
            self.is_under_way = True

    def is_long_missed(self, at_s: float) -> bool:
        """Tell whether it was not found for so long that it may have been anywhere."""
        return self._missed > 0 and self.passed_s(at_s) > self._params.missing_s

    def expected(self, at_s: float) -> Point:
        """Return where it should be on an earlier frame."""
        return self.middle_px + self._step_px_s * self.passed_s(at_s)

    def reach_px(self, at_s: float) -> float:
        """Return how far around that it may be."""
        params = self._params
        reach = params.reach_edges + params.reach_edges_s * min(self.passed_s(at_s), _MOST_S)
        return reach * self.place.edge_px

    def struck_px(self, at_s: float) -> float:
        """Return how far from there a die may have lain that was struck then."""
        params = self._params
        reach = params.struck_edges + params.struck_edges_s * min(self.passed_s(at_s), _MOST_S)
        return reach * self.place.edge_px

    def passed_s(self, at_s: float) -> float:
        """Return how long after an earlier frame it was found last."""
        return 0.0 if self._seen_s is None else self._seen_s - at_s

    def take(self, middle_px: Point, at_s: float) -> None:
        """Take where it was on that frame."""
        step_px = middle_px - self.middle_px
        step_edges = float(np.hypot(*step_px)) / self.place.edge_px
        passed_s = self.passed_s(at_s)
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

    def end_unclear(self) -> None:
        """Take that it came out of something that may be a hand, and may be a bunch of dice."""
        self.is_lost = True
        self._is_unclear = True

    def _is_throw(self) -> bool:
        params = self._params
        return (
            self._steps >= params.steps
            and self._way_edges >= params.way_edges
            and self._fast_edges_s >= params.fast_edges_s
        )
