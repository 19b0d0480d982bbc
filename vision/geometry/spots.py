# SPDX-License-Identifier: MIT
"""
Find round spots in tiles: places that are unlike the face, while what lies around is like it.

The difference of two blurs answers strongest in the middle of a disc of its own size, and hardly
minds what the disc looks like inside or that a neighbour or a shadow touches it. So a pip
with a highlight in it is one spot. Where a spot is found its outline is measured: where
it is half as unlike the face as in its middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cutout import TILE_PX
from vision.geometry.params import SpotParams
from vision.geometry.pips import Bools, Floats
from vision.geometry.unlike import MIDDLE_PX, Singles, Unlike

Indices = NDArray[np.intp]

NOWHERE = 1e4
"""Where a spot lies that does not exist, in tile pixels."""

# A disc of radius r answers strongest to blurs around r / 1.68 px, neighbours by the root of 2.
_BLURS_PX = 1.3 * np.sqrt(2.0) ** np.arange(6)
_RADII_PX = 1.68 * _BLURS_PX[:-1]
# Of the best answer of the next size, in the same place, so much is enough: what a highlight cuts
# in parts answers as parts too.
_BESIDE = 0.7
_NEAR = np.ones((5, 5), np.uint8)
# Of what a disc is unlike its face, the best difference of blurs shows about this share.
_ANSWER = 0.24
# What is left of a spot's least level if half of it or of its ring is not as it should be.
_LEAST_DISC = 0.5
# So many times as many as are kept are looked at: most are parts of others.
_SPARE = 3

_REACH_PX = 11
_STEPS = np.arange(-_REACH_PX, _REACH_PX + 1)
_ACROSS, _DOWN = np.meshgrid(_STEPS.astype(np.float32), _STEPS.astype(np.float32))
_AWAY = np.hypot(_ACROSS, _DOWN)
_POWERS = np.stack(
    [np.ones_like(_AWAY), _ACROSS, _DOWN, _ACROSS**2, _DOWN**2, _ACROSS * _DOWN], axis=2
).reshape(-1, 6)
_TURNS = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
_RING = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
# Places all over a disc of radius 1.
_CORE = np.concatenate([np.zeros((1, 2)), _RING[::2] * 0.5, _RING * 0.9])
# Inside a disc, and around it, in its radii.
_DISC = np.array([0.25, 0.55, 0.8, 1.45])[:, None, None] * _RING


@dataclass(frozen=True, slots=True)
class Spots:
    """
    The spots of n tiles, the clearest first, k places each of which some are empty.

    Attributes:
        there: Which places hold a spot, (n, k).
        xy: Their middles in tile pixels, `NOWHERE` where there is none, (n, k, 2).
        shape: Squared semi-axis matrices of their outlines, (n, k, 2, 2).
        radius: Geometric mean of the semi-axes, (n, k).
        level: How unlike the face they are, (n, k).
        tint: Which way, blue green and red, (n, k, 3).
        closed: Share of the ring around them that is like the face, 0 to 1, (n, k).
    """

    there: Bools
    xy: Floats
    shape: Floats
    radius: Floats
    level: Floats
    tint: Floats
    closed: Floats

    @property
    def from_middle(self) -> Floats:
        """How far each lies from its tile's middle along the farther axis, in pixels, (n, k)."""
        return np.asarray(np.abs(self.xy - MIDDLE_PX).max(axis=2))


def find_spots(unlike: Unlike, params: SpotParams) -> Spots:
    """
    Find the spots of tiles.

    Args:
        unlike: How the tiles differ from their faces.
        params: What a spot is.
    """
    tile, xy, radius = _peaks(unlike, params)
    discness = _discness(unlike, tile, xy, radius)
    order = np.argsort(-discness, kind="stable")
    order = order[discness[order] > _LEAST_DISC * params.least_level]
    tile, xy, radius = tile[order], xy[order], radius[order]
    there, xy, radius = _each_once(len(unlike.much), tile, xy, radius, params)
    return _measured(unlike, there, xy, radius)


