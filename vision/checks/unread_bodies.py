# SPDX-License-Identifier: MIT
"""
Find bodies that may be dice and that no reading explains, if the count of dice is not known.

To the nets, a die whose pips are worn or covered has no upper face. Its body is still on the
finder's maps: as part of a die, or as an object of the size and colour of the dice that were read.
If the count is known, no such check is needed, because a die is missing then.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checks.messages import doubt_at
from vision.checks.outlines import median_edge_px
from vision.checks.plane import Plane
from vision.checks.stacked import covered_share
from vision.face import Face
from vision.frame import Image
from vision.nets.finder import Sighting
from vision.params.checks import BodyParams
from vision.reading import Doubt, DoubtKind


def find_unread_bodies(
    image_bgr: Image,
    sighting: Sighting,
    faces: Sequence[Face],
    plane: Plane,
    params: BodyParams,
) -> list[Doubt]:
    """
    Return doubts about bodies like those of the dice that were read.

    Returns:
        The doubts; empty if no die was read, for then nothing says how large a die is.
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
