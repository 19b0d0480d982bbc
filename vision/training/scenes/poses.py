# SPDX-License-Identifier: MIT
"""
Poses of boxes: the upper face, and whether two boxes overlap or hide each other.

The rounding of edges is ignored, so boxes that do not overlap here keep a distance when rendered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes.output import DieState
from vision.training.scenes.view import View

Vector = NDArray[np.float64]
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.5
CUBE = np.full(3, 0.5)
SIGNS = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8)
PENETRATION = 0.004  # How far two boxes may penetrate before they count as overlapping, in edges.


@dataclass(frozen=True, slots=True, eq=False)
class BoxPose:
    """Position and orientation of a box."""

    center: Vector  # Its middle, (3,).
    rotation: Vector  # Columns are its axes in the world, (3, 3).
    half: Vector  # Half its edges, (3,).
    state: DieState = DieState.FLAT

    def corners(self) -> Vector:
        """Return its eight corners, (3, 8)."""
        return np.asarray(self.rotation @ (SIGNS * self.half[:, None]) + self.center[:, None])

    def upper_face(self) -> int:
        """Return which face is up most: 0 to 5 for +x, -x, +y, -y, +z, -z."""
        axis = int(np.abs(self.rotation[2]).argmax())
        return 2 * axis + int(self.rotation[2, axis] < 0)

    def upper_corners(self) -> Vector:
        """Return the corners of its upper face, (3, 4)."""
        axis, is_minus = divmod(self.upper_face(), 2)
        one, two = (axis + 1) % 3, (axis + 2) % 3
        own = np.zeros((3, 4))
        own[axis] = -self.half[axis] if is_minus else self.half[axis]
        own[one] = SQUARE[:, 0] * 2 * self.half[one]
        own[two] = SQUARE[:, 1] * 2 * self.half[two]
        return np.asarray(self.rotation @ own + self.center[:, None])

    def lower_center(self) -> Vector:
        """Return the middle of the face below its upper one, (3,)."""
        return np.asarray(2.0 * self.center - self.upper_corners().mean(axis=1))

    def tilt_deg(self) -> float:
        """Return the angle between its upper face and the felt."""
        return float(np.degrees(np.arccos(min(1.0, np.abs(self.rotation[2]).max()))))

    def reach_along(self, direction: Vector) -> float:
        """Return its extent from the middle along a unit direction (3,)."""
        return float(np.abs(self.rotation.T @ direction) @ self.half)

    def footprint(self) -> float:
        """Return the area on which it stands if it is flat, in faces of a die."""
        return float(4.0 * self.half[0] * self.half[1])

    def moved_to(self, center: Vector) -> BoxPose:
        """Return the same box with another middle."""
        return replace(self, center=np.asarray(center, dtype=np.float64))


def turn_z(angle: float) -> Vector:
    """Return the rotation about the upright axis, (3, 3)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def turn_x(angle: float) -> Vector:
    """Return the rotation about the world's x axis, (3, 3)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, cos, -sin], [0, sin, cos]])


def make_flat_pose(place: Vector, turn: float, half: Vector = CUBE, base: float = 0.0) -> BoxPose:
    """Return a flat box at a position (2,) with its foot at height `base`."""
    center = np.array([place[0], place[1], base + half[2]])
    return BoxPose(center, turn_z(turn), np.asarray(half, dtype=np.float64))


def make_tilted_pose(place: Vector, about: float, tilt: float, turn: float) -> BoxPose:
    """
    Return a cocked die with its lowest point on the felt.

    It is turned first, then tilted about a horizontal axis of the direction `about`, all in
    radians. A turn by a multiple of a right angle tilts it on an edge.
    """
    rotation = turn_z(about) @ turn_x(tilt) @ turn_z(turn)
    pose = BoxPose(np.zeros(3), rotation, CUBE, DieState.COCKED)
    lowest = pose.reach_along(np.array([0, 0, 1.0]))
    return pose.moved_to(np.array([place[0], place[1], lowest]))


def boxes_overlap(one: BoxPose, two: BoxPose) -> bool:
    """Return whether two boxes overlap (no axis separates them)."""
    between = two.center - one.center
    if np.linalg.norm(between) > np.linalg.norm(one.half) + np.linalg.norm(two.half):
        return False
    crossed = np.cross(one.rotation.T[:, None, :], two.rotation.T[None, :, :]).reshape(-1, 3)
    axes = np.concatenate([one.rotation.T, two.rotation.T, crossed])
    lengths = np.linalg.norm(axes, axis=1)
    axes = axes[lengths > 1e-3] / lengths[lengths > 1e-3, None]
    gap = np.abs(axes @ between)
    gap -= np.abs(axes @ one.rotation) @ one.half + np.abs(axes @ two.rotation) @ two.half
    return bool(gap.max() < -PENETRATION)


def hidden_share(view: View, front: BoxPose, back: BoxPose) -> float:
    """Return the share of `back`'s upper face that `front` hides from the camera."""
    if _are_apart(view, front, back):
        return 0.0
    lid = view.project(back.upper_corners()).astype(np.float32)
    middle = back.upper_corners().mean(1)
    if np.linalg.norm(front.center - view.position) > np.linalg.norm(middle - view.position):
        return 0.0
    shape = cv2.convexHull(view.project(front.corners()).astype(np.float32))
    shared, _ = cv2.intersectConvexConvex(shape, cv2.convexHull(lid))
    return float(shared / max(abs(cv2.contourArea(lid)), 1e-6))


def _are_apart(view: View, one: BoxPose, two: BoxPose) -> bool:
    """Return whether the balls around two boxes do not overlap in the picture; this is fast."""
    towards = [pose.center - view.position for pose in (one, two)]
    far = [math.sqrt(way @ way) for way in towards]
    balls = [math.sqrt(pose.half @ pose.half) for pose in (one, two)]
    if min(far[0] - balls[0], far[1] - balls[1]) <= 0:
        return False
    apart = math.acos(min(1.0, float(towards[0] @ towards[1]) / (far[0] * far[1])))
    return apart > math.asin(balls[0] / far[0]) + math.asin(balls[1] / far[1])


def inside_share(size_wh: tuple[int, int], quad: Vector) -> float:
    """Return the share of a quad (4, 2) inside a picture of this size."""
    wide, high = size_wh
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float32) - 0.5
    lid = cv2.convexHull(quad.astype(np.float32))
    shared, _ = cv2.intersectConvexConvex(frame, lid)
    return float(shared / max(abs(cv2.contourArea(lid)), 1e-6))


def order_clockwise(quad: Vector) -> Vector:
    """Return a quad's corners (4, 2) clockwise as seen in the picture."""
    x, y = quad.T
    area = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    return quad if area > 0 else quad[::-1].copy()


def draw_quarter_turns(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw one of the 24 rotations that map a cube onto itself, (3, 3)."""
    turn = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)
    return np.asarray(turn * np.linalg.det(turn))
