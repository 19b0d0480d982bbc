# SPDX-License-Identifier: MIT
"""
Find what moves through the tray between two rests, frame by frame.

Only moving dice and hands differ from both the rest before and the rest after. A hand hangs on
an arm that reaches out of the picture. Dice that enter together reach out of it too. But they are
no larger than that many dice, and they move on without an arm. An empty position between two dice
also differs from both rests, but nothing changes in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.motion import Grey, measure_slope

Mask = NDArray[np.bool_]
Labels = NDArray[np.uint16]
Point = NDArray[np.float64]

_AROUND = np.ones((3, 3), np.uint8)


# What differs from a rest, and what a hand is. Areas are those of one die.
_LEVEL = 6.0  # Grey levels (of 255) that a pixel may differ without a cause.
_LAMP_SHARE = 0.06  # Share of its brightness that it may differ too, because lamps flicker.
_WANDER_PX = 0.4  # How far an edge may move, in pixels of the small copy.
_SAME_SHARE = 0.2  # A position looks the same while less than this share of its pixels differs.
_PLACE_EDGES = 0.5  # Radius of a die's position, in its edges.
_STILL_SHARE = 0.1  # A blob is still if less than this share of it changes between frames.
_HAND_AREAS = 2.5  # A larger blob that reaches out of the picture is a hand, or a group of dice.
_DIE_AREAS = 3.2  # Area of each die in a group of moving dice, with its sides and its shadow.
_BUNCH_SHARE = 0.5  # Share of an entering group that must be seen moving freely on the next frame.
# A larger blob is a hand anywhere: a sleeve may look like the table, so that the arm is not seen.
_BODY_AREAS = 12.0
_BLURRED_BUNCHES = 2.0  # Factor by which the blur of a fast group may enlarge it.
_BLIND_SHARE = 0.6  # A blob that fills a larger share of the picture covers the view.


HAND_SHARE = 0.02  # Least share of the picture that a hand fills, if no die gives the scale.


@dataclass(frozen=True, slots=True)
class DiePlace:
    """A die's middle, (2,), and its edge, in pixels of the small copy."""

    middle_px: Point
    edge_px: float


@dataclass(frozen=True, slots=True)
class Blob:
    """Connected pixels that differ from both rests."""

    middle_px: Point  # Its middle.
    areas: float  # Its area in die areas.
    is_still: bool  # Whether nothing changes in it until the next frame.
    was_still: bool  # Whether nothing changed in it since the frame before.
    is_hand: bool  # Whether it is a hand, with or without dice.
    reaches_out: bool  # Whether the picture's border cuts it off.
    is_certain: bool = False  # Whether it is too large for dice, even for blurred ones.
    may_be_hand: bool = False  # Whether it may be a hand or dice, because frames are missing.


@dataclass(frozen=True, slots=True)
class FrameBlobs:
    """The blobs of one frame between two rests."""

    at_s: float
    labels: Labels  # The number of the blob at every pixel, from 1; 0 for none.
    blobs: tuple[Blob, ...]
    looks_as_before: tuple[bool, ...]  # Whether each old position looks as at the rest before.
    looks_as_after: tuple[bool, ...]  # Whether each new position looks as at the rest after.
    over: tuple[frozenset[int], ...]  # For every new position, the indices of the blobs over it.
    is_blind: bool = False  # Whether something covers most of the view.

    @property
    def covered(self) -> tuple[bool, ...]:
        """For every new position, whether a hand is over it."""
        return tuple(any(self.blobs[index].is_hand for index in over) for over in self.over)

    def nearest_pixel(self, index: int, place_px: Point, reach_px: float) -> Point | None:
        """Return the pixel of a blob nearest to a position, or `None` if none is in reach."""
        x, y = place_px
        left, top = max(0, int(x - reach_px)), max(0, int(y - reach_px))
        right, bottom = max(0, int(x + reach_px) + 2), max(0, int(y + reach_px) + 2)
        pixels_px = _find_label(self.labels[top:bottom, left:right], index + 1)
        pixels_px += np.array([left, top])
        if not pixels_px.size:
            return None
        away = (pixels_px[:, 0] - x) ** 2 + (pixels_px[:, 1] - y) ** 2
        return np.asarray(pixels_px[int(np.argmin(away))])

    def blob_pixels(self, index: int) -> NDArray[np.float64]:
        """Return the pixels of a blob, x and y, shape (n, 2)."""
        return _find_label(self.labels, index + 1)


