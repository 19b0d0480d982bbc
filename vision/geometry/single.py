# SPDX-License-Identifier: MIT
"""
Find the ones: faces of a single pip, which only their body can prove.

One round spot may be anything. It is a one when an even body lies around it and
ends, looking out from the spot in all directions, where the sides of a square
around it would be. Where a side face of the same brightness or a touching die
hides an edge, the rest of the square must carry the proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry.choose import Candidate
from vision.geometry.face import Face, root_of
from vision.geometry.pips import Bools, Floats, Pips
from vision.geometry.rectify import Pyramid, cut_out
from vision.geometry.segment import flaw_of, see_body
from vision.params import ReadParams, SingleParams

_RAYS = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
_RAYS_XY = np.stack([np.cos(_RAYS), np.sin(_RAYS)], axis=1)
_TURNS = np.linspace(0.0, np.pi / 2.0, 15, endpoint=False)

# For every turn and side of a square: how much a ray goes towards the side, the rays that
# face it within 40 degrees, and how much longer a ray is than the side is far.
_TOWARD = np.cos(_RAYS - (_TURNS[:, None, None] + np.arange(4)[:, None] * np.pi / 2.0))
_FACING = np.argsort(-_TOWARD, axis=2)[:, :, :9]
_FACING_COS = np.take_along_axis(_TOWARD, _FACING, axis=2)
_STRETCH = np.where(_TOWARD > 1e-6, 1.0 / np.maximum(_TOWARD, 1e-6), np.inf)


def find_singles(
    pyramid: Pyramid, pips: Pips, others: list[Candidate], params: ReadParams
) -> list[Candidate]:
    """
    Find all spots that may be the pip of a one.

    Args:
        pyramid: The work picture.
        pips: All spots.
        others: Faces of more pips that the picture agrees with; where one of at least
            three is sure, its pips are no ones, and its size tells what to expect.
        params: All parameters.
    """
    sure = [c for c in others if c.face.number >= 3]
    wanted = _worth_a_look(pips, sure, params.singles)
    step = float(np.median([c.face.step for c in sure])) if sure else None
    found = []
    for i in np.flatnonzero(wanted):
        face = _one(pyramid, pips, int(i), step, params.singles)
        if face is not None:
            body = see_body(cut_out(pyramid, face.center, face.axes), face, params.bodies)
            found.append(Candidate(face, body, flaw_of(face, body, params.bodies)))
    return found


def _worth_a_look(pips: Pips, sure: list[Candidate], params: SingleParams) -> Bools:
    """Spots round and closed enough, and clear enough beside the pips of the sure faces."""
    wanted = (pips.roundness > params.least_round) & (pips.closed > params.least_closed)
    wanted &= pips.clearness > params.least_clearness
    if sure:
        radius = np.median([c.face.step / c.face.step_radii for c in sure])
        low, high = params.pip_size
        wanted &= (pips.radius > low * radius) & (pips.radius < high * radius)
        for candidate in sure:
            wanted[list(candidate.face.pips)] = False
    else:
        wanted &= pips.contrast > params.lonely_contrast
    return np.asarray(wanted)


def _one(
    pyramid: Pyramid, pips: Pips, i: int, step: float | None, params: SingleParams
) -> Face | None:
    """The face of a one around this spot, if its body ends where a square's sides are."""
    root = root_of(pips.shape[i])
    # A black die on dark wood differs little from it: look for a slighter end then.
    fits = [
        _best_square(_body_ends(pyramid, pips, i, root, share, params), params)
        for share in params.end_contrasts
    ]
    square, score = max(fits, key=lambda fit: fit[1])
    low, high = params.half_edge_radii
    if not low < square.half < high:
        return None
    expected = step / pips.radius[i] * params.edge_steps / 2.0 if step is not None else np.inf
    usual = 1.0 / params.size_slack < square.half / expected < params.size_slack
    if score < (params.least_square if usual else params.least_lonely_square):
        return None
    cos, sin = np.cos(square.turn), np.sin(square.turn)
    step_radii = square.half / (params.edge_steps / 2.0)
    axes = root @ np.array([[cos, -sin], [sin, cos]]) * step_radii
    return Face(
        number=1,
        pips=(i,),
        center=pips.xy[i],
        axes=axes,
        places=np.zeros((1, 2)),
        residual=1.0 - score,
        shape=pips.shape[i],
        light=bool(pips.light[i]),
        step_radii=step_radii,
    )


@dataclass(frozen=True, slots=True)
class _Square:
    """A square around a spot: half its edge in pip radii, and its turn in radians."""

    half: float
    turn: float


def _body_ends(
    pyramid: Pyramid, pips: Pips, i: int, root: Floats, share: float, params: SingleParams
) -> Floats:
    """How far the body reaches from the spot along every ray, in pip radii."""
    radius = float(pips.radius[i])
    depth = int(
        np.clip(np.log2(max(radius / params.ray_radius_px, 1.0)), 0, len(pyramid.levels) - 1)
    )
    level = pyramid.levels[depth][:, :, :3]
    radii = np.linspace(1.35, params.half_edge_radii[1] * 1.3, 44)
    points = pips.xy[i] + (_RAYS_XY @ root)[:, None] * radii[:, None]
    at = np.rint((points + 0.5) / 2**depth - 0.5).astype(np.intp)
    outside = (at < 0).any(axis=2) | (at >= (level.shape[1], level.shape[0])).any(axis=2)
    x, y = at[..., 0].clip(0, level.shape[1] - 1), at[..., 1].clip(0, level.shape[0] - 1)
    colours = level[y, x].astype(np.float64)
    body = np.median(colours[:, radii < 2.1].reshape(-1, 3), axis=0)
    away = np.abs(colours - body).max(axis=2)
    noise = float(np.percentile(away[:, radii < 2.1], 80))
    limit = max(share * float(pips.contrast[i]), params.least_end, 2.0 * noise)
    # Two samples in a row: a scratch or a grain of noise is no end.
    beyond = (away > limit) | outside
    beyond[:, :-1] &= beyond[:, 1:]
    return np.asarray(np.where(beyond.any(axis=1), radii[beyond.argmax(axis=1)], radii[-1]))


def _best_square(ends: Floats, params: SingleParams) -> tuple[_Square, float]:
    """The square that explains best where the rays end, and the share that agrees with it."""
    sides = np.median(ends[_FACING] * _FACING_COS, axis=2)
    # A side face as bright as the top hides the edge there; the opposite one tells it.
    opposite = np.roll(sides, 2, axis=1)
    sides = np.where(sides > params.most_off_middle * opposite, opposite, sides)
    spans = sides[:, :2] + sides[:, 2:]
    halves = spans.mean(axis=1) / 2.0
    reach = (sides[:, :, None] * _STRETCH).min(axis=1)
    # Dice are rounded: no ray goes into the very corner.
    ratio = ends / np.minimum(reach, params.corner * halves[:, None])
    agree = (np.abs(ratio - 1.0) < params.square_slack).mean(axis=1)
    score = agree - (ratio < 1.0 - params.square_slack).mean(axis=1)
    score[spans.max(axis=1) > params.most_oblong * spans.min(axis=1)] = -1.0
    best = int(score.argmax())
    return _Square(float(halves[best]), float(_TURNS[best])), float(score[best])
