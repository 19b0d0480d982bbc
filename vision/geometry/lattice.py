# SPDX-License-Identifier: MIT
"""
Fit the spots of one tile to the lattice of a number.

In a tile the face lies about upright, in the middle, with a known edge, give or take
what the finder errs. All numbers' patterns are symmetric about the face's middle, so
the mean of the spots is that middle; what is left is a turn, a step and a little
skew. The number is the count of spots, and the pattern has to agree with it: the
counts of a blob counter without its errors.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.cutout import FACE_PX, TILE_PX
from vision.geometry.face import Face
from vision.geometry.pips import Bools, Floats, Pips
from vision.params import LatticeParams

Members = NDArray[np.intp]

_MIDDLE = (TILE_PX - 1) / 2.0
_CORNERS = [(-1, -1), (1, 1)], [(-1, 1), (1, -1)]
_PATTERNS: dict[int, tuple[Floats, ...]] = {
    1: (np.zeros((1, 2)),),
    2: tuple(np.array(ends, float) for ends in _CORNERS),
    3: tuple(np.array([*ends, (0, 0)], float) for ends in _CORNERS),
    4: (np.array([*_CORNERS[0], *_CORNERS[1]], float),),
    5: (np.array([*_CORNERS[0], *_CORNERS[1], (0, 0)], float),),
    6: (
        np.array([*_CORNERS[0], *_CORNERS[1], (0, -1), (0, 1)], float),
        np.array([*_CORNERS[0], *_CORNERS[1], (-1, 0), (1, 0)], float),
    ),
}

_ORDERS = {n: np.array(list(permutations(range(n)))) for n in _PATTERNS}


def fit_lattice(pips: Pips, params: LatticeParams) -> tuple[list[Face], str]:
    """
    Find the faces that the spots of one tile make, with dark pips and with light ones.

    Both may fit: shine in drilled pips makes light spots within dark ones, and the corners of
    a light body are light spots too. The clearer comes first.

    Args:
        pips: The tile's spots, in tile pixels.
        params: How far lattice and tile may disagree.

    Returns:
        The faces, in tile pixels; and why there is none, in words, where there is none.
    """
    on_face = np.abs(pips.xy - _MIDDLE).max(axis=1) < params.reach_edges * FACE_PX
    strong = on_face & (pips.contrast >= params.faint * _strongest(pips, on_face))
    fits = [_fit(pips, np.flatnonzero(strong & (pips.light == k)), params) for k in (False, True)]
    faces = [fit for fit in fits if isinstance(fit, Face)]
    reasons = [fit for fit in fits if isinstance(fit, str)]
    faces.sort(key=lambda face: -_clearness(pips, face))
    return faces, max(reasons, key=len) if not faces else ""


def _strongest(pips: Pips, on_face: Bools) -> float:
    """The contrast that most of the face's spots come near to."""
    contrasts = np.sort(pips.contrast[on_face])[::-1]
    return float(contrasts[:3].mean()) if len(contrasts) else 0.0


def _clearness(pips: Pips, face: Face) -> float:
    """How clearly the pips of a face stand out as closed spots."""
    own = list(face.pips)
    return float((pips.contrast[own] * pips.closed[own] * pips.fill[own]).mean())


def _fit(pips: Pips, members: Members, params: LatticeParams) -> Face | str:
    """The face of exactly these spots, the odd ones out left aside; or why they make none."""
    members = members[_alike(pips.take(members), params)]
    if not len(members):
        return "no pips"
    if len(members) > 6:
        return f"{len(members)} pips"
    faces = [
        face
        for places in _PATTERNS[len(members)]
        if (face := _placed(pips, members, places, params)) is not None
    ]
    if not faces:
        return f"{len(members)} pips, not as those of a {len(members)} lie"
    return min(faces, key=lambda face: face.residual)


