# SPDX-License-Identifier: MIT
"""
Hold one picture against what its table learnt.

If the number of dice is known, doubts are removed about what is no die: the ground looks as it
always did, or no die of the table is so large. Whether dice lean is decided with the focal length
that the table's dice showed. Everything else can only add a doubt. What was removed is in the
reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.checks.cocked import measure_feet
from vision.checks.messages import HARD_TO_READ, UNLIKE, doubt_about, doubt_at
from vision.checks.plane import Plane, felt_plane, outline_dice
from vision.face import Face, Floats, measure_insets
from vision.frame import Image
from vision.nets.weighing import logit
from vision.reading import Doubt, DoubtKind, Lift, LiftKind
from vision.resolve import Decision
from vision.table_model.background import Change, dice_mask
from vision.table_model.model import NEW_THICKNESS, TableModel, table_edge_px
from vision.tile_verdicts import Candidate, Judge
from vision.tray_map import TrayMap

# Changed share of a face below which no die came there. A die covers its whole face; less than a
# third of it is a shadow's rim or an error of the cut.
_UNCHANGED = 0.3
# The same as a share of the smallest changed share of a confirmed die: where dice hardly differ
# from their ground, an unchanged place means nothing.
_SHARE_OF_LEAST = 0.5
# Changed share of a face from which on a die of the table came there. Its rim may hide ground that
# looks alike.
_CHANGED = 0.7
_MOSTLY = 0.5  # The same where a confirmed die, too, hardly differs from its ground.
# Share of a flat die's sides that differs from the ground at least. Where they show the ground,
# what was read is the side of another die.
_LEAST_SIDES = 0.25
# How far a face within a read die's outline may reach beyond it, in edges: cuts are off by a tenth,
# those of sides that hardly look like an upper face by more.
_INSIDE = 0.1
_INSIDE_UNLIKELY = 0.3
_SIDE_FOOT = 4.0  # Errors beyond which a face within another die's outline is its side.
_LIKELY_DIE = 0.5  # Probability from which on it looks like one.
_NEAR = 0.95  # How near to a likelier face, in edges, it may be a side of that die.
_NEAR_ABOVE = 0.75  # The same on the far side, where none is seen: nearer than a flat die can be.
_SAME_LOOK = 0.8  # Correlation with the ground from which on it shows the same pips.
_EDGE_ERROR = 0.03  # Usual error of an edge, as a natural logarithm.
# Score from which on a die may hide another: so look two of three that do, and one of five throws
# from which a die is missing.
_HIDES = -1.5
_BESIDE_EDGES = 1.3  # How near to a read die, in edges, an unread size says nothing.


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """One picture and what its table learnt."""

    model: TableModel
    tray: TrayMap
    # How the picture differs from the background; `None` if this is unknown, or of no use.
    change: Change | None
    gain: NDArray[np.float32]  # How much brighter the picture is than it, by channel, (3,).
    # Whether the light or the camera changed so much that the background is not used.
    is_sick: bool

    @classmethod
    def of(cls, small: Image, decision: Decision, model: TableModel, tray: TrayMap) -> TableView:
        """Compare a small copy of a picture, as `shrink` makes it, with the background."""
        if model.background is None or model.background.image.shape != small.shape:
            return cls(model, tray, None, np.ones(3, np.float32), is_sick=False)
        dice = dice_mask(small, decision.faces, tray, decision.doubts)
        change = model.background.compare(small, tray, dice)
        usable = None if change.is_sick else change
        return cls(model, tray, usable, change.gain, change.is_sick)

    @property
    def _plane(self) -> Plane:
        """The table's felt, with the lens that its dice showed."""
        return felt_plane(self.model.correct(self.tray))

    def split_candidates(
        self, candidates: Sequence[Candidate], faces: Sequence[Face], least_right: float
    ) -> tuple[list[Candidate], list[Lift]]:
        """Return the candidates that may be dice of this table, and why the others may not."""
        kept, lifts = [], []
        for one in candidates:
            lift = self._lift(one.face, faces, is_read=one.verdict.right >= least_right)
            if lift is None:
                kept.append(one)
            else:
                lifts.append(lift)
        return kept, lifts

    def read_known(
        self, candidates: Sequence[Candidate], judge: Judge, least_right: float
    ) -> tuple[list[Candidate], list[Lift]]:
        """
        Return the candidates, the unread ones among them that are dice of this table as dice.

        The nets doubt whether strange materials are dice. Where the ground changed, and the size
        and the body are those of the table's dice, a clear number is read, and another die is a
        doubt even if the count is met.
        """
        lifts, seen = [], list(candidates)
        for i, one in enumerate(candidates):
            if one.verdict.right >= least_right:
                continue
            likelier = [other for other in candidates if other.verdict.die > one.verdict.die]
            is_side = any(self._may_be_side(one.face, other.face) for other in likelier)
            if is_side or not self._is_die(one.face):
                continue
            number = judge.weigh_number(one)
            if number >= judge.weighing.least_number:
                lifts.append(_lift_of(LiftKind.DIE, one.face, number))
            else:
                number = one.verdict.right
            seen[i] = replace(one, verdict=replace(one.verdict, die=1.0, right=number))
        return seen, lifts

    def _may_be_side(self, face: Face, upper: Face) -> bool:
        """Whether a face may be part of another's die, whose sides are towards its foot."""
        edges = upper.edges_from(face.center)
        if edges >= _NEAR:
            return False
        [down] = self._plane.downs_at(upper.center[None])
        is_below = float((face.center - upper.center) @ down) > 0.0
        return is_below or edges < _NEAR_ABOVE

    def _is_die(self, face: Face) -> bool:
        if self.change is None or self.model.has_other_size(face, self.tray):
            return False
        if self.model.has_other_color(face, self.gain):
            return False
        least = max(_MOSTLY, min(_CHANGED, self.model.least_changed))
        return self.change.changed_share_of(face) >= least

    def split_explained(
        self,
        candidates: Sequence[Candidate],
        faces: Sequence[Face],
        least_right: float,
        sides: Sequence[Face] = (),
    ) -> tuple[list[Candidate], list[Lift]]:
        """
        Return the candidates without the sides, and the unread ones that the read dice explain.

        They are within the outline of a die that was read, or unlikely and in its shadow. What else
        was read there stays: it may contradict the other.
        """
        outlines = outline_dice(faces, self._plane)
        kept, lifts = [], []
        for one in candidates:
            is_likely = one.verdict.die >= _LIKELY_DIE
            margin_px = (_INSIDE if is_likely else _INSIDE_UNLIKELY) * one.face.edge_px
            ground = 0.0 if is_likely else self._ground_share_of(one.face)
            if any(one.face is side for side in sides):
                lifts.append(_lift_of(LiftKind.INSIDE, one.face, 1.0))
            elif one.verdict.right >= least_right:
                kept.append(one)
            elif any(_is_within(one.face, each, margin_px) for each in outlines):
                lifts.append(_lift_of(LiftKind.INSIDE, one.face, 1.0))
            elif ground > 1.0 - self._least_change():
                lifts.append(_lift_of(LiftKind.BACKGROUND, one.face, 1.0 - ground))
            else:
                kept.append(one)
        return kept, lifts

    def find_sides(self, faces: Sequence[Face]) -> list[Face]:
        """
        Return the read faces that are sides of other read dice.

        From a low camera a side looks like an upper face. It is within the other die's outline, and
        its foot is not where that of a flat die is. None is found without a healthy background,
        where the body of a die that only leans there would be a new object.
        """
        if self.change is None:
            return []
        plane = self._plane
        outlines = outline_dice(faces, plane)
        downs = plane.downs_at(np.array([face.center for face in faces]).reshape(-1, 2))
        _, is_away = measure_feet(faces, downs, plane, _SIDE_FOOT)
        return [
            face
            for i, face in enumerate(faces)
            if is_away[i]
            and any(
                k != i and _is_within(face, outline, _INSIDE_UNLIKELY * face.edge_px)
                for k, outline in enumerate(outlines)
            )
        ]

    def _ground_share_of(self, face: Face) -> float:
        """Return the share of a face unlike the dice that is ground, in light or shadow."""
        if self.change is None or not self.model.has_other_color(face, self.gain):
            return 0.0
        return self.change.ground_share_of(face)

    def find_strangers(self, faces: Sequence[Face], expect: int | None) -> list[Doubt]:
        """
        Return the doubts about dice that are hard to read, unlike the table's, or beside their
        ground, and about new objects.

        While a die of the expected ones is missing, a new object may be it.
        """
        illegible = [] if self.model.is_legible else faces
        doubts = [doubt_about(DoubtKind.UNSURE, face, HARD_TO_READ) for face in illegible]
        doubts += [
            doubt_about(DoubtKind.UNSURE, face, UNLIKE)
            for face in faces
            if self.model.has_other_size(face, self.tray)
            or self.model.has_other_color(face, self.gain)
        ]
        if self.change is None:
            return doubts
        outlines = outline_dice(faces, self._plane)
        doubts += [
            doubt_about(DoubtKind.STACKED, face)
            for face, outline in zip(faces, outlines, strict=True)
            if self.change.side_share_of(face, outline) < _LEAST_SIDES
        ]
        is_missing = expect is not None and len(faces) < expect
        kind = DoubtKind.UNSURE if is_missing else DoubtKind.FOREIGN_OBJECT
        edge_px = table_edge_px(self.tray)
        for area in self.change.new_areas(NEW_THICKNESS * edge_px):
            if area.area_px > self.model.most_new * edge_px**2:
                doubts.append(doubt_at(kind, area.center, area.radius_px))
        return doubts

    def find_hider(self, faces: Sequence[Face]) -> Face | None:
        """Return the die that likely hides a missing one; `None` if none looks so."""

        def score(face: Face) -> float:
            # What lies on another die is nearer to the camera, and looks larger.
            larger = float(np.log(self.model.edge_ratio(face, self.tray)))
            return logit(face.odd) + larger / _EDGE_ERROR

        likeliest = max(faces, key=score)
        return likeliest if score(likeliest) > _HIDES else None

    def _least_change(self) -> float:
        """Return the changed share of a face below which no die came there."""
        return min(_UNCHANGED, _SHARE_OF_LEAST * self.model.least_changed)

    def _lift(self, face: Face, faces: Sequence[Face], *, is_read: bool) -> Lift | None:
        """Return why a face is no die of this table; `None` if it may be one."""
        if self.change is not None:
            share = self.change.share_of(face)
            if share < self._least_change() and (
                not is_read or self.change.likeness_of(face) > _SAME_LOOK
            ):
                return _lift_of(LiftKind.BACKGROUND, face, share)
        # Beside a die that was read, it may be the visible part of another one.
        is_beside = any(other.edges_from(face.center) < _BESIDE_EDGES for other in faces)
        if not is_read and not is_beside and self.model.has_other_size(face, self.tray):
            return _lift_of(LiftKind.SIZE, face, self.model.edge_ratio(face, self.tray))
        return None


def needed_lifts(lifts: Sequence[Lift], decision: Decision) -> list[Lift]:
    """Return the lifts of what was a doubt or was read in a decision without them."""
    doubted = {doubt.center_px for doubt in decision.doubts}
    read = {_point(face.center) for face in decision.faces}
    return [lift for lift in lifts if lift.center_px in doubted | read]


def lift_of_count(face: Face) -> Lift:
    """Return the lift of a die that looked stacked, while none is missing."""
    return _lift_of(LiftKind.COUNT, face, face.odd)


def lift_of_foot(face: Face, plane: Plane, other: Plane) -> Lift:
    """Return the lift of a die that leans on another plane than the table's own."""
    one, two = (each.downs_at(face.center[None]) for each in (plane, other))
    return _lift_of(LiftKind.FOOT, face, float(np.linalg.norm(one - two)))


def _lift_of(kind: LiftKind, face: Face, share: float) -> Lift:
    return Lift(kind, _point(face.center), 0.75 * face.edge_px, share)


def _point(center: Floats) -> tuple[float, float]:
    x, y = center.tolist()
    return x, y


def _is_within(face: Face, outline: Floats, margin_px: float) -> bool:
    return bool(measure_insets(outline, face.corners).min() >= -margin_px)
