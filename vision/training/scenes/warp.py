# SPDX-License-Identifier: MIT
"""
The distortion of lens and sensor: bent lines, and pixels that are not square.

The scene is rendered by a pinhole camera with square pixels, and resampled once. This happens
before exposure, so noise and compression are those of the final picture. Points move by the
inverse of the same formula, so the truth stays exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scenes.spec import SceneSpec

Points = NDArray[np.float64]
_Level = TypeVar("_Level", np.float32, np.int16)
ROUNDS = 12  # Newton steps to invert the bend; four reach 1e-9 inside the picture.


@dataclass(frozen=True, slots=True)
class Warp:
    """
    The mapping from the rendered picture to the final one.

    A final pixel at radius r, in half diagonals of the rendered picture, shows the rendered
    point at radius r * (1 + bend * r * r) / zoom.
    """

    size_wh: tuple[int, int]  # Size of the final picture.
    inner_wh: tuple[int, int]  # Size of the rendered one; its pixels are square.
    bend: float = 0.0  # > 0 for a barrel, < 0 for a pincushion, 0 for straight lines.

    @property
    def is_identity(self) -> bool:
        """Whether the two pictures are the same."""
        return self.size_wh == self.inner_wh and self.bend == 0

    def move(self, points: Points) -> Points:
        """Return points (n, 2) of the rendered picture in the final one."""
        if self.is_identity:
            return points
        middle, reach = self._circle()
        away = (points - middle) / reach
        bent = np.linalg.norm(away, axis=1) * self._zoom()
        radius = bent.copy()
        for _ in range(ROUNDS if self.bend else 0):
            slope = np.maximum(1 + 3 * self.bend * radius**2, 0.1)
            radius -= (radius * (1 + self.bend * radius**2) - bent) / slope
        scale = np.where(bent > 1e-9, radius / np.maximum(bent, 1e-9), 1.0) * self._zoom()
        square = middle + away * scale[:, None] * reach
        return np.asarray((square + 0.5) * self._stretch() - 0.5)

    def picture(self, linear: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the final picture (h, w, 3) of a rendered one."""
        return linear if self.is_identity else self._resample(linear, cv2.INTER_LINEAR)

    def owner(self, owner: NDArray[np.int16]) -> NDArray[np.int16]:
        """Return the owners of the final picture's pixels, (h, w)."""
        return owner if self.is_identity else self._resample(owner, cv2.INTER_NEAREST)

    def _resample(self, rendered: NDArray[_Level], how: int) -> NDArray[_Level]:
        middle, reach = self._circle()
        (wide, high), stretch = self.size_wh, self._stretch()
        x = (((np.arange(wide) + 0.5) / stretch[0] - 0.5 - middle[0]) / reach).astype(np.float32)
        y = (((np.arange(high) + 0.5) / stretch[1] - 0.5 - middle[1]) / reach).astype(np.float32)
        squared = x[None] ** 2 + y[:, None] ** 2
        scale = (1 + np.float32(self.bend) * squared) * np.float32(reach / self._zoom())
        columns, rows = x[None] * scale + middle[0], y[:, None] * scale + middle[1]
        x_px, y_px = columns.astype(np.float32), rows.astype(np.float32)
        found = cv2.remap(rendered, x_px, y_px, how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, rendered.dtype)

    def _circle(self) -> tuple[Points, float]:
        """Return the middle (2,) of the rendered picture and half its diagonal."""
        size = np.array(self.inner_wh, dtype=np.float64)
        return (size - 1) / 2, float(np.hypot(*size) / 2)

    def _stretch(self) -> Points:
        return np.array(self.size_wh, dtype=np.float64) / self.inner_wh

    def _zoom(self) -> float:
        nearest = min(self.inner_wh) / float(np.hypot(*self.inner_wh))
        return 1 + max(self.bend, self.bend * nearest**2)


def draw_warp(rng: Generator, size_wh: tuple[int, int], spec: SceneSpec) -> Warp:
    """Draw a distortion: 12 % have pixels that are not square, 15 % are bent."""
    inner_wh, bend = size_wh, 0.0
    if rng.random() < 0.12:
        root = float(np.exp(rng.uniform(np.log(0.75), np.log(1.33)) / 2))
        inner_wh = (round(size_wh[0] * root), round(size_wh[1] / root))
    # A bend moves the picture's border, and with it the share of a die that is cut off.
    if rng.random() < 0.15 and spec.doubt != "cut off":
        bend = float(rng.uniform(-0.06, 0.1 if spec.clear else 0.25))
    return Warp(size_wh, inner_wh, bend)


def draw_pixels(rng: Generator, warp: Warp) -> Warp:
    """Return the warp; in a third of all tables, the pixels are up to 3 % wider than high."""
    if warp.inner_wh != warp.size_wh or rng.random() > 0.38:
        return warp
    root = float(np.exp(rng.choice([-1, 1]) * rng.uniform(0.01, 0.03) / 2))
    wide, high = warp.size_wh
    return replace(warp, inner_wh=(round(wide * root), round(high / root)))
