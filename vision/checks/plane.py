# SPDX-License-Identifier: MIT
"""
The plane of the top faces as the camera sees it: how a flat die looks at every position.

All flat dice have their top faces in one plane. Its normal in the camera's axes gives the
foreshortening at every position, and which sides of a die are visible. A calibration gives the
normal. Without one it is fitted to all top faces, so that a few odd ones do not move it.
The camera's axes are right, down and ahead; normals point up, towards the camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import SQUARE, Face, Floats
from vision.focal_length import split_focal
from vision.params import PlaneParams
from vision.tray_map import HAND_ERROR_MM, TrayMap


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane in front of a pinhole camera."""

    normal: Floats  # Unit normal, (3,).
    middle: Floats  # Where the camera's axis meets the picture, (2,).
    focal_px: float  # The camera's focal length.
    is_known: bool  # Whether it comes from a calibration, and not from the dice that are checked.
    pixel_aspect: float = 1.0  # Width of a pixel by its height.

    def rays(self, points: Floats) -> Floats:
        """Return the slopes of the rays to these pixels, (n, 2)."""
        return np.asarray((points - self.middle) / split_focal(self.focal_px, self.pixel_aspect))

    def downs_at(self, points: Floats) -> Floats:
        """Return a die's vertical edges at these pixels, down, in edges of its face, (n, 2)."""
        downs = project_verticals(self.normal[None], self.rays(points))[0]
        return np.asarray(downs * split_focal(1.0, self.pixel_aspect))

    def axes_at(self, points: Floats) -> Floats:
        """
        Return how two axes of the plane look at these pixels: two columns each, (n, 2, 2).

        On the plane they are at right angles and equally long, in any unit.
        """
        across = np.cross(self.normal, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across)
        axes = np.column_stack([across, np.cross(self.normal, across)])
        seen = axes[:2] - self.rays(points)[:, :, None] * axes[2]
        return np.asarray(seen * split_focal(1.0, self.pixel_aspect)[:, None])


@lru_cache(maxsize=32)  # Its pictures all have the same map, with a few focal lengths.
def felt_plane(tray: TrayMap) -> Plane:
    """Return the plane of the felt of a calibrated tray."""
    aspect = tray.pixel_aspect
    return Plane(tray.normal(), tray.middle_px, tray.focal_px, is_known=True, pixel_aspect=aspect)


def default_plane(size_wh: tuple[int, int], params: PlaneParams) -> Plane:
    """Return the plane under a camera that looks straight down, with a usual focal length."""
    middle = (np.array(size_wh) - 1.0) / 2.0
    focal_px = params.focal * max(size_wh)
    return Plane(np.array([0.0, 0.0, -1.0]), middle, focal_px, is_known=False)


def project_verticals(normals: Floats, rays: Floats) -> Floats:
    """
    Return a die's vertical edges on planes, in edges of its visible face, (m, k, 2).

    The slopes of the rays are the same for all planes, (k, 2), or those of each, (m, k, 2).
    """
    down = -normals
    steep = _steepness(normals, rays)
    across = down[:, None, :2] - rays * down[:, None, 2:]
    # The face's own edge: the root of the determinant of its map to the picture.
    edge = np.sqrt(np.maximum(steep, 1e-6))
    return np.asarray(across / edge[..., None])


def is_seen_from_above(normals: Floats, rays: Floats) -> NDArray[np.bool_]:
    """Return which planes are seen from above along all rays, (m,)."""
    return np.asarray((_steepness(normals, rays) > 0.2).all(axis=1))


def _steepness(normals: Floats, rays: Floats) -> Floats:
    """Return how steeply each ray meets each plane, times the ray's length, (m, k)."""
    return np.asarray(-((rays * normals[:, None, :2]).sum(axis=-1) + normals[:, 2:]))


