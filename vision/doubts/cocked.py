# SPDX-License-Identifier: MIT
"""
Find dice that lean: they do not look as a flat die looks at their place.

Two things tell a lean. A face is foreshortened otherwise than the plane of the flat dice
is there, by the places of its pips, their outlines and its edges alike. And its sides
show where, or farther than, a flat die's sides do; this tells a few degrees also from
straight above, where foreshortening tells nothing. Each is counted in its own errors.

With a calibrated tray every die is tested by itself. Without, the plane is fitted to
the dice; where one or two lie alone, a plane counts as it should only if a camera may
reasonably look at it so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.doubts.body import half_edges_of
from vision.doubts.params import DoubtParams, LeanParams, PlaneParams
from vision.doubts.plane import (
    Plane,
    is_seen_from_above,
    plane_of,
    seen_circles,
    seen_downs,
    unknown_plane,
)
from vision.doubts.sides import WAYS, Sides, no_sides, see_sides
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.geometry.pips import Bools, Floats
from vision.tray_map import TrayMap


@dataclass(frozen=True, slots=True)
class _Looks:
    """
    What tells how k faces are slanted.

    Attributes:
        rays: Slopes of the rays to them, (k, 2).
        shapes: What a circle on each looks like by pip places, by outlines, by edges, up to
            scale, (k, 3, 2, 2).
        shape_errors: Of the stretch, (k,).
        sides: How far each side of the body shows.
        to_faces: From edges in the picture to edges of each face, (k, 2, 2).
    """

    rays: Floats
    shapes: Floats
    shape_errors: Floats
    sides: Sides
    to_faces: Floats


def find_cocked(
    image_bgr: Image,
    tops: Sequence[Candidate],
    params: DoubtParams,
    *,
    odds: Sequence[float] = (),
    tray: TrayMap | None = None,
) -> list[Candidate]:
    """
    Return the top faces that do not lie as a flat die's do.

    Args:
        image_bgr: The picture in whose pixels the faces are.
        tops: All faces that were read.
        params: What a lean is.
        odds: How odd each of them seems to somebody else, 0 to 1, in their order; none where
            nobody was asked. What their sides show then says nothing by itself.
        tray: The calibration, for pictures of this size.
    """
    if not tops:
        return []
    height, width = image_bgr.shape[:2]
    plane = plane_of(tray) if tray else unknown_plane((width, height), params.planes)
    seem_odd = np.array(odds or [0.0] * len(tops)) > params.leans.supporting_odds
    sides = see_sides(image_bgr, tops, params.sides) if seem_odd.any() else no_sides(len(tops))
    looks = _looks(tops, plane, sides, params.leans)
    if tray is None:
        plane = _fitted(plane, looks, params)
    stretches, excesses = _disagreements(plane.normal[None], looks)
    leans = stretches[0] > params.leans.sure * looks.shape_errors
    leans |= seem_odd & _shows_other_sides(excesses[0], sides, params.leans)
    if tray is None and len(tops) == 2 and leans.any():
        # Two that contradict each other: which of them is flat nobody can tell.
        return list(tops)
    return [top for top, lean in zip(tops, leans, strict=True) if lean]


def _shows_other_sides(excesses: Floats, sides: Sides, params: LeanParams) -> Bools:
    """Which dice show more of a side, or less, than a flat die there does, (k,)."""
    longer = np.sin(np.deg2rad(params.limit_deg)) + params.side_error
    shorter = sides.is_whole & (excesses.min(axis=1) < -params.short_side)
    return np.asarray((excesses.max(axis=1) > longer) | shorter)


def _looks(tops: Sequence[Candidate], plane: Plane, sides: Sides, params: LeanParams) -> _Looks:
    centers = np.array([top.face.center for top in tops])
    halves = np.array([half_edges_of(top) for top in tops])
    edges = 2.0 * np.sqrt(np.abs(np.linalg.det(halves)))
    return _Looks(
        rays=plane.rays(centers),
        shapes=np.array([_seen_shapes(top) for top in tops]),
        shape_errors=np.array([params.shape_errors[top.face.number - 1] for top in tops]),
        sides=sides,
        to_faces=np.linalg.inv(halves / (edges[:, None, None] / 2.0)),
    )


def _seen_shapes(top: Candidate) -> list[Floats]:
    """What a circle on the face looks like by its pips' places, their outlines, its edges."""
    face, edges = top.face, top.body.edges
    right, below, left, above = np.where(np.isfinite(edges), edges, top.body.half_edge)
    quad = face.axes @ np.diag([(right + left) / 2.0, (below + above) / 2.0])
    return [face.axes @ face.axes.T, face.shape, quad @ quad.T]


