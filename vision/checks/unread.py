# SPDX-License-Identifier: MIT
"""Find what looks like a die or like a part of one, and that no read die explains."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks.messages import doubt_at
from vision.checks.plane import Plane, outline_dice
from vision.face import Face, median_edge_px
from vision.frame import Image
from vision.nets.finder import Sighting
from vision.params import BodyParams, StackParams
from vision.reading import Doubt, DoubtKind

_FINER = 4  # A pixel of the map is a fifth of a die; outlines are drawn in finer ones.


def find_stacked(
    die_map: NDArray[np.float32],
    scale: float,
    faces: Sequence[Face],
    plane: Plane,
    params: StackParams,
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
    covered = covered_share(die_map.shape[:2], scale, faces, plane, grown_by=params.margin)
    left = np.maximum(die_map - covered, 0.0)
    side = max(1, round(params.thinnest * edge))
    # The mean over the least thickness of a part, because slivers of the sides are thinner.
    is_left = (cv2.blur(left, (side, side)) > params.least_like).astype(np.uint8)
    if not is_left.any():
        return []
    _, labels, stats, centres = cv2.connectedComponentsWithStats(is_left, connectivity=8)
    doubts = []
    for label in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] > params.least_area * edge**2):
        if label == 0:
            continue
        pixels = (np.argwhere(labels == label)[:, ::-1] + 0.5) / scale - 0.5
        if _distance(pixels, faces, plane) < params.near * edge / scale:
            center = (centres[label] + 0.5) / scale - 0.5
            doubts.append(doubt_at(DoubtKind.STACKED, center, 0.75 * edge / scale))
    return doubts[: params.most]


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


def _distance(points: NDArray[np.floating], faces: Sequence[Face], plane: Plane) -> float:
    nearest = np.inf
    for outline in outline_dice(faces, plane):
        polygon = outline.astype(np.float32)
        for x, y in points.tolist():
            nearest = min(nearest, -cv2.pointPolygonTest(polygon, (x, y), True))
    return float(nearest)


def find_unread_bodies(
    image_bgr: Image, sighting: Sighting, faces: Sequence[Face], plane: Plane, params: BodyParams
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
    covered = covered_share(shape, scale, faces, plane, grown_by=params.margin)
    like = np.maximum(sighting.die_map, sighting.thing_map) - covered
    _, labels, stats, centres = cv2.connectedComponentsWithStats(
        (like > params.least_like).astype(np.uint8), connectivity=4
    )
    edge = median_edge_px(faces) * scale
    areas = stats[:, cv2.CC_STAT_AREA] / edge**2
    doubts = []
    for label in range(1, len(stats)):
        if params.areas[0] <= areas[label] <= params.areas[1]:
            is_there = labels == label
            is_die = float(sighting.die_map[is_there].mean()) > params.least_like
            if is_die or _has_colour_of(image_bgr, is_there, scale, faces, params.most_unlike):
                center = (centres[label] + 0.5) / scale - 0.5
                doubts.append(doubt_at(DoubtKind.UNSURE, center, 0.75 * edge / scale))
    return doubts


def _has_colour_of(
    image_bgr: Image,
    is_there: NDArray[np.bool_],
    scale: float,
    faces: Sequence[Face],
    most_unlike: float,
) -> bool:
    height, width = image_bgr.shape[:2]
    columns, rows = np.rint((np.argwhere(is_there)[:, ::-1] + 0.5) / scale - 0.5).astype(int).T
    bgr = np.median(image_bgr[rows.clip(0, height - 1), columns.clip(0, width - 1)], axis=0)
    return any(float(np.abs(face.bgr - bgr).max()) < most_unlike for face in faces)
