# SPDX-License-Identifier: MIT
"""
Prove that a pattern is the number of a face: all its pips alike, and all else plain.

Spots in a pattern are cheap; a five has a three and two twos in it, a side face's pips lie
beside the top's, and a highlight makes three of a two. So no spot on the face may be left that
the number does not explain, the pips must be as round as the lattice is square, the
face between them must be plain, and one or two spots must have the face's edges around them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cutout import FACE_PX, TILE_PX
from vision.geometry.params import ProofParams
from vision.geometry.patterns import Patterns, in_steps
from vision.geometry.pips import Bools, Floats
from vision.geometry.spots import Spots
from vision.geometry.unlike import Unlike

STEP_PX = FACE_PX / 4.0
"""A quarter of the face's edge: how long steps are told to be, whatever the maker's habit."""

# Half side of the square that is face for certain, in such steps: then its rounding begins.
_INNER = 1.35
_SIDE = 23
_ALONG = np.linspace(-_INNER, _INNER, _SIDE)
_GRID = np.stack(np.meshgrid(_ALONG, _ALONG), axis=2)
_PIXEL = float(_ALONG[1] - _ALONG[0])
_FEWEST = 30

# Strips from the middle outwards to the right, below, left and above: (4, 27, 11, 2).
_OUT = (np.arange(27) + 0.5) / 27 * 3.2
_STRIP = np.stack(np.meshgrid(_OUT, np.linspace(-0.65, 0.65, 11), indexing="ij"), axis=2)
_STRIPS = np.stack([_STRIP, _STRIP[..., ::-1], _STRIP * (-1, 1), (_STRIP * (-1, 1))[..., ::-1]])


@dataclass(frozen=True, slots=True)
class Pipped:
    """
    What the pips of m patterns are like, from their spots alone.

    Attributes:
        axes: The lattice's axes in steps of a usual length, in tile pixels, (m, 2, 2).
        places: Where the pips should lie in such steps, (m, 6, 2).
        shape: Their mean squared semi-axis matrix, (m, 2, 2).
        radius: Their mean radius in such steps, (m,).
        level: How unlike the face they are, (m,).
        tint: Which way, (m, 3).
        roundness: Minor against major axis on the lattice, (m,).
        faintest: The faintest against the middle one, (m,).
    """

    axes: Floats
    places: Floats
    shape: Floats
    radius: Floats
    level: Floats
    tint: Floats
    roundness: Floats
    faintest: Floats

    def take(self, which: Bools) -> Pipped:
        """Return only these."""
        return Pipped(
            self.axes[which],
            self.places[which],
            self.shape[which],
            self.radius[which],
            self.level[which],
            self.tint[which],
            self.roundness[which],
            self.faintest[which],
        )


@dataclass(frozen=True, slots=True)
class Plainness:
    """
    What m faces show besides their pips.

    Attributes:
        even: Share of the face between the pips that is face, (m,).
        spots: Strongest sign of a pip where the number has none, in the pips' levels, (m,).
        edges: Where the face ends to the right, below, left and above, in steps of a usual
            length, nan where no end was seen or none was looked for, (m, 4).
    """

    even: Floats
    spots: Floats
    edges: Floats


def see_pips(patterns: Patterns, spots: Spots) -> Pipped:
    """See what the pips of patterns are like."""
    ratio = patterns.step_px / STEP_PX
    axes = patterns.axes / ratio[:, None, None]
    shape = patterns.mean(spots.shape)
    inverse = np.linalg.inv(axes)
    held = patterns.members >= 0
    levels = np.where(held, spots.level[patterns.tile[:, None], patterns.members], np.inf)
    levels.sort(axis=1)
    # Of an even number the upper middle one, which is near enough here.
    level = np.maximum(levels[np.arange(len(patterns)), patterns.number // 2], 1.0)
    return Pipped(
        axes=axes,
        places=patterns.places * ratio[:, None, None],
        shape=shape,
        radius=np.linalg.det(shape) ** 0.25 / STEP_PX,
        level=level,
        tint=patterns.mean(spots.tint),
        roundness=_axes_ratio(inverse @ shape @ inverse.transpose(0, 2, 1)),
        faintest=levels[:, 0] / level,
    )


def flaws_of_pips(patterns: Patterns, pips: Pipped, spots: Spots, params: ProofParams) -> list[str]:
    """Return what the spots speak against each pattern, in words; empty where they do not."""
    low, high = params.radii
    high_of = np.where(patterns.number == 1, params.most_one_radius, high)
    left = _left_over(patterns, pips, spots, params).sum(axis=1)
    few, many = params.least_round
    least_round = np.where(patterns.number <= 2, few, many)
    return _first_flaws(
        len(patterns),
        ("its pips are hardly seen", pips.level < params.least_level),
        ("spots that the number does not explain", left > 0),
        ("one pip much fainter than the rest", pips.faintest < params.faint),
        ("pips of no pips' size", (pips.radius < low) | (pips.radius > high_of)),
        ("pips that are not round on their face", pips.roundness < least_round),
    )


def see_plainness(
    patterns: Patterns, pips: Pipped, unlike: Unlike, params: ProofParams
) -> Plainness:
    """See what the faces of patterns show besides their pips."""
    at = np.rint(patterns.center[:, None, None] + _GRID @ pips.axes.transpose(0, 2, 1)[:, None])
    x, y = np.clip(at, 0, TILE_PX - 1).astype(np.intp).transpose(3, 0, 1, 2)
    tile = patterns.tile[:, None, None]
    much = unlike.much[tile, y, x] / pips.level[:, None, None]
    along = _along_tint(pips, unlike.off[tile, y, x].reshape(len(patterns), _SIDE**2, 3))
    along = along.reshape(much.shape)
    away = _from_places(pips.places)
    radius = pips.radius[:, None, None]
    between = away > params.pip_reach * radius
    between |= between.sum(axis=(1, 2), keepdims=True) < _FEWEST
    is_face = np.where(along > 0.0, much < params.pip_like, much < params.glare_like)
    even = (is_face & between).sum(axis=(1, 2)) / between.sum(axis=(1, 2))
    like_pips = np.where((along > 0.0) & (away > params.pip_rim * radius), much, 0.0)
    return Plainness(
        even=even,
        spots=np.array([_strongest(*one) for one in zip(like_pips, pips.radius, strict=True)]),
        edges=_edges(patterns, pips, unlike, much, between, params),
    )


def flaws_of_faces(patterns: Patterns, plain: Plainness, params: ProofParams) -> list[str]:
    """Return what the faces speak against each pattern, in words; empty where they do not."""
    seen = np.isfinite(plain.edges).sum(axis=1)
    half_edge = np.array([half_edge_of(edges) for edges in plain.edges])
    return _first_flaws(
        len(patterns),
        ("uneven body between the pips", plain.even < params.least_even),
        ("something where this number has no pip", plain.spots > params.most_spot),
        (
            "body ends too near its pips",
            (patterns.number <= 2) & (half_edge < params.least_half_edge),
        ),
        ("no edges around it", seen < np.array(params.sides)[patterns.number - 1]),
    )


def half_edge_of(edges: Floats) -> float:
    """Half a face's edge in steps of a usual length, a usual value where no edge was seen."""
    seen = edges[np.isfinite(edges)]
    return float(np.median(seen)) if len(seen) else 1.9


