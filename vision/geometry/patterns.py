# SPDX-License-Identifier: MIT
"""
Find the patterns of numbers among a tile's spots.

Every number above one has two pips in opposite corners of its lattice; four, five and six
have two such pairs about one middle. So all pairs of alike spots, and all pairs of pairs,
are asked what lies in the other places. Nothing is said here of spots that are left over;
that is for the proof, which sees what else the face shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.cutout import FACE_PX
from vision.geometry.params import PatternParams
from vision.geometry.pips import Bools, Floats
from vision.geometry.spots import NOWHERE, Indices, Spots
from vision.geometry.unlike import MIDDLE_PX

NOBODY = -1
"""Who holds a place that a number does not have."""

MOST_PIPS = 6

_CORNERS = np.array([(-1, -1), (1, 1), (-1, 1), (1, -1)], float)
# The middle, then the places between corners, opposite ones one after the other.
_BETWEEN = np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], float)


@dataclass(frozen=True, slots=True)
class Patterns:
    """
    What m groups of spots may be.

    Attributes:
        tile: Whose spots they are, (m,).
        number: 1 to 6, (m,).
        members: Places of the spots among their tile's, `NOBODY` behind the last, (m, 6).
        center: The lattice's middle in tile pixels, (m, 2).
        axes: Columns are its two steps in tile pixels, (m, 2, 2).
        places: Where the spots should lie, in steps, `NOWHERE` behind the last, (m, 6, 2).
        residual: Root mean square distance of the spots from there, in steps, (m,).
    """

    tile: Indices
    number: NDArray[np.intp]
    members: Indices
    center: Floats
    axes: Floats
    places: Floats
    residual: Floats

    def __len__(self) -> int:
        return len(self.tile)

    def take(self, which: Bools | Indices) -> Patterns:
        """Return only these."""
        return Patterns(
            self.tile[which],
            self.number[which],
            self.members[which],
            self.center[which],
            self.axes[which],
            self.places[which],
            self.residual[which],
        )

    @property
    def step_px(self) -> Floats:
        """Mean length of their steps, (m,)."""
        return np.asarray(np.sqrt(np.abs(np.linalg.det(self.axes))))

    def mean(self, values: Floats) -> Floats:
        """Return the mean over each one's members of values that spots have, (n, k, ...)."""
        held = self.members >= 0
        own = values[self.tile[:, None], self.members]
        held = held.reshape(*held.shape, *(1 for _ in own.shape[2:]))
        return np.asarray((own * held).sum(axis=1) / held.sum(axis=1))


def find_patterns(spots: Spots, params: PatternParams) -> Patterns:
    """
    Find all patterns among the spots of tiles.

    Args:
        spots: The spots of n tiles.
        params: How far a pattern may disagree with its tile.
    """
    on_face = spots.there & (spots.from_middle < params.reach_edges * FACE_PX)
    one, few, many = (on_face & (spots.closed >= least) for least in params.least_closed)
    found = (
        _ones(spots, one),
        _twos_and_threes(spots, _alike(spots, few, params), params),
        _fours_to_sixes(spots, _alike(spots, many, params), params),
    )
    joined = _join(found)
    off = np.abs(joined.center - MIDDLE_PX).max(axis=1)
    low, high = (share * FACE_PX for share in params.steps_edges)
    lengths = np.linalg.norm(joined.axes, axis=1)
    fits = (off < params.off_middle_edges * FACE_PX) & (joined.residual < params.most_residual)
    fits &= (lengths.min(axis=1) > low) & (lengths.max(axis=1) < high)
    fits &= lengths.max(axis=1) < params.most_skew * lengths.min(axis=1)
    slant = np.abs(np.einsum("mi,mi->m", joined.axes[:, :, 0], joined.axes[:, :, 1]))
    fits &= slant < params.most_slant * lengths.prod(axis=1)
    # Four corners are a square in any turn; two may be anything's.
    fits &= (_turn_deg(joined.axes) < params.most_turn_deg) | (joined.number >= 4)
    return joined.take(fits)


def in_steps(spots: Spots, tile: Indices, center: Floats, axes: Floats) -> Floats:
    """Return where each tile's spots lie on a lattice (m, ...), in its steps, (m, k, 2)."""
    inverse = np.linalg.inv(axes).transpose(0, 2, 1)
    return np.asarray((spots.xy[tile] - center[:, None]) @ inverse)


def _join(parts: tuple[Patterns, ...]) -> Patterns:
    return Patterns(
        np.concatenate([part.tile for part in parts]),
        np.concatenate([part.number for part in parts]),
        np.concatenate([part.members for part in parts]),
        np.concatenate([part.center for part in parts]),
        np.concatenate([part.axes for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.residual for part in parts]),
    )