def _peaks(unlike: Unlike, params: SpotParams) -> tuple[Indices, Floats, Floats]:
    """Tile, place and rough radius of all answers that none beside them beats."""
    reach = unlike.reach[:, None, None]
    # Side by side, because one call on all tiles costs little more than on one.
    strip = np.hstack(list(np.minimum(unlike.much, reach)))
    least = _ANSWER * np.maximum(params.least_level, params.faint * unlike.reach)
    size, y, x = _peaks_of(strip, np.repeat(least, TILE_PX), params)
    return x // TILE_PX, np.stack([x % TILE_PX, y], axis=1).astype(float), _RADII_PX[size]


def _peaks_of(strip: Singles, least: Singles, params: SpotParams) -> Indices:
    """Size, row and column of the answers on one strip, (3, peaks)."""
    margin = int(np.ceil(MIDDLE_PX - params.reach_px))
    answers = _answers(strip)[:, margin : TILE_PX - margin]
    beaten = np.stack([cv2.dilate(answer, _NEAR) for answer in answers])
    size, y, x = np.nonzero((answers >= beaten) & (answers > least))
    own = answers[size, y, x]
    stands = np.abs(x % TILE_PX - MIDDLE_PX) <= params.reach_px
    for beside in (-1, 1):
        other = np.clip(size + beside, 0, len(answers) - 1)
        stands &= (own >= _BESIDE * beaten[other, y, x]) | (other == size)
    return np.stack([size[stands], y[stands] + margin, x[stands]])


