# SPDX-License-Identifier: MIT
"""
Read one picture of the tray: from pixels to a `TrayReading`.

The finder proposes upper faces, each proposal is put right and judged on its tile by two
opinions, and what they say is weighed. Then the dice are held against each other: one that
leans, lies on another or hangs over the felt's edge is a doubt although its pips are plain.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.checks.cocked import find_cocked
from vision.checks.messages import deduplicate, doubt_about
from vision.checks.off_felt import find_off_felt
from vision.checks.plane_fit import fit_focal, fit_plane
from vision.checks.stacked import find_stacked
from vision.checks.unread_bodies import find_unread_bodies
from vision.die_readings import to_die_readings
from vision.frame import Image
from vision.nets.feet import FOOT_WEIGHTS, with_feet
from vision.nets.finder import Finder, Proposal, Sighting
from vision.nets.tile_net import TileNet
from vision.own_dice.known_faces import OwnDice
from vision.params.reader import ReadParams
from vision.pyramid import Pyramid
from vision.reading import Doubt, DoubtKind, StageTime, TrayReading
from vision.resolve import Decision, decide, without
from vision.tile_verdicts import Candidate, Judge, lift_doubts
from vision.trace import Trace
from vision.tray_map import TrayMap


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
    """What one look at a picture found."""

    sighting: Sighting
    candidates: list[Candidate]
    decision: Decision


class Reader:
    """
    Reads pictures, one at a time or from several threads; keeps nothing between them.

    Args:
        params: Every number it decides by.
        tray: How the tray lies in the pictures, if that was calibrated.
        own_dice: The faces that the owner confirmed, if there are any.

    Raises:
        WeightsError: A net's weights are missing or torn.
    """

    def __init__(
        self,
        params: ReadParams | None = None,
        *,
        tray: TrayMap | None = None,
        own_dice: OwnDice | None = None,
    ) -> None:
        self._params = params or ReadParams()
        self._tray = tray
        self._own_dice = own_dice
        self._finder = Finder()
        self._judge = Judge(self._params.judge)
        self._feet = TileNet(FOOT_WEIGHTS)

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
        image = _require_colour(image_bgr)
        watch = _Stopwatch()
        tray = self._tray_for(image)
        pyramid = Pyramid(image)
        sighting = self._finder.find(pyramid, edge_px=_edge_px(image, tray))
        found = self._judge_proposals(pyramid, sighting, expect, watch)
        scale = sighting.looks[-1].scale
        if is_open(found.decision, scale, expect=expect, small_px=self._params.small_px):
            more = self._finder.find_more(pyramid, found.sighting)
            if len(more.looks) > len(found.sighting.looks):
                found = self._judge_proposals(pyramid, more, expect, watch)
        decision = self._check(pyramid, found, tray, expect)
        watch.stamp("checks")
        reading = TrayReading(
            dice=to_die_readings(decision.faces, self._params.die_edge_mm),
            doubts=tuple(decision.doubts),
            rejected=tuple(decision.rejected),
            stages=tuple(watch.stages),
            picture_wh=(image.shape[1], image.shape[0]),
        )
        if expect is not None and len(reading.dice) != expect:
            reading = _with_count_doubt(reading, expect)
        if trace is not None:
            _write_trace(trace, image, found, reading)
        return reading

    def propose(self, image_bgr: Image) -> tuple[Proposal, ...]:
        """
        Return where upper faces may lie, each put right, the likeliest first.

        Args:
            image_bgr: Shape (height, width, 3) or (height, width), uint8.

        Raises:
            ValueError: The picture is empty, not uint8, or of another shape.
        """
        image = _require_colour(image_bgr)
        edge_px = _edge_px(image, self._tray_for(image))
        sighting = self._finder.find(image, edge_px=edge_px)
        found = self._judge.judge(Pyramid(image), sighting.proposals)
        likely = [one for one in found if one.verdict.die >= self._judge.weighing.least_die]
        return tuple(
            replace(
                one.evidence.proposal,
                center=one.face.center,
                half_edges=one.face.half_edges,
                likeness=one.verdict.die,
                odd=one.face.odd,
            )
            for one in sorted(likely, key=lambda one: -one.verdict.die)
        )

    def _judge_proposals(
        self, pyramid: Pyramid, sighting: Sighting, expect: int | None, watch: _Stopwatch
    ) -> _Found:
        """Judge what the finder proposes."""
        watch.stamp("finder")
        weighing = self._judge.weighing
        candidates = self._judge.judge(pyramid, sighting.proposals, expect=expect)
        if self._own_dice is not None:
            candidates = lift_doubts(candidates, self._own_dice, weighing, expect=expect)
        decision = decide(candidates, weighing, self._params.decide, expect=expect)
        watch.stamp("opinions")
        return _Found(sighting, candidates, decision)

    def _check(
        self, pyramid: Pyramid, found: _Found, tray: TrayMap | None, expect: int | None
    ) -> Decision:
        """Hold the dice against each other, the felt and the picture's border."""
        params, (height, width) = self._params.doubts, pyramid.image.shape[:2]
        faces, size_wh = with_feet(self._feet, pyramid, found.decision.faces), (width, height)
        decision = replace(found.decision, faces=faces)
        tray = fit_focal(faces, params.planes, tray) if tray else None
        plane = fit_plane(faces, size_wh, params.planes, tray=tray)
        sighting = found.sighting
        unread: list[Doubt] = []
        if len(faces) != expect:
            # A die under another is hidden, so it is missing if the count is known.
            unread = find_stacked(sighting.die_map, sighting.scale, faces, plane, params.stacks)
        if expect is None:
            bodies = find_unread_bodies(pyramid.image, sighting, faces, plane, params.bodies)
            unread = [*unread, *bodies]
        off_felt = find_off_felt(size_wh, faces, params.felt, tray=tray)
        cocked = [face for face in find_cocked(faces, plane, params) if face not in off_felt]
        doubts: list[Doubt] = [
            *decision.doubts,
            *(doubt_about(DoubtKind.OFF_THE_FELT, face) for face in off_felt),
            *(doubt_about(DoubtKind.COCKED, face) for face in cocked),
            *unread,
        ]
        checked = without(decision, [*off_felt, *cocked], ())
        return replace(checked, doubts=deduplicate(doubts))

    def _tray_for(self, image: Image) -> TrayMap | None:
        if self._tray is None:
            return None
        return self._tray.scaled_to((image.shape[1], image.shape[0]))


