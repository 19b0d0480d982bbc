# SPDX-License-Identifier: MIT
"""A pinhole camera over the tray: from felt millimetres to pixels and back to the felt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.pose import Vector

HEIGHT_MM = 450.0
_BACK_MM = 26.0  # Offset of the camera towards the viewer: no camera is mounted exactly upright.
_SEEN_WIDTH_MM = 342.0  # Width of the felt plane that the picture shows.
_FALLOFF = 0.2  # Share of the light that is missing in the picture's corners.


class Lens:
    """
    Projects points of the tray to pixels.

    The camera is moved along x and y (or the tray the other way); its direction is unchanged.
    """

    def __init__(
        self, size_wh: tuple[int, int], *, moved_mm: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        self.size_wh = size_wh
        self.eye_mm = np.array([0.0, -_BACK_MM, HEIGHT_MM])
        forward = -self.eye_mm / np.linalg.norm(self.eye_mm)
        right = np.array([1.0, 0.0, 0.0])
        down = np.cross(forward, right)
        turn = np.stack([right, down, forward])
        focal_px = size_wh[0] * float(np.linalg.norm(self.eye_mm)) / _SEEN_WIDTH_MM
        middle = (np.array(size_wh) - 1.0) / 2.0
        inner = np.array([(focal_px, 0.0, middle[0]), (0.0, focal_px, middle[1]), (0, 0, 1)])
        self.eye_mm += (*moved_mm, 0.0)
        self._to_px: NDArray[np.float64] = inner @ np.column_stack([turn, -turn @ self.eye_mm])

    def project(self, points_mm: Vector) -> Vector:
        """Return the pixels, shape (n, 2), of points, shape (n, 3)."""
        seen = points_mm @ self._to_px[:, :3].T + self._to_px[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def plane_to_px(self, origin_mm: Vector, u_mm: Vector, v_mm: Vector) -> NDArray[np.float64]:
        """Return the homography, shape (3, 3), that takes (u, v) on a plane to pixels."""
        corner = self._to_px[:, :3] @ origin_mm + self._to_px[:, 3]
        return np.column_stack([self._to_px[:, :3] @ u_mm, self._to_px[:, :3] @ v_mm, corner])

    def brightness(self, places_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the share of the light at pixels, shape (..., 2): 1 in the middle."""
        half = (np.array(self.size_wh) - 1.0) / 2.0
        off = (places_px - half) / np.hypot(*half)
        return np.asarray(1.0 - _FALLOFF * (off**2).sum(axis=-1))
