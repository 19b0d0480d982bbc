# SPDX-License-Identifier: MIT
"""
Read one picture of the tray: from pixels to a `TrayReading`.

The finder proposes upper faces, each proposal is put right and judged on its tile by two
opinions, and what they say is weighed. Then the dice are held against each other: one that
leans, lies on another or hangs over the felt's edge is a doubt although its pips are plain. If
the table learnt its ground and its dice, that removes some doubts and adds others.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from vision.checks.cocked import (
    LEAST_ODDS,
    SURE_FOOT,
    find_cocked,
    measure_feet,
    shared_error,
    weigh_leaning,
)
from vision.checks.flatness import FlatnessNet, square_on_felt
from vision.checks.messages import NO_DOME, deduplicate, doubt_about, doubt_under_dome
from vision.checks.off_felt import find_off_felt
from vision.checks.plane import Plane, felt_plane, fit_focal, fit_plane
from vision.checks.unread import find_stacked, find_unread_bodies
from vision.dome.find import find_dome
from vision.dome.region import DomeRegion
from vision.face import Face, Floats, to_die_readings
from vision.frame import Image
from vision.nets.finder import Finder, Sighting
from vision.nets.onnx_net import WEIGHTS
from vision.pyramid import Pyramid
from vision.reading import Doubt, DoubtKind, Lift, StageTime, TrayReading
from vision.resolve import Decision, decide, without
from vision.table_model.background import shrink
from vision.table_model.confirmed import ConfirmedDie, ConfirmedThrow, match_confirmed
from vision.table_model.model import TableModel, learn_table
from vision.table_model.view import TableView, lift_of_count, lift_of_foot, needed_lifts
from vision.tile_verdicts import Candidate, Judge, shape_error
from vision.trace import Trace
from vision.tray_map import TrayMap

_SMALL_PX = 16.0  # Edge in the finder's copy below which a die may have been missed.
# Edge of a proposal, in calibrated ones, above which it is no die: until the dice are measured, a
# calibration takes those of 25 mm for 16.
_MOST_EDGES = 2.5
_MOST_SHARE = 0.5  # Share of the picture that the face of a die fills at most.
# How far the half edges of a read face may differ from those of a flat die of the table, as a
# share; the cuts of such dice differ by a tenth, one that takes in a pip of a side by a sixth.
_OTHER_SHAPE = 0.14
# How far above a face its upper face may be, as a share of the body's height, if a part of the face
# is a side.
_START_ABOVE = 0.25
# In place of the weighed limit, where a table knows its ground, as many dice are read as belong
# there, and no read face may be a side: a die on another one hides it, and one that leans has its
# foot elsewhere.
_MOST_ODD = 1.0
# How far below their limit, as a natural logarithm, the odds of a die that seemed to lean must be
# in a better cut. A two or a one says little about its turn, and so may seem to lean.
_SURELY_FLAT = 1.0
_MOST_LOOKS = 3  # Unread candidates around which a missing die is looked for; a bound on time.
# In place of `SURE_FOOT`, where a table knows how much its dice seem to lean.
TABLE_SURE_FOOT = 1.5


@dataclass(slots=True)
class _Stopwatch:
    started: float = field(default_factory=time.perf_counter)
    stages: list[StageTime] = field(default_factory=list)

    def stamp(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages.append(StageTime(stage, (now - self.started) * 1e3))
        self.started = now


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture, and what is known of it: its calibration, its dome, its number of dice."""

    pyramid: Pyramid
    tray: TrayMap | None
    region: DomeRegion | None
    expect: int | None


@dataclass(frozen=True, slots=True)
class _Found:
    """What one look at a picture found; `lifts` are doubts that the table's knowledge removed."""

    sighting: Sighting
    candidates: list[Candidate]
    decision: Decision
    view: TableView | None = None
    lifts: tuple[Lift, ...] = ()


