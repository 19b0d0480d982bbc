# SPDX-License-Identifier: MIT
"""
Find dice that are not completely on the felt, or not completely in the picture.

The calibration gives the felt's outline, and how far off it may be. A die is off the felt if a
corner of its face is above a point farther beyond than that. Without a calibration only the
picture's border is known. A face that reaches it may continue beyond, with pips that are not
visible.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.face import Face, Floats
from vision.tray_map import TrayMap

INNER = 0.8
"""
Part of a face that must be on the felt, from its middle to its corners: the corners of a real die
are round, and its edges are seen to a pixel or two. How far off the outline itself may be is in the
calibration.
"""


def find_off_felt(
    size_wh: tuple[int, int], faces: Sequence[Face], *, tray: TrayMap | None = None
) -> list[Face]:
    """Return the dice that are not completely on the felt."""
    off = []
    for face in faces:
        inner = face.scaled_corners(INNER)
        cut = (inner < 0.0).any() or (inner > np.array(size_wh) - 1.0).any()
        if cut or (tray and _is_beyond(inner, tray)):
            off.append(face)
    return off


def _is_beyond(corners_px: Floats, tray: TrayMap) -> bool:
    beyond_mm = tray.beyond_felt_mm(tray.tops_to_mm(corners_px))
    return bool(beyond_mm.max() > 0.0 and (beyond_mm > tray.top_errors_mm(corners_px)).any())