def _alike(spots: Spots, may_be_pip: Bools, params: PatternParams) -> Bools:
    """Which spots of a tile may be pips of one face: like in size and colour, (n, k, k)."""

    def ratio(values: Floats) -> Floats:
        values = np.maximum(values, 1e-3)
        one, other = values[:, :, None], values[:, None]
        return np.asarray(np.maximum(one, other) / np.minimum(one, other))

    alike = (ratio(spots.level) < 1.0 / params.faint) & (ratio(spots.radius) < params.size_ratio)
    apart = np.linalg.norm(spots.tint[:, :, None] - spots.tint[:, None], axis=3)
    clearer = np.maximum(spots.level[:, :, None], spots.level[:, None])
    alike &= apart < params.tint_share * np.sqrt(3.0) * clearer
    return np.asarray(alike & may_be_pip[:, :, None] & may_be_pip[:, None])


def _turn_deg(axes: Floats) -> Floats:
    """How far lattices are turned against their tiles, (m,)."""
    turn = np.arctan2(axes[:, 1, 0] - axes[:, 0, 1], axes[:, 0, 0] + axes[:, 1, 1])
    return np.asarray(np.abs(np.degrees(turn)))


@cache
def _pairs(count: int) -> tuple[Indices, Indices]:
    """All pairs of things."""
    return np.triu_indices(count, 1)


@cache
def _pairs_of_pairs(count: int) -> tuple[Indices, Indices]:
    """All pairs of pairs that have nothing in common."""
    first, second = _pairs(count)
    one, other = _pairs(len(first))
    common = (first[one] == first[other]) | (first[one] == second[other])
    common |= (second[one] == first[other]) | (second[one] == second[other])
    return one[~common], other[~common]


def _ones(spots: Spots, may_be_pip: Bools) -> Patterns:
    tile, place = np.nonzero(may_be_pip)
    count = len(tile)
    members = np.full((count, MOST_PIPS), NOBODY)
    members[:, 0] = place
    places = np.full((count, MOST_PIPS, 2), NOWHERE)
    places[:, 0] = 0.0
    # A spot says nothing of steps; the tile does.
    axes = np.tile(np.eye(2) * FACE_PX / 4.0, (count, 1, 1))
    number = np.ones(count, np.intp)
    return Patterns(tile, number, members, spots.xy[tile, place], axes, places, np.zeros(count))


def _twos_and_threes(spots: Spots, alike: Bools, params: PatternParams) -> Patterns:
    first, second = _pairs(spots.there.shape[1])
    tile, pair = np.nonzero(alike[:, first, second])
    ends = np.stack([first[pair], second[pair]], axis=1)
    one, other = spots.xy[tile, ends[:, 0]], spots.xy[tile, ends[:, 1]]
    middle, half = (one + other) / 2.0, (other - one) / 2.0
    across = np.stack([-half[:, 1], half[:, 0]], axis=1)
    steps = np.stack([(half + across) / 2.0, (half - across) / 2.0], axis=2)
    axes, corners = _upright(steps, _CORNERS[:2])
    steps = in_steps(spots, tile, middle, axes)
    between, is_there = _nearest(
        steps, np.zeros((1, 2)), alike[tile, ends[:, 0]] & alike[tile, ends[:, 1]], params
    )
    members = np.full((len(tile), MOST_PIPS), NOBODY)
    members[:, :2] = ends
    members[:, 2:3] = np.where(is_there, between, NOBODY)
    places = np.full((len(tile), MOST_PIPS, 2), NOWHERE)
    places[:, :2] = corners
    places[:, 2:3][is_there] = 0.0
    number = 2 + is_there[:, 0].astype(np.intp)
    third = spots.xy[tile, between[:, 0]]
    center = np.where(is_there, (one + other + third) / 3.0, middle)
    off = np.where(is_there, np.linalg.norm(third - middle, axis=1, keepdims=True), 0.0)[:, 0]
    # The ends lie a third of what the middle one misses beside the mean of all, it two thirds.
    residual = off * np.sqrt(2.0) / 3.0 / np.sqrt(np.abs(np.linalg.det(axes)))
    return Patterns(tile, number, members, center, axes, places, residual)


