# SPDX-License-Identifier: MIT
"""
The camera of a scene: a pinhole above the felt.

The world's unit is one edge of a die, the felt is z = 0. Points are columns, (3, n). Pixels
count from the middle of the first one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scenes.spec import SceneSpec

Array = NDArray[np.float32]
STEEPEST_RAY_DEG = 68.0
CLOSE_SHARE, MOST_OF_SIDE = 0.07, (0.55, 0.45, 0.36)
"""Share of pictures of one to three dice close up, and their largest edges of the short side."""

DOME_SHARES = (0.07, 0.19)
"""Edges of dice under a dome that is whole in the picture, as shares of its short side."""

NEAREST = 0.05  # Points behind the camera are moved to this distance before it, on their side.


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Position and optics of the camera."""

    axes: NDArray[np.float64]  # Rows are the camera's right, down and forward in the world, (3, 3).
    position: NDArray[np.float64]  # Of the pinhole, in edges, (3,).
    focal_px: float  # Focal length in pixels.
    middle_px: NDArray[np.float64]  # Where the optical axis meets the picture, (2,).
    size_wh: tuple[int, int]  # The picture's size in pixels.
    edge_px: float  # Length of a die's edge in the picture's middle.

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (3, n) in the picture, (n, 2)."""
        seen = self.axes @ (points - self.position[:, None])
        ahead = np.maximum(seen[2], NEAREST)
        return np.asarray((seen[:2] / ahead * self.focal_px).T + self.middle_px)

    def rays(self, x_px: Array, y_px: Array) -> Array:
        """Return the unit directions (3, n) of pixels."""
        flat = np.stack(
            [
                (x_px - self.middle_px[0]) / self.focal_px,
                (y_px - self.middle_px[1]) / self.focal_px,
                np.ones_like(x_px),
            ]
        ).astype(np.float32)
        away = self.axes.T.astype(np.float32) @ flat
        return np.asarray(away / np.sqrt((away * away).sum(0)), dtype=np.float32)

    def plane_point(self, pixel: NDArray[np.float64], height: float) -> NDArray[np.float64]:
        """Return the point (3,) at this height under one pixel."""
        away = self.axes.T @ np.append((pixel - self.middle_px) / self.focal_px, 1.0)
        return np.asarray(self.position + away * (height - self.position[2]) / away[2])

    def plane_to_picture(self) -> NDArray[np.float64]:
        """Return the homography (3, 3) from the felt's plane into the picture."""
        lens = np.array(
            [
                [self.focal_px, 0, self.middle_px[0]],
                [0, self.focal_px, self.middle_px[1]],
                [0, 0, 1.0],
            ]
        )
        offset = self.axes @ -self.position
        return np.asarray(lens @ np.column_stack([self.axes[:, 0], self.axes[:, 1], offset]))

    def shown_ground(self) -> NDArray[np.float64]:
        """Return the picture's corners on the felt, (4, 2)."""
        wide, high = self.size_wh
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float64)
        back = np.linalg.inv(self.plane_to_picture())
        return np.asarray(cv2.perspectiveTransform(corners[None], back).reshape(-1, 2))


def draw_view(rng: Generator, size_wh: tuple[int, int], count: int, spec: SceneSpec) -> View:
    """Draw a camera that shows `count` dice large enough, without the horizon."""
    wide, high = size_wh
    long = max(size_wh)
    edge_px = _draw_edge_px(rng, size_wh, count, spec)
    focal = float(np.exp(rng.uniform(np.log(0.7), np.log(2.2)))) * long
    middle = (np.array(size_wh) - 1) / 2 + rng.normal(0, 0.03, 2) * long
    tilt_deg = spec.tilt_deg
    if tilt_deg is None:
        tilt_deg = float(rng.uniform(0, 25) if rng.random() < 0.7 else rng.uniform(25, 50))
    half_view_deg = float(np.degrees(np.arctan(np.hypot(wide, high) / 2 / focal)))
    if tilt_deg + half_view_deg > STEEPEST_RAY_DEG:
        focal = np.hypot(wide, high) / 2 / np.tan(np.radians(STEEPEST_RAY_DEG - tilt_deg))
    axes = _draw_axes(rng, np.radians(tilt_deg))
    position = np.array([0, 0, 0.5]) - axes[2] * focal / edge_px
    return View(axes, position, float(focal), middle, size_wh, edge_px)


def _draw_edge_px(rng: Generator, size_wh: tuple[int, int], count: int, spec: SceneSpec) -> float:
    scale = max(size_wh) / 640
    if spec.dome:
        return min(size_wh) * float(rng.uniform(*DOME_SHARES))
    if not spec.clear and 0 < count <= len(MOST_OF_SIDE) and rng.random() < CLOSE_SHARE:
        return min(size_wh) * float(rng.uniform(0.25, MOST_OF_SIDE[count - 1]))
    least, most = (20.0, 110.0) if spec.clear else (14.0, 110.0)
    if count <= 3 and rng.random() < 0.15:
        most = 200.0
    room = np.sqrt(size_wh[0] * size_wh[1] * 0.22 / max(count, 1)) / scale
    most = max(least * 1.3, min(most, float(room), 0.42 * min(size_wh) / scale))
    return float(np.exp(rng.uniform(np.log(least), np.log(most)))) * scale


def _draw_axes(rng: Generator, tilt: float) -> NDArray[np.float64]:
    around = rng.uniform(0, 2 * np.pi)
    forward = np.array(
        [np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), -np.cos(tilt)]
    )
    right = np.array([np.sin(around), -np.cos(around), 0.0])
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.12) if rng.random() < 0.65 else rng.uniform(0, 2 * np.pi)
    turned_right = np.cos(roll) * right + np.sin(roll) * down
    return np.stack([turned_right, np.cross(forward, turned_right), forward])


def nudge_view(rng: Generator, view: View) -> View:
    """Return the camera after a knock: turned by 0.3 to 1 degree."""
    turn = np.radians(rng.uniform(0.3, 1.0)) * rng.choice([-1, 1])
    axis = int(rng.integers(3))
    one, two = view.axes[(axis + 1) % 3], view.axes[(axis + 2) % 3]
    axes = view.axes.copy()
    axes[(axis + 1) % 3] = np.cos(turn) * one + np.sin(turn) * two
    axes[(axis + 2) % 3] = np.cos(turn) * two - np.sin(turn) * one
    return replace(view, axes=axes)