def fit_plane(
    faces: Sequence[Face],
    size_wh: tuple[int, int],
    params: PlaneParams,
    *,
    tray: TrayMap | None = None,
) -> Plane:
    """
    Return the plane of the upper faces, fitted to the dice as far as no calibration gives it.

    The foot of each die shows how its body leans away from the line of sight. Cocked dice suggest
    wrong planes. So the planes of single dice are tried, with several focal lengths, and the cost
    of a die that disagrees is limited. Foreshortening is not used, because pixels that are not
    square distort all faces.

    Args:
        tray: The calibration, for pictures of this size; it gives the plane directly.
    """
    if tray is not None:
        return felt_plane(tray)
    plane = default_plane(size_wh, params)
    if not faces:
        return plane
    centers = np.array([face.center for face in faces])
    feet = np.array([face.foot for face in faces])
    errors = foot_errors(faces, params)
    best, least = plane, np.inf
    for focal in params.focals:
        camera = replace(plane, focal_px=plane.focal_px * focal)
        unusual = (np.log(focal) / params.focal_spread) ** 2
        normals = _normals_of_each(camera, centers, feet)
        for step_deg in (params.coarse_deg, params.fine_deg):
            costs = unusual + _misfit(normals, camera, centers, feet, errors, params)
            camera = replace(camera, normal=normals[int(costs.argmin())])
            if costs.min() < least:
                best, least = camera, float(costs.min())
            if least < params.good_fit * len(faces):
                return best
            normals = _normals_around(camera.normal, step_deg)
    return best


def fit_focal(faces: Sequence[Face], params: PlaneParams, tray: TrayMap) -> TrayMap:
    """
    Return a calibration whose focal length is the one within its error that suits the dice best.
    """
    if not faces or not tray.focal_error:
        return tray
    centers, feet = np.array([face.center for face in faces]), [face.foot for face in faces]
    errors = foot_errors(faces, params)
    lenses = _possible_lenses(tray, params.known_focals)
    costs = [
        unlikely**2 + _square_misfits(plane.downs_at(centers) - feet, errors, params.odd).sum()
        for unlikely, (_, plane) in zip(params.known_focals, lenses, strict=True)
    ]
    return lenses[int(np.argmin(costs))][0]


def fit_lens(faces: Sequence[Face], params: PlaneParams, tray: TrayMap) -> TrayMap:
    """
    Return a calibration with the lens that suits its felt and many dice, which lay flat, best.

    The felt alone may show a wrong lens, if its pixels are not square. What the net says of feet is
    off in common for all dice of a table: it sees them nearer to the upper faces than they are. So
    that share is found too, and many dice together count as few.
    """
    if not faces or not tray.focal_error:
        return tray
    lenses = tray.weigh_lenses(tray.felt_error_mm or HAND_ERROR_MM)
    lenses = lenses.within(params.odd**2 * params.most_dice)  # The dice can't outweigh more.
    axes_px = split_focal(lenses.focals_px, lenses.aspects)
    rays = (np.array([face.center for face in faces]) - tray.middle_px) / axes_px[:, None]
    downs = project_verticals(tray.normals(axes_px), rays)
    downs *= split_focal(1.0, lenses.aspects)[:, None]
    feet, errors = np.array([face.foot for face in faces]), foot_errors(faces, params)
    weight = min(1.0, params.most_dice / len(faces))
    by_share = [
        weight * _square_misfits(share * downs - feet, errors, params.odd).sum(axis=1)
        + (np.log(share / params.seen_share) / params.seen_spread) ** 2
        for share in params.seen_shares
    ]
    best = int(np.argmin(lenses.costs + np.min(by_share, axis=0)))
    factor = float(lenses.focals_px[best]) / tray.focal_px
    return tray.with_lens(factor, float(lenses.aspects[best]))


@lru_cache(maxsize=4)  # A camera's pictures all have the same map, which takes longer to make.
def _possible_lenses(tray: TrayMap, offs: tuple[float, ...]) -> list[tuple[TrayMap, Plane]]:
    """Return a map with its plane for each focal length, given in errors off the map's own."""
    maps = [tray.with_focal(float(np.exp(off * tray.focal_error))) for off in offs]
    return [(one, felt_plane(one)) for one in maps]


