# SPDX-License-Identifier: MIT
"""
The plane of the top faces as the camera sees it: how a flat die looks at every position.

All flat dice have their top faces in one plane. Its normal in the camera's axes gives the
foreshortening at every position, and which sides of a die are visible. A calibration gives the
normal. Without one it is fitted to all top faces, so that a few odd ones do not move it.
The camera's axes are right, down and ahead; normals point up, towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.face import Floats
from vision.params.checks import PlaneParams
from vision.tray_map import TrayMap


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane in front of a pinhole camera."""

    normal: Floats  # Unit normal, (3,).
    middle: Floats  # Where the camera's axis meets the picture, (2,).
    focal_px: float  # The camera's focal length.
    is_known: bool  # Whether it comes from a calibration, and not from the dice that are checked.

    def rays(self, points: Floats) -> Floats:
        """Return the slopes of the rays to these pixels, (n, 2)."""
        return np.asarray((points - self.middle) / self.focal_px)

    def downs_at(self, points: Floats) -> Floats:
        """
        Return how a die's vertical edges look at these pixels.

        Returns:
            From the upper end of each to the lower, in edges of the top face, (n, 2).
        """
        return np.asarray(project_verticals(self.normal[None], self.rays(points))[0])

    def axes_at(self, points: Floats) -> Floats:
        """
        Return how two axes of the plane look at these pixels.

        Returns:
            Two columns each, at right angles and equally long on the plane, in any unit,
            (n, 2, 2).
        """
        across = np.cross(self.normal, (0.0, 1.0, 0.0))
        across /= np.linalg.norm(across)
        axes = np.column_stack([across, np.cross(self.normal, across)])
        return np.asarray(axes[:2] - self.rays(points)[:, :, None] * axes[2])


def felt_plane(tray: TrayMap) -> Plane:
    """Return the plane of the felt of a calibrated tray."""
    middle = (np.array(tray.picture_wh) - 1.0) / 2.0
    return Plane(tray.normal(), middle, tray.focal_px, is_known=True)


def default_plane(size_wh: tuple[int, int], params: PlaneParams) -> Plane:
    """Return the plane under a camera that looks straight down, with a usual focal length."""
    middle = (np.array(size_wh) - 1.0) / 2.0
    focal_px = params.focal * max(size_wh)
    return Plane(np.array([0.0, 0.0, -1.0]), middle, focal_px, is_known=False)


def project_verticals(normals: Floats, rays: Floats) -> Floats:
    """Return a die's vertical edges on planes, in edges of its visible face, (m, k, 2)."""
    down = -normals
    steep = _steepness(normals, rays)
    across = down[:, None, :2] - rays[None] * down[:, None, 2:]
    # The face's own edge: the root of the determinant of its map to the picture.
    edge = np.sqrt(np.maximum(steep, 1e-6))
    return np.asarray(across / edge[..., None])


def is_seen_from_above(normals: Floats, rays: Floats) -> NDArray[np.bool_]:
    """Return which planes are seen from above along all rays, (m,)."""
    return np.asarray((_steepness(normals, rays) > 0.2).all(axis=1))


def _steepness(normals: Floats, rays: Floats) -> Floats:
    """Return how steeply each ray meets each plane, times the ray's length, (m, k)."""
    return np.asarray(-(normals[:, :2] @ rays.T + normals[:, 2:]))
