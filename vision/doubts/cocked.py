# SPDX-License-Identifier: MIT
"""
Find dice that lean: they do not look as a flat die looks at their place.

Two things tell a lean. A face is foreshortened otherwise than the plane of the flat dice
is there, by the places of its pips, their outlines and its edges alike. And its foot is
seen elsewhere than a flat die's there; this tells a few degrees also from straight
above, where foreshortening tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.doubts.fit import foot_errors, seen_shapes, stretch_errors, stretches
from vision.doubts.params import DoubtParams, LeanParams
from vision.doubts.plane import Plane
from vision.geometry.choose import Candidate, same_die
from vision.geometry.pips import Bools, Floats
from vision.learned.stance import Stances
from vision.params import ChooseParams


def find_cocked(
    tops: Sequence[Candidate],
    plane: Plane,
    params: DoubtParams,
    *,
    stances: Stances,
    side_faces: Sequence[Candidate] = (),
) -> list[Candidate]:
    """
    Return the top faces that do not lie as a flat die's do.

    Empty where three or more lie there and half of them disagree with a plane that is only
    fitted to them.

    Args:
        tops: All faces that were read.
        plane: The plane in which flat dice's faces lie.
        params: What a lean is.
        stances: Where the feet of their dice are seen, in their order.
        side_faces: Faces on the sides of dice that were found by their pips, if any.
    """
    if not tops:
        return []
    centers = np.array([top.face.center for top in tops])
    stretched = stretches(plane.normal[None], plane.rays(centers), seen_shapes(tops))[0]
    sure = params.leans.sure_when_known if plane.is_known else params.leans.sure
    errors = stretched / stretch_errors(tops, params.planes) / sure
    leans = (errors > 1.0) | _stand_elsewhere(centers, plane, stances, params)
    if side_faces and (plane.is_known or len(tops) >= params.leans.least_dice):
        leans |= _show_round_sides(tops, side_faces, plane, errors > 0.5, params.leans)
    if not plane.is_known and len(tops) > 1 and 2 * leans.sum() >= len(tops):
        # Of two that contradict each other nobody can tell which is flat; where most of many
        # disagree with the plane, it is the plane that was not found.
        return list(tops) if len(tops) == 2 else []
    return [top for top, lean in zip(tops, leans, strict=True) if lean]


def _stand_elsewhere(centers: Floats, plane: Plane, stances: Stances, params: DoubtParams) -> Bools:
    """Which dice have their foot where no flat die's would be, (k,)."""
    if len(centers) == 1 and not plane.is_known:
        # The plane was made to fit it; only habit could speak against it.
        return np.zeros(1, dtype=np.bool_)
    off = np.linalg.norm(stances.downs - plane.downs_at(centers), axis=1)
    leans = params.leans
    sure = leans.sure_foot_when_known if plane.is_known else leans.sure_foot
    errors = foot_errors(stances, params.planes)
    return np.asarray(off > np.maximum(sure * errors, np.sin(np.deg2rad(params.leans.limit_deg))))


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
