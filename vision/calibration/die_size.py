# SPDX-License-Identifier: MIT
"""
Measure the edge of the dice on a calibrated felt.

Top faces are one edge nearer to the camera than the felt, so they look larger. By how much
depends on the edge itself. Measuring again with the result converges within a few rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.reading import DieReading
from vision.tray_map import TrayMap

EDGE_LEAST_MM = 8.0
EDGE_MOST_MM = 25.0
_RIM = 1.05  # A face seems to end where its rounded edge begins, which is a little inside.
_ROUNDS = 4


def measure_edge_mm(dice: Sequence[DieReading], tray: TrayMap) -> float | None:
    """
    Return the median edge of dice in millimetres, or `None` without dice.

    Args:
        tray: The map; its edge of the dice is only a first guess.
    """
    if not dice:
        return None
    corners = np.array([die.corners_px for die in dice])
    edge_mm = tray.die_edge_mm
    for _ in range(_ROUNDS):
        guess = replace(tray, die_edge_mm=edge_mm)
        places = guess.tops_to_mm(corners.reshape(-1, 2)).reshape(-1, 4, 2)
        sides = np.linalg.norm(np.roll(places, -1, axis=1) - places, axis=2)
        edge_mm = float(np.median(sides.mean(axis=1)))
    return edge_mm * _RIM


def is_usual_edge(edge_mm: float) -> bool:
    """Return whether a table reads dice with this edge."""
    return EDGE_LEAST_MM <= edge_mm <= EDGE_MOST_MM
