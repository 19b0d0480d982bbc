# SPDX-License-Identifier: MIT
"""
From single frames to rests: when do the dice lie still, and what do they show?

A reading counts only after the tray has lain still for a moment and several
frames of that rest were read alike, faces and places. So a die that stops for a
blink while it tips over is never believed, and a glint that makes a wrong pip
in one frame cannot pass for a roll.

While things move nothing is read, and nothing is read again once a rest is
certain: then a frame costs no more than a look at a few of its rows. A rest that
is doubtful is read again now and then, because light changes and people see
what is asked of them and wait.

Time is taken from the frames alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import dist
from typing import Protocol

import numpy as np

from vision.frame import Frame, Image
from vision.reading import DieReading, Doubt, DoubtKind, TrayReading
from vision.tracking.die_histories import Arrival, FrameHistory
from vision.tracking.die_matching import assign_origins
from vision.tracking.motion import MotionParams, Reference, SmallCopy, make_small_copy
from vision.tracking.motion_blobs import DiePlace
from vision.tracking.quick_compare import SparseReference
from vision.tracking.trajectory import ThrowParams


class TrayReader(Protocol):
    """Whatever reads one picture of the tray."""

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        """Read a picture of shape (height, width, 3); `expect` is how many dice belong there."""
        ...


class TrayState(Enum):
    """What the tray does: something moves, or nothing does but it is not read yet, or it is."""

    MOVING = "moving"
    SETTLING = "settling"
    AT_REST = "at rest"


@dataclass(frozen=True, slots=True)
class TrayObservation:
    """
    What is known about the tray with this frame.

    Attributes:
        state: What the tray does.
        reading: What was read at this rest, with the origin of every die; none unless at rest.
            Doubtful where the frames were, or where they did not agree.
        is_new_rest: True on the one frame that decided this rest, and once more where a
            doubtful rest became certain without anything having moved.
        first_frame: Number of the frame from which on things lay still.
        last_frame: Number of the last frame on which they still did; while moving, this frame.
    """

    state: TrayState
    reading: TrayReading | None
    is_new_rest: bool
    first_frame: int
    last_frame: int


@dataclass(frozen=True, slots=True)
class RestParams:
    """
    How long is still, and how much is alike.

    Attributes:
        still_s: So long nothing may move before the first frame of a rest is read. A die that
            tips over an edge hangs there for less.
        hand_s: A hand that holds still over the tray is waited for so long; after that, what
            reaches in is taken for something that lies there.
        shaken_s: No longer than this under a camera that moves itself: all of the picture differs
            from the rest before then, and a hand above the tray would be seen to shift against it.
        agreeing: So many readings in a row have to be alike.
        attempts: After so many readings without that, the rest is decided to be doubtful.
        again_s: A doubtful rest is read again after this time.
        near_edges: Places are alike when they are not further apart than this share of a die's
            edge.
        patience: How much clearer than otherwise a sign must be to end a rest
            (`vision.tracking.motion`).
        renew_s: At rest the frame to compare with is renewed after this time, so that the
            daylight may wander.
        motion: How much change is harmless.
        thrown: What a throw looks like.
    """

    still_s: float = 0.15
    hand_s: float = 2.0
    shaken_s: float = 0.5
    agreeing: int = 3
    attempts: int = 8
    again_s: float = 0.5
    near_edges: float = 0.25
    patience: float = 2.0
    renew_s: float = 1.0
    motion: MotionParams = field(default_factory=MotionParams)
    thrown: ThrowParams = field(default_factory=ThrowParams)


class RestDetector:
    """
    Looks at one frame after the other and tells the rests.

    Args:
        reader: Reads a frame; asked only at rest.
        params: How long is still, and how much is alike.
    """

    def __init__(self, reader: TrayReader, params: RestParams | None = None) -> None:
        self._reader = reader
        self._params = params or RestParams()
        self._stillness: _StillPeriod | None = None
        self._since: _LastRest | None = None

    def process(self, frame: Frame, *, expect: int | None = None) -> TrayObservation:
        """
        Take the next frame; frames may be missing, but are in order.

        A frame that cannot follow the last one (an earlier number, another size: the camera was
        opened anew) begins from the start.

        Args:
            frame: The newest frame.
            expect: How many dice belong in the tray, where that is known.

        Returns:
            What the tray does and what it shows.
        """
        still = self._stillness
        if still is not None and still.goes_on_at_a_glance(frame):
            return _observe(TrayState.AT_REST, still)
        copy = make_small_copy(frame.image_bgr, self._params.motion, frame.small_grey)
        if still is None or not still.can_precede(frame, copy):
            self._stillness, self._since = _StillPeriod(frame, copy, self._params), None
            return _observe(TrayState.SETTLING, self._stillness)
        if not still.goes_on(frame, copy):
            return self._moving(still, frame, copy)
        if still.decided is None and self._since is not None:
            self._since.footage.add(copy, frame.at_s)
        is_new = False
        if still.wants_reading(frame) and not self._is_reached_into(still, frame, copy):
            is_new = still.take(self._reader.read(frame.image_bgr, expect=expect), frame)
            if is_new and still.decided is not None:
                still.decided = self._with_origins(still.decided, copy, frame)
        state = TrayState.SETTLING if still.decided is None else TrayState.AT_REST
        return _observe(state, still, is_new_rest=is_new)

    def _moving(self, still: _StillPeriod, frame: Frame, copy: SmallCopy) -> TrayObservation:
        if still.decided is not None:
            footage = FrameHistory(still.last_copy, still.last.at_s, self._params.thrown)
            self._since = _LastRest(still.decided, footage)
        if self._since is not None:
            self._since.footage.add(copy, frame.at_s)
        self._stillness = _StillPeriod(frame, copy, self._params)
        return _observe(TrayState.MOVING, self._stillness)

    def _is_reached_into(self, still: _StillPeriod, frame: Frame, copy: SmallCopy) -> bool:
        """Tell whether a hand holds still over the tray: then the dice are not at rest."""
        if self._since is None or still.decided is not None:
            return False
        waited_s = frame.at_s - still.first.at_s
        if waited_s > (self._params.shaken_s if still.is_shaken else self._params.hand_s):
            return False
        edges_px = [die.edge_px for die in self._since.reading.dice]
        edge_px = float(np.median(edges_px)) * _copy_scale(frame, copy) if edges_px else None
        return self._since.footage.shows_hand(copy, edge_px)

    def _with_origins(self, reading: TrayReading, copy: SmallCopy, frame: Frame) -> TrayReading:
        since = self._since
        if since is None:
            return assign_origins(None, reading, lambda _, __: ())
        scale = _copy_scale(frame, copy)

        def witness(gone: Sequence[DieReading], new: Sequence[DieReading]) -> Sequence[Arrival]:
            places = (tuple(_to_place(die, scale) for die in dice) for dice in (gone, new))
            return since.footage.arrivals(copy, *places)

        return assign_origins(since.reading, reading, witness)


@dataclass(frozen=True, slots=True)
class _LastRest:
    """What was read at the last rest, and the pictures since."""

    reading: TrayReading
    footage: FrameHistory


class _StillPeriod:
    """A stretch of frames on which nothing moves: perhaps a rest, if it lasts."""

    def __init__(self, frame: Frame, copy: SmallCopy, params: RestParams) -> None:
        self.first = self.last = frame
        self._last_copy: SmallCopy | None = copy
        self.decided: TrayReading | None = None
        self._params = params
        self._shape = copy.grey.shape
        self._reference = Reference(copy, params.motion)
        self._compared_with = frame
        self._glance: SparseReference | None = None
        self.is_shaken = False
        self._votes: list[TrayReading] = []
        self._read_at_s = frame.at_s

    def can_precede(self, frame: Frame, copy: SmallCopy) -> bool:
        """Tell whether that frame comes after this stretch, from the same opened camera."""
        return frame.number > self.last.number and copy.grey.shape == self._shape

    def goes_on(self, frame: Frame, copy: SmallCopy) -> bool:
        """Take a frame if nothing moved on it either."""
        patience = 1.0 if self.decided is None else self._params.patience
        if not self._reference.shows_the_same(copy, patience=patience):
            return False
        self.last, self._last_copy = frame, copy
        self.is_shaken |= self._reference.is_shaken
        if self._is_outdated(frame):
            self._reference = Reference(copy, self._params.motion)
            self._compared_with, self._glance = frame, None
        return True

    def goes_on_at_a_glance(self, frame: Frame) -> bool:
        """Take a frame of a decided rest if few rows of it show already that nothing moved."""
        if self.decided is None or self._reference.is_shaken or frame.small_grey is not None:
            return False
        if frame.number <= self.last.number or self.wants_reading(frame):
            return False
        if self._is_outdated(frame):
            return False
        if self._glance is None:
            self._glance = SparseReference(self._compared_with.image_bgr, self._params.motion)
        if not self._glance.is_unchanged(frame.image_bgr):
            return False
        self.last, self._last_copy = frame, None
        return True

    @property
    def last_copy(self) -> SmallCopy:
        """The small copy of the last frame."""
        if self._last_copy is None:
            image_bgr, small_grey = self.last.image_bgr, self.last.small_grey
            self._last_copy = make_small_copy(image_bgr, self._params.motion, small_grey)
        return self._last_copy

    def _is_outdated(self, frame: Frame) -> bool:
        return frame.at_s - self._compared_with.at_s >= self._params.renew_s

    def wants_reading(self, frame: Frame) -> bool:
        """Tell whether this frame should be read."""
        if self.decided is None:
            return frame.at_s - self.first.at_s >= self._params.still_s
        if not self.decided.doubts:
            return False
        return bool(self._votes) or frame.at_s - self._read_at_s >= self._params.again_s

    def take(self, reading: TrayReading, frame: Frame) -> bool:
        """Take the reading of a frame; tell whether it decides the rest."""
        self._read_at_s = frame.at_s
        self._votes.append(reading)
        decision = self._decision()
        if decision is None:
            return False
        self._votes.clear()
        is_news = self.decided is None or not decision.doubts
        if is_news:
            self.decided = decision
        return is_news

    def _decision(self) -> TrayReading | None:
        """Return what the readings so far amount to; none where one more is needed."""
        params = self._params
        latest = self._votes[-params.agreeing :]
        reading = latest[-1]
        is_alike = all(_are_alike(reading, vote, params.near_edges) for vote in latest)
        # Nothing has moved: a die that any frame showed lies there still.
        is_alike &= bool(reading.doubts) or not _is_missing(reading, self._votes, params.near_edges)
        if is_alike and len(latest) == params.agreeing:
            return reading
        if self.decided is None:
            is_given_up = len(self._votes) >= params.attempts
        else:
            is_given_up = not is_alike or bool(reading.doubts)
        return _report_disagreement(self._votes, params.near_edges) if is_given_up else None


def _copy_scale(frame: Frame, copy: SmallCopy) -> float:
    # Halving drops a last odd row or column, so the scale is a little off a power of two.
    return float(copy.grey.shape[1] / frame.image_bgr.shape[1])


def _to_place(die: DieReading, scale: float) -> DiePlace:
    x, y = die.center_px
    # Middles of pixels: the copy's first pixel lies in the middle of those that it stands for.
    middle = (np.array([x, y]) + 0.5) * scale - 0.5
    return DiePlace(middle, die.edge_px * scale)


def _observe(
    state: TrayState, still: _StillPeriod, *, is_new_rest: bool = False
) -> TrayObservation:
    return TrayObservation(
        state=state,
        reading=still.decided if state is TrayState.AT_REST else None,
        is_new_rest=is_new_rest,
        first_frame=still.first.number,
        last_frame=still.last.number,
    )


def _are_alike(one: TrayReading, other: TrayReading, near_edges: float) -> bool:
    """Tell whether two frames of one rest were read alike: faces, places and kinds of doubt."""
    if len(one.dice) != len(other.dice):
        return False
    if {doubt.kind for doubt in one.doubts} != {doubt.kind for doubt in other.doubts}:
        return False
    return all(_shows(other, die, near_edges) for die in one.dice)


def _shows(reading: TrayReading, die: DieReading, near_edges: float) -> bool:
    return any(
        (other.face, other.polarity) == (die.face, die.polarity)
        and dist(other.center_px, die.center_px) <= near_edges * die.edge_px
        for other in reading.dice
    )


def _is_missing(reading: TrayReading, votes: Sequence[TrayReading], near_edges: float) -> bool:
    """Tell whether any of the readings has a die where this one has none."""
    return any(
        all(dist(die.center_px, seen.center_px) > near_edges * seen.edge_px for die in reading.dice)
        for vote in votes
        for seen in vote.dice
    )


def _report_disagreement(votes: list[TrayReading], near_edges: float) -> TrayReading:
    """Return the last reading with only the dice that all of them show, and with the doubt."""
    last = votes[-1]
    dice = tuple(die for die in last.dice if all(_shows(vote, die, near_edges) for vote in votes))
    doubt = Doubt(DoubtKind.UNSURE, "the frames of this rest are read differently; move the dice")
    return replace(last, dice=dice, doubts=(*last.doubts, doubt))
