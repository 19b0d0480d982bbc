# SPDX-License-Identifier: MIT
"""
Fit the plane of the top faces to the faces themselves, where no calibration tells it.

Every face tells by its stretch how it is slanted, but not to which of two sides; every body
tells by where its foot is seen how far it leans away from the line of sight, and to which. Leaning
dice tell wrong. So all planes that a camera at a table may see are tried, with several focal
lengths, and a die that disagrees costs a plane so much and no more. What a single die
can't tell is told by habit: people look at a tray from above or from the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.doubts.params import PlaneParams
from vision.doubts.plane import (
    Plane,
    is_seen_from_above,
    plane_of,
    seen_circles,
    seen_downs,
    unknown_plane,
)
from vision.geometry.choose import Candidate
from vision.geometry.pips import Floats
from vision.learned.stance import Stances
from vision.tray.map import TrayMap


def see_plane(
    tops: Sequence[Candidate],
    size_wh: tuple[int, int],
    params: PlaneParams,
    *,
    stances: Stances,
    tray: TrayMap | None = None,
) -> Plane:
    """
    Return the plane of the top faces.

    Args:
        tops: All faces that were read.
        size_wh: Width and height of the picture in whose pixels they are.
        params: How the plane is found.
        stances: Where the feet of their dice are seen, in their order.
        tray: The calibration, for pictures of this size; it tells the plane by itself.
    """
    if tray is not None:
        return plane_of(tray)
    plane = unknown_plane(size_wh, params)
    if not tops:
        return plane
    dice = _Dice(
        np.array([top.face.center for top in tops]),
        seen_shapes(tops),
        stretch_errors(tops, params),
        stances.downs,
        foot_errors(stances, params),
    )
    focals_px = plane.focal_px * np.array(params.focals)
    told = [_told_normals(replace(plane, focal_px=float(px)), dice) for px in focals_px]
    normals = np.concatenate([_coarse_normals(params), *told])
    usual_px = plane.focal_px
    plane = _likeliest(plane, normals, focals_px, usual_px, dice, params)
    for step_deg in (params.coarse_deg, params.fine_deg):
        normals = _finer_normals(plane.normal, step_deg)
        focals_px = plane.focal_px * np.array(params.finer_focals)
        plane = _likeliest(plane, normals, focals_px, usual_px, dice, params)
    return plane


def _likeliest(
    plane: Plane,
    normals: Floats,
    focals_px: Floats,
    usual_px: float,
    dice: _Dice,
    params: PlaneParams,
) -> Plane:
    """The plane of these normals, before a camera of these focal lengths, that costs least."""
    costs = [
        _misfit(normals, replace(plane, focal_px=float(px)), dice, params)
        + (np.log(px / usual_px) / params.focal_spread) ** 2
        for px in focals_px
    ]
    focal, best = np.unravel_index(int(np.argmin(costs)), (len(focals_px), len(normals)))
    return replace(plane, normal=normals[best], focal_px=float(focals_px[focal]))


def foot_errors(stances: Stances, params: PlaneParams) -> Floats:
    """Return how far wrong each foot may be seen, in edges of the top face, (k,)."""
    return np.asarray(np.hypot(stances.errors, params.foot_error))


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
class _Dice:
    """
    How k dice are seen.

    Attributes:
        centers: Middles of their top faces, (k, 2).
        shapes: As `seen_shapes` gives them.
        stretch_errors: Of these.
        downs: Ways to their feet, (k, 2).
        foot_errors: Of these.
    """

    centers: Floats
    shapes: Floats
    stretch_errors: Floats
    downs: Floats
    foot_errors: Floats


def _misfit(normals: Floats, camera: Plane, dice: _Dice, params: PlaneParams) -> Floats:
    """How badly each plane explains the dice; beyond a limit one is odd, and no more, (m,)."""
    rays = camera.rays(dice.centers)
    stretched = stretches(normals, rays, dice.shapes) / dice.stretch_errors
    off = np.linalg.norm(seen_downs(normals, rays) - dice.downs, axis=2) / dice.foot_errors
    # A die alone agrees with any foot. That tells only to which side it is slanted.
    most_off = params.odd if len(rays) > 1 else 1.0
    cost = np.minimum(stretched, params.odd) ** 2 + np.minimum(off, most_off) ** 2
    total = cost.sum(axis=1) + _unusual(normals, params) ** 2
    return np.asarray(np.where(is_seen_from_above(normals, rays), total, np.inf))


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


def _told_normals(camera: Plane, dice: _Dice) -> Floats:
    """The planes on which each die alone would lie flat by its foot, and their mean, (k + 1, 3)."""
    rays = camera.rays(dice.centers)
    normals = np.tile(camera.normal, (len(rays), 1))
    for _ in range(3):
        steep = -(np.sum(normals[:, :2] * rays, axis=1) + normals[:, 2])
        away = dice.downs * np.sqrt(np.maximum(steep, 0.2))[:, None]
        xy = normals[:, 2:] * rays - away
        # No camera at a table looks at it flatter than this.
        normals = _towards_camera(xy / np.maximum(np.linalg.norm(xy, axis=1) / 0.85, 1.0)[:, None])
    return _towards_camera(np.vstack([normals[:, :2], normals[:, :2].mean(axis=0)]))


def _finer_normals(normal: Floats, step_deg: float) -> Floats:
    """Normals around one, as far apart as a quarter of the last step, (m, 3)."""
    steps = np.deg2rad(step_deg) * np.linspace(-0.75, 0.75, 7)
    xy = normal[:2] + np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _towards_camera(xy[(xy**2).sum(axis=1) < 0.95])


def _towards_camera(xy: Floats) -> Floats:
    """Unit normals towards the camera with these first two parts."""
    return np.column_stack([xy, -np.sqrt(1.0 - (xy**2).sum(axis=1))])
