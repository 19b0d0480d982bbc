# SPDX-License-Identifier: MIT
"""Truths for lessons, made by hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio import DieState
from vision.training.truth import Truth

_STATES = tuple(DieState)


def dice(
    *centers: tuple[float, float],
    half_px: float = 10.0,
    faces: tuple[int, ...] | None = None,
    state: DieState = DieState.FLAT,
    visible: float = 1.0,
) -> Truth:
    """Upright dice of one size with their middles there; numbers from 1 on where none are given."""
    count = len(centers)
    numbers = faces or tuple(range(1, count + 1))
    halves: NDArray[np.float64] = np.tile(np.eye(2) * half_px, (count, 1, 1))
    return Truth(
        centers=np.array(centers, np.float64).reshape(-1, 2),
        half_edges=halves,
        faces=np.array(numbers, np.int64),
        states=np.full(count, _STATES.index(state)),
        visible=np.full(count, visible),
        contrast=np.full(count, 90.0),
    )