class Reader:
    """
    Reads pictures, one at a time or from several threads; keeps nothing between them.

    A picture has the shape (height, width, 3) or (height, width), uint8; `ValueError` for others.

    Args:
        under_dome: Whether the dice are under a dome. It is found in each picture, of the size in
            the map or of any size.

    Raises:
        WeightsError: A net's weights are missing or torn.
    """

    def __init__(
        self,
        *,
        tray: TrayMap | None = None,
        weights: Path = WEIGHTS,
        under_dome: bool = False,
    ) -> None:
        self._tray = tray
        self._model: TableModel | None = None
        self._under_dome = under_dome or (tray is not None and tray.dome_mm > 0.0)
        self._finder = Finder(weights / "finder.onnx")
        self._judge = Judge(weights)
        self._flatness = FlatnessNet(weights / "flatness.onnx")

    def with_model(self, model: TableModel | None) -> Reader:
        """Return a reader with the same nets and calibration for what the table learnt now."""
        other = copy.copy(self)
        other._model = model
        return other

    def with_tray(self, tray: TrayMap, model: TableModel | None = None) -> Reader:
        """Return a reader with the same nets for a table that is calibrated."""
        other = self.with_model(model)
        other._tray = tray
        other._under_dome |= tray.dome_mm > 0.0
        return other

    def read(
        self, image_bgr: Image, *, expect: int | None = None, trace: Trace | None = None
    ) -> TrayReading:
        """
        Read one picture; `expect` is how many dice lie there, and another count is a doubt.

        Raises:
            OSError: A picture of a stage can't be written.
        """
        image = _require_colour(image_bgr)
        watch = _Stopwatch()
        size_wh = image.shape[1], image.shape[0]
        tray = self._tray_for(image)
        region = None
        if self._under_dome:
            region = self._find_region(image, tray)
            watch.stamp("dome")
            if region is None:
                return TrayReading((), (NO_DOME,), stages=tuple(watch.stages), picture_wh=size_wh)
        picture = _Picture(Pyramid(image), tray, region, expect)
        sighting = self._finder.find(picture.pyramid, edge_px=_edge_px(image, tray))
        found = self._judge_proposals(picture, sighting, watch)
        scale = sighting.passes[-1].scale
        if is_open(found.decision, scale, expect=expect):
            more = self._finder.find_more(picture.pyramid, found.sighting)
            if len(more.passes) > len(found.sighting.passes):
                found = self._judge_proposals(picture, more, watch)
        seen = len(found.decision.faces)
        found = self._check(picture, found)
        decision, view = found.decision, found.view
        watch.stamp("checks")
        reading = TrayReading(
            dice=to_die_readings(decision.faces),
            doubts=tuple(decision.doubts),
            rejected=tuple(decision.rejected),
            stages=tuple(watch.stages),
            picture_wh=size_wh,
            lifts=found.lifts,
            is_background_sick=view is not None and view.is_sick,
            dome=region.foot if region else None,
        )
        # One die too many may be the one that leans.
        if expect is not None and (len(reading.dice) != expect or seen > expect):
            text = f"{len(reading.dice)} of {expect} dice are read. Lay all of them apart and flat."
            if seen > expect:
                text = f"{seen} dice are seen instead of {expect}. Take out what is too many."
            count = Doubt(DoubtKind.COUNT, text)
            if view and 0 < seen < expect and not any(one.center_px for one in reading.doubts):
                # It is no doubt of its own: most missing dice are set by hand, held or not thrown.
                hider = view.find_hider(decision.faces)
                if hider is not None:
                    count = doubt_about(DoubtKind.COUNT, hider, text)
            reading = replace(reading, doubts=(*reading.doubts, count))
        if region is not None:
            reading = replace(reading, doubts=tuple(map(doubt_under_dome, reading.doubts)))
        if trace is not None:
            trace.write_proposals(image, found.sighting)
            if found.candidates:
                tiles = np.stack([candidate.tile for candidate in found.candidates])
                trace.write_tiles(tiles, [candidate.words for candidate in found.candidates])
            trace.write_reading(image, reading)
        return reading

    def propose(self, image_bgr: Image) -> tuple[Face, ...]:
        """Return what may be upper faces, the likeliest first."""
        image = _require_colour(image_bgr)
        tray = self._tray_for(image)
        pyramid = Pyramid(image)
        sighting = self._finder.find(pyramid, edge_px=_edge_px(image, tray))
        if self._under_dome:
            region = self._find_region(image, tray)
            if region is None:
                return ()
            sighting = region.keep_inside(sighting)
        found = self._judge.judge(pyramid, sighting.proposals)
        likely = [one for one in found if one.verdict.die >= self._judge.weighing.least_die]
        return tuple(one.face for one in sorted(likely, key=lambda one: -one.verdict.die))

    def confirm(self, image_bgr: Image, dice: Sequence[ConfirmedDie]) -> ConfirmedThrow | None:
        """
        Return a throw whose dice were confirmed; `None` if one of them is not seen there.

        Raises:
            ValueError: The reader has no calibration, or the picture can't be one of its view.
        """
        image = _require_colour(image_bgr)
        tray = self._tray_for(image)
        if tray is None:
            raise ValueError("expected a calibrated reader, found one without a tray map")
        pyramid = Pyramid(image)
        sighting = self._finder.find(pyramid, edge_px=_edge_px(image, tray))

        weighing = self._judge.weighing
        least = weighing.least_right_for(len(dice))

        def match(sighting: Sighting) -> list[Candidate] | None:
            candidates = self._judge.judge(pyramid, sighting.proposals, expect=len(dice))
            return match_confirmed(candidates, dice)

        def find_unread(found: Sequence[Candidate]) -> list[Candidate]:
            """Return the dice that are not read as they were confirmed."""
            return [
                one
                for one, die in zip(found, dice, strict=True)
                if one.verdict.number != die.number
                or (
                    one.verdict.right < least
                    and self._judge.weigh_number(one) < weighing.least_number
                )
            ]

        found = match(sighting)
        unread = find_unread(found) if found else []
        # Only where a doubt is left, a reading looks at another copy too.
        if found is None or (unread and all(one.verdict.right < least for one in unread)):
            again = match(self._finder.find_more(pyramid, sighting))
            still_unread = find_unread(again) if again else []
            if again and (found is None or len(still_unread) < len(unread)):
                found, unread = again, still_unread
        if found is None:
            return None
        faces = [one.face for one in found]
        plane = felt_plane(fit_focal(faces, tray))
        leaning = self._weigh_leaning(pyramid, faces, plane, TABLE_SURE_FOOT)
        odds = float(leaning.max(initial=-np.inf))
        return ConfirmedThrow.of(image, faces, tray, odds=odds, unread=len(unread))

    def _judge_proposals(self, picture: _Picture, sighting: Sighting, watch: _Stopwatch) -> _Found:
        if picture.region is not None:
            sighting = picture.region.keep_inside(sighting)
        watch.stamp("finder")
        weighing, image = self._judge.weighing, picture.pyramid.image
        tray, expect = picture.tray, picture.expect
        most_px = math.sqrt(_MOST_SHARE * image.shape[0] * image.shape[1])
        # A board may look like a die.
        proposals = [
            one
            for one in sighting.proposals
            if one.edge_px < most_px
            and not (tray and one.edge_px > _MOST_EDGES * tray.edge_px_at(one.center))
        ]
        candidates = self._judge.judge(picture.pyramid, proposals, expect=expect)
        decision = decide(candidates, weighing, expect=expect)
        if tray is not None:
            is_missing = expect is not None and len(decision.faces) < expect
            judged = self._judge_in_shape(picture, candidates, tray, is_missing=is_missing)
            if judged != candidates:
                candidates = judged
                decision = decide(candidates, weighing, expect=expect)
        watch.stamp("opinions")
        found = _Found(sighting, candidates, decision)
        if self._model is None or tray is None:
            return found
        small = shrink(picture.pyramid)
        view = TableView.of(small, decision, self._model, tray)
        found = self._lift(replace(found, view=view), view, expect)
        after = found.decision
        if (after.faces, after.doubts) != (decision.faces, decision.doubts):
            # What is no doubt any more must be explained by a die.
            view = TableView.of(small, after, self._model, tray)
            found = replace(found, view=view)
        watch.stamp("table")
        return found

    def _judge_in_shape(
        self, picture: _Picture, candidates: list[Candidate], tray: TrayMap, *, is_missing: bool
    ) -> list[Candidate]:
        """
        Judge some candidates once more, in the shape that a flat die of the table has there.

        These are the ones that are read in another shape, because parts of two faces may make up a
        number, and if dice are missing, the ones that are not read.
        """
        knows_shape = self._model is not None and picture.region is None
        weighing = self._judge.weighing
        least = weighing.least_right_for(picture.expect)
        if not candidates or not (knows_shape or is_missing):
            return candidates
        model = self._model
        plane = felt_plane(model.correct(tray) if model else tray)
        centers = np.array([one.face.center for one in candidates])
        halves = np.array([one.face.half_edges for one in candidates])
        felt_axes = plane.axes_at(centers)
        edges_px = tray.edges_px_at(centers) * (model.size if model else 1.0)
        shapes = square_on_felt(halves, felt_axes)
        shapes *= (edges_px / [one.face.edge_px for one in candidates])[:, None, None]
        downs_px = plane.downs_at(centers) * edges_px[:, None]
        seen, looks = [], _MOST_LOOKS
        for one, shape, axes, down_px in zip(candidates, shapes, felt_axes, downs_px, strict=True):
            face, is_read = one.face, one.verdict.right >= least
            if is_read:
                error = shape_error(face.half_edges, shape)
                is_open = knows_shape and bool(error > _OTHER_SHAPE)
            else:
                is_open = is_missing and one.verdict.die >= weighing.least_die_missing
            if is_open:
                starts = [face.center, face.center - _START_ABOVE * down_px]
                again = self._judge.judge_in_shape(
                    picture.pyramid, one, starts, shape, turn_below=least
                )
                if is_read or again.verdict.right > one.verdict.right:
                    one = again
                if one.verdict.right < least and is_missing and looks:
                    looks -= 1
                    one = self._judge.look_around(picture.pyramid, one, shape, axes)
            seen.append(one)
        return seen

    def _lift(self, found: _Found, view: TableView, expect: int | None) -> _Found:
        """Leave out the candidates that are no dice of this table, if their number is known."""
        if expect is None:
            return found
        weighing, read = self._judge.weighing, found.decision.faces
        if view.change is not None:
            weighing = replace(weighing, most_odd=_MOST_ODD)
        least = weighing.least_right_for(expect)
        kept, lifts = view.split_candidates(found.candidates, read, least)
        decision = decide(kept, weighing, expect=expect)
        needed = needed_lifts(lifts, found.decision)
        kept, lifts = view.read_known(kept, self._judge, least)
        needed += lifts
        decision = decide(kept, weighing, expect=expect)
        is_unclear = bool(decision.doubts) or len(decision.faces) > expect
        sides = view.find_sides(decision.faces) if is_unclear else []
        if is_unclear and len(decision.faces) - len(sides) == expect:
            upper = without(decision, sides).faces
            kept, lifts = view.split_explained(kept, upper, least, sides)
            needed += needed_lifts(lifts, decision)
            decision = decide(kept, weighing, expect=expect)
        most_odd = self._judge.weighing.most_odd
        if any(one.face.odd > most_odd for one in kept):
            if len(decision.faces) == expect and not view.find_sides(decision.faces):
                needed += [lift_of_count(face) for face in decision.faces if face.odd > most_odd]
            else:
                decision = decide(kept, self._judge.weighing, expect=expect)
        return replace(found, candidates=kept, decision=decision, lifts=tuple(needed))

    def _find_region(self, image: Image, tray: TrayMap | None) -> DomeRegion | None:
        has_size = tray is not None and tray.dome_mm > 0.0
        foot = find_dome(image, tray if has_size else None)
        return None if foot is None else DomeRegion.of(foot, tray)

    def _check(self, picture: _Picture, found: _Found) -> _Found:
        """Hold the dice against each other, the felt or the dome, and the picture's border."""
        pyramid, expect, region = picture.pyramid, picture.expect, picture.region
        decision, view = found.decision, found.view
        least_odds, sure_foot = LEAST_ODDS, SURE_FOOT
        size_wh = pyramid.image.shape[1], pyramid.image.shape[0]
        if region is not None:
            decision = replace(decision, faces=region.loosen_feet(decision.faces))
        elif view is not None and view.model.least_odds is not None:
            least_odds, sure_foot = view.model.least_odds, TABLE_SURE_FOOT
        faces = decision.faces
        tray = picture.tray
        alone = fit_focal(faces, tray) if tray else None
        known = view.model.correct(tray) if view and tray else alone
        plane = fit_plane(faces, size_wh, tray=known)
        sighting = found.sighting
        unread: list[Doubt] = []
        if len(faces) != expect:
            # A die under another is hidden, so it is missing if the count is known.
            unread = find_stacked(sighting.die_map, sighting.scale, faces, plane)
        if expect is None:
            bodies = find_unread_bodies(pyramid.image, sighting, faces, plane)
            unread = [*unread, *bodies]
        if region is None:
            off_felt = find_off_felt(size_wh, faces, tray=known)
        else:
            off_felt = region.find_at_wall(faces)
        leaning = self._find_leaning(pyramid, faces, plane, sure_foot, least_odds)
        cocked = [face for face in leaning if face not in off_felt]
        doubts = [
            *decision.doubts,
            *(doubt_about(DoubtKind.OFF_THE_FELT, face) for face in off_felt),
            *(doubt_about(DoubtKind.COCKED, face) for face in cocked),
            *unread,
        ]
        lifts = found.lifts
        if view is not None:
            doubts += view.find_strangers(faces, expect)
            other = fit_plane(faces, size_wh, tray=alone)
            seemed = self._find_leaning(pyramid, faces, other, sure_foot, least_odds)
            lifts += tuple(
                lift_of_foot(face, plane, other) for face in seemed if face not in leaning
            )
        checked = without(decision, [*off_felt, *cocked])
        checked = replace(checked, doubts=deduplicate(doubts))
        return replace(found, decision=checked, lifts=lifts)

    def _find_leaning(
        self,
        pyramid: Pyramid,
        faces: Sequence[Face],
        plane: Plane,
        sure_foot: float,
        least_odds: float,
    ) -> list[Face]:
        """Return the dice that lean; without a dome each must do so in a better cut too."""
        odds = self._weigh_leaning(pyramid, faces, plane, sure_foot)
        seems = odds > least_odds
        if seems.any() and not self._under_dome:
            again = [
                self._judge.outline_again(pyramid, face) if it_does else face
                for face, it_does in zip(faces, seems, strict=True)
            ]
            better = self._weigh_leaning(pyramid, again, plane, sure_foot)
            odds[seems & (better <= least_odds - _SURELY_FLAT)] = -np.inf
        return find_cocked(faces, odds, plane, least_odds)

    def _weigh_leaning(
        self, pyramid: Pyramid, faces: Sequence[Face], plane: Plane, sure_foot: float
    ) -> Floats:
        """Return the odds that each die leans, as `weigh_leaning` does, (n,)."""
        downs = plane.downs_at(np.array([face.center for face in faces]).reshape(-1, 2))
        errors, is_away = measure_feet(faces, downs, plane, sure_foot)
        odds = np.zeros(len(faces))
        # Nearly all dice lie flat with their feet where they belong, and need no net.
        if is_away.any():
            away = [face for face, is_it in zip(faces, is_away, strict=True) if is_it]
            shared = shared_error(faces, downs)
            shifts = (np.zeros(2), shared) if shared.any() else (shared,)
            asked = [
                self._flatness.leans(pyramid, away, plane, downs[is_away] + by) for by in shifts
            ]
            odds[is_away] = np.mean(asked, axis=0)
        return weigh_leaning(odds, errors, is_away)

    def _tray_for(self, image: Image) -> TrayMap | None:
        if self._tray is None:
            return None
        return self._tray.scaled_to((image.shape[1], image.shape[0]))


