# SPDX-License-Identifier: MIT
"""
The finder's targets for a crop: its maps, and how much each cell counts.

A face's middle is a hill that grows with the die, so that an error of one cell costs little.
Dice that are too small, or neither clearly visible nor hidden, do not count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.nets.face_encoding import encode_half_edges, face_roots
from vision.nets.heatmaps import CELL_PX
from vision.training.labels import SceneLabels

_Floats32 = NDArray[np.float32]

LEAST_EDGE_PX = 6.0  # Dice with a smaller edge in the crop do not count.

MOST_EDGE_PX = 72.0
"""Above this edge the finder must find no face, so that it does not take a pip for a die."""

_HILL = 0.33  # Width of a hill in half edges of its die.
_LEAST_HILL_PX = 2.4  # The same in pixels at least.
_FOOT = 3.5  # Radius of a hill, in its widths.
_CORE = 0.5  # How far around its middle a face's shape counts, in half edges.


@dataclass(frozen=True, slots=True, eq=False)
class FinderTarget:
    """The finder's targets for one crop of h by w cells."""

    heat: _Floats32  # Hills of proper and of odd faces, (2, h, w), 1 at the tops.
    counts: _Floats32  # Whether heat counts, (h, w), 0 or 1.
    shape: _Floats32  # Offset in cells to the middle and the five numbers of the shape, (7, h, w).
    weight: _Floats32  # How much the shape counts, (h, w); 0 off the faces.


def build_target(labels: SceneLabels, size_wh: tuple[int, int]) -> FinderTarget:
    """
    Return the targets for a crop.

    Args:
        labels: In pixels of the crop.
        size_wh: The crop's size in pixels, multiples of 4.
    """
    columns, rows = size_wh[0] // CELL_PX, size_wh[1] // CELL_PX
    heat = np.zeros((2, rows, columns), np.float32)
    counts = np.ones((rows, columns), np.float32)
    shape = np.zeros((7, rows, columns), np.float32)
    weight = np.zeros((rows, columns), np.float32)
    target = FinderTarget(heat, counts, shape, weight)
    inside = ((labels.centers > -0.5) & (labels.centers < np.array(size_wh) - 0.5)).all(axis=1)
    odd = labels.doubtful | _find_cut_off(labels, size_wh)
    for index in np.flatnonzero(inside & (labels.edges_px <= MOST_EDGE_PX)):
        unclear = labels.edges_px[index] < LEAST_EDGE_PX or not (odd[index] or labels.proper[index])
        _add_face(target, labels, int(index), odd=bool(odd[index]), unclear=bool(unclear))
    return target


def _find_cut_off(labels: SceneLabels, size_wh: tuple[int, int]) -> NDArray[np.bool_]:
    """Return which faces reach beyond the crop by more than a tenth of their edge."""
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]).T * 0.8
    corners = labels.centers[:, None] + (labels.half_edges @ signs).transpose(0, 2, 1)
    beyond = (corners < -0.5) | (corners > np.array(size_wh) - 0.5)
    return np.asarray(beyond.any(axis=(1, 2)))


def _add_face(
    target: FinderTarget, labels: SceneLabels, index: int, *, odd: bool, unclear: bool
) -> None:
    rows, columns = target.counts.shape
    center = (labels.centers[index] + 0.5) / CELL_PX - 0.5
    code = encode_half_edges(labels.half_edges[index : index + 1])
    root = face_roots(code)[0] / CELL_PX
    wide = max(_HILL, _LEAST_HILL_PX / (labels.edges_px[index] / 2.0))
    top = np.clip(np.rint(center), 0, (columns - 1, rows - 1))
    reach = np.ceil(max(_FOOT * wide, 1.0) * np.linalg.norm(root, axis=1))
    low = np.maximum(top - reach, 0).astype(int)
    high = np.minimum(top + reach, (columns - 1, rows - 1)).astype(int) + 1
    cells = np.stack(np.meshgrid(*map(np.arange, low, high)), axis=-1)
    halves = np.square((cells - top) @ np.linalg.inv(root).T).sum(axis=-1)
    part = slice(low[1], high[1]), slice(low[0], high[0])
    if unclear:
        target.counts[part][halves < 1.0] = 0.0
        return
    hill = np.exp(-halves / (2.0 * wide**2)).astype(np.float32)
    heat = target.heat[int(odd)][part]
    np.maximum(heat, hill, out=heat)
    core = (hill > target.weight[part]) & ((halves < _CORE**2) | (hill > 0.6))
    target.shape[:2, *part][:, core] = (center - cells[core]).T
    target.shape[2:, *part][:, core] = code.T
    target.weight[part][core] = hill[core]
