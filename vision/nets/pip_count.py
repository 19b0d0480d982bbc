# SPDX-License-Identifier: MIT
"""
Count the pips in the tile net's maps, and check that they form a number's pattern.

A count alone is not enough: a glint on a two makes three spots, but rarely in the pattern of a
three. All positions are in the face's own frame, in which the face reaches from -0.5 to 0.5 along
both axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import SQUARE, Floats
from vision.frame import Image
from vision.nets.heatmaps import sigmoid
from vision.nets.tile_net import CLASSES, HEAT_CELLS
from vision.tiles import FACE_PX, TILE_PX

_CELLS_AN_EDGE = FACE_PX / 2.0
_LEAST_SHARE = 0.04  # A peak below is no pip, however the others lie.
_MOST_PEAKS = 9
_REACH = 0.52  # How far from the face's middle a pip may lie along either axis, in edges.
_LEAST_LIKELY = 0.02  # Counts less likely than this are not held against their pattern.
_ERROR = 0.035  # Usual distance of a pip from its place in the pattern, in edges.
_STEPS = (0.15, 0.40)  # Shortest and longest step from a face's middle to outer pips, by axis.
_STRAIGHT_STEP = 0.11  # The shortest of a two or three parallel to an edge, often close.
_SIX_GAP = 0.06  # Shortest step across the two rows of a six, which some makers set close together.
_NO_PATTERN = 1e-4  # How well pips fit that lie in no pattern of their number.
_MIDDLE_ERROR = 0.06  # Usual distance of a pattern's middle from the face's.
_ROW_MIDDLE_ERROR = 0.03  # The same of a row: any two spots are one, so it must lie in the middle.
_SPOT_PX, _AROUND_PX = 1.0, 4.5  # Blurs that leave a pip, and what surrounds it.
_LIKELY = 0.5  # Share from which on a peak is what the pips of this die look like.
_LEAST_DARK = 0.15  # Contrast of a pip at least, as a share of that of the usual dark pip.
# How much brighter than the usual light pip a lamp's image is: a factor, and levels beyond.
_BRIGHTER, _BRIGHTER_LEVELS = 1.3, 10.0
_BLOWN = 240.0  # Level of a small spot in the tile from which on it is blown out in the picture.
_NEARLY_BLOWN = 225.0  # The same of one that is so much brighter than another spot of the face.
_PATCH = 0.14  # Radius from which on a blown patch is more than a light pip, in edges.
_WHITE_BODY = 200.0  # Level of a body from which on a lamp's image cannot be told from it.
_CENTRAL = 0.12  # Distance from the face's middle up to which a patch covers its pip, in edges.
# Numbers that explain spots less well than this are none: a lamp's image beside pips leaves their
# number, but the edge of a shadow across a face leaves half of one.
_NO_NUMBER = 0.05
_CLEAR_COUNT = 0.5  # A count below is weak beside a blown patch, which may be what is wrong.

_Pattern = tuple[tuple[int, int], ...]
_Size = tuple[float, float]

_CROSS = ((-1, -1), (1, 1)), ((-1, 1), (1, -1))
_ROWS = ((-1, 0), (1, 0)), ((0, -1), (0, 1))
_CORNERS = (-1, -1), (-1, 1), (1, -1), (1, 1)
PATTERNS: dict[int, tuple[_Pattern, ...]] = {
    1: (((0, 0),),),
    2: (*_CROSS, *_ROWS),
    3: tuple(((0, 0), *ends) for ends in (*_CROSS, *_ROWS)),
    4: (_CORNERS,),
    5: (((0, 0), *_CORNERS),),
    6: ((*_CORNERS, (-1, 0), (1, 0)), (*_CORNERS, (0, -1), (0, 1))),
}
"""The places of each number's pips in steps, in all ways they may lie in an upright face."""


@dataclass(frozen=True, slots=True, eq=False)
class PipCount:
    """What the pips of one face amount to."""

    # How well each number, 1 to 6, explains the peaks and lies in its pattern: 0 to 1, not summing
    # to 1; index 0 stands for "no pips", (7,).
    shares: Floats
    places: Floats  # Where the pips of the best number are, in the face's frame, (k, 2).
    has_glare: bool = False  # Whether a likely spot is a lamp's image, unlike the pips of this die.

    @property
    def number(self) -> int:
        """The best number; 0 without pips."""
        return int(self.shares.argmax())


