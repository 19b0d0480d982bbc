# SPDX-License-Identifier: MIT
"""
Represent the body of a die: the layout of its faces and its pose in the tray.

Felt coordinates are right-handed millimetres: x to the right of the picture, y
away from the viewer, z up from the felt; the origin is the middle of the felt.
A rotation is a 3 x 3 matrix that takes body coordinates to felt coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
"""A point or direction, shape (3,), or many of them, shape (n, 3)."""

Rotation: TypeAlias = NDArray[np.float64]  # Shape (3, 3), orthonormal, determinant +1.

DIE_EDGE_MM = 16.0
ROUNDING_MM = 1.7  # Radius of the rounded edges and corners.
FLAT_WITHIN_DEG = 2.0  # A die whose upper face leans less than this counts as flat.

# Opposite faces add to seven, and 1, 2, 3 run counter-clockwise around their corner.
_NORMALS = np.array(
    [(0, 0, 1), (1, 0, 0), (0, 1, 0), (0, -1, 0), (-1, 0, 0), (0, 0, -1)], dtype=np.float64
)


class DieKind(Enum):
    """White dice with dark pips or black dice with light pips."""

    WHITE = "white"
    BLACK = "black"

    @property
    def polarity(self) -> str:
        """`light` when the body is lighter than its pips, else `dark`."""
        return "light" if self is DieKind.WHITE else "dark"

    @classmethod
    def of(cls, polarity: str) -> DieKind:
        """Return the kind of a polarity; white if the polarity is empty."""
        return cls.BLACK if polarity == cls.BLACK.polarity else cls.WHITE


@dataclass(frozen=True, slots=True, eq=False)
class DiePose:
    """Position and rotation of a die."""

    center_mm: Vector  # Middle of the body, shape (3,).
    rotation: Rotation  # Body to felt, shape (3, 3).

    @property
    def face(self) -> int:
        """The face closest to up, 1 to 6."""
        return int(np.argmax(_NORMALS @ self.rotation[2])) + 1

    @property
    def lean_deg(self) -> float:
        """Angle of the upper face from level, 0 to about 55 degrees."""
        up = float(np.max(np.abs(self.rotation[2])))
        return float(np.degrees(np.arccos(min(1.0, up))))

    @property
    def angle_deg(self) -> float:
        """Turn of the upper face on the felt, counter-clockwise from above, 0 up to 90."""
        sideways = face_axes(self.face)[0] @ self.rotation.T
        return float(np.degrees(np.arctan2(sideways[1], sideways[0])) % 90.0)


def face_normal(face: int) -> Vector:
    """Return the outward direction of a face in body coordinates."""
    return np.array(_NORMALS[face - 1])


def face_axes(face: int) -> tuple[Vector, Vector]:
    """Return the two directions along a face's edges, right-handed with its normal."""
    normal = _NORMALS[face - 1]
    along = np.roll(np.abs(normal), 1)
    return along, np.cross(normal, along)


def rotation_about(axis: Vector, angle_rad: float) -> Rotation:
    """Return the right-handed rotation about a unit axis."""
    x, y, z = axis
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    once = np.sin(angle_rad) * cross
    return np.asarray(np.eye(3) + once + (1.0 - np.cos(angle_rad)) * (cross @ cross))


def turn_between(start: Rotation, end: Rotation) -> tuple[Vector, float]:
    """Return the unit axis and the angle in radians (0 to pi) that take `start` to `end`."""
    step = end @ start.T
    angle_rad = float(np.arccos(np.clip((np.trace(step) - 1.0) / 2.0, -1.0, 1.0)))
    # The symmetric part gives the axis up to its sign even at half a turn, where the
    # antisymmetric part vanishes; the latter then only decides the sign.
    skew = np.array([step[2, 1] - step[1, 2], step[0, 2] - step[2, 0], step[1, 0] - step[0, 1]])
    if angle_rad < 1e-9:
        return np.array([0.0, 0.0, 1.0]), 0.0
    outer = (step + step.T) / 2.0 - np.cos(angle_rad) * np.eye(3)
    axis = outer[:, int(np.argmax(np.diag(outer)))]
    axis = axis / np.linalg.norm(axis)
    return (axis if axis @ skew >= 0.0 else -axis), angle_rad


def flat_pose(face: int, *, x_mm: float, y_mm: float, angle_deg: float) -> DiePose:
    """
    Return the pose of a die that lies flat on the felt with a face up, turned counter-clockwise.
    """
    along, across = face_axes(face)
    level = np.stack([along, across, face_normal(face)])
    turn = rotation_about(np.array([0.0, 0.0, 1.0]), float(np.radians(angle_deg)))
    return DiePose(np.array([x_mm, y_mm, DIE_EDGE_MM / 2.0]), turn @ level)


def compute_reach_mm(rotation: Rotation) -> Vector:
    """Return the extent of the rounded body from its middle along x, y and z."""
    inner = DIE_EDGE_MM / 2.0 - ROUNDING_MM
    return np.asarray(inner * np.abs(rotation).sum(axis=1) + ROUNDING_MM)
