# SPDX-License-Identifier: MIT
"""
Find dice that lean: they do not look as a flat die looks at their place.

Two things tell a lean. A face is foreshortened otherwise than the plane of the flat dice
is there, by the places of its pips, their outlines and its edges alike. And its sides
show where, or farther than, a flat die's sides do; this tells a few degrees also from
straight above, where foreshortening tells nothing. But a thing of the die's colour
beside it looks like a side, so the sides are asked only where somebody else finds the
die odd.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.doubts.body import half_edges_of
from vision.doubts.fit import seen_shapes, stretch_errors, stretches
from vision.doubts.params import DoubtParams, LeanParams
from vision.doubts.plane import Plane
from vision.doubts.sides import WAYS, see_sides
from vision.frame import Image
from vision.geometry.choose import Candidate, same_die
from vision.geometry.pips import Bools
from vision.params import ChooseParams


def find_cocked(
    image_bgr: Image,
    tops: Sequence[Candidate],
    plane: Plane,
    params: DoubtParams,
    *,
    odds: Sequence[float] = (),
    side_faces: Sequence[Candidate] = (),
) -> list[Candidate]:
    """
    Return the top faces that do not lie as a flat die's do.

    Empty where three or more lie there and half of them disagree with a plane that is only
    fitted to them.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        tops: All faces that were read.
        plane: The plane in which flat dice's faces lie.
        params: What a lean is.
        odds: How odd each of them seems to somebody else, 0 to 1, in their order; none where
            nobody was asked. What their sides show then says nothing.
        side_faces: Faces on the sides of dice that were found by their pips, if any.
    """
    if not tops:
        return []
    rays = plane.rays(np.array([top.face.center for top in tops]))
    stretched = stretches(plane.normal[None], rays, seen_shapes(tops))[0]
    sure = params.leans.sure_when_known if plane.is_known else params.leans.sure
    errors = stretched / stretch_errors(tops, params.planes) / sure
    leans = errors > 1.0
    if side_faces and (plane.is_known or len(tops) >= params.leans.least_dice):
        leans |= _show_round_sides(tops, side_faces, plane, errors > 0.5, params.leans)
    seem_odd = np.array(odds or [0.0] * len(tops)) > params.leans.supporting_odds
    if seem_odd.any():
        leans |= seem_odd & _show_other_sides(image_bgr, tops, plane, params)
    if not plane.is_known and len(tops) > 1 and 2 * leans.sum() >= len(tops):
        # Of two that contradict each other nobody can tell which is flat; where most of many
        # disagree with the plane, it is the plane that was not found.
        return list(tops) if len(tops) == 2 else []
    return [top for top, lean in zip(tops, leans, strict=True) if lean]


def _show_other_sides(
    image_bgr: Image, tops: Sequence[Candidate], plane: Plane, params: DoubtParams
) -> Bools:
    """Which dice show more of a side, or less, than a flat die there does, (k,)."""
    sides = see_sides(image_bgr, tops, params.sides)
    halves = np.array([half_edges_of(top) for top in tops])
    edges = 2.0 * np.sqrt(np.abs(np.linalg.det(halves)))
    downs = plane.downs_at(np.array([top.face.center for top in tops])) * edges[:, None]
    on_faces = np.linalg.solve(2.0 * halves, downs[..., None])[..., 0]
    shown = np.maximum(on_faces @ WAYS.T, 0.0)
    beyond = np.nan_to_num(sides.lengths - shown, nan=0.0)
    longer = np.sin(np.deg2rad(params.leans.limit_deg)) + params.leans.side_error
    shorter = sides.is_whole & (beyond.min(axis=1) < -params.leans.short_side)
    return np.asarray((beyond.max(axis=1) > longer) | shorter)


def _show_round_sides(
    tops: Sequence[Candidate],
    side_faces: Sequence[Candidate],
    plane: Plane,
    is_stretched: Bools,
    params: LeanParams,
) -> Bools:
    """Which dice have a side face that is seen rounder than any flat die's, (k,)."""
    flat = plane.roundness_at(np.array([top.face.center for top in tops]))
    limits = np.where(is_stretched, params.slight_cosines, params.clear_cosines)
    shown = [
        max((s.face.roundness for s in side_faces if _is_beside(s, top)), default=0.0)
        for top in tops
    ]
    return np.asarray(np.square(shown) + flat**2 > limits)


def _is_beside(side: Candidate, top: Candidate) -> bool:
    """Whether a side face lies where the sides of this die are."""
    return same_die(top, side, ChooseParams())