def count_pips(
    maps: NDArray[np.float32], center: Floats, half_edges: Floats, *, tile: Image
) -> PipCount:
    """
    Count the pips of one face by the tile net's maps of its tile, (3, 32, 32).

    The face has its centre (2,) off the tile's middle, and its half edges (2, 2), in edges of the
    cut.
    """
    shares, places = _peaks(maps)
    is_lamp, may_be_lit = _find_lamps(tile, shares, places)
    own = (places - center) @ np.linalg.inv(2.0 * half_edges).T
    has_glare = bool((shares[is_lamp] > _LIKELY).any())
    counts, spots = _weigh_numbers(shares[~is_lamp], own[~is_lamp])
    if has_glare and may_be_lit and counts[1:].max() < _NO_NUMBER:
        lit, lit_spots = _weigh_numbers(shares, own)
        if lit[1:].max() > _NO_NUMBER:
            counts, spots, has_glare = lit, lit_spots, False
    best = int(counts.argmax())
    if best and _may_hide_pip(tile, center, half_edges, best, float(counts[best])):
        return PipCount(np.eye(CLASSES)[0], spots[:0], has_glare=True)
    return PipCount(counts, spots[:best], has_glare)


def _weigh_numbers(shares: Floats, places: Floats) -> tuple[Floats, Floats]:
    """
    Return how well each number explains peaks and lies in its pattern, (7,), and those on the face.

    The peaks are sorted, the likeliest first, with their places in the face's frame, (n, 2).
    """
    on_face = np.abs(places).max(axis=1, initial=0.0) < _REACH
    shares, places = shares[on_face][:_MOST_PEAKS], places[on_face][:_MOST_PEAKS]
    counts = _count_shares(shares)
    for number in range(1, CLASSES):
        if counts[number] > _LEAST_LIKELY:
            counts[number] *= _fit(places[:number], number)
    return counts, places


def _peaks(maps: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return the shares of the maps' peaks, the likeliest first, and their places in edges."""
    heat = sigmoid(maps[0])
    is_peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _LEAST_SHARE)
    rows, columns = np.nonzero(is_peak)
    shares = heat[rows, columns].astype(np.float64)
    order = np.argsort(-shares, kind="stable")[: 2 * _MOST_PEAKS]
    rows, columns = rows[order], columns[order]
    cells = np.column_stack([columns, rows]) + maps[1:, rows, columns].T.astype(np.float64)
    return shares[order], np.asarray((cells - (HEAT_CELLS - 1) / 2.0) / _CELLS_AN_EDGE)


def _find_lamps(tile: Image, shares: Floats, places: Floats) -> tuple[NDArray[np.bool_], bool]:
    """
    Return which spots look like images of a lamp, and whether they may be light pips in the sun.

    The pips of one die are all darker or all lighter than its body, by about as much. A lamp's
    image is brighter than the body. Among dark pips that is enough to know it. Among light pips
    it is much brighter than they are, or blown out while they are not; white pips whose body is
    lighter on one side are as bright as each other. If lamps make most spots of a face, the usual
    spot is one of theirs: so what is nearly blown out is held against the dimmest,
    and bright spots may be pips in the sun only beside as many others.
    """
    is_likely = shares > _LIKELY
    if not is_likely.any():
        return is_likely, False
    mean = cv2.transform(tile.astype(np.float32), np.full((1, 3), 1.0 / 3.0))
    grey = cv2.GaussianBlur(mean, (0, 0), _SPOT_PX)
    around = cv2.GaussianBlur(grey, (0, 0), _AROUND_PX)
    columns, rows = np.rint(places * FACE_PX + (TILE_PX - 1) / 2.0).astype(int).T
    at = rows.clip(0, TILE_PX - 1), columns.clip(0, TILE_PX - 1)
    level, contrast = grey[at], (grey - around)[at]
    usual_level, usual = np.median(level[is_likely]), np.median(contrast[is_likely])
    if usual < 0.0:
        return np.asarray(contrast > _LEAST_DARK * usual), False
    is_brighter = (contrast > _BRIGHTER * usual + _BRIGHTER_LEVELS) & (
        level > usual_level + _BRIGHTER_LEVELS
    )
    is_blown = (level > _BLOWN) & (usual_level < _BLOWN - _BRIGHTER_LEVELS)
    dimmest = int(np.where(is_likely, contrast, np.inf).argmin())
    is_most = (level > max(_NEARLY_BLOWN, level[dimmest] + _BRIGHTER_LEVELS)) & (
        contrast > _BRIGHTER * max(contrast[dimmest], 0.0) + _BRIGHTER_LEVELS
    )
    is_lamp = np.asarray(is_brighter | is_blown | is_most)
    lamps, others = (is_lamp & is_likely).sum(), (~is_lamp & is_likely).sum()
    return is_lamp, bool(contrast[is_likely].min() > 0.0 and others >= max(lamps, 2))


