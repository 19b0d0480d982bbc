# SPDX-License-Identifier: MIT
"""
Find spots like pips that no read die explains.

Whatever hides a die from the finder, its pips may still be seen: spots as large, clear
and round as those of the dice beside it, spots on a thing of a die's size, and spots
beside a read face that are like its own, for half a six may read as a three.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.doubts.params import SpotParams
from vision.doubts.telling import doubt_at
from vision.doubts.things import Things
from vision.geometry.choose import Candidate
from vision.geometry.pips import Bools, Floats, Pips
from vision.reading import Doubt, DoubtKind


def spots_left(
    pips: Pips,
    tops: Sequence[Candidate],
    edge_px: float,
    params: SpotParams,
    *,
    side_faces: Sequence[Candidate] = (),
    things: Things | None = None,
) -> list[Doubt]:
    """
    Return the doubts about spots that may be pips of a die that was not read.

    Args:
        pips: Spots of the picture, or of tiles of it, in its pixels.
        tops: All faces that were read.
        edge_px: Edge of a die.
        params: What is like a pip.
        side_faces: Faces on the sides of dice.
        things: What of a die's size stands out from the ground, if somebody looked.
    """
    if not len(pips):
        return []
    on_thing = _of_pip_size(pips, edge_px, params)
    on_thing &= things.hold(pips.xy) if things else np.zeros(len(pips), dtype=np.bool_)
    if tops:
        free = _on_no_die(pips, [*tops, *side_faces], params)
        shaped = (pips.closed > params.closed) & (pips.fill > params.fill)
        left = free & shaped & (_like_pips(pips, tops, params) | on_thing)
        left |= free & _like_its_pips(pips, tops, params)
    else:
        left = on_thing | _striking(pips, params)
    spots = np.flatnonzero(left)[: params.most]
    return [doubt_at(DoubtKind.UNSURE, pips.xy[i], 4.0 * float(pips.radius[i])) for i in spots]


def _striking(pips: Pips, params: SpotParams) -> Bools:
    """Spots so clear that they may be pips although no die was read."""
    clear = (pips.contrast > params.striking_contrast) & (pips.closed > params.closed)
    return np.asarray(clear & (pips.roundness > params.least_round))


def _of_pip_size(pips: Pips, edge_px: float, params: SpotParams) -> Bools:
    """Spots that a die of this edge may have as pips."""
    low, high = params.thing_pip_edges
    size = (pips.radius > low * edge_px) & (pips.radius < high * edge_px)
    return np.asarray(size & (pips.clearness > params.thing_pip_clearness))


def _on_no_die(pips: Pips, known: Sequence[Candidate], params: SpotParams) -> Bools:
    """Spots that lie neither on a read face nor, flat and small, on a die's sides."""
    free = np.ones(len(pips), bool)
    for candidate in known:
        face = candidate.face
        place = _edges_from(candidate, pips.xy)
        flat = pips.roundness < params.side_flatness * face.roundness
        flat |= pips.radius < params.side_size * _pip_radius(candidate)
        free &= (place > params.side_edges) | ((place > params.own_edges) & ~flat)
    return free


def _like_pips(pips: Pips, tops: Sequence[Candidate], params: SpotParams) -> Bools:
    """Spots as large, clear and round as the pips that were read."""
    radius = np.median([_pip_radius(top) for top in tops])
    clearness = np.median([top.body.clearness for top in tops])
    roundness = min(top.face.roundness for top in tops)
    low, high = params.size
    like = (pips.radius > low * radius) & (pips.radius < high * radius)
    like &= pips.clearness > params.clearness * clearness
    return np.asarray(like & (pips.roundness > params.side_flatness * roundness))


def _like_its_pips(pips: Pips, tops: Sequence[Candidate], params: SpotParams) -> Bools:
    """Spots beside the pips of a read face and like them."""
    left = np.zeros(len(pips), bool)
    for top in tops:
        ratio = pips.radius / _pip_radius(top)
        like = (pips.light == top.face.light) & (_edges_from(top, pips.xy) < params.side_edges)
        like &= (ratio > params.side_size) & (ratio < 1.0 / params.side_size)
        left |= like & (pips.clearness > params.clearness * top.body.clearness)
    return left


def _pip_radius(candidate: Candidate) -> float:
    return candidate.face.step / candidate.face.step_radii


def _edges_from(candidate: Candidate, points: Floats) -> Floats:
    """How far points lie from a face's centre, along its sides, in its edges, (n,)."""
    away = np.abs(candidate.face.coordinates(points)).max(axis=1)
    return np.asarray(away / (2.0 * candidate.body.half_edge))
