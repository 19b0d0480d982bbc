# SPDX-License-Identifier: MIT
"""
Decide which dice lean, from what the nets say of each of them and of all together.

One net compares each die with a flat one on the plane of all of them; another, which does not know
that plane, sees where its foot is. Both must say that it leans. A calibration gives the plane. One
that was fitted to the dice is itself in doubt if most of them seem to lean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import Plane, foot_errors
from vision.face import Face, Floats
from vision.params import DoubtParams

_MANY = 3  # Dice from which on a median is not moved by one that leans.


def shared_error(faces: Sequence[Face], downs: Floats, params: DoubtParams) -> Floats:
    """
    Return how far off all feet are seen in common, in edges, (2,); zeros for few dice.

    A lens that bends lines, or light from one side, moves every foot to the same side.
    """
    if len(faces) < _MANY:
        return np.zeros(2)
    shared = np.median(np.array([face.foot for face in faces]) - downs, axis=0)
    most = params.most_shared
    return np.asarray(shared * most / max(float(np.linalg.norm(shared)), most))


def find_feet_away(
    faces: Sequence[Face], downs: Floats, plane: Plane, params: DoubtParams
) -> NDArray[np.bool_]:
    """
    Return which feet are seen away from where those of flat dice are, (n,).

    `downs` is where their feet are if they are flat, in edges from the faces, (n, 2).
    """
    away = np.array([face.foot for face in faces]).reshape(-1, 2) - downs
    least = params.sure_foot if plane.is_known else params.sure_foot_fitted
    errors = foot_errors(faces, params.planes)
    return np.asarray(np.linalg.norm(away, axis=1) > least * errors)


def find_cocked(
    faces: Sequence[Face],
    leans: NDArray[np.bool_],
    downs: Floats,
    plane: Plane,
    params: DoubtParams,
) -> list[Face]:
    """
    Return the upper faces of dice that are not flat.

    Empty if half of three or more dice disagree with a plane that is only fitted to them. Empty for
    a single die without a calibration, because its plane was fitted to it. `leans` are those that
    seem to lean on this plane, (n,).
    """
    leans = leans & find_feet_away(faces, downs, plane, params)
    if plane.is_known or 2 * leans.sum() < len(faces):
        return [face for face, does_lean in zip(faces, leans, strict=True) if does_lean]
    # If two dice contradict each other, either may be flat. If most of many disagree with
    # the plane, the plane is wrong.
    return list(faces) if len(faces) == 2 and leans.any() else []
