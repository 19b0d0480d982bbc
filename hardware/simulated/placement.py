# SPDX-License-Identifier: MIT
"""
Choose free poses for dice on the felt.

Poses are chosen before anything moves, so dice at rest never overlap or leave the felt. They may
touch, because real dice do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.simulated.pose import (
    DIE_EDGE_MM,
    FLAT_WITHIN_DEG,
    DiePose,
    compute_reach_mm,
    flat_pose,
    rotation_about,
)

FELT_WH_MM = (260.0, 160.0)
WALL_HEIGHT_MM = 22.0

_TOUCHING_SHARE = 0.06  # Share of the dice that come to rest against another one.
_GAP_MM = 0.05  # Gap between touching dice, so that rounding never causes an overlap.

_HALF_MM = DIE_EDGE_MM / 2.0
_SIGNS = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_TRIES = 1500


def compute_footprint_mm(pose: DiePose) -> NDArray[np.float64]:
    """Return the four corners, shape (4, 2), of the rectangle on the felt that a die covers."""
    if pose.lean_deg <= FLAT_WITHIN_DEG:
        turn = np.radians(pose.angle_deg)
        along = np.array([np.cos(turn), np.sin(turn)])
        axes = _HALF_MM * np.stack([along, [-along[1], along[0]]])
    else:
        axes = np.diag(compute_reach_mm(pose.rotation)[:2])
    return np.asarray(pose.center_mm[:2] + _SIGNS @ axes)


def do_overlap(one: DiePose, other: DiePose) -> bool:
    """Return whether two dice cover a common part of the felt."""
    corners = compute_footprint_mm(one), compute_footprint_mm(other)
    for sides in corners:
        for axis in (sides[1] - sides[0], sides[2] - sides[1]):
            first, second = corners[0] @ axis, corners[1] @ axis
            if first.max() <= second.min() or second.max() <= first.min():
                return False
    return True


def is_free(pose: DiePose, others: Sequence[DiePose]) -> bool:
    """Return whether a die at a pose is fully on the felt and overlaps no other."""
    margin = np.array(FELT_WH_MM) / 2.0 - np.abs(compute_footprint_mm(pose)).max(axis=0)
    reach_mm = 2.0 * DIE_EDGE_MM
    near = [one for one in others if np.hypot(*(pose.center_mm - one.center_mm)[:2]) < reach_mm]
    return bool(margin.min() >= 0.0) and not any(do_overlap(pose, other) for other in near)


def is_in_corner(pose: DiePose, side_mm: float) -> bool:
    """Return whether a die reaches into a square of this side in a corner of the felt."""
    room = np.array(FELT_WH_MM) / 2.0 - np.abs(compute_footprint_mm(pose))
    return bool((room < side_mm).all(axis=1).any())


def choose_resting_pose(face: int, others: Sequence[DiePose], rng: Generator) -> DiePose:
    """
    Return a free pose for a die with a face up, sometimes right beside another die.

    Raises:
        RuntimeError: The felt is full.
    """
    flat = [other for other in others if other.lean_deg <= FLAT_WITHIN_DEG]
    for _ in range(_TRIES):
        if flat and rng.random() < _TOUCHING_SHARE:
            pose = _pick_pose_beside(flat[int(rng.integers(len(flat)))], face, rng)
        else:
            pose = _pick_pose(face, rng)
        if is_free(pose, others):
            return pose
    raise RuntimeError(f"no room on the felt for another die beside {len(others)}")


def choose_leaning_pose(
    face: int, near: DiePose, others: Sequence[DiePose], rng: Generator
) -> DiePose:
    """
    Return a pose in which a die leans against a wall by 20 to 45 degrees.

    It is the wall nearest to `near`, or another one if that is occupied.

    Raises:
        RuntimeError: Every wall is occupied.
    """
    half = np.array(FELT_WH_MM) / 2.0
    walls = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
    room = {wall: float(half @ np.abs(wall) - near.center_mm[:2] @ wall) for wall in walls}
    for wall in sorted(walls, key=room.__getitem__):
        for _ in range(60):
            pose = _pick_pose_against(wall, face, near, rng)
            if is_free(pose, others):
                return pose
    raise RuntimeError("no room along the walls for a leaning die")


def _pick_pose(face: int, rng: Generator) -> DiePose:
    half = np.array(FELT_WH_MM) / 2.0 - _HALF_MM
    x_mm, y_mm = rng.normal(0.0, 0.42, 2) * half
    return flat_pose(face, x_mm=float(x_mm), y_mm=float(y_mm), angle_deg=float(rng.uniform(0, 360)))


def _pick_pose_beside(other: DiePose, face: int, rng: Generator) -> DiePose:
    side = np.radians(other.angle_deg) + np.pi / 2.0 * rng.integers(4)
    out = np.array([np.cos(side), np.sin(side)])
    along = np.array([-out[1], out[0]]) * rng.uniform(-0.7, 0.7) * DIE_EDGE_MM
    x_mm, y_mm = other.center_mm[:2] + out * (DIE_EDGE_MM + _GAP_MM) + along
    return flat_pose(face, x_mm=float(x_mm), y_mm=float(y_mm), angle_deg=float(np.degrees(side)))


def _pick_pose_against(
    wall: tuple[float, float], face: int, near: DiePose, rng: Generator
) -> DiePose:
    out = np.array([*wall, 0.0])
    lean = rotation_about(
        np.cross([0.0, 0.0, 1.0], out), float(np.radians(rng.uniform(20.0, 44.0)))
    )
    quarter = float(90 * rng.integers(4))
    rotation = lean @ flat_pose(face, x_mm=0.0, y_mm=0.0, angle_deg=quarter).rotation
    reach = compute_reach_mm(rotation)
    half = np.array(FELT_WH_MM) / 2.0
    place = near.center_mm[:2] + rng.normal(0.0, 8.0, 2)
    place = np.clip(place, reach[:2] - half + 0.1, half - reach[:2] - 0.1)
    place = np.where(out[:2] != 0.0, out[:2] * (half - reach[:2] - _GAP_MM), place)
    return DiePose(np.array([*place, reach[2]]), rotation)