def foot_errors(faces: Sequence[Face], params: PlaneParams) -> Floats:
    """Return the error of each foot, in edges of the upper face, (k,)."""
    return np.hypot([face.foot_error for face in faces], params.foot_error)


def _misfit(
    normals: Floats,
    camera: Plane,
    centers: Floats,
    feet: Floats,
    errors: Floats,
    params: PlaneParams,
) -> Floats:
    """Return each plane's cost for the feet, (m,)."""
    rays = camera.rays(centers)
    # A single die fits any plane; it only gives the side to which the plane is slanted.
    most = params.odd if len(rays) > 1 else 1.0
    misfits = _square_misfits(project_verticals(normals, rays) - feet, errors, most)
    total = misfits.sum(axis=1) + _unusual(normals, params) ** 2
    return np.asarray(np.where(is_seen_from_above(normals, rays), total, np.inf))


def _square_misfits(off: Floats, errors: Floats, most: float) -> Floats:
    """Return the squares of disagreements (..., k, 2) in errors (k,), each limited, (..., k)."""
    return np.asarray(np.minimum(np.linalg.norm(off, axis=-1) / errors, most) ** 2)


def _unusual(normals: Floats, params: PlaneParams) -> Floats:
    """Return the cost of planes that few cameras see, in errors, (m,)."""
    tilt = np.rad2deg(np.arccos(np.clip(-normals[:, 2], -1.0, 1.0)))
    turn = np.rad2deg(np.abs(np.arctan2(normals[:, 0], -normals[:, 1])))
    beyond = np.where(turn > params.upright_deg, tilt - params.any_way_deg, 0.0)
    return np.asarray(np.maximum(beyond, 0.0) / 10.0 * params.prior_odds)


def _normals_of_each(camera: Plane, centers: Floats, feet: Floats) -> Floats:
    """Return the normals for each die alone, their mean, and the level one."""
    rays = camera.rays(centers)
    level = np.array([[0.0, 0.0, -1.0]])
    normals = np.tile(level, (len(rays), 1))
    for _ in range(3):
        steep = -(np.sum(normals[:, :2] * rays, axis=1) + normals[:, 2])
        away = feet * np.sqrt(np.maximum(steep, 0.2))[:, None]
        xy = normals[:, 2:] * rays - away
        # No camera at a table has a lower angle than this.
        normals = _towards_camera(xy / np.maximum(np.linalg.norm(xy, axis=1) / 0.85, 1.0)[:, None])
    mean = _towards_camera(normals[:, :2].mean(axis=0, keepdims=True))
    return np.vstack([normals, mean, level])


def _normals_around(normal: Floats, step_deg: float) -> Floats:
    steps = np.deg2rad(step_deg) * np.linspace(-1.0, 1.0, 5)
    xy = normal[:2] + np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    return _towards_camera(xy[(xy**2).sum(axis=1) < 0.95])


def _towards_camera(xy: Floats) -> Floats:
    return np.column_stack([xy, -np.sqrt(1.0 - (xy**2).sum(axis=1))])


def outline_dice(
    faces: Sequence[Face], plane: Plane | None, *, grown_by: float = 0.0
) -> list[Floats]:
    """
    Return the outlines of dice with their visible sides, convex polygons (n, 2) each.

    Without a plane sides are ignored; `grown_by` enlarges the outlines, in half edges.
    """
    if not faces:
        return []
    centers = np.array([face.center for face in faces])
    downs = np.zeros((len(faces), 2)) if plane is None else plane.downs_at(centers)
    outlines = []
    for face, down in zip(faces, downs, strict=True):
        upper = face.center + SQUARE @ (face.half_edges * (1.0 + grown_by)).T
        both = np.vstack([upper, upper + down * face.edge_px]).astype(np.float32)
        outlines.append(np.asarray(cv2.convexHull(both).reshape(-1, 2), dtype=np.float64))
    return outlines
