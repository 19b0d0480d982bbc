# SPDX-License-Identifier: MIT
"""
Find dice that do not lie completely on the felt, or not completely in the picture.

The felt ends where the calibration says so; a die counts as off it if any corner of its face
lies above a point beyond. Without a calibration only the picture's border is known: a face
that reaches it may go on behind it, with pips that nobody sees.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.face import Face
from vision.params.checks import FeltParams
from vision.tray_map import TrayMap


def find_off_felt(
    size_wh: tuple[int, int],
    faces: Sequence[Face],
    params: FeltParams,
    *,
    tray: TrayMap | None = None,
) -> list[Face]:
    """
    Return the dice that are not completely on the felt.

    Args:
        size_wh: Width and height of the picture in whose pixels the faces are.
        faces: All faces that were read.
        params: How near to a border is too near.
        tray: The calibration, for pictures of this size.
    """
    off = []
    for face in faces:
        inner = face.center + (face.corners - face.center) * (1.0 - params.rounding)
        cut = (inner < 0.0).any() or (inner > np.array(size_wh) - 1.0).any()
        # The face's rounded rim may be seen over the felt's edge without the die being off it.
        if cut or (tray and not tray.is_on_felt(tray.tops_to_mm(inner)).all()):
            off.append(face)
    return off
