# SPDX-License-Identifier: MIT
"""
Fit the plane of the top faces to the faces themselves, where no calibration tells it.

Every face tells by its stretch how it is slanted, but not to which of two sides, and
leaning ones tell wrong. So all planes that a camera at a table may see are tried, and a face
that disagrees costs a plane so much and no more. What a single die can't tell is told
by habit: people look at a tray from above or from the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.doubts.params import PlaneParams
from vision.doubts.plane import (
    Plane,
    is_seen_from_above,
    plane_of,
    seen_circles,
    unknown_plane,
)
from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats
from vision.tray_map import TrayMap


def see_plane(
    tops: Sequence[Candidate],
    size_wh: tuple[int, int],
    params: PlaneParams,
    *,
    tray: TrayMap | None = None,
) -> Plane:
    """
    Return the plane of the top faces.

    Args:
        tops: All faces that were read.
        size_wh: Width and height of the picture in whose pixels they are.
        params: How the plane is found.
        tray: The calibration, for pictures of this size; it tells the plane by itself.
    """
    if tray is not None:
        return plane_of(tray)
    plane = unknown_plane(size_wh, params)
    if not tops:
        return plane
    rays = plane.rays(np.array([top.face.center for top in tops]))
    faces = _Faces(rays, seen_shapes(tops), stretch_errors(tops, params))
    normals = _coarse_normals(params)
    for _ in range(2):
        best = int(_misfit(normals, faces, params).argmin())
        plane = Plane(normals[best], plane.middle, plane.focal_px, is_known=False)
        normals = _finer_normals(normals[best], params)
    return plane


def seen_shapes(tops: Sequence[Candidate]) -> Floats:
    """Return what a circle on each looks like by pip places, outlines, edges, (k, 3, 2, 2)."""
    return np.array([_shapes(top) for top in tops])


def stretch_errors(tops: Sequence[Candidate], params: PlaneParams) -> Floats:
    """Return the errors of the stretches of these faces, as logarithms, (k,)."""
    return np.array([params.stretch_errors[top.face.number - 1] for top in tops])


def stretches(normals: Floats, rays: Floats, shapes: Floats) -> Floats:
    """
    Return by how much faces seem longer one way than on planes, as logarithms.

    Args:
        normals: Of the planes, (m, 3).
        rays: Slopes of the rays to the faces, (k, 2).
        shapes: As `seen_shapes` gives them.

    Returns:
        The middle of what the three measures of each face say, (m, k).
    """
    expected = seen_circles(normals, rays)[:, :, None]
    return np.asarray(np.sort(_stretches(expected, shapes), axis=2)[:, :, 1])


def _shapes(top: Candidate) -> list[Floats]:
    """What a circle on the face looks like by its pips' places, their outlines, its edges."""
    face, edges = top.face, top.body.edges
    right, below, left, above = np.where(np.isfinite(edges), edges, top.body.half_edge)
    quad = face.axes @ np.diag([(right + left) / 2.0, (below + above) / 2.0])
    return [face.axes @ face.axes.T, face.shape, quad @ quad.T]


def _stretches(expected: Floats, seen: Floats) -> Floats:
    """Ratio of the axes of these shapes after what is expected was undone, as a logarithm."""
    a, b, d = expected[..., 0, 0], expected[..., 0, 1], expected[..., 1, 1]
    e, f, h = seen[..., 0, 0], seen[..., 0, 1], seen[..., 1, 1]
    # Half the trace, and the determinant, of the one's inverse times the other.
    det = np.maximum((e * h - f * f) / np.maximum(a * d - b * b, 1e-12), 1e-12)
    mean = (d * e - 2.0 * b * f + a * h) / np.maximum(a * d - b * b, 1e-12) / 2.0
    spread = np.sqrt(np.maximum(mean**2 - det, 0.0))
    return np.asarray(np.log((mean + spread) ** 2 / det) / 2.0)


@dataclass(frozen=True, slots=True)
class _Faces:
    """How k faces are seen: rays to them, shapes as `seen_shapes` gives them, their errors."""

    rays: Floats
    shapes: Floats
    errors: Floats


def _misfit(normals: Floats, faces: _Faces, params: PlaneParams) -> Floats:
    """How badly each plane explains the faces; beyond a limit a face is odd, and no more, (m,)."""
    stretched = stretches(normals, faces.rays, faces.shapes) / faces.errors
    cost = np.minimum(stretched, params.odd) ** 2
    total = cost.sum(axis=1) + _unusual(normals, params) ** 2
    return np.asarray(np.where(is_seen_from_above(normals, faces.rays), total, np.inf))


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
