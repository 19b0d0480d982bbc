# SPDX-License-Identifier: MIT
"""
A pinhole camera above a plane of dice, which projects faces and feet exactly.

The reader's own plane takes shortcuts (`vision.checks.plane`), so nothing of it is used here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.face import Face, edge_of
from vision.tray_map import TrayMap

Floats = NDArray[np.float64]

SIZE_WH = (1280, 720)
DIE_EDGE_MM = 16.0

FIVE_MM = ((-90.0, -45.0), (80.0, -50.0), (5.0, 10.0), (-70.0, 55.0), (95.0, 40.0))
"""Positions of five dice on the felt."""


@dataclass(frozen=True, slots=True)
class Lean:
    """How far a die leans, and to which side, in degrees from the felt's first axis."""

    angle_deg: float
    side_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Pinhole:
    """A camera that looks at the middle of the felt."""

    tilt_deg: float = 0.0  # From straight above.
    turn_deg: float = 0.0  # Of the picture; at 0 the far side of the felt is on top.
    focal: float = 1.2  # In long sides of the picture.
    away_mm: float = 420.0
    squeeze: float = 1.0  # Width of the picture's pixels against their height.

    def face(
        self, at_mm: Sequence[float], lean: Lean | None = None, *, error: float = 0.03
    ) -> Face:
        """Return the upper face of a die that stands here, flat or leaning around its foot."""
        lean = lean or Lean(0.0)
        right, up_picture, up = self._axes()
        side = np.deg2rad(lean.side_deg)
        sideways = np.cos(side) * right + np.sin(side) * up_picture
        angle = np.deg2rad(lean.angle_deg)
        axis = np.cos(angle) * up + np.sin(angle) * sideways
        first = np.cross(sideways, up)
        second = np.cos(angle) * sideways - np.sin(angle) * up
        felt = self._felt(at_mm)
        top = felt + DIE_EDGE_MM * axis
        center, foot = self.project(np.stack([top, felt]))
        half_edges = self._slopes(top, np.column_stack([first, second]) * DIE_EDGE_MM / 2.0)
        return Face(
            center=center,
            half_edges=half_edges,
            number=5,
            foot=(foot - center) / edge_of(half_edges),
            foot_error=error,
            odd=0.0,
            is_light=True,
            bgr=np.array([225.0, 230.0, 230.0]),
            confidence=0.999,
        )

    def faces(
        self, places_mm: Iterable[Sequence[float]] = FIVE_MM, leans: dict[int, Lean] | None = None
    ) -> list[Face]:
        """Return the upper faces of dice in these positions; those in `leans` lean."""
        leans = leans or {}
        return [self.face(place, leans.get(i)) for i, place in enumerate(places_mm)]

    def tray(self) -> TrayMap:
        """Return the calibration of this camera; its pixels must be square."""
        assert self.squeeze == 1.0
        corners_mm = ((-130.0, -80.0), (130.0, -80.0), (130.0, 80.0), (-130.0, 80.0))
        right, up_picture, _ = self._axes()
        lens = np.array([(self.focal_px, 0.0), (0.0, self.focal_px), (0.0, 0.0)])
        lens = np.column_stack([lens, [*self._middle, 1.0]])
        px_from_felt = lens @ np.column_stack([right, up_picture, (0.0, 0.0, self.away_mm)])
        first, second, third = (tuple(row) for row in np.linalg.inv(px_from_felt).tolist())
        return TrayMap(SIZE_WH, (first, second, third), self.focal_px, corners_mm, DIE_EDGE_MM)

    def project(self, points: Floats) -> Floats:
        """Return the pixels in which points (n, 3) in the camera's axes are seen."""
        seen = points[:, :2] / points[:, 2:] * self.focal_px + self._middle
        return np.asarray(seen * (self.squeeze, 1.0))

    def project_felt(self, places_mm: Floats) -> Floats:
        """Return the pixels in which places (n, 2) on the felt are seen."""
        return self.project(np.array([self._felt(place) for place in places_mm]))

    @property
    def focal_px(self) -> float:
        return self.focal * max(SIZE_WH)

    @property
    def _middle(self) -> Floats:
        return (np.array(SIZE_WH) - 1.0) / 2.0

    def _axes(self) -> tuple[Floats, Floats, Floats]:
        """Return the felt's axes and its upward normal in the camera's axes: right, down, ahead."""
        tilt, turn = np.deg2rad(self.tilt_deg), np.deg2rad(self.turn_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        roll = np.array([(cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)])
        far = np.array([0.0, -np.cos(tilt), np.sin(tilt)])
        up = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
        return roll @ (1.0, 0.0, 0.0), roll @ far, roll @ up

    def _felt(self, at_mm: Sequence[float]) -> Floats:
        right, up_picture, _ = self._axes()
        return np.asarray(right * at_mm[0] + up_picture * at_mm[1] + (0.0, 0.0, self.away_mm))

    def _slopes(self, point: Floats, ways: Floats) -> Floats:
        """Return how small steps (3, 2) from a point are seen, clockwise, (2, 2)."""
        small = 1e-4
        ends = self.project(point + np.vstack([ways.T, -ways.T]) * small)
        seen = ((ends[:2] - ends[2:]) / (2.0 * small)).T
        return seen if np.linalg.det(seen) > 0.0 else seen[:, ::-1]


def with_noise(faces: Iterable[Face], rng: np.random.Generator) -> list[Face]:
    """Return faces whose feet are off by their claimed errors along both axes."""
    return [replace(face, foot=face.foot + rng.normal(0.0, face.foot_error, 2)) for face in faces]
