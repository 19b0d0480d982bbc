# SPDX-License-Identifier: MIT
"""
Find dice that lean: their foot is not where the foot of a flat die is at that place.

A foot shows a few degrees also from straight above, where foreshortening shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.checks.plane import Plane
from vision.checks.plane_fit import foot_errors
from vision.face import Face
from vision.params.checks import DoubtParams


def find_cocked(faces: Sequence[Face], plane: Plane, params: DoubtParams) -> list[Face]:
    """
    Return the upper faces of dice that do not lie flat.

    Empty if three or more lie there and half of them disagree with a plane that is only
    fitted to them, and for a single die without a calibration: its plane was made to fit it.

    Args:
        faces: All faces that were read.
        plane: The plane in which flat dice's faces lie.
        params: What a lean is.
    """
    if not faces or (len(faces) == 1 and not plane.is_known):
        return []
    leans = params.leans
    downs = plane.downs_at(np.array([face.center for face in faces]))
    off = np.linalg.norm(np.array([face.foot for face in faces]) - downs, axis=1)
    sure = leans.sure_foot_when_known if plane.is_known else leans.sure_foot
    errors = foot_errors(faces, params.planes)
    lean = off > np.maximum(sure * errors, np.sin(np.deg2rad(leans.limit_deg)))
    if not plane.is_known and 2 * lean.sum() >= len(faces):
        # Of two that contradict each other nobody can tell which is flat. Where most of many
        # disagree with the plane, it is the plane that was not found.
        return list(faces) if len(faces) == 2 and lean.any() else []
    return [face for face, does_lean in zip(faces, lean, strict=True) if does_lean]
