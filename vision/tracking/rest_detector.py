# SPDX-License-Identifier: MIT
"""
Find the rests in a sequence of frames, and what the dice show at each.

A reading counts only after the tray was still for a moment and several frames gave the same
faces and positions. So a die that hangs for a moment while it tips, or a glint on one frame,
never makes a roll. Moving frames are not read, and a certain rest is not read again: then only
some rows are compared. A doubtful rest is read again at intervals, because the light may change.
All times come from the frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import dist
from typing import Protocol

import numpy as np

from controller.base.languages.message import message
from vision.frame import Frame, Image
from vision.reading import DieReading, Doubt, DoubtKind, TrayReading
from vision.tracking.die_histories import Arrival, FrameHistory
from vision.tracking.die_matching import assign_origins
from vision.tracking.motion import Reference, SmallCopy, SparseReference, make_small_copy
from vision.tracking.motion_blobs import DiePlace
from vision.tracking.shaken import assign_origins_under_dome


class TrayReader(Protocol):
    """Reads one picture of the tray."""

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        """Read a picture of shape (height, width, 3); `expect` is how many dice belong there."""


class TrayState(Enum):
    """Something moves; nothing moves but the dice are not read yet; or they are read."""

    MOVING = "moving"
    SETTLING = "settling"
    AT_REST = "at rest"


@dataclass(frozen=True, slots=True)
class TrayObservation:
    state: TrayState  # What the tray does.
    # The reading of this rest, with the origin of every die; `None` unless at rest. Doubtful if the
    # frames were, or if they did not agree.
    reading: TrayReading | None
    # True on the frame that decided this rest, and again when a doubtful rest became certain
    # without movement.
    is_new_rest: bool
    first_frame: int  # Number of the first still frame.
    last_frame: int  # Number of the last still frame; while moving, of this frame.


# When the tray is at rest, and when readings agree.
_READ_S = 0.06  # How long nothing may move before a frame is read.
# How long nothing may move before a rest is decided, on a frame that is read too. A die of 16 mm
# that stands on an edge falls faster by a factor of e every 39 ms, so it hangs for less.
STILL_S = 0.16
# How long a still hand over the tray delays a rest. After that, it counts as an object in the tray.
_HAND_S = 2.0
# The same under a moving camera. There the whole picture differs from the last rest, and a hand
# would be seen to shift against the tray.
_SHAKEN_S = 0.5
AGREEING = 3  # How many readings in a row must agree.
_ATTEMPTS = 8  # After this many readings without agreement the rest is doubtful.
_AGAIN_S = 0.5  # After this time a doubtful rest is read again.
_NEAR_EDGES = 0.25  # Positions agree up to this distance, in edges of the die.
_TOLERANCE = 2.0  # Factor on the harmless change before a rest ends (`vision.tracking.motion`).
_RENEW_S = 1.0  # After this time at rest the reference is renewed, because daylight changes.


class RestDetector:
    """Finds the rests in frames that come one by one."""

    def __init__(self, reader: TrayReader) -> None:
        self._reader = reader
        self._stillness: _StillPeriod | None = None
        self._since: FrameHistory | None = None

    def process(self, frame: Frame, *, expect: int | None = None) -> TrayObservation:
        """
        Process the next frame; frames may be missing, but come in order.

        An earlier number or another size means that the camera was opened again. Such a frame
        begins from the start.
        """
        still = self._stillness
        if still is not None and still.continues_by_sparse_rows(frame):
            return _observe(TrayState.AT_REST, still)
        copy = make_small_copy(frame.image_bgr, frame.small_grey)
        if still is None or not still.can_precede(frame, copy):
            self._stillness, self._since = _StillPeriod(frame, copy), None
            return _observe(TrayState.SETTLING, self._stillness)
        if not still.continues_with(frame, copy):
            return self._start_moving(still, frame, copy)
        if still.decided is None and self._since is not None:
            self._since.add(copy, frame.at_s)
        is_new = False
        if still.should_read(frame) and not self._hand_present(still, frame, copy):
            is_new = still.add_reading(self._reader.read(frame.image_bgr, expect=expect), frame)
            if is_new and still.decided is not None:
                still.decided = self._with_origins(still, still.decided, copy, frame)
            elif still.decided is None and len(still.votes) == 1:
                # Tracing takes longer than a reading. Until the next frames agree there is time.
                self._with_origins(still, still.votes[0], copy, frame)
        state = TrayState.SETTLING if still.decided is None else TrayState.AT_REST
        return _observe(state, still, is_new_rest=is_new)

    def _start_moving(self, still: _StillPeriod, frame: Frame, copy: SmallCopy) -> TrayObservation:
        if still.decided is not None:
            reading, since = still.decided, self._since
            if since is not None and since.reading.dome is not None and reading.doubts:
                # Under a dome, later dice are compared with the last certain reading.
                reading = since.reading
            self._since = FrameHistory(reading, still.last_copy, still.last.at_s)
        if self._since is not None:
            self._since.add(copy, frame.at_s)
        self._stillness = _StillPeriod(frame, copy)
        return _observe(TrayState.MOVING, self._stillness)

    def _hand_present(self, still: _StillPeriod, frame: Frame, copy: SmallCopy) -> bool:
        """Return whether a hand holds still over the tray, so that the dice are not at rest."""
        if self._since is None or still.decided is not None:
            return False
        if self._since.reading.dome is not None:
            # It may hold the dome, and never a die.
            return False
        waited_s = frame.at_s - still.first_at_s
        if waited_s > (_SHAKEN_S if still.is_shaken else _HAND_S):
            return False
        edges_px = [die.edge_px for die in self._since.reading.dice]
        edge_px = float(np.median(edges_px)) * _copy_scale(frame, copy) if edges_px else None
        return self._since.shows_hand(copy, edge_px)

    def _with_origins(
        self, still: _StillPeriod, reading: TrayReading, copy: SmallCopy, frame: Frame
    ) -> TrayReading:
        """Return a reading with its origins; dice in the same places are traced only once."""
        since = self._since
        if reading.dome is not None:
            return assign_origins_under_dome(since.reading if since else None, reading)
        if since is None:
            return assign_origins(None, reading, lambda _, __: ())
        scale = _copy_scale(frame, copy)

        def explain(gone: Sequence[DieReading], new: Sequence[DieReading]) -> Sequence[Arrival]:
            before, now = (tuple(_to_place(die, scale) for die in dice) for dice in (gone, new))
            if still.traced is None or not still.traced.fits(before, now):
                found = since.explain_arrivals(copy, before, now)
                still.traced = _TracedDice(before, now, tuple(found))
            return still.traced.arrivals

        return assign_origins(since.reading, reading, explain)


@dataclass(frozen=True, slots=True)
class _TracedDice:
    """How dice arrived in their places, and which places were empty by then."""

    before: tuple[DiePlace, ...]
    now: tuple[DiePlace, ...]
    arrivals: tuple[Arrival, ...]

    def fits(self, before: Sequence[DiePlace], now: Sequence[DiePlace]) -> bool:
        ours, theirs = (*self.before, *self.now), (*before, *now)
        return (len(self.before), len(self.now)) == (len(before), len(now)) and all(
            dist(one.middle_px, other.middle_px) <= _NEAR_EDGES * one.edge_px
            for one, other in zip(ours, theirs, strict=True)
        )


class _StillPeriod:
    """Consecutive frames on which nothing moves: a rest if it lasts."""

    def __init__(self, frame: Frame, copy: SmallCopy) -> None:
        # Not the frame itself: its picture would be held as long as the rest lasts.
        self.first_number, self.first_at_s = frame.number, frame.at_s
        self.last = frame
        self._last_copy: SmallCopy | None = copy
        self.decided: TrayReading | None = None
        self._shape = copy.grey.shape
        self._reference = Reference(copy)
        self._compared_with = frame
        self._sparse: SparseReference | None = None
        self.is_shaken = False
        self.votes: list[TrayReading] = []
        self.traced: _TracedDice | None = None
        self._read_at_s = frame.at_s

    def can_precede(self, frame: Frame, copy: SmallCopy) -> bool:
        """Return whether a frame can follow these, from the same opening of the camera."""
        return frame.number > self.last.number and copy.grey.shape == self._shape

    def continues_with(self, frame: Frame, copy: SmallCopy) -> bool:
        """Add a frame if nothing moved on it; return whether it was added."""
        tolerance = 1.0 if self.decided is None else _TOLERANCE
        if not self._reference.matches(copy, tolerance=tolerance):
            return False
        self.last, self._last_copy = frame, copy
        self.is_shaken |= self._reference.is_shaken
        if self._is_outdated(frame):
            self._reference = Reference(copy)
            self._compared_with, self._sparse = frame, None
        return True

    def continues_by_sparse_rows(self, frame: Frame) -> bool:
        """Add a frame of a decided rest if some of its rows prove that nothing moved."""
        if self.decided is None or self._reference.is_shaken or frame.small_grey is not None:
            return False
        if frame.number <= self.last.number or self.should_read(frame):
            return False
        if self._is_outdated(frame):
            return False
        if self._sparse is None:
            self._sparse = SparseReference(self._compared_with.image_bgr)
        if not self._sparse.is_unchanged(frame.image_bgr):
            return False
        self.last, self._last_copy = frame, None
        return True

    @property
    def last_copy(self) -> SmallCopy:
        if self._last_copy is None:
            image_bgr, small_grey = self.last.image_bgr, self.last.small_grey
            self._last_copy = make_small_copy(image_bgr, small_grey)
        return self._last_copy

    def _is_outdated(self, frame: Frame) -> bool:
        return frame.at_s - self._compared_with.at_s >= _RENEW_S

    def should_read(self, frame: Frame) -> bool:
        if self.decided is None:
            waited_s = frame.at_s - self.first_at_s
            if waited_s >= STILL_S:
                return True
            return waited_s >= _READ_S and len(self.votes) < AGREEING - 1
        if not self.decided.doubts:
            return False
        return bool(self.votes) or frame.at_s - self._read_at_s >= _AGAIN_S

    def add_reading(self, reading: TrayReading, frame: Frame) -> bool:
        """Add the reading of a frame; return whether it decides the rest."""
        self._read_at_s = frame.at_s
        self.votes.append(reading)
        decision = self._decision()
        if decision is None:
            return False
        self.votes.clear()
        is_news = self.decided is None or not decision.doubts
        if is_news:
            self.decided = decision
        return is_news

    def _decision(self) -> TrayReading | None:
        latest = self.votes[-AGREEING:]
        reading = latest[-1]
        is_alike = all(_are_alike(reading, vote) for vote in latest)
        # Nothing has moved, so a die on any frame is still there.
        is_alike &= bool(reading.doubts) or not _is_missing(reading, self.votes)
        if is_alike and len(latest) == AGREEING:
            return reading
        if self.decided is None:
            is_given_up = len(self.votes) >= _ATTEMPTS
        else:
            is_given_up = not is_alike or bool(reading.doubts)
        return _report_disagreement(self.votes) if is_given_up else None


def _copy_scale(frame: Frame, copy: SmallCopy) -> float:
    # Halving drops an odd last row or column, so the scale is not exactly a power of two.
    return float(copy.grey.shape[1] / frame.image_bgr.shape[1])


def _to_place(die: DieReading, scale: float) -> DiePlace:
    x, y = die.center_px
    # Pixels count from their middles: the copy's first pixel covers several of the frame's.
    middle = (np.array([x, y]) + 0.5) * scale - 0.5
    return DiePlace(middle, die.edge_px * scale)


def _observe(
    state: TrayState, still: _StillPeriod, *, is_new_rest: bool = False
) -> TrayObservation:
    return TrayObservation(
        state=state,
        reading=still.decided if state is TrayState.AT_REST else None,
        is_new_rest=is_new_rest,
        first_frame=still.first_number,
        last_frame=still.last.number,
    )


def _are_alike(one: TrayReading, other: TrayReading) -> bool:
    """Return whether two readings agree in faces, positions and kinds of doubt."""
    if len(one.dice) != len(other.dice):
        return False
    if {doubt.kind for doubt in one.doubts} != {doubt.kind for doubt in other.doubts}:
        return False
    return all(_shows(other, die) for die in one.dice)


def _shows(reading: TrayReading, die: DieReading) -> bool:
    return any(
        (other.face, other.polarity) == (die.face, die.polarity)
        and dist(other.center_px, die.center_px) <= _NEAR_EDGES * die.edge_px
        for other in reading.dice
    )


def _is_missing(reading: TrayReading, votes: Sequence[TrayReading]) -> bool:
    return any(
        all(
            dist(die.center_px, seen.center_px) > _NEAR_EDGES * seen.edge_px for die in reading.dice
        )
        for vote in votes
        for seen in vote.dice
    )


def _report_disagreement(votes: list[TrayReading]) -> TrayReading:
    """Return the last reading with only the dice of all readings, and with a doubt."""
    last = votes[-1]
    dice = tuple(die for die in last.dice if all(_shows(vote, die) for vote in votes))
    text = "the frames of this rest do not agree; move the dice"
    if last.dome is not None:
        text = message("The dice can't be read for certain. Shake again.")
    doubt = Doubt(DoubtKind.UNSURE, text)
    return replace(last, dice=dice, doubts=(*last.doubts, doubt))


@dataclass(frozen=True, slots=True)
class Rest:
    """Consecutive frames without movement, and their reading."""

    reading: TrayReading
    first_frame: int
    last_frame: int


def find_rests(
    frames: Iterable[Frame], detector: RestDetector, *, expect: int | None = None
) -> Iterator[Rest]:
    """Yield the rests of a recording, each when it is over."""
    rest: Rest | None = None
    for frame in frames:
        observation = detector.process(frame, expect=expect)
        if observation.state is TrayState.AT_REST and observation.reading is not None:
            rest = Rest(observation.reading, observation.first_frame, observation.last_frame)
        elif rest is not None:
            yield rest
            rest = None
    if rest is not None:
        yield rest
