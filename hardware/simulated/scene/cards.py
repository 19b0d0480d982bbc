# SPDX-License-Identifier: MIT
"""
Draw the printed corner cards in the corners of the felt.

This does not use the code that prints them: the simulated tray must not know more of a card than
a camera does.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.placement import FELT_WH_MM

CARD_MM = 28.0
_MARKER_MM = 20.0
_PAPER_BGR = (206.0, 212.0, 214.0)
_INK_BGR = (30.0, 28.0, 28.0)
_TEXTURE_PX_MM = 4.0

# The black cells inside the border, clockwise from the far left corner of the felt.
_INK = (
    ("####.", "..###", "####.", ".#...", "##..#"),
    ("..#.#", "....#", "###..", ".#..#", "...#."),
    (".####", "##...", "##.#.", "#....", ".#..."),
    ("..#.#", "...#.", "#..#.", "#.##.", "##.##"),
)


def card_texture(index: int) -> NDArray[np.float32]:
    """Return the printed card, its back edge first, shape (n, n, 3), 0 to 255."""
    cells = np.ones((7, 7), dtype=bool)
    cells[1:-1, 1:-1] = np.array([list(row) for row in _INK[index]]) == "#"
    side = round(CARD_MM * _TEXTURE_PX_MM)
    inner = round(_MARKER_MM * _TEXTURE_PX_MM)
    is_ink = np.zeros((side, side), dtype=np.uint8)
    margin = (side - inner) // 2
    is_ink[margin : margin + inner, margin : margin + inner] = cv2.resize(
        cells.astype(np.uint8), (inner, inner), interpolation=cv2.INTER_NEAREST
    )
    colours = np.array([_PAPER_BGR, _INK_BGR])
    return np.asarray(colours[is_ink], dtype=np.float32)


def card_origin_mm(index: int) -> NDArray[np.float64]:
    """Return the position of the back left corner of a card."""
    x = FELT_WH_MM[0] / 2.0 - CARD_MM if index in (1, 2) else -FELT_WH_MM[0] / 2.0
    y = -FELT_WH_MM[1] / 2.0 + CARD_MM if index in (2, 3) else FELT_WH_MM[1] / 2.0
    return np.array([x, y, 0.3])
