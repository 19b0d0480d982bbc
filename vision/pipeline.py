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

from vision.doubts.lean import find_leaning
from vision.doubts.leftover import cocked, each_once, find_leftovers, undecided
from vision.frame import Image
from vision.geometry.choose import Candidate, Choice, choose, without
from vision.geometry.face import Face, find_faces
from vision.geometry.pips import Pips, contrast_channel, find_pips
from vision.geometry.rectify import Pyramid, build_pyramid, cut_out
from vision.geometry.segment import flaw_of, see_body
from vision.geometry.single import find_singles
from vision.outcome import dice_of, doubt_in_picture, rejected_of
from vision.params import BodyParams, ReadParams
from vision.reading import Doubt, DoubtKind, StageTime, TrayReading
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


@dataclass(frozen=True, slots=True)
class _Found:
    """What the stages found in one picture, in work pixels."""

    work: Image
    scale: float
    pips: Pips
    candidates: list[Candidate]
    choice: Choice
    doubts: list[Doubt]


class Reader:
    """
    Reads pictures, one at a time or from several threads; keeps nothing between them.

    Args:
        params: Everything it decides by.
    """

    def __init__(self, params: ReadParams | None = None) -> None:
        self._params = params or ReadParams()

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
            OSError: A picture of a stage can't be written.
        """
        image = _checked(image_bgr)
        watch = _Stopwatch()
        found = self._find(image, watch)
        reading = TrayReading(
            dice=dice_of(found.choice.tops, found.scale, self._params.die_edge_mm),
            doubts=tuple(doubt_in_picture(doubt, found.scale) for doubt in found.doubts),
            rejected=tuple(rejected_of(c, found.scale) for c in found.candidates if c.flaw),
            stages=tuple(watch.stages),
            picture_wh=(image.shape[1], image.shape[0]),
        )
        if expect is not None:
            reading = _counted(reading, expect)
        if trace is not None:
            trace.write_spots(found.work, found.pips)
            trace.write_faces(found.work, found.candidates)
            trace.write_reading(image, reading)
        return reading

    def _find(self, image: Image, watch: _Stopwatch) -> _Found:
        """All stages, one after the other."""
        params = self._params
        work, scale = _work_copy(image, params.work_px)
        pyramid = build_pyramid(work, contrast_channel(work), smallest_px=params.pips.kernel_px * 2)
        watch.stamp("prepare")
        greys = pyramid.greys
        pips = find_pips(greys, params.pips)
        watch.stamp("pips")
        faces = find_faces(greys[0], pips, params.faces)
        watch.stamp("faces")
        candidates = [_judged(pyramid, face, params.bodies) for face in faces]
        watch.stamp("bodies")
        candidates += find_singles(pyramid, pips, [c for c in candidates if not c.flaw], params)
        watch.stamp("ones")
        choice = choose([c for c in candidates if not c.flaw], params.choose)
        watch.stamp("choose")
        size_wh = (work.shape[1], work.shape[0])
        leaning = find_leaning(choice, size_wh, params.leans, params.choose)
        watch.stamp("leans")
        doubts = [undecided(pair) for pair in choice.unclear]
        doubts += [cocked(top) for top in leaning]
        doubts += find_leftovers(pyramid, pips, candidates, choice, params)
        choice = without(choice, leaning)
        watch.stamp("leftovers")
        return _Found(work, scale, pips, candidates, choice, each_once(doubts))


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


def _counted(reading: TrayReading, expect: int) -> TrayReading:
    """
    The reading, in doubt when it holds another count of dice than expected.

    When the count is right, a thing without pips beside the dice is none of them: a rail,
    a coaster, a lamp's shine. Spots like pips stay a doubt; they may be one die too many.
    """
    if len(reading.dice) == expect:
        kept = (d for d in reading.doubts if d.kind is not DoubtKind.FOREIGN_OBJECT)
        return replace(reading, doubts=tuple(kept))
    text = f"{len(reading.dice)} of {expect} dice are read. Lay all of them apart and flat."
    return replace(reading, doubts=(*reading.doubts, Doubt(DoubtKind.COUNT, text)))
