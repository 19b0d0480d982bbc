# SPDX-License-Identifier: MIT
"""
Find dice that do not lie wholly on the felt, or not wholly in the picture.

The felt ends where the calibration says so; a die counts as off it when any corner of
its face lies above a place beyond. Without a calibration only the picture's border is
known: a face that reaches it may go on behind it, with pips that nobody sees.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.doubts.body import corners_of
from vision.doubts.params import FeltParams
from vision.geometry.choose import Candidate
from vision.tray.map import TrayMap


def find_off_felt(
    size_wh: tuple[int, int],
    tops: Sequence[Candidate],
    params: FeltParams,
    *,
    tray: TrayMap | None = None,
) -> list[Candidate]:
    """
    Return the dice that are not wholly on the felt.

    Args:
        size_wh: Width and height of the picture in whose pixels the faces are.
        tops: All faces that were read.
        params: How near to a border is too near.
        tray: The calibration, for pictures of this size.
    """
    off = []
    for top in tops:
        corners = corners_of(top)
        inner = top.face.center + (corners - top.face.center) * (1.0 - params.rounding)
        cut = (inner < 0.0).any() or (inner > np.array(size_wh) - 1.0).any()
        # The face's rounded rim may be seen over the felt's edge without the die being off it.
        if cut or (tray and not tray.is_on_felt(tray.tops_to_mm(inner)).all()):
            off.append(top)
    return off