def _edge_px(image: Image, tray: TrayMap | None) -> float | None:
    """Return the edge of a die in the middle of a picture, if a calibration gives it."""
    return tray.edge_px_at(np.array(image.shape[1::-1]) / 2.0) if tray else None


def prepare_reader(tray: TrayMap, throws: Iterable[tuple[Image, Sequence[ConfirmedDie]]]) -> Reader:
    """
    Return a reader for a calibrated table that learnt from confirmed throws.

    Args:
        throws: Each with its picture and all dice in it; one with a die that is not seen there
            teaches nothing.

    Raises:
        ValueError: A picture can't be one of the calibrated view.
        WeightsError: The weights of a net are missing or torn.
    """
    plain = Reader(tray=tray)
    found = [plain.confirm(image, dice) for image, dice in throws]
    confirmed = [throw for throw in found if throw is not None]
    return plain.with_model(learn_table(confirmed, tray))


def is_open(decision: Decision, scale: float, *, expect: int | None) -> bool:
    """
    Return whether a look at another copy of the picture may help.

    It may if a doubt is left, if dice are missing, or if the count of dice is not known and the
    dice are so small in the last copy, which has `scale` pixels per pixel of the picture, that one
    may have been missed.
    """
    faces = decision.faces
    if decision.doubts or not faces:
        return True
    if expect is not None:
        return len(faces) < expect
    return min(face.edge_px for face in faces) * scale < _SMALL_PX


def _require_colour(image: Image) -> Image:
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or 0 in image.shape:
        raise ValueError(f"expected a uint8 picture, found {image.dtype} of shape {image.shape}")
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    if image.shape[2] != 3:
        raise ValueError(f"expected 3 channels, found shape {image.shape}")
    return image
