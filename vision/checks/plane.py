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
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import SQUARE, Face, Floats
from vision.focal_length import split_focal
from vision.tray_map import HAND_ERROR_MM, TrayMap

# If no calibration gives the plane of the upper faces:
_FOCAL = 1.2  # Focal length of a usual camera in long sides of the picture.
_FOCALS = (1.0, 0.65, 1.6)  # Tried, in usual focal lengths.
_FOCAL_SPREAD = 0.6  # How unlike the usual one a focal length is, as a logarithm.
# How far off a flat die's foot is seen besides what the net claims, in edges: lenses bend, dice are
# no perfect cubes.
_FOOT_ERROR = 0.04
# Distance of the tilts that are tried around each die's own plane, and around the best of them.
_STEPS_DEG = (4.0, 1.5)
_GOOD_FIT = 1.0  # Mean squared misfit, in errors, below which no other plane is tried.
# How far, in its own errors, a die may disagree with the plane before it counts as odd, and not as
# more than that.
_ODD = 3.0
# So far a camera may be tilted to any side; farther only towards a viewer who sees the far side of
# the felt on top.
_ANY_WAY_DEG = 20.0
_UPRIGHT_DEG = 50.0  # How far that way may be turned from straight up.
_PRIOR_ODDS = 2.0  # Errors that a plane costs for every 10 degrees beyond these.
# Focal lengths that are tried with a calibration, in its errors.
_KNOWN_FOCALS = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0)
# With many dice of one table: shares of a foot's distance that the net may see, the usual one, the
# deviation of its logarithm between tables, and how many independent dice these are worth.
_SEEN_SHARES = (
    *(0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85),
    *(0.9, 0.95, 1.0, 1.05, 1.1, 1.15),
)
_SEEN_SHARE = 0.9
_SEEN_SPREAD = 0.15
_MOST_DICE = 6.0


# Without slots, because the axes are found once for each plane.
@dataclass(frozen=True)
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
        seen = self._axes[:2] - self.rays(points)[:, :, None] * self._axes[2]
        return np.asarray(seen * split_focal(1.0, self.pixel_aspect)[:, None])

    @cached_property
    def _axes(self) -> Floats:
        """Return two axes of it in the camera's, (3, 2)."""
        across = np.cross(self.normal, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across)
        return np.column_stack([across, np.cross(self.normal, across)])


@lru_cache(maxsize=32)  # Its pictures all have the same map, with a few focal lengths.
def felt_plane(tray: TrayMap) -> Plane:
    """Return the plane of the felt of a calibrated tray."""
    aspect = tray.pixel_aspect
    return Plane(tray.normal(), tray.middle_px, tray.focal_px, is_known=True, pixel_aspect=aspect)


def default_plane(size_wh: tuple[int, int]) -> Plane:
    """Return the plane under a camera that looks straight down, with a usual focal length."""
    middle = (np.array(size_wh) - 1.0) / 2.0
    focal_px = _FOCAL * max(size_wh)
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
    faces: Sequence[Face], size_wh: tuple[int, int], *, tray: TrayMap | None = None
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
    plane = default_plane(size_wh)
    if not faces:
        return plane
    centers = np.array([face.center for face in faces])
    feet = np.array([face.foot for face in faces])
    errors = foot_errors(faces)
    best, least = plane, np.inf
    for focal in _FOCALS:
        camera = replace(plane, focal_px=plane.focal_px * focal)
        unusual = (np.log(focal) / _FOCAL_SPREAD) ** 2
        normals = _normals_of_each(camera, centers, feet)
        for step_deg in _STEPS_DEG:
            costs = unusual + _misfit(normals, camera, centers, feet, errors)
            camera = replace(camera, normal=normals[int(costs.argmin())])
            if costs.min() < least:
                best, least = camera, float(costs.min())
            if least < _GOOD_FIT * len(faces):
                return best
            normals = _normals_around(camera.normal, step_deg)
    return best


