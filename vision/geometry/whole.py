# SPDX-License-Identifier: MIT
"""
Propose faces from the pips alone, over the whole picture.

The slow second way: spots of every size, then groups of spots that lie as a number's pips
lie, then the body around them, then which of the groups are top faces. It knows nothing of
what the finder has learned, so it finds dice that the finder never saw the like of. It
is walked only where the finder's dice leave a doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.choose import Candidate, Choice, choose
from vision.geometry.face import Face, find_faces
from vision.geometry.pips import Pips, contrast_channel, find_pips
from vision.geometry.rectify import Pyramid, build_pyramid, cut_out
from vision.geometry.segment import flaw_of, see_body
from vision.geometry.single import find_singles
from vision.params import BodyParams, ReadParams


@dataclass(frozen=True, slots=True)
class WholePicture:
    """
    What the pips of a whole picture make, in pixels of the copy that was worked on.

    Attributes:
        work: The copy.
        scale: Work pixels a pixel of the given picture.
        pyramid: The copy in halving sizes.
        pips: All spots.
        candidates: All faces that were looked at.
        choice: Which of them may be top faces of dice.
    """

    work: Image
    scale: float
    pyramid: Pyramid
    pips: Pips
    candidates: list[Candidate]
    choice: Choice


def look_for_pips(image_bgr: Image, params: ReadParams) -> WholePicture:
    """
    Look at the whole picture for pips and what they make.

    Args:
        image_bgr: Shape (height, width, 3), uint8.
        params: All parameters.
    """
    work, scale = _work_copy(image_bgr, params.work_px)
    pyramid = build_pyramid(work, contrast_channel(work), smallest_px=params.pips.kernel_px * 2)
    greys = pyramid.greys
    pips = find_pips(greys, params.pips)
    faces = find_faces(greys[0], pips, params.faces)
    candidates = [_judged(pyramid, face, params.bodies) for face in faces]
    candidates += find_singles(pyramid, pips, [c for c in candidates if not c.flaw], params)
    choice = choose([c for c in candidates if not c.flaw], params.choose)
    return WholePicture(work, scale, pyramid, pips, candidates, choice)


def _work_copy(image: Image, work_px: int) -> tuple[Image, float]:
    """The picture at working size, and work pixels a picture pixel."""
    scale = min(1.0, work_px / max(image.shape[:2]))
    if scale == 1.0:
        return image, 1.0
    # Averaging costs four times as much, and nothing aliases at more than half size.
    way = cv2.INTER_LINEAR if scale > 0.5 else cv2.INTER_AREA
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=way)
    return np.asarray(small, dtype=np.uint8), scale


def _judged(pyramid: Pyramid, face: Face, params: BodyParams) -> Candidate:
    """The face with what its pixels say."""
    body = see_body(cut_out(pyramid, face.center, face.axes), face, params)
    return Candidate(face, body, flaw_of(face, body, params))
