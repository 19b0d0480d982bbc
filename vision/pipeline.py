# SPDX-License-Identifier: MIT
"""
Read one picture of the tray: from pixels to a `TrayReading`.

Pips first, since they are what a die is read by: spots, then groups of spots that
lie as a number's pips lie, then the body around them, then which of the groups
are top faces. Whatever of this looks like part of a die and found no place in
one is a doubt.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.choose import Candidate, choose
from vision.colour import colour_word
from vision.face import Face, find_faces
from vision.frame import Image
from vision.leftover import find_leftovers, undecided
from vision.params import BodyParams, ReadParams
from vision.pips import Floats, contrast_channel, find_pips
from vision.reading import (
    DieReading,
    Doubt,
    DoubtKind,
    Polarity,
    Rejected,
    StageTime,
    TrayReading,
)
from vision.rectify import Pyramid, build_pyramid, cut_out
from vision.segment import flaw_of, see_body
from vision.single import find_singles
from vision.trace import Trace


@dataclass(slots=True)
class _Stopwatch:
    """Stamps the stages of one reading."""

    started: float = field(default_factory=time.perf_counter)
    stages: list[StageTime] = field(default_factory=list)

    def stamp(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages.append(StageTime(stage, (now - self.started) * 1e3))
        self.started = now


class Reader:
    """
    Reads pictures, one at a time or from several threads; keeps nothing between them.

    Args:
        params: Everything it decides by.
    """

    def __init__(self, params: ReadParams = ReadParams()) -> None:  # noqa: B008
        self._params = params

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        """
        Read one picture.

        Args:
            image_bgr: Shape (height, width, 3) or (height, width), uint8.
            expect: How many dice lie there; another count is a doubt.
            trace: Where to write pictures of the stages.

        Raises:
            ValueError: The picture is empty, not uint8, or of another shape.
        """
        params = self._params
        watch = _Stopwatch()
        work, scale = _work_copy(_checked(image_bgr), params.work_px)
        pyramid = build_pyramid(work, contrast_channel(work), smallest_px=params.pips.kernel_px * 2)
        watch.stamp("prepare")
        greys = pyramid.greys
        pips = find_pips(greys, params.pips)
        watch.stamp("pips")
        faces = find_faces(greys[0], pips, params.faces)
        watch.stamp("faces")
        candidates = [_judged(pyramid, face, params.bodies) for face in faces]
        watch.stamp("bodies")
        good = [c for c in candidates if not c.flaw]
        candidates += find_singles(pyramid, pips, good, params)
        watch.stamp("ones")
        good = [c for c in candidates if not c.flaw]
        chosen, sides, unclear = choose(good, params.choose)
        watch.stamp("choose")
        doubts = [undecided(pair) for pair in unclear]
        doubts += find_leftovers(pyramid, pips, chosen, sides, params)
        watch.stamp("leftovers")
        reading = TrayReading(
            dice=_dice(chosen, scale, params),
            doubts=tuple(_scaled(d, scale) for d in doubts),
            rejected=tuple(_rejected(c, scale) for c in candidates if c.flaw),
            stages=tuple(watch.stages),
            picture_wh=(image_bgr.shape[1], image_bgr.shape[0]),
        )
        return _counted(reading, expect)


def _checked(image: Image) -> Image:
    """The picture in colour, if it is one."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or 0 in image.shape:
        raise ValueError(f"expected a uint8 picture, found {image.dtype} of shape {image.shape}")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.shape[2] != 3:
        raise ValueError(f"expected 3 channels, found shape {image.shape}")
    return image


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


def _dice(chosen: list[Candidate], scale: float, params: ReadParams) -> tuple[DieReading, ...]:
    """The chosen faces as readings, from left to right."""
    corners = [_corners(c) / scale for c in chosen]
    edges = [float(np.linalg.norm(np.diff(c, axis=0), axis=1).mean()) for c in corners]
    mm_per_px = params.die_edge_mm / float(np.median(edges)) if edges else 0.0
    dice = [
        _die(c, corner, edge, scale, mm_per_px)
        for c, corner, edge in zip(chosen, corners, edges, strict=True)
    ]
    return tuple(sorted(dice, key=lambda die: die.center_px))


def _die(
    candidate: Candidate, corners: Floats, edge_px: float, scale: float, mm_per_px: float
) -> DieReading:
    face = candidate.face
    x, y = (face.center / scale).tolist()
    along = corners[1] - corners[0]
    quad = tuple((float(px), float(py)) for px, py in corners)
    assert len(quad) == 4
    return DieReading(
        face=face.number,
        polarity=Polarity.DARK if face.light else Polarity.LIGHT,
        colour=colour_word(candidate.body.bgr),
        center_px=(x, y),
        corners_px=quad,
        angle_deg=float(np.degrees(np.arctan2(along[1], along[0])) % 90.0),
        edge_px=edge_px,
        center_mm=(x * mm_per_px, y * mm_per_px),
        confidence=_confidence(candidate),
    )


def _corners(candidate: Candidate) -> Floats:
    """Corners of the face, clockwise in the picture, at its seen edges where they were seen."""
    face, edges = candidate.face, candidate.body.edges
    usual = float(np.nanmedian(edges)) if np.isfinite(edges).any() else 1.9
    right, below, left, above = np.where(np.isfinite(edges), edges, usual)
    square = np.array([(-left, -above), (right, -above), (right, below), (-left, below)])
    corners = face.center + square @ face.axes.T
    return corners if np.linalg.det(face.axes) > 0 else corners[::-1]


def _confidence(candidate: Candidate) -> float:
    """How well the pips agree with the pattern: place and evenness, each 1 when perfect."""
    return float(np.clip((1.0 - candidate.face.residual) * candidate.body.even, 0.0, 1.0))


def _scaled(doubt: Doubt, scale: float) -> Doubt:
    if doubt.center_px is None:
        return doubt
    x, y = doubt.center_px
    return replace(doubt, center_px=(x / scale, y / scale), radius_px=doubt.radius_px / scale)


def _rejected(candidate: Candidate, scale: float) -> Rejected:
    x, y = (candidate.face.center / scale).tolist()
    return Rejected(candidate.flaw, (x, y), 2.0 * candidate.face.step / scale)


def _counted(reading: TrayReading, expect: int | None) -> TrayReading:
    """The reading, in doubt when it holds another count of dice than expected."""
    if expect is None or len(reading.dice) == expect:
        return reading
    text = f"{len(reading.dice)} dice read where {expect} belong"
    return replace(reading, doubts=(*reading.doubts, Doubt(DoubtKind.COUNT, text)))