def _answers(strip: Singles) -> Singles:
    """The differences of a picture's blurs, (5, height, width)."""
    finest = np.asarray(cv2.GaussianBlur(strip, (0, 0), float(_BLURS_PX[0])), dtype=np.float32)
    fine, middle, coarse = _blurred(finest, _BLURS_PX[:3])
    # Wide blurs have no detail: half the size is enough for them.
    half = np.asarray(cv2.resize(coarse, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    halves = _blurred(half.astype(np.float32), _BLURS_PX[2:] / 2.0)
    answers = np.empty((len(_RADII_PX), *strip.shape), np.float32)
    cv2.subtract(fine, middle, dst=answers[0])
    cv2.subtract(middle, coarse, dst=answers[1])
    for answer, (finer, coarser) in zip(answers[2:], pairwise(halves), strict=True):
        cv2.resize(finer - coarser, strip.shape[::-1], dst=answer)
    return answers


def _blurred(picture: Singles, blurs_px: Floats) -> list[Singles]:
    """A picture blurred by the first, and then more and more."""
    blurs = [picture]
    for finer, coarser in pairwise(blurs_px):
        more = float(np.sqrt(coarser**2 - finer**2))
        blurs.append(np.asarray(cv2.GaussianBlur(blurs[-1], (0, 0), more), dtype=np.float32))
    return blurs


def _discness(unlike: Unlike, tile: Indices, xy: Floats, radius: Floats) -> Floats:
    """
    How much of a disc on plain ground each peak is: how unlike inside, how closed around.

    A highlight cuts a pip in parts; the whole has plain ground around it, its parts have not.
    """
    points = xy[:, None, None] + radius[:, None, None, None] * _DISC
    x, y = np.clip(np.rint(points), 0, TILE_PX - 1).astype(np.intp).transpose(3, 0, 1, 2)
    much = np.minimum(unlike.much[tile[:, None, None], y, x], unlike.reach[tile][:, None, None])
    inside = much[:, :-1].mean(axis=(1, 2))
    return np.asarray(inside * (much[:, -1] < 0.5 * inside[:, None]).mean(axis=1))


def _each_once(
    count: int, tile: Indices, xy: Floats, radius: Floats, params: SpotParams
) -> tuple[Bools, Floats, Floats]:
    """The peaks that are no part of a better one, by tile: which exist, where, how large."""
    order = np.argsort(tile, kind="stable")
    tile, xy, radius = tile[order], xy[order], radius[order]
    rank = np.arange(len(tile)) - np.searchsorted(tile, np.arange(count))[tile]
    few = rank < _SPARE * params.most
    at = tile[few], rank[few]
    there = np.zeros((count, _SPARE * params.most), bool)
    places, radii = np.full((*there.shape, 2), NOWHERE), np.zeros(there.shape)
    there[at], places[at], radii[at] = True, xy[few], radius[few]
    apart = np.linalg.norm(places[:, :, None] - places[:, None], axis=3)
    near = apart < np.maximum(1.3 * radii[:, None], 0.7 * radii[:, :, None])
    for i in range(1, there.shape[1]):
        there[:, i] &= ~(there[:, :i] & near[:, i, :i]).any(axis=1)
    first = np.argsort(~there, axis=1, kind="stable")[:, : params.most]
    rows = np.arange(count)[:, None]
    there = there[rows, first]
    return there, np.where(there[..., None], places[rows, first], NOWHERE), radii[rows, first]


def _measured(unlike: Unlike, there: Bools, rough_xy: Floats, rough_radius: Floats) -> Spots:
    """Outline, level, tint and ring of the spots."""
    tile, place = np.nonzero(there)
    xy, radius = rough_xy[there], rough_radius[there]
    points = xy[:, None] + np.maximum(0.6 * radius, 1.2)[:, None, None] * _CORE
    x, y = np.clip(np.rint(points), 0, TILE_PX - 1).astype(np.intp).transpose(2, 0, 1)
    level = unlike.much[tile[:, None], y, x].mean(axis=1).astype(float)
    tint = unlike.off[tile[:, None], y, x].mean(axis=1).astype(float)
    begin = np.rint(xy).astype(np.intp)[:, :, None] + _STEPS
    x, y = np.clip(begin, 0, TILE_PX - 1).transpose(1, 0, 2)
    window = unlike.much[tile[:, None, None], y[:, :, None], x[:, None]]
    # Each spot ends half way to the next one, or a touching neighbour would be part of it.
    apart = np.linalg.norm(rough_xy[tile] - xy[:, None], axis=2)
    apart[np.arange(len(tile)), place] = NOWHERE
    limit = np.minimum(1.7 * radius + 1.5, 0.53 * apart.min(axis=1, initial=NOWHERE))
    inside = (_AWAY < limit[:, None, None]) & (window > 0.5 * level[:, None, None])
    off, shape = _moments(inside)
    centre = xy + off
    ring = _ring_of(centre, shape)
    around = unlike.much[tile[:, None], ring[..., 1], ring[..., 0]]
    closed = (around < 0.5 * level[:, None]).mean(axis=1)
    size = np.linalg.det(shape) ** 0.25
    return Spots(
        there,
        _spread(there, centre, NOWHERE),
        _spread(there, shape, 0.0),
        _spread(there, size, 0.0),
        _spread(there, level, 0.0),
        _spread(there, tint, 0.0),
        _spread(there, closed, 0.0),
    )


def _moments(inside: Bools) -> tuple[Floats, Floats]:
    """Middle against the window's, and squared semi-axes of what lies inside."""
    sums = inside.reshape(len(inside), _POWERS.shape[0]).astype(np.float32) @ _POWERS
    _, x, y, xx, yy, xy = (sums / np.maximum(sums[:, :1], 1.0)).T.astype(np.float64)
    # 1/12: a pixel is a square, not a point; and what is a pixel wide still has an area.
    xx, yy, xy = xx - x**2 + 1 / 12, yy - y**2 + 1 / 12, xy - x * y
    return np.stack([x, y], 1), 4.0 * np.stack([np.stack([xx, xy], 1), np.stack([xy, yy], 1)], 1)


def _ring_of(centre: Floats, shape: Floats) -> Indices:
    """Pixels around ellipses: 1.15 radii and half a blurred edge from the middle, (m, 16, 2)."""
    half = np.sqrt(np.linalg.det(shape))[:, None, None]
    trace = np.trace(shape, axis1=1, axis2=2)[:, None, None]
    root = (shape + half * np.eye(2)) / np.sqrt(trace + 2.0 * half)
    points = centre[:, None] + 1.15 * (_RING @ root) + 0.7 * _RING
    return np.asarray(np.clip(np.rint(points), 0, TILE_PX - 1), dtype=np.intp)


def _spread(there: Bools, values: Floats, empty: float) -> Floats:
    """Values of the spots that exist, back in their places."""
    full = np.full((*there.shape, *values.shape[1:]), empty)
    full[there] = values
    return full