def _first_flaws(count: int, *flaws: tuple[str, Bools]) -> list[str]:
    """For each of so many the first flaw that it has."""
    return [next((name for name, has in flaws if has[i]), "") for i in range(count)]


def _axes_ratio(shapes: Floats) -> Floats:
    """Minor against major axis of squared semi-axis matrices, (m,)."""
    minor, major = _squared_axes(shapes)
    return np.sqrt(minor / np.maximum(major, 1e-9))


def _squared_axes(shapes: Floats) -> tuple[Floats, Floats]:
    """Squared minor and major semi-axes, of (..., 2, 2)."""
    mean = (shapes[..., 0, 0] + shapes[..., 1, 1]) / 2.0
    spread = np.hypot((shapes[..., 0, 0] - shapes[..., 1, 1]) / 2.0, shapes[..., 0, 1])
    return np.maximum(mean - spread, 0.0), mean + spread


def _left_over(patterns: Patterns, pips: Pipped, spots: Spots, params: ProofParams) -> Bools:
    """Which spots each pattern leaves that must be pips if it is a number, (m, k)."""
    tile, number = patterns.tile, patterns.number[:, None]
    stray = spots.there[tile].copy()
    rows, held = np.nonzero(patterns.members >= 0)
    stray[rows, patterns.members[rows, held]] = False
    size = spots.radius[tile] / (pips.radius * STEP_PX)[:, None]
    low, high = params.stray_sizes
    stray &= spots.level[tile] > params.stray_level * pips.level[:, None]
    # Shine on a dark face is no pip, if the pips are dark too.
    stray &= (size > low) & (size < high) & (_along_tint(pips, spots.tint[tile]) > 0.0)
    steps = in_steps(spots, tile, patterns.center, patterns.axes)
    within = np.where(number == 1, params.one_steps, params.pattern_steps)
    left = (np.abs(steps).max(axis=2) < within) & (spots.closed[tile] >= params.stray_closed)
    proposed = spots.from_middle[tile] < params.proposed_edges * FACE_PX
    goes_on = _goes_on(patterns, steps)
    twin = stray & _are_twins(patterns, pips, spots, size, params)
    clear_twin = twin & (spots.closed[tile] >= params.twin_closed)
    left |= clear_twin & (number <= 3) & (proposed | goes_on)
    # Beside the two columns of a four may be the third of a six, which is two more.
    third = twin & (number == 4) & proposed & goes_on
    return np.asarray((stray & left) | (third & (third.sum(axis=1, keepdims=True) >= 2)))


