# SPDX-License-Identifier: MIT
"""
Read one picture of the tray: from pixels to a `TrayReading`.

The finder proposes faces, both opinions judge each of them on its tile, and what is
found but not read is a doubt. Where a doubt is left, the pips of the whole picture are
asked as well: they may propose what the finder did not, or place it better.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.decide import Decision, decide
from vision.doubts.body import half_edges_of
from vision.doubts.dice import doubts_about_dice
from vision.doubts.fit import see_plane
from vision.doubts.params import DoubtParams
from vision.doubts.spots import spots_left
from vision.doubts.stacked import find_stacked
from vision.doubts.telling import each_once
from vision.doubts.things import find_things, usual_edge_px
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.whole import WholePicture, look_for_pips
from vision.judge import Verdict, judge
from vision.learned.finder import Finder, Proposal, Sighting
from vision.learned.opinion import LearnedOpinion
from vision.learned.stance import Stances, StanceTeller
from vision.outcome import dice_of
from vision.params import ReadParams
from vision.reading import Doubt, DoubtKind, StageTime, TrayReading
from vision.trace import Trace
from vision.tray.map import TrayMap


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
    """What the stages found in one picture, and which faces nothing speaks against."""

    sighting: Sighting
    verdicts: list[Verdict]
    decision: Decision
    tops: list[Candidate]
    doubts: list[Doubt]
    whole: WholePicture | None = None


class Reader:
    """
    Reads pictures, one at a time or from several threads; keeps nothing between them.

    Args:
        params: Everything it decides by.
        tray: How the tray lies in the pictures, where that was calibrated.

    Raises:
        WeightsError: A net's weights are missing or torn.
    """

    def __init__(self, params: ReadParams | None = None, *, tray: TrayMap | None = None) -> None:
        self._params = params or ReadParams()
        self._tray = tray
        self._finder = Finder()
        self._learned = LearnedOpinion()
        self._stances = StanceTeller()

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
        if _is_open(found, expect):
            found = self._find_more(image, found, watch)
        reading = self._said(image, found, watch)
        if expect is not None:
            reading = _counted(reading, expect)
        if trace is not None:
            _write_trace(trace, image, found, reading)
        return reading

    def _find(self, image: Image, watch: _Stopwatch) -> _Found:
        """What the finder proposes, judged."""
        sighting = self._finder.find(image, edge_px=self._known_edge_px(image))
        watch.stamp("finder")
        verdicts = self._judge(image, sighting.proposals)
        watch.stamp("opinions")
        return self._decided(image, sighting, verdicts, watch)

    def _find_more(self, image: Image, found: _Found, watch: _Stopwatch) -> _Found:
        """The same with what the pips of the whole picture propose."""
        whole = look_for_pips(image, self._params)
        watch.stamp("whole picture")
        verdicts = found.verdicts + self._judge(image, _proposals(whole))
        watch.stamp("opinions again")
        more = self._decided(image, found.sighting, verdicts, watch)
        left = _spots_left(whole, more, self._params)
        watch.stamp("spots left")
        return replace(more, whole=whole, doubts=each_once([*more.doubts, *left]))

    def _judge(self, image: Image, proposals: Sequence[Proposal]) -> list[Verdict]:
        params = self._params
        likeliest = proposals[: params.judge.most]
        return judge(image, likeliest, self._learned, params.geometry, params.judge)

    def _decided(
        self, image: Image, sighting: Sighting, verdicts: list[Verdict], watch: _Stopwatch
    ) -> _Found:
        decision = decide(verdicts, self._params)
        found = _Found(sighting, verdicts, decision, decision.choice.tops, decision.doubts)
        centers = np.array([top.face.center for top in found.tops]).reshape(-1, 2)
        halves = np.array([half_edges_of(top) for top in found.tops]).reshape(-1, 2, 2)
        stances = self._stances.tell(image, centers, halves)
        watch.stamp("stances")
        found = _doubted(image, found, stances, self._params.doubts, self._tray_for(image))
        watch.stamp("doubts")
        return found

    def _known_edge_px(self, image: Image) -> float | None:
        """How long a die's edge is in the middle of the picture, where a calibration tells it."""
        tray = self._tray_for(image)
        return tray.edge_px_at(np.array(image.shape[1::-1]) / 2.0) if tray else None

    def _tray_for(self, image: Image) -> TrayMap | None:
        if self._tray is None:
            return None
        return self._tray.scaled_to((image.shape[1], image.shape[0]))

    def _said(self, image: Image, found: _Found, watch: _Stopwatch) -> TrayReading:
        return TrayReading(
            dice=dice_of(found.tops, self._params.die_edge_mm),
            doubts=tuple(found.doubts),
            rejected=tuple(found.decision.rejected),
            stages=tuple(watch.stages),
            picture_wh=(image.shape[1], image.shape[0]),
        )


