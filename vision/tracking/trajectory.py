# SPDX-License-Identifier: MIT
"""
The trajectory of one die, from where it rests back in time.

It collects evidence frame by frame: the position, the speed, hands nearby and gaps between
frames. Without evidence of a throw or of a hand the answer is `UNSEEN`, never a guess.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from vision.tracking.hands import HAND_AROUND_S, HAND_LEAST_S
from vision.tracking.motion_blobs import DiePlace, Point

_MOST_S = 0.1  # Frames further apart give no speed, only the mean over a path that slows down.


class ArrivalKind(Enum):
    """How a die came to its position; `UNSEEN` without evidence of a throw or of a hand."""

    LAY_THERE = "lay there"
    BY_HAND = "by hand"
    FOLLOWED = "followed"
    THROWN = "thrown"
    UNSEEN = "unseen"


# What a throw looks like. Lengths are in edges of the die.

_PATH_EDGES = 1.5  # Least length of the path on which a thrown die is seen, free of hands.
_LEAST_SPEED_EDGES_S = 6.0  # Least speed of a thrown die.
_STEPS = 2  # Least number of frames on which a thrown die is seen moving.
_REACH_EDGES = 0.8  # Search radius around the predicted position.
# Growth of that radius with the time between frames. Dice that bounce change their speed at once.
_REACH_EDGES_S = 60.0
_STRIKE_EDGES = 0.8  # How far from its old position a struck die may be on the next frame.
_STRIKE_EDGES_S = 15.0  # Growth of that distance with the time between frames.
# How long a die may be hidden by others or by their blur. A single frame may last any time, except
# the last one before the rest, or one with a hand.
_MISSING_S = 0.18
BLIND_S = 0.08  # With frames further apart than this, a die may fly past unseen.
_ONE_THROW_S = 0.5  # Dice of one throw come to rest within this time.


class Trajectory:
    """One die's positions and the evidence about its arrival, added in backward order."""

    def __init__(self, place: DiePlace) -> None:
        self.place = place
        self.before: int | None = None  # The die of the last rest that it was followed back to.
        self.blob_mates: set[int] = set()  # Indices of the dice that shared a blob with it.
        # Those of them that came so near that they may be swapped.
        self.swappable: set[int] = set()
        self.at_rest_since_s: float | None = None  # Time of the first frame that shows it at rest.
        self._start()

    def _start(self) -> None:
        self.is_under_hand = False
        self.is_under_way = False
        self.is_lost = False
        self._is_hand_near = False
        self._is_unclear = False
        self._longest_gap_s = 0.0
        self.blob_mates.clear()
        self.swappable.clear()
        self.middle_px = self.place.middle_px
        self._step_px_s = np.zeros(2)
        self._seen_s: float | None = None
        self._missed = 0
        self._path_edges = self._speed_edges_s = 0.0
        self._steps = 0

    @property
    def is_open(self) -> bool:
        """Whether it has to be followed further back."""
        return self.is_under_way and not self.is_lost and self.before is None

    @property
    def is_in_flight(self) -> bool:
        """Whether it was seen moving, free of hands, on enough frames for a throw."""
        return self.before is None and self._steps >= _STEPS

    @property
    def kind(self) -> ArrivalKind:
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
        """Whether the evidence fits a die that was turned in its position."""
        is_blind = self._is_unclear or self._longest_gap_s > BLIND_S
        return not is_blind and not self._is_throw()

    def came_with(self, other: Trajectory) -> bool:
        """Return whether both came to rest together, without a gap that may hide a hand."""
        if self._is_unclear or self._longest_gap_s > HAND_LEAST_S:
            return False
        if self.at_rest_since_s is None or other.at_rest_since_s is None:
            return False
        return abs(self.at_rest_since_s - other.at_rest_since_s) <= _ONE_THROW_S

    def add_gap(self, gap_s: float) -> None:
        if self.is_open:
            self._longest_gap_s = max(self._longest_gap_s, gap_s)

    def add_hand(self, at_s: float) -> None:
        since_s = at_s if self.at_rest_since_s is None else self.at_rest_since_s
        self._is_hand_near |= since_s - at_s <= HAND_AROUND_S

    def add_rest_view(self, *, at_s: float, looks_same: bool, is_covered: bool) -> None:
        if self.before is not None:
            return
        self.is_lost |= self._missed > 1 and self.is_long_missed(at_s)
        if looks_same:
            # Whatever newer frames showed here only passed over it.
            self._start()
            self._seen_s = self.at_rest_since_s = at_s
        elif is_covered and not self._steps:
            self.is_under_hand = self.is_under_way = self.is_lost = True
        else:
            self.is_under_way = True

    def is_long_missed(self, at_s: float) -> bool:
        """Return whether it was missing for so long that it may have been anywhere."""
        return self._missed > 0 and self.elapsed_s(at_s) > _MISSING_S

    def predict(self, at_s: float) -> Point:
        return self.middle_px + self._step_px_s * self.elapsed_s(at_s)

    def search_radius_px(self, at_s: float) -> float:
        return self._grow(at_s, _REACH_EDGES, _REACH_EDGES_S)

    def strike_radius_px(self, at_s: float) -> float:
        """Return how far away it may have rested if it was struck at that moment."""
        return self._grow(at_s, _STRIKE_EDGES, _STRIKE_EDGES_S)

    def _grow(self, at_s: float, edges: float, edges_s: float) -> float:
        return (edges + edges_s * min(self.elapsed_s(at_s), _MOST_S)) * self.place.edge_px

    def elapsed_s(self, at_s: float) -> float:
        """Return the time from an earlier frame to the last frame with a position."""
        return 0.0 if self._seen_s is None else self._seen_s - at_s

    def add_position(self, middle_px: Point, at_s: float, *, is_at_border: bool = False) -> None:
        """Add its position on a frame; at the border it entered the picture, so it ends there."""
        step_px = middle_px - self.middle_px
        step_edges = float(np.hypot(*step_px)) / self.place.edge_px
        elapsed_s = self.elapsed_s(at_s)
        if elapsed_s > 0.0:
            self._step_px_s = step_px / elapsed_s
            # An even slowdown begins at twice the mean speed.
            began = 2.0 if elapsed_s > _MOST_S else 1.0
            self._speed_edges_s = max(self._speed_edges_s, began * step_edges / elapsed_s)
        self._path_edges += step_edges
        self._steps += 1
        self.middle_px, self._seen_s, self._missed = middle_px, at_s, 0
        self.is_lost = is_at_border

    def mark_missed(self, *, shows_hand: bool) -> None:
        """Note a frame without it; a die that appears from nothing may be set by a hand."""
        self._missed += 1 if self._steps and not shows_hand else 2

    def end_in_hand(self) -> None:
        """End in a hand: it set the die, unless the die was seen flying from it."""
        self.is_lost = True
        self.is_under_hand = not self._is_throw()

    def end_unclear(self) -> None:
        """End in something that may be a hand or several dice."""
        self.is_lost = True
        self._is_unclear = True

    def _is_throw(self) -> bool:
        return (
            self._steps >= _STEPS
            and self._path_edges >= _PATH_EDGES
            and self._speed_edges_s >= _LEAST_SPEED_EDGES_S
        )