def _are_twins(
    patterns: Patterns, pips: Pipped, spots: Spots, size: Floats, params: ProofParams
) -> Bools:
    """Which spots look just like the pips; a side's are flat, a corner has its colour, (m, k)."""
    own, minor = _squared_axes(spots.shape[patterns.tile])[0], _squared_axes(pips.shape)[0]
    flatness = np.sqrt(own / np.maximum(minor, 1e-9)[:, None])
    alike = (flatness > 1.0 / params.twin_size) & (np.maximum(flatness, size) < params.twin_size)
    apart = ((spots.tint[patterns.tile] - pips.tint[:, None]) ** 2).sum(axis=2)
    strength = (pips.tint**2).sum(axis=1)
    return np.asarray(alike & (apart < params.twin_tint**2 * strength[:, None]))


def _goes_on(patterns: Patterns, steps: Floats) -> Bools:
    """Which spots lie where a two, three or four would go on, (m, k): part of a larger number's."""
    next_one = np.where(patterns.number == 2, 3.0, 2.0)[:, None] * patterns.places[:, 1]
    away = [np.abs(steps + way * next_one[:, None]).max(axis=2) for way in (-1.0, 1.0)]
    in_row = np.minimum(*away) < 0.45
    beside = np.abs(np.sort(np.abs(steps), axis=2) - (1.0, 3.0)).max(axis=2) < 0.45
    return np.asarray(np.where((patterns.number == 4)[:, None], beside, in_row), dtype=bool)


def _along_tint(pips: Pipped, off: Floats | NDArray[np.float32]) -> Floats:
    """
    How far colours (m, k, 3) differ from the face in the way that the pips do, (m, k).

    Bare drilled pips are half shade and half shine: their way says nothing, so any counts.
    """
    along = np.einsum("mkc,mc->mk", off, pips.tint)
    has_way = np.linalg.norm(pips.tint, axis=1) > 0.5 * pips.level
    return np.where(has_way[:, None], along, 1.0)


def _from_places(places: Floats) -> Floats:
    """How far every place of a face is from its nearest pip, in steps, (m, side, side)."""
    across = (_ALONG - places[:, :, :1]) ** 2
    down = (_ALONG - places[:, :, 1:]) ** 2
    return np.asarray(np.sqrt((across[:, :, None] + down[..., None]).min(axis=1)))


def _strongest(like_pips: Floats, radius: float) -> float:
    """Most pip-like mean over a disc of pip size that lies wholly on the face."""
    side = max(3, round(1.6 * radius / _PIXEL))
    mean = cv2.blur(like_pips.astype(np.float32), (side, side))
    rim = side // 2
    return float(mean[rim : _SIDE - rim, rim : _SIDE - rim].max(initial=0.0))


def _edges(
    patterns: Patterns,
    pips: Pipped,
    unlike: Unlike,
    much: Floats,
    between: Bools,
    params: ProofParams,
) -> Floats:
    """Where the faces end that must be seen to, (m, 4)."""
    edges = np.full((len(patterns), 4), np.nan)
    asked = np.flatnonzero(np.array(params.sides)[patterns.number - 1] > 0)
    clear = np.maximum(params.edge_level * pips.level[asked], params.least_edge)
    # A black die on dark wood: little, but more than the face differs within itself.
    inner = np.sort(np.where(between, much, np.inf)[asked].reshape(len(asked), _SIDE**2), axis=1)
    most = 0.9 * between[asked].sum(axis=(1, 2))
    noise = inner[np.arange(len(asked)), most.astype(np.intp)]
    slight = np.maximum(2.0 * noise * pips.level[asked], params.least_edge)
    turned = pips.axes[asked].transpose(0, 2, 1)[:, None, None]
    at = np.rint(patterns.center[asked][:, None, None, None] + _STRIPS @ turned)
    x, y = np.clip(at, 0, TILE_PX - 1).astype(np.intp).transpose(4, 0, 1, 2, 3)
    profiles = np.median(unlike.much[patterns.tile[asked][:, None, None, None], y, x], axis=3)
    ends = _first_beyond(profiles, clear)
    edges[asked] = np.where(np.isnan(ends), _first_beyond(profiles, slight), ends)
    return edges


def _first_beyond(profiles: NDArray[np.float32], limits: Floats) -> Floats:
    """How far out each profile first exceeds its face's limit, or nan, (m, 4)."""
    beyond = (profiles > limits[:, None, None]) & (_OUT > _INNER)
    return np.where(beyond.any(axis=2), _OUT[beyond.argmax(axis=2)], np.nan)