def _disagreements(normals: Floats, looks: _Looks) -> tuple[Floats, Floats]:
    """
    How dice disagree with planes.

    Returns:
        By how much each face seems longer one way than on each plane, as a logarithm, the
        middle of what its three measures say, (m, k); and how much farther each side shows than
        on it, negative where less far, 0 where nothing is told, (m, k, 4).
    """
    expected = seen_circles(normals, looks.rays)[:, :, None]
    stretches = np.sort(_stretches(expected, looks.shapes), axis=2)[:, :, 1]
    downs = np.einsum("kij,mkj->mki", looks.to_faces, seen_downs(normals, looks.rays))
    shown = np.maximum(downs @ WAYS.T, 0.0)
    return np.asarray(stretches), np.nan_to_num(looks.sides.lengths - shown, nan=0.0)


def _stretches(expected: Floats, seen: Floats) -> Floats:
    """Ratio of the axes of these shapes after what is expected was undone, as a logarithm."""
    a, b, d = expected[..., 0, 0], expected[..., 0, 1], expected[..., 1, 1]
    e, f, h = seen[..., 0, 0], seen[..., 0, 1], seen[..., 1, 1]
    # Half the trace, and the determinant, of the one's inverse times the other.
    det = np.maximum((e * h - f * f) / np.maximum(a * d - b * b, 1e-12), 1e-12)
    mean = (d * e - 2.0 * b * f + a * h) / np.maximum(a * d - b * b, 1e-12) / 2.0
    spread = np.sqrt(np.maximum(mean**2 - det, 0.0))
    return np.asarray(np.log((mean + spread) ** 2 / det) / 2.0)


def _fitted(plane: Plane, looks: _Looks, params: DoubtParams) -> Plane:
    """The plane that agrees with most of the dice."""
    limits = params.planes
    normals = _coarse_normals(limits)
    best = int(_misfit(normals, looks, params).argmin())
    normals = _finer_normals(normals[best], limits)
    best = int(_misfit(normals, looks, params).argmin())
    return Plane(normals[best], plane.middle, plane.focal_px)


def _misfit(normals: Floats, looks: _Looks, params: DoubtParams) -> Floats:
    """How badly each plane explains the dice; beyond a limit a die is odd, and no more."""
    odd = params.planes.odd
    stretches, excesses = _disagreements(normals, looks)
    # Shade hides a side sooner than anything adds to it.
    short = np.where(looks.sides.is_whole[:, None], -0.4 * excesses, -0.1 * excesses)
    excesses = np.maximum(excesses, short).max(axis=2) / params.leans.side_error
    cost = np.minimum(stretches / looks.shape_errors, odd) ** 2 + np.minimum(excesses, odd) ** 2
    total = cost.sum(axis=1) + _unusual(normals, params.planes) ** 2
    return np.asarray(np.where(is_seen_from_above(normals, looks.rays), total, np.inf))


def _unusual(normals: Floats, params: PlaneParams) -> Floats:
    """What a plane costs that few cameras would see so, in errors, (m,)."""
    tilt = np.rad2deg(np.arccos(np.clip(-normals[:, 2], -1.0, 1.0)))
    turn = np.rad2deg(np.abs(np.arctan2(normals[:, 0], -normals[:, 1])))
    beyond = np.where(turn > params.upright_deg, tilt - params.any_way_deg, 0.0)
    return np.asarray(np.maximum(beyond, 0.0) / 10.0 * params.prior_odds)


def _coarse_normals(params: PlaneParams) -> Floats:
    """Normals all over the cap of tilts that a camera at a table has, (m, 3)."""
    reach = np.sin(np.deg2rad(params.most_tilt_deg))
    steps = np.arange(-reach, reach + 1e-6, np.deg2rad(params.coarse_deg))
    xy = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _towards_camera(xy[(xy**2).sum(axis=1) <= reach**2])


def _finer_normals(normal: Floats, params: PlaneParams) -> Floats:
    """Normals around one, (m, 3)."""
    steps = np.deg2rad(params.coarse_deg) * np.linspace(-0.75, 0.75, 7)
    xy = normal[:2] + np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _towards_camera(xy[(xy**2).sum(axis=1) < 0.95])


def _towards_camera(xy: Floats) -> Floats:
    """Unit normals towards the camera with these first two parts."""
    return np.column_stack([xy, -np.sqrt(1.0 - (xy**2).sum(axis=1))])
