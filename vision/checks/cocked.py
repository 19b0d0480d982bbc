# SPDX-License-Identifier: MIT
"""
Find dice that lean: their foot is not where the foot of a flat die would be.

From straight above a foot still shows a few degrees, where foreshortening shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.checks.plane import Plane
from vision.checks.plane_fit import foot_errors
from vision.face import Face, Floats
from vision.params.checks import DoubtParams, LeanParams

_MANY = 3
"""Dice from which on a median is not moved by one that leans."""


def find_cocked(faces: Sequence[Face], plane: Plane, params: DoubtParams) -> list[Face]:
    """
    Return the upper faces of dice that are not flat.

    Empty if half of three or more dice disagree with a plane that is only fitted to them. Empty
    for a single die without a calibration, because its plane was fitted to it.

    Args:
        faces: All faces that were read.
        plane: The plane of the faces of flat dice.
        params: What a lean is.
    """
    if not faces or (len(faces) == 1 and not plane.is_known):
        return []
    leans = params.leans
    away = np.array([face.foot for face in faces])
    away -= plane.downs_at(np.array([face.center for face in faces]))
    shared = _shared_error(away, plane, leans)
    off = np.minimum(*(np.linalg.norm(one, axis=1) for one in (away, away - shared)))
    errors = foot_errors(faces, params.planes)
    lean = off > np.maximum(leans.sure_foot * errors, np.sin(np.deg2rad(leans.limit_deg)))
    if not plane.is_known and 2 * lean.sum() >= len(faces):
        # If two dice contradict each other, either may be flat. If most of many disagree with
        # the plane, the plane is wrong.
        return list(faces) if len(faces) == 2 and lean.any() else []
    return [face for face, does_lean in zip(faces, lean, strict=True) if does_lean]


def _shared_error(away: Floats, plane: Plane, leans: LeanParams) -> Floats:
    """Return what most feet (n, 2) have in common against a calibrated plane, (2,)."""
    if not plane.is_known or len(away) < _MANY:
        return np.zeros(2)
    shared = np.median(away, axis=0)
    length = max(float(np.linalg.norm(shared)), leans.most_shared)
    return np.asarray(shared * leans.most_shared / length)