class MotionComparison:
    """Compares single frames with the rests before and after them, of the same shape."""

    def __init__(
        self,
        before: Grey,
        after: Grey,
        places_before: tuple[DiePlace, ...],
        places_after: tuple[DiePlace, ...],
    ) -> None:
        self._before, self._after = before, after
        self._room_before = _tolerance(before)
        self._room_after = _tolerance(after)
        self._places_before = [self._disc(place) for place in places_before]
        self._places_after = [self._disc(place) for place in places_after]
        # Joining neighbouring pixels enlarges a die by one pixel on each side.
        self._later = after
        self._free_areas = 0.0  # Die areas that move freely; 0 if there is a hand.
        self._die_area = float(np.median([place.edge_px + 2.0 for place in places_after])) ** 2

    def compare(self, grey: Grey, at_s: float, earlier: Grey) -> FrameBlobs:
        """Return the blobs of a frame; frames come in backward order, each with its earlier one."""
        comes = cv2.absdiff(grey, earlier) > self._room_after
        goes_on = cv2.absdiff(grey, self._later) > self._room_after
        self._later = grey
        unlike_before = _differs(grey, self._before, self._room_before)
        unlike_after = _differs(grey, self._after, self._room_after)
        looks_as_after = tuple(self._is_same(unlike_after[disc]) for disc in self._places_after)
        bunch_areas = _DIE_AREAS * looks_as_after.count(False)
        labels, blobs = self._blobs(unlike_before & unlike_after, (comes, goes_on), bunch_areas)
        moving = [blob.areas for blob in blobs if not (blob.is_still or blob.reaches_out)]
        self._free_areas = 0.0 if any(blob.is_hand for blob in blobs) else sum(moving)
        largest_px = max((blob.areas for blob in blobs), default=0.0) * self._die_area
        return FrameBlobs(
            at_s,
            labels,
            blobs,
            tuple(self._is_same(unlike_before[disc]) for disc in self._places_before),
            looks_as_after,
            tuple(
                frozenset(int(label) - 1 for label in np.unique(labels[disc]) if label)
                for disc in self._places_after
            ),
            is_blind=largest_px > _BLIND_SHARE * grey.size,
        )

    def _disc(self, place: DiePlace) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        height, width = self._before.shape
        radius = max(1.0, _PLACE_EDGES * place.edge_px)
        x, y = place.middle_px
        rows, columns = np.ogrid[:height, :width]
        inside = (columns - x) ** 2 + (rows - y) ** 2 <= radius**2
        y_px, x_px = np.nonzero(inside)
        return y_px, x_px

    def _is_same(self, unlike: Mask) -> bool:
        return bool(np.count_nonzero(unlike) < _SAME_SHARE * unlike.size)

    def _blobs(
        self, unlike: Mask, changes: tuple[Mask, Mask], bunch_areas: float
    ) -> tuple[Labels, tuple[Blob, ...]]:
        joined = cv2.dilate(unlike.astype(np.uint8), _AROUND)
        # Sixteen bits take half the time, and no copy has as many blobs.
        count, labels, stats, middles = cv2.connectedComponentsWithStats(
            joined, connectivity=8, ltype=cv2.CV_16U
        )
        came, went_on = (np.bincount(labels[change], minlength=count) for change in changes)
        blobs = []
        for i in range(1, count):
            area = int(stats[i][cv2.CC_STAT_AREA])
            areas, reaches_out = area / self._die_area, _reaches_out(stats[i], unlike.shape)
            blob = Blob(
                middles[i],
                areas,
                is_still=went_on[i] < _STILL_SHARE * area,
                was_still=came[i] < _STILL_SHARE * area,
                is_hand=self._is_hand(areas, bunch_areas, reaches_out=reaches_out),
                reaches_out=reaches_out,
                is_certain=areas > _BLURRED_BUNCHES * bunch_areas,
            )
            blobs.append(blob)
        return np.asarray(labels, np.uint16), tuple(blobs)

    def _is_hand(self, areas: float, bunch_areas: float, *, reaches_out: bool) -> bool:
        if not reaches_out:
            return areas > max(_BODY_AREAS, bunch_areas)
        if areas <= _HAND_AREAS:
            return False
        # An entering group moves on without an arm. Nothing moves on after a hand draws back.
        is_bunch = areas <= bunch_areas and self._free_areas >= _BUNCH_SHARE * areas
        return not is_bunch


def shows_hand(grey: Grey, before: Grey, edge_px: float | None) -> bool:
    """Return whether something as large as a hand reaches into the picture since the last rest."""
    unlike = _differs(grey, before, _tolerance(before)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(unlike, _AROUND))
    share = HAND_SHARE * grey.size
    least = share if edge_px is None else _BODY_AREAS * (edge_px + 2.0) ** 2 / 2.0
    return any(
        stats[i][cv2.CC_STAT_AREA] > least and _reaches_out(stats[i], grey.shape)
        for i in range(1, count)
    )


def _find_label(labels: Labels, label: int) -> NDArray[np.float64]:
    """Return the pixels with a label, x and y, shape (n, 2), row by row."""
    found = cv2.findNonZero((labels == label).view(np.uint8))
    return np.empty((0, 2)) if found is None else found.reshape(-1, 2).astype(np.float64)


def _reaches_out(stats: NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    left, top, width, height = (int(value) for value in stats[:4])
    return left <= 1 or top <= 1 or left + width >= shape[1] - 1 or top + height >= shape[0] - 1


def _tolerance(rest: Grey) -> Grey:
    slope = measure_slope(rest)
    room = cv2.addWeighted(rest, _LAMP_SHARE, slope, _WANDER_PX, _LEVEL)
    return np.asarray(room, np.float32)


def _differs(grey: Grey, rest: Grey, room: Grey) -> Mask:
    # The median, because a hand changes the mean.
    gain = float(np.median((grey[::4, ::4] + 1.0) / (rest[::4, ::4] + 1.0)))
    return np.asarray(cv2.absdiff(grey, rest * np.float32(gain)) > room)