def _doubted(
    image: Image, found: _Found, stances: Stances, params: DoubtParams, tray: TrayMap | None
) -> _Found:
    """The same with everything that geometry holds against the dice and finds beside them."""
    tops, sighting = found.tops, found.sighting
    size_wh = (image.shape[1], image.shape[0])
    plane = see_plane(tops, size_wh, params.planes, stances=stances, tray=tray)
    sides = found.decision.choice.sides
    about = doubts_about_dice(
        image, tops, plane, params, stances=stances, side_faces=sides, tray=tray
    )
    doubts = found.doubts + [doubt for _, doubt in about]
    # A part of a die by itself, where not even a faint face is proposed, is a rail or a corner.
    doubts += [
        part
        for part in find_stacked(sighting.die_map, sighting.scale, tops, plane, params.stacks)
        if part.kind is DoubtKind.STACKED
        or (part.center_px and sighting.proposes(part.center_px, part.radius_px, 0.0))
    ]
    # Prints, shine and pencils stand out from the ground too; the net knows them for no dice.
    doubts += [
        thing
        for thing in find_things(image, tops, params.things, plane=plane)
        if thing.center_px
        and sighting.proposes(thing.center_px, 0.5 * thing.radius_px, params.things.least_like)
    ]
    out = {id(die) for die, _ in about}
    left = [top for top in tops if id(top) not in out]
    return replace(found, tops=left, doubts=each_once(doubts))


def _spots_left(whole: WholePicture, found: _Found, params: ReadParams) -> list[Doubt]:
    """What may be pips of a die that neither the finder nor a pattern of pips proposed."""
    if not found.tops:
        return []
    pips = whole.pips.grown(1.0 / whole.scale)
    edge_px = usual_edge_px(found.tops)
    sides = found.decision.choice.sides
    return spots_left(pips, found.tops, edge_px, params.doubts.spots, side_faces=sides)


def _proposals(whole: WholePicture) -> list[Proposal]:
    """The top faces that the pips make, in picture pixels."""
    return [
        Proposal(
            center=(top.face.center + 0.5) / whole.scale - 0.5,
            half_edges=_clockwise(top.face.axes) * top.body.half_edge / whole.scale,
            likeness=0.0,
            odd=0.0,
        )
        for top in whole.choice.tops
    ]


def _clockwise(axes: np.ndarray) -> np.ndarray:
    """The same axes, the second clockwise from the first in the picture."""
    return axes if np.linalg.det(axes) > 0 else axes[:, ::-1]


def _is_open(found: _Found, expect: int | None) -> bool:
    """Whether more proposals may help: a doubt is left, or dice are missing."""
    count = len(found.tops)
    return bool(found.doubts) or not count or (expect is not None and count < expect)


def _write_trace(trace: Trace, image: Image, found: _Found, reading: TrayReading) -> None:
    trace.write_proposals(image, found.sighting)
    if found.verdicts:
        tiles = np.stack([verdict.tile for verdict in found.verdicts])
        trace.write_tiles(tiles, [verdict.words for verdict in found.verdicts])
    if found.whole is not None:
        trace.write_spots(found.whole.work, found.whole.pips)
        trace.write_faces(found.whole.work, found.whole.candidates)
    trace.write_reading(image, reading)


def _checked(image: Image) -> Image:
    """The picture in colour, if it is one."""
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or 0 in image.shape:
        raise ValueError(f"expected a uint8 picture, found {image.dtype} of shape {image.shape}")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.shape[2] != 3:
        raise ValueError(f"expected 3 channels, found shape {image.shape}")
    return image


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
