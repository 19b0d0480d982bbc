# SPDX-License-Identifier: MIT
"""
Decide which dice lean, from what the nets say of each of them and of all together.

One net compares each die with a flat one on the plane of all of them; another, which does not know
that plane, sees where its foot is: they are weighed together. A calibration gives the plane. One
that was fitted to the dice is itself in doubt if most of them seem to lean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import Plane, foot_errors
from vision.face import Face, Floats

_MANY = 3  # Dice from which on a median is not moved by one that leans.

LEAST_ODDS = 3.0
"""
Odds from which on a die leans, as a natural logarithm: what the net says and what the foot adds, by
the square of its errors. One that lies on a grain or on the felt's edge leans up to 5 degrees and
is read by everybody the same; one that leans on a card or on another die does so by 8 and more.
"""

SURE_FOOT = 2.0
"""Errors beyond which a foot is seen where that of a flat die is not, if the plane is known."""

_SURE_FOOT_FITTED = 4.0  # The same against a plane known only by these feet.
_FOOT_ODDS = 0.05
_MOST_SHARED = 0.12  # Error in edges that all feet in a picture may have in common.


def shared_error(faces: Sequence[Face], downs: Floats) -> Floats:
    """
    Return how far off all feet are seen in common, in edges, (2,); zeros for few dice.

    A lens that bends lines, or light from one side, moves every foot to the same side.
    """
    if len(faces) < _MANY:
        return np.zeros(2)
    shared = np.median(np.array([face.foot for face in faces]) - downs, axis=0)
    return np.asarray(shared * _MOST_SHARED / max(float(np.linalg.norm(shared)), _MOST_SHARED))


def measure_feet(
    faces: Sequence[Face], downs: Floats, plane: Plane, sure_foot: float
) -> tuple[Floats, NDArray[np.bool_]]:
    """
    Return how far feet are seen from those of flat dice, in their errors, (n,), and which are away.

    `downs` is where their feet are if they are flat, in edges from the faces, (n, 2). From
    `sure_foot` errors on they are away, if the plane is known.
    """
    away = np.array([face.foot for face in faces]).reshape(-1, 2) - downs
    errors = np.linalg.norm(away, axis=1) / foot_errors(faces)
    least = sure_foot if plane.is_known else _SURE_FOOT_FITTED
    return np.asarray(errors), np.asarray(errors > least)


def weigh_leaning(odds: Floats, errors: Floats, is_away: NDArray[np.bool_]) -> Floats:
    """
    Return the odds that each die leans, by the net and by its foot, as natural logarithms, (n,).

    They are minus infinity if its foot is where that of a flat die is.

    Args:
        odds: What the net says of each, as a natural logarithm, (n,).
        errors: As `measure_feet` returns them, with `is_away`, (n,).
    """
    return np.where(is_away, odds + _FOOT_ODDS * errors**2, -np.inf)


def find_cocked(faces: Sequence[Face], odds: Floats, plane: Plane, least_odds: float) -> list[Face]:
    """
    Return the upper faces of dice that are not flat.

    Empty if half of three or more dice disagree with a plane that is only fitted to them. Empty for
    a single die without a calibration, because its plane was fitted to it.

    Args:
        odds: That each leans, as `weigh_leaning` returns them.
        least_odds: From which on one does.
    """
    leans = odds > least_odds
    if plane.is_known or 2 * leans.sum() < len(faces):
        return [face for face, does_lean in zip(faces, leans, strict=True) if does_lean]
    # If two dice contradict each other, either may be flat. If most of many disagree with
    # the plane, the plane is wrong.
    return list(faces) if len(faces) == 2 and leans.any() else []