def _alike(pips: Pips, params: LatticeParams) -> Bools:
    """Spots about as large and clear as most: a scratch beside them is no pip."""
    if not len(pips):
        return np.zeros(0, bool)
    radius = float(np.median(pips.radius))
    alike = (pips.radius > radius / params.size_ratio) & (pips.radius < radius * params.size_ratio)
    return alike & (pips.contrast > params.faint * float(np.median(pips.contrast)))


def _placed(pips: Pips, members: Members, places: Floats, params: LatticeParams) -> Face | None:
    """The face with its pips on these places, if they lie so."""
    points = pips.xy[members]
    center = points.mean(axis=0)
    if np.abs(center - _MIDDLE).max() > params.off_middle_edges * FACE_PX:
        return None
    order = _assigned(points - center, places * params.step_edges * FACE_PX)
    points, members = points[order], members[order]
    axes, places = _axes(points - center, places, params)
    if axes is None:
        return None
    off = points - center - places @ axes.T
    shape = pips.shape[members].mean(axis=0)
    step = float(np.sqrt(abs(np.linalg.det(axes))))
    residual = float(np.sqrt((off**2).sum(axis=1).mean())) / step
    if residual > params.most_residual:
        return None
    return Face(
        number=len(members),
        pips=tuple(int(m) for m in members),
        center=center,
        axes=axes,
        places=places,
        residual=residual,
        shape=shape,
        light=bool(pips.light[members[0]]),
        step_radii=step / float(np.linalg.det(shape)) ** 0.25,
    )


def _assigned(points: Floats, places: Floats) -> list[int]:
    """Which point belongs to each place: the order with the least squared distance."""
    away = ((places[:, None] - points[None]) ** 2).sum(axis=2)
    best = away.argmin(axis=1)
    if len(set(best.tolist())) == len(places):
        return [int(i) for i in best]
    orders = _ORDERS[len(points)]
    costs = away[np.arange(len(points)), orders].sum(axis=1)
    return [int(i) for i in orders[costs.argmin()]]


def _axes(points: Floats, places: Floats, params: LatticeParams) -> tuple[Floats | None, Floats]:
    """Lattice steps that bring the places to the points, and the places with a six's width."""
    step_px = params.step_edges * FACE_PX
    if len(points) == 1:
        return np.eye(2) * step_px, places
    if len(points) <= 3:
        # Two ends tell a turn and a step, and no skew.
        ratio = _complex(points[1] - points[0]) / _complex(places[1] - places[0])
        axes = np.array([[ratio.real, -ratio.imag], [ratio.imag, ratio.real]])
    else:
        solved, *_ = np.linalg.lstsq(places, points, rcond=None)
        axes = np.asarray(solved.T)
    lengths = np.linalg.norm(axes, axis=0)
    if len(points) == 6:
        # The rows of a six stand as close as its maker likes.
        across = 1 if abs(places[4, 0]) < 0.5 else 0
        width = lengths[across] / max(lengths[1 - across], 1e-6)
        if not params.six_width[0] < width < params.six_width[1]:
            return None, places
        axes[:, across] /= width
        places = places * np.where(np.arange(2) == across, width, 1.0)
        lengths = np.linalg.norm(axes, axis=0)
    return (axes if _is_upright(axes, lengths, params) else None), places


def _is_upright(axes: Floats, lengths: Floats, params: LatticeParams) -> bool:
    """Whether these steps are about those of a face that lies as its tile says."""
    low, high = (share * FACE_PX for share in params.steps_edges)
    if not (low < lengths.min() and lengths.max() < high):
        return False
    if lengths.max() > params.most_skew * lengths.min():
        return False
    slant = abs(float(axes[:, 0] @ axes[:, 1])) / float(lengths.prod())
    turn = abs(np.arctan2(axes[1, 0] - axes[0, 1], axes[0, 0] + axes[1, 1]))
    return slant < params.most_slant and bool(turn < np.deg2rad(params.most_turn_deg))


def _complex(xy: Floats) -> complex:
    return complex(float(xy[0]), float(xy[1]))