def _edge_px(image: Image, tray: TrayMap | None) -> float | None:
    """Return the edge of a die in the middle of a picture, if a calibration gives it."""
    return tray.edge_px_at(np.array(image.shape[1::-1]) / 2.0) if tray else None


def is_open(decision: Decision, scale: float, *, expect: int | None, small_px: float) -> bool:
    """
    Return whether a look at another copy of the picture may help.

    It may if a doubt is left, if dice are missing, or if the count of dice is not known and the
    dice are so small in the copy that one may have been missed.

    Args:
        decision: What was found in the copies so far.
        scale: Pixels of the last copy per pixel of the picture.
        expect: How many dice belong there, if that is known.
        small_px: Edge of a die in the copy below which it may be missed.
    """
    faces = decision.faces
    if decision.doubts or not faces:
        return True
    if expect is not None:
        return len(faces) < expect
    return min(face.edge_px for face in faces) * scale < small_px


def _write_trace(trace: Trace, image: Image, found: _Found, reading: TrayReading) -> None:
    trace.write_proposals(image, found.sighting)
    if found.candidates:
        tiles = np.stack([candidate.tile for candidate in found.candidates])
        trace.write_tiles(tiles, [candidate.words for candidate in found.candidates])
    trace.write_reading(image, reading)


def _require_colour(image: Image) -> Image:
    """Return the picture in colour, if it is one."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or 0 in image.shape:
        raise ValueError(f"expected a uint8 picture, found {image.dtype} of shape {image.shape}")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.shape[2] != 3:
        raise ValueError(f"expected 3 channels, found shape {image.shape}")
    return image


def _with_count_doubt(reading: TrayReading, expect: int) -> TrayReading:
    text = f"{len(reading.dice)} of {expect} dice are read. Lay all of them apart and flat."
    return replace(reading, doubts=(*reading.doubts, Doubt(DoubtKind.COUNT, text)))