def _may_hide_pip(
    tile: Image, center: Floats, half_edges: Floats, number: int, share: float
) -> bool:
    """
    Return whether a lamp's image on the face is so large that it may hide a pip.

    A two or a four whose middle is hidden may be a three or a five. Elsewhere a hidden pip leaves
    no pattern, so only a weak count is in question.
    """
    blown = cv2.inRange(tile, (_BLOWN + 1.0,) * 3, (255.0,) * 3)
    if not cv2.countNonZero(blown):  # As in nearly every tile.
        return False
    corners = (center + SQUARE @ half_edges.T) * FACE_PX + (TILE_PX - 1) / 2.0
    face = cv2.fillConvexPoly(
        np.zeros(tile.shape[:2], np.uint8), np.rint(corners * 16).astype(np.int32), 1, shift=4
    )
    on_face = face > 0
    if not on_face.any() or np.median(tile[on_face].mean(axis=1)) > _WHITE_BODY:
        return False
    patches = cv2.bitwise_and(blown, blown, mask=face)
    if cv2.distanceTransform(patches, cv2.DIST_L2, 3).max() < _PATCH * FACE_PX:
        return False
    rows, columns = np.nonzero(patches)
    middle_px = center * FACE_PX + (TILE_PX - 1) / 2.0
    off_px = np.hypot(columns - middle_px[0], rows - middle_px[1]).min()
    is_over_middle = number in (2, 4) and off_px < _CENTRAL * FACE_PX
    return bool(is_over_middle or share < _CLEAR_COUNT)


def _count_shares(shares: Floats) -> Floats:
    """Return how likely it is that exactly the n likeliest peaks are pips, (7,)."""
    there = np.concatenate([[1.0], np.cumprod(shares)])
    absent = np.concatenate([np.cumprod((1.0 - shares)[::-1])[::-1], [1.0]])
    counts = np.zeros(CLASSES)
    upto = min(CLASSES, len(there))
    counts[:upto] = there[:upto] * absent[:upto]
    return counts


def _fit(places: Floats, number: int) -> float:
    """Return how well pips (n, 2) lie in a number's pattern, 0 to 1."""
    middle = places.mean(axis=0)
    off_middle = float(middle @ middle)
    if number == 1:
        return float(np.exp(-0.25 * off_middle / _MIDDLE_ERROR**2))
    away = places - middle
    spread = np.sqrt(np.einsum("ni,ni->i", away, away) / number)
    off = min(
        _off_pattern(away.tolist(), spread.tolist(), *one) / _ERROR**2
        + off_middle / (_MIDDLE_ERROR if all(one[1]) else _ROW_MIDDLE_ERROR) ** 2
        for one in _SCALED[number]
    )
    return max(float(np.exp(-0.125 * off)), _NO_PATTERN)


def _off_pattern(
    away: list[list[float]], spread: list[float], pattern: _Pattern, size: _Size, least: _Size
) -> float:
    """
    Return the largest squared distance of a pip from its place in a pattern.

    The pattern's steps along both axes are those that give it the pips' spread; across a row
    there is none. In plain numbers, because arrays of six take longer to make than to work on.
    """
    steps = [of / unit if unit else 0.0 for of, unit in zip(spread, size, strict=True)]
    if not (least[0] <= steps[0] <= _STEPS[1] and least[1] <= steps[1] <= _STEPS[1]):
        return math.inf
    taken, worst = set(), 0.0
    for x, y in away:
        off, place = min(
            ((x - i * steps[0]) ** 2 + (y - j * steps[1]) ** 2, (i, j)) for i, j in pattern
        )
        taken.add(place)
        worst = max(worst, off)
    return worst if len(taken) == len(away) else math.inf


def _measure_pattern(pattern: _Pattern) -> tuple[_Pattern, _Size, _Size]:
    """Return a pattern with its spread along both axes, and the shortest steps it may have."""
    squares = [sum(place[axis] ** 2 for place in pattern) for axis in (0, 1)]
    size = math.sqrt(squares[0] / len(pattern)), math.sqrt(squares[1] / len(pattern))
    if 0 in squares:
        least = [_STRAIGHT_STEP if count else 0.0 for count in squares]
    else:
        # The rows of a six may be close together; across them all six pips count.
        least = [_SIX_GAP if count == 6 else _STEPS[0] for count in squares]
    return pattern, size, (least[0], least[1])


_SCALED = {
    number: tuple(_measure_pattern(pattern) for pattern in patterns)
    for number, patterns in PATTERNS.items()
    if number > 1
}
