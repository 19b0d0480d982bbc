# SPDX-License-Identifier: MIT
"""
Decide which dice lean, from what the net says of each of them and of all together.

The net compares each die with a flat one on the plane of all of them. Where a calibration gives
the plane, its word counts. A plane that was fitted to the dice is itself in doubt if most of them
seem to lean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.checks.plane import Plane
from vision.face import Face


def find_cocked(faces: Sequence[Face], leans: NDArray[np.bool_], plane: Plane) -> list[Face]:
    """
    Return the upper faces of dice that are not flat.

    Empty if half of three or more dice disagree with a plane that is only fitted to them. Empty
    for a single die without a calibration, because its plane was fitted to it.

    Args:
        faces: All faces that were read.
        leans: Which of them seem to lean on this plane, (n,).
        plane: The plane of the faces of flat dice.
    """
    if plane.is_known or 2 * leans.sum() < len(faces):
        return [face for face, does_lean in zip(faces, leans, strict=True) if does_lean]
    # If two dice contradict each other, either may be flat. If most of many disagree with
    # the plane, the plane is wrong.
    return list(faces) if len(faces) == 2 and leans.any() else []
