# SPDX-License-Identifier: MIT
"""
The labels of a scene's dice as arrays.

A rendered scene has one object per die. Samples turn, shrink and crop thousands of them, so here
each property of all dice is one array.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.training.scenes import DieState, RenderedScene

_STATES = tuple(DieState)

WHOLE = 0.97  # Visible share of a face from which it counts as completely visible.

HIDDEN = 0.85
"""Visible share up to which it counts as hidden. Faces between the limits are not used."""

MOST_PIPS = 6
LEAST_EDGE_PX = 9.0  # Smaller faces teach no number.
_LEAST_CONTRAST = 10.0

NO_FACE = 0  # The class of a tile without an upper face; the others are their numbers.
NOT_TAUGHT = -1


@dataclass(frozen=True, slots=True, eq=False)
class SceneLabels:
    """The dice of one scene, in pixels of one picture."""

    centers: NDArray[np.float64]  # Centres of the upper faces, (n, 2).
    half_edges: NDArray[np.float64]  # Two columns each, as of a `Face`, (n, 2, 2).
    feet: NDArray[np.float64]  # Centres of the faces below them, (n, 2).
    flat_axes: NDArray[np.float64]  # Two columns each, one edge along the felt's axes, (n, 2, 2).
    flat_feet: NDArray[np.float64]  # Where the feet would be if the dice lay flat, (n, 2).
    tilts_deg: NDArray[np.float64]  # Angles between the upper faces and the felt, (n,).
    pips: NDArray[np.float64]  # On the upper faces, (n, 6, 2); NaN beyond a face's number.
    faces: NDArray[np.int64]  # The numbers up, (n,).
    states: NDArray[np.int64]  # Which of `DieState`, by its index, (n,).
    is_light: NDArray[np.bool_]  # Whether the body is lighter than the pips, (n,).
    visible: NDArray[np.float64]  # Visible share of the upper face, (n,).
    contrast: NDArray[np.float64]  # Grey levels between body and pips, (n,).

    @property
    def edges_px(self) -> NDArray[np.float64]:
        """Length of an edge, (n,): the root of the face's area."""
        edges: NDArray[np.float64] = 2.0 * np.sqrt(np.abs(np.linalg.det(self.half_edges)))
        return edges

    def has_state(self, *states: DieState) -> NDArray[np.bool_]:
        """Return which dice are in one of these states."""
        return np.isin(self.states, [_STATES.index(state) for state in states])

    @property
    def proper(self) -> NDArray[np.bool_]:
        """Which faces are flat and completely visible."""
        return self.has_state(DieState.FLAT) & (self.visible >= WHOLE)

    @property
    def doubtful(self) -> NDArray[np.bool_]:
        """Which are cocked, stacked, under another, cut off or mostly hidden."""
        return ~self.has_state(DieState.FLAT) | (self.visible <= HIDDEN)

    @property
    def classes(self) -> NDArray[np.int64]:
        """The class of each face; a tile does not show that a die is cocked or stacked."""
        known = self.has_state(DieState.FLAT, DieState.STACKED) & (self.visible >= WHOLE)
        known &= (self.contrast >= _LEAST_CONTRAST) & (self.edges_px >= LEAST_EDGE_PX)
        return np.where(self.visible < HIDDEN, NO_FACE, np.where(known, self.faces, NOT_TAUGHT))


def label_scene(scene: RenderedScene) -> SceneLabels:
    """Return the labels of a scene's dice."""
    quads = np.array([die.quad_px for die in scene.dice], dtype=np.float64).reshape(-1, 4, 2)
    first = (quads[:, 1] + quads[:, 2] - quads[:, 3] - quads[:, 0]) / 4.0
    second = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 4.0
    pips = np.full((len(scene.dice), MOST_PIPS, 2), np.nan)
    for row, die in zip(pips, scene.dice, strict=True):
        row[: len(die.pips_px)] = die.pips_px
    return SceneLabels(
        centers=quads.mean(axis=1),
        half_edges=np.stack([first, second], axis=2),
        feet=np.array([die.foot_px for die in scene.dice], dtype=np.float64).reshape(-1, 2),
        flat_axes=np.array([die.flat_axes_px for die in scene.dice]).reshape(-1, 2, 2),
        flat_feet=np.array([die.flat_foot_px for die in scene.dice]).reshape(-1, 2),
        tilts_deg=np.array([die.tilt_deg for die in scene.dice], dtype=np.float64),
        pips=pips,
        faces=np.array([die.face for die in scene.dice], dtype=np.int64),
        states=np.array([_STATES.index(die.state) for die in scene.dice], dtype=np.int64),
        is_light=np.array([die.is_light for die in scene.dice], dtype=np.bool_),
        visible=np.array([die.visible for die in scene.dice], dtype=np.float64),
        contrast=np.array([die.contrast for die in scene.dice], dtype=np.float64),
    )


def label_flat_dice(
    centers: NDArray[np.float64],
    half_edges: NDArray[np.float64],
    faces: NDArray[np.int64],
    pips: NDArray[np.float64],
) -> SceneLabels:
    """
    Return labels of flat dice that are completely visible, with centres (n, 2), half edges (n, 2,
    2) and pips (n, 6, 2), which are NaN beyond a face's number, or if unknown; nothing else is
    known.
    """
    count = len(centers)
    return SceneLabels(
        centers=centers,
        half_edges=half_edges,
        feet=np.full((count, 2), np.nan),
        flat_axes=np.zeros((count, 2, 2)),
        flat_feet=np.zeros((count, 2)),
        tilts_deg=np.zeros(count),
        pips=pips,
        faces=faces,
        states=np.full(count, _STATES.index(DieState.FLAT)),
        is_light=np.zeros(count, np.bool_),
        visible=np.ones(count),
        contrast=np.full(count, 255.0),
    )


def transform_labels(
    labels: SceneLabels, matrix: NDArray[np.float64], offset: NDArray[np.float64]
) -> SceneLabels:
    """Return the labels in a picture with pixels at matrix @ pixel + offset of the old ones."""
    return replace(
        labels,
        centers=labels.centers @ matrix.T + offset,
        half_edges=matrix @ labels.half_edges,
        feet=labels.feet @ matrix.T + offset,
        flat_axes=matrix @ labels.flat_axes,
        flat_feet=labels.flat_feet @ matrix.T + offset,
        pips=labels.pips @ matrix.T + offset,
    )