def _fours_to_sixes(spots: Spots, alike: Bools, params: PatternParams) -> Patterns:
    first, second = _pairs(spots.there.shape[1])
    one, other = _pairs_of_pairs(spots.there.shape[1])
    ends = spots.xy[:, first], spots.xy[:, second]
    middle, half = (ends[0] + ends[1]) / 2.0, (ends[1] - ends[0]) / 2.0
    is_pair = alike[:, first, second]
    crosses = is_pair[:, one] & is_pair[:, other] & alike[:, first[one], first[other]]
    apart = np.abs(middle[:, one] - middle[:, other]).max(axis=2)
    tile, cross = np.nonzero(crosses & (apart < params.steps_edges[0] * FACE_PX / 2.0))
    one, other = one[cross], other[cross]
    corners = np.stack([first[one], second[one], first[other], second[other]], axis=1)
    half_1, half_2 = half[tile, one], half[tile, other]
    axes, places = _upright(
        np.stack([(half_1 + half_2) / 2.0, (half_1 - half_2) / 2.0], axis=2), _CORNERS
    )
    square = np.abs(np.linalg.det(axes)) > 1.0
    tile, corners, axes, places = tile[square], corners[square], axes[square], places[square]
    center = (middle[tile, one[square]] + middle[tile, other[square]]) / 2.0
    steps = in_steps(spots, tile, center, axes)
    may_hold = alike[tile, corners[:, 0]].copy()
    np.put_along_axis(may_hold, corners, values=False, axis=1)
    between, is_there = _nearest(steps, _BETWEEN, may_hold, params)
    members, places = _with_between(corners, places, between, is_there)
    return _fitted(spots, tile, members, places, params)


def _upright(axes: Floats, places: Floats) -> tuple[Floats, Floats]:
    """Steps with the first one to the right and the second one down, and each one's places."""
    steep = np.abs(axes[:, 0, 0]) < np.abs(axes[:, 0, 1])
    axes = np.where(steep[:, None, None], axes[:, :, ::-1], axes)
    own = np.where(steep[:, None, None], places[:, ::-1], places)
    signs = np.where(np.stack([axes[:, 0, 0], axes[:, 1, 1]], axis=1) < 0.0, -1.0, 1.0)
    return axes * signs[:, None], own * signs[:, None]


def _nearest(
    steps: Floats, places: Floats, may_hold: Bools, params: PatternParams
) -> tuple[Indices, Bools]:
    """For every lattice and place: the nearest spot that may hold it, and whether one does."""
    away = np.abs(steps[:, None] - places[:, None]).max(axis=3)
    away = np.where(may_hold[:, None], away, NOWHERE)
    nearest = away.argmin(axis=2)
    least = np.take_along_axis(away, nearest[..., None], axis=2)[..., 0]
    return nearest, least < params.search_steps


def _with_between(
    corners: Indices, corner_places: Floats, between: Indices, is_there: Bools
) -> tuple[Indices, Floats]:
    """Members and places of the number that the spots between four corners make."""
    count = len(corners)
    members = np.full((count, MOST_PIPS), NOBODY)
    members[:, :4] = corners
    places = np.full((count, MOST_PIPS, 2), NOWHERE)
    places[:, :4] = corner_places
    five = is_there[:, 0]
    members[five, 4], places[five, 4] = between[five, 0], _BETWEEN[0]
    for pair in (slice(1, 3), slice(3, 5)):
        six = ~five & is_there[:, pair].all(axis=1)
        members[six, 4:], places[six, 4:] = between[six, pair], _BETWEEN[pair]
    return members, places


def _fitted(
    spots: Spots, tile: Indices, members: Indices, places: Floats, params: PatternParams
) -> Patterns:
    """The lattices moved to where the spots really are."""
    held = members >= 0
    points = np.where(held[..., None], spots.xy[tile[:, None], members], 0.0)
    known = np.where(held[..., None], places, 0.0)
    design = np.concatenate([known, held[..., None].astype(float)], axis=2)
    turned = design.transpose(0, 2, 1)
    solved = np.linalg.solve(turned @ design, turned @ points)
    off = points - design @ solved
    axes, center = solved[:, :2].transpose(0, 2, 1), solved[:, 2]
    number = held.sum(axis=1)
    axes, places, usual = _with_rows_apart(axes, places, number, params)
    residual = np.sqrt((off**2).sum(axis=(1, 2)) / number)
    residual /= np.maximum(np.sqrt(np.abs(np.linalg.det(axes))), 1e-6)
    patterns = Patterns(tile, number, members, center, axes, places, residual)
    return patterns.take(usual)


def _with_rows_apart(
    axes: Floats, places: Floats, number: NDArray[np.intp], params: PatternParams
) -> tuple[Floats, Floats, Bools]:
    """
    The steps as if all sixes were square, and whether their rows are as far apart as makers like.

    How close the rows of a six stand is a maker's habit and says nothing of how the face lies.
    """
    lengths = np.linalg.norm(axes, axis=1)
    # The axis across the rows is the one on which the spots between corners do not lie at 0.
    across = (np.abs(places[:, 4, 1]) > 0.5).astype(np.intp)
    rows = np.arange(len(axes))
    width = lengths[rows, across] / np.maximum(lengths[rows, 1 - across], 1e-6)
    low, high = params.six_width
    is_six = number == MOST_PIPS
    usual = ~is_six | ((low < width) & (width < high))
    scale = np.ones((len(axes), 2))
    scale[rows, across] = np.where(is_six & usual, width, 1.0)
    return axes / scale[:, None], places * scale[:, None], usual
