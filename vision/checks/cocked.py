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
from vision.face import Face
from vision.params.checks import DoubtParams


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
    downs = plane.downs_at(np.array([face.center for face in faces]))
    off = np.linalg.norm(np.array([face.foot for face in faces]) - downs, axis=1)
    sure = leans.sure_foot_when_known if plane.is_known else leans.sure_foot
    errors = foot_errors(faces, params.planes)
    lean = off > np.maximum(sure * errors, np.sin(np.deg2rad(leans.limit_deg)))
    if not plane.is_known and 2 * lean.sum() >= len(faces):
        # If two dice contradict each other, either may be flat. If most of many disagree with
        # the plane, the plane is wrong.
        return list(faces) if len(faces) == 2 and lean.any() else []
    return [face for face, does_lean in zip(faces, lean, strict=True) if does_lean]
