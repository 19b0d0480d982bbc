# SPDX-License-Identifier: MIT
"""
What the lessons know of a shot's dice, side by side in arrays.

A shot's dice are values for people; a lesson turns, shrinks and crops thousands of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio import DieState, Shot

_STATES = tuple(DieState)

WHOLE = 0.97
"""Share of a face that is seen from which it counts as seen wholly."""

HIDDEN = 0.85
"""Share up to which it counts as hidden; between the two nobody is taught anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """
    The dice of one shot.

    Attributes:
        centers: Middles of the upper faces in pixels, (n, 2).
        half_edges: Two columns each, to the middles of two sides, (n, 2, 2).
        faces: The numbers up, (n,).
        states: Which of `DieState`, by its place there, (n,).
        visible: Share of the upper face that is seen, (n,).
        contrast: Grey levels between body and pips, (n,).
    """

    centers: NDArray[np.float64]
    half_edges: NDArray[np.float64]
    faces: NDArray[np.int64]
    states: NDArray[np.int64]
    visible: NDArray[np.float64]
    contrast: NDArray[np.float64]

    @property
    def edges_px(self) -> NDArray[np.float64]:
        """How long an edge is, (n,): the root of the face's area."""
        edges: NDArray[np.float64] = 2.0 * np.sqrt(np.abs(np.linalg.det(self.half_edges)))
        return edges

    def lies(self, *states: DieState) -> NDArray[np.bool_]:
        """Which dice are in one of these states."""
        return np.isin(self.states, [_STATES.index(state) for state in states])

    @property
    def proper(self) -> NDArray[np.bool_]:
        """Which faces are flat and seen wholly."""
        return self.lies(DieState.FLAT) & (self.visible >= WHOLE)

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """Which are cocked, stacked, under another, cut off or hidden for a good part."""
        return ~self.lies(DieState.FLAT) | (self.visible <= HIDDEN)


def truth_of(shot: Shot) -> Truth:
    """Return the truth of a shot's dice."""
    quads = np.array([die.quad_px for die in shot.dice], dtype=np.float64).reshape(-1, 4, 2)
    first = (quads[:, 1] + quads[:, 2] - quads[:, 3] - quads[:, 0]) / 4.0
    second = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 4.0
    return Truth(
        centers=quads.mean(axis=1),
        half_edges=np.stack([first, second], axis=2),
        faces=np.array([die.face for die in shot.dice], dtype=np.int64),
        states=np.array([_STATES.index(die.state) for die in shot.dice], dtype=np.int64),
        visible=np.array([die.visible for die in shot.dice], dtype=np.float64),
        contrast=np.array([die.contrast for die in shot.dice], dtype=np.float64),
    )


def moved(truth: Truth, matrix: NDArray[np.float64], offset: NDArray[np.float64]) -> Truth:
    """Return the truth in a picture whose pixels are matrix @ pixel + offset of the old ones."""
    return Truth(
        centers=truth.centers @ matrix.T + offset,
        half_edges=matrix @ truth.half_edges,
        faces=truth.faces,
        states=truth.states,
        visible=truth.visible,
        contrast=truth.contrast,
    )
