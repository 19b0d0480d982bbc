# SPDX-License-Identifier: MIT
"""
Count the pips that the tile net's maps show, and check that they lie in a number's pattern.

A count without its pattern is no answer: a glint on a two makes three spots, but seldom where
a three has them. Everything is told in the face's own frame, in which the face reaches from
-0.5 to 0.5 along both axes.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cutout import FACE_PX
from vision.learned.maps import sigmoid
from vision.learned.opinion import CLASSES
from vision.learned.tile_net import HEAT_CELLS

_Floats = NDArray[np.float64]

_CELLS_AN_EDGE = FACE_PX / 2.0
_LEAST_SHARE = 0.04
"""A peak below is no pip, however the others lie."""

_MOST_PEAKS = 9
_REACH = 0.52
"""How far from the face's middle a pip may lie along either axis, in edges."""

_LEAST_LIKELY = 0.02
"""Counts less likely than this are not held against their pattern."""

_ERROR = 0.035
"""Usual distance of a pip from its place in the pattern, in edges."""

_STEPS = (0.15, 0.34)
"""Shortest and longest step from the middle of a face to its outer pips, along an axis."""

_SIX_GAP = (0.08, 0.34)
"""The same across the two rows of a six, which some makers set close together."""

_MIDDLE_ERROR = 0.06
"""Usual distance of a pattern's middle from the face's."""

_CROSS = ((-1, -1), (1, 1)), ((-1, 1), (1, -1))
_CORNERS = (-1, -1), (-1, 1), (1, -1), (1, 1)
PATTERNS: dict[int, tuple[tuple[tuple[int, int], ...], ...]] = {
    1: (((0, 0),),),
    2: _CROSS,
    3: tuple(((0, 0), *ends) for ends in _CROSS),
    4: (_CORNERS,),
    5: (((0, 0), *_CORNERS),),
    6: ((*_CORNERS, (-1, 0), (1, 0)), (*_CORNERS, (0, -1), (0, 1))),
}
"""The places of each number's pips in steps, in all ways they may lie in an upright face."""


@dataclass(frozen=True, slots=True, eq=False)
class PipCount:
    """
    What the pips of one face amount to.

    Attributes:
        shares: How well each number, 1 to 6, explains the peaks and lies in its pattern: 0 to
            1, not summing to 1; index 0 stands for "no pips", (7,).
        places: Where the pips of the best number are, in the face's frame, (k, 2).
    """

    shares: _Floats
    places: _Floats

    @property
    def number(self) -> int:
        """The best number, 0 where there are no pips."""
        return int(self.shares.argmax())


def count_pips(maps: NDArray[np.float32], center: _Floats, half_edges: _Floats) -> PipCount:
    """
    Count the pips of one face.

    Args:
        maps: The tile net's maps of the tile, (3, 32, 32).
        center: The face's centre off the tile's middle, in edges of the cut, (2,).
        half_edges: The face's half edges, in edges of the cut, (2, 2).
    """
    shares, places = _peaks(maps)
    own = (places - center) @ np.linalg.inv(2.0 * half_edges).T
    on_face = np.abs(own).max(axis=1, initial=0.0) < _REACH
    shares, own = shares[on_face][:_MOST_PEAKS], own[on_face][:_MOST_PEAKS]
    counts = _count_shares(shares)
    for number in range(1, CLASSES):
        if counts[number] > _LEAST_LIKELY:
            counts[number] *= _fit(own[:number], number)
    best = int(counts.argmax())
    return PipCount(counts, own[:best])


def _peaks(maps: NDArray[np.float32]) -> tuple[_Floats, _Floats]:
    """Return the shares of the maps' peaks, the likeliest first, and their places in edges."""
    heat = sigmoid(maps[0])
    is_peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _LEAST_SHARE)
    rows, columns = np.nonzero(is_peak)
    shares = heat[rows, columns].astype(np.float64)
    order = np.argsort(-shares, kind="stable")[: 2 * _MOST_PEAKS]
    rows, columns = rows[order], columns[order]
    cells = np.column_stack([columns, rows]) + maps[1:, rows, columns].T
    return shares[order], (cells - (HEAT_CELLS - 1) / 2.0) / _CELLS_AN_EDGE


def _count_shares(shares: _Floats) -> _Floats:
    """Return how likely it is that exactly the n likeliest peaks are pips, (7,)."""
    there = np.concatenate([[1.0], np.cumprod(shares)])
    absent = np.concatenate([np.cumprod((1.0 - shares)[::-1])[::-1], [1.0]])
    counts = np.zeros(CLASSES)
    upto = min(CLASSES, len(there))
    counts[:upto] = there[:upto] * absent[:upto]
    return counts


def _fit(places: _Floats, number: int) -> float:
    """Return how well pips (n, 2) lie in a number's pattern, 0 to 1."""
    return max(_fit_pattern(places, np.array(pattern, float)) for pattern in PATTERNS[number])


def _fit_pattern(places: _Floats, pattern: _Floats) -> float:
    middle = places.mean(axis=0)
    off_middle = float(np.square(middle).sum()) / _MIDDLE_ERROR**2
    if len(places) == 1:
        return float(np.exp(-0.5 * off_middle / 2.0))
    away = places - middle
    spread = np.sqrt(np.square(away).mean(axis=0))
    steps = spread / np.sqrt(np.square(pattern).mean(axis=0))
    low = np.full(2, _STEPS[0])
    if len(places) == 6:
        # The rows of a six run along the axis that has a pip in their middle.
        low[int(np.square(pattern).sum(axis=0).argmax())] = _SIX_GAP[0]
    if (steps < low).any() or (steps > _STEPS[1]).any():
        return 1e-4
    expected = pattern * steps
    apart = np.square(away[:, None] - expected[None]).sum(axis=2)
    nearest = apart.argmin(axis=1)
    if len(set(nearest.tolist())) < len(places):
        return 1e-4
    off = float(apart[np.arange(len(places)), nearest].max()) / _ERROR**2
    return float(np.exp(-0.5 * (off + off_middle) / 4.0))