def fit_focal(
    faces: Sequence[Face], tray: TrayMap, *, known_focals: Sequence[float] = _KNOWN_FOCALS
) -> TrayMap:
    """
    Return a calibration whose focal length is the one within its error that suits the dice best.

    `known_focals` are tried, in errors off its own.
    """
    if not faces or not tray.focal_error:
        return tray
    offs = np.array(known_focals)
    factors = np.exp(offs * tray.focal_error)
    downs = _downs_through(faces, tray, tray.focal_px * factors, np.array(tray.pixel_aspect))
    feet, errors = np.array([face.foot for face in faces]), foot_errors(faces)
    costs = offs**2 + _square_misfits(downs - feet, errors, _ODD).sum(axis=1)
    return tray.with_lens(float(factors[costs.argmin()]))


def fit_lens(faces: Sequence[Face], tray: TrayMap) -> TrayMap:
    """
    Return a calibration with the lens that suits its felt and many dice, which lay flat, best.

    The felt alone may show a wrong lens, if its pixels are not square. What the net says of feet is
    off in common for all dice of a table: it sees them nearer to the upper faces than they are. So
    that share is found too, and many dice together count as few.
    """
    if not faces or not tray.focal_error:
        return tray
    lenses = tray.weigh_lenses(tray.felt_error_mm or HAND_ERROR_MM)
    lenses = lenses.within(_ODD**2 * _MOST_DICE)  # The dice can't outweigh more.
    downs = _downs_through(faces, tray, lenses.focals_px, lenses.aspects)
    feet, errors = np.array([face.foot for face in faces]), foot_errors(faces)
    weight = min(1.0, _MOST_DICE / len(faces))
    by_share = [
        weight * _square_misfits(share * downs - feet, errors, _ODD).sum(axis=1)
        + (np.log(share / _SEEN_SHARE) / _SEEN_SPREAD) ** 2
        for share in _SEEN_SHARES
    ]
    best = int(np.argmin(lenses.costs + np.min(by_share, axis=0)))
    factor = float(lenses.focals_px[best]) / tray.focal_px
    return tray.with_lens(factor, float(lenses.aspects[best]))


def _downs_through(
    faces: Sequence[Face], tray: TrayMap, focals_px: Floats, aspects: Floats
) -> Floats:
    """Return the vertical edges of dice through each lens, as `Plane.downs_at` does, (m, k, 2)."""
    axes_px = split_focal(focals_px, aspects)
    rays = (np.array([face.center for face in faces]) - tray.middle_px) / axes_px[:, None]
    downs = project_verticals(tray.normals(axes_px), rays)
    return np.asarray(downs * split_focal(1.0, aspects)[..., None, :])


def foot_errors(faces: Sequence[Face]) -> Floats:
    """Return the error of each foot, in edges of the upper face, (k,)."""
    return np.hypot([face.foot_error for face in faces], _FOOT_ERROR)


def _misfit(
    normals: Floats, camera: Plane, centers: Floats, feet: Floats, errors: Floats
) -> Floats:
    """Return each plane's cost for the feet, (m,)."""
    rays = camera.rays(centers)
    # A single die fits any plane; it only gives the side to which the plane is slanted.
    most = _ODD if len(rays) > 1 else 1.0
    misfits = _square_misfits(project_verticals(normals, rays) - feet, errors, most)
    total = misfits.sum(axis=1) + _unusual(normals) ** 2
    return np.asarray(np.where(is_seen_from_above(normals, rays), total, np.inf))


def _square_misfits(off: Floats, errors: Floats, most: float) -> Floats:
    """Return the squares of disagreements (..., k, 2) in errors (k,), each limited, (..., k)."""
    return np.asarray(np.minimum(np.linalg.norm(off, axis=-1) / errors, most) ** 2)


def _unusual(normals: Floats) -> Floats:
    """Return the cost of planes that few cameras see, in errors, (m,)."""
    tilt = np.rad2deg(np.arccos(np.clip(-normals[:, 2], -1.0, 1.0)))
    turn = np.rad2deg(np.abs(np.arctan2(normals[:, 0], -normals[:, 1])))
    beyond = np.where(turn > _UPRIGHT_DEG, tilt - _ANY_WAY_DEG, 0.0)
    return np.asarray(np.maximum(beyond, 0.0) / 10.0 * _PRIOR_ODDS)


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
