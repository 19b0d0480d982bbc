# SPDX-License-Identifier: MIT
"""Find what looks like a die or like a part of one, and that no read die explains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks.messages import doubt_at
from vision.checks.plane import Plane, outline_dice
from vision.face import Face, Floats, measure_insets, median_edge_px
from vision.frame import Image
from vision.nets.finder import Sighting
from vision.reading import Doubt, DoubtKind

_FINER = 4  # A pixel of the map is a fifth of a die; outlines are drawn in finer ones.

# What of a die is hidden by another.
_LEAST_LIKE = 0.6  # Likeness from which on a place is taken for a die.
# How far beyond a read die, in half edges, such a place may still be that die; the likeness is a
# coarse map.
_MARGIN = 0.2
# Thickness of the least part of a die, in edges; slivers along an outline are errors of the plane.
_THINNEST = 0.5
_LEAST_AREA = 0.1  # Area of the least part, in faces; less is an error of the map.
_NEAR = 0.35  # How far from a read die, in edges, a part belongs to another die.
MOST_STACKED = 4  # Doubts reported; a person needs no more than a few.

# What unread body may be a die, if the count of dice is not known.
_LEAST_LIKE_BODY = 0.5  # Likeness of a die or an object from which on a place is a body's.
_MARGIN_BODY = 0.35  # How far beyond a read die, in half edges, it may be that die.
_AREAS = (0.4, 1.7)  # Least and largest, in faces of read dice.
_MOST_UNLIKE = 30.0  # How far its colour may be off a read die's, in levels.


def find_stacked(
    die_map: NDArray[np.float32], scale: float, faces: Sequence[Face], plane: Plane
) -> list[Doubt]:
    """
    Return the doubts about parts of dice behind or below the dice that were read; none without one.

    A die on another one looks only four percent larger than one on the felt, too little to measure.
    But it hides the lower die only partly. An area that looks like a die, but is no part of a read
    die, belongs to another one. `die_map` is how likely each place belongs to a die, 0 to 1, (h,
    w), and `scale` its pixels per pixel of the picture.
    """
    if not faces:
        return []
    edge = median_edge_px(faces) * scale
    covered = covered_share(die_map.shape[:2], scale, faces, plane, grown_by=_MARGIN)
    left = np.maximum(die_map - covered, 0.0)
    side = max(1, round(_THINNEST * edge))
    # The mean over the least thickness of a part, because slivers of the sides are thinner.
    is_left = (cv2.blur(left, (side, side)) > _LEAST_LIKE).astype(np.uint8)
    if not is_left.any():
        return []
    doubts = []
    for area, middle, is_there in _list_areas(is_left, connectivity=8):
        if area <= _LEAST_AREA * edge**2:
            continue
        pixels = (np.argwhere(is_there)[:, ::-1] + 0.5) / scale - 0.5
        insets = [measure_insets(each, pixels).max() for each in outline_dice(faces, plane)]
        if -max(insets) < _NEAR * edge / scale:
            center = (middle + 0.5) / scale - 0.5
            doubts.append(doubt_at(DoubtKind.STACKED, center, 0.75 * edge / scale))
    return doubts[:MOST_STACKED]


def _list_areas(
    is_it: Image, *, connectivity: int
) -> Iterator[tuple[float, Floats, NDArray[np.bool_]]]:
    """Yield each connected area of a mask: its size, its middle (2,) and its own mask."""
    _, labels, stats, middles = cv2.connectedComponentsWithStats(is_it, connectivity=connectivity)
    for label in range(1, len(stats)):
        yield float(stats[label, cv2.CC_STAT_AREA]), middles[label], labels == label


def covered_share(
    shape: tuple[int, ...], scale: float, faces: Sequence[Face], plane: Plane, *, grown_by: float
) -> NDArray[np.float32]:
    """
    Return which share of each pixel of a map the read dice cover, sides included, (h, w).

    `grown_by` is how far beyond its outline a die may reach, in half edges.
    """
    fine = np.zeros((shape[0] * _FINER, shape[1] * _FINER), np.uint8)
    for outline in outline_dice(faces, plane, grown_by=grown_by):
        corners = (outline + 0.5) * scale * _FINER - 0.5
        cv2.fillConvexPoly(fine, np.rint(corners).astype(np.int32), 255)
    share = cv2.resize(fine, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(share, dtype=np.float32) / np.float32(255.0)


def find_unread_bodies(
    image_bgr: Image, sighting: Sighting, faces: Sequence[Face], plane: Plane
) -> list[Doubt]:
    """
    Return doubts about bodies like those of the dice that were read; none without one.

    To the nets, a die whose pips are worn or covered has no upper face. Its body is still on the
    finder's maps: as part of a die, or as an object of the size and colour of the dice that were
    read. If the count of dice is known, a die is missing then, and this check is not needed.
    """
    if not faces:
        return []
    scale, shape = sighting.scale, sighting.die_map.shape
    covered = covered_share(shape, scale, faces, plane, grown_by=_MARGIN_BODY)
    like = np.maximum(sighting.die_map, sighting.thing_map) - covered
    edge = median_edge_px(faces) * scale
    doubts = []
    is_body = (like > _LEAST_LIKE_BODY).astype(np.uint8)
    for area, middle, is_there in _list_areas(is_body, connectivity=4):
        if _AREAS[0] <= area / edge**2 <= _AREAS[1]:
            is_die = float(sighting.die_map[is_there].mean()) > _LEAST_LIKE_BODY
            if is_die or _has_colour_of(image_bgr, is_there, scale, faces):
                center = (middle + 0.5) / scale - 0.5
                doubts.append(doubt_at(DoubtKind.UNSURE, center, 0.75 * edge / scale))
    return doubts


def _has_colour_of(
    image_bgr: Image, is_there: NDArray[np.bool_], scale: float, faces: Sequence[Face]
) -> bool:
    height, width = image_bgr.shape[:2]
    columns, rows = np.rint((np.argwhere(is_there)[:, ::-1] + 0.5) / scale - 0.5).astype(int).T
    bgr = np.median(image_bgr[rows.clip(0, height - 1), columns.clip(0, width - 1)], axis=0)
    return any(float(np.abs(face.bgr - bgr).max()) < _MOST_UNLIKE for face in faces)
