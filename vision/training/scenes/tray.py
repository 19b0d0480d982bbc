# SPDX-License-Identifier: MIT
"""
The tray around the felt: its rail, and the floor of a dice tower.

A tray's inner outline is a rectangle with round corners; a round tray has only corners. The
distance of a point to it has a closed form, so felt, wall, rail, table and the rail's shadow need
no ray tracing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scenes.light import Lamp
from vision.training.scenes.view import View

Array = NDArray[np.float32]

EDGE_MM = 16.0  # Edge of the dice of set-up tables.

FELT_MM = (82.0, 980.0)
"""Shortest and longest side of their felts: within 80 to 1000 mm, even if a hand measures it."""


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """A bounded felt."""

    center: Array  # Its middle on the felt, (2,).
    axes: Array  # Columns are its sides' directions, (2, 2).
    half: Array  # Half its inner sides, in edges, (2,).
    corner: float  # Radius of its inner corners.
    height: float  # Of its rail, in edges.
    thickness: float  # Of its rail, in edges.
    colour: Array  # The rail's albedo, (3, 1).
    gloss: float  # The rail's, 0 matt to 1.

    def corners(self) -> NDArray[np.float64]:
        """Return the corners of the felt, clockwise as seen by the camera, (3, 4)."""
        signs = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=np.float64)
        corners = self.center + (signs * self.half) @ self.axes.T
        return np.column_stack([corners, np.zeros(4)]).T

    def outside(self, plane: NDArray[np.float32]) -> Array:
        """Return how far points (2, n) are outside the inner outline; < 0 is inside."""
        own = np.abs(self.axes.T @ (plane - self.center[:, None]))
        own -= (self.half - np.float32(self.corner))[:, None]
        beyond = np.maximum(own, 0)
        length = np.sqrt(beyond[0] * beyond[0] + beyond[1] * beyond[1])
        return np.asarray(length + np.minimum(own.max(0), 0) - np.float32(self.corner))

    def outside_over_rail(self, points: NDArray[np.float64], eye: NDArray[np.float64]) -> Array:
        """Return how far outside the rays from points (3, n) to a camera pass the rail's top."""
        climb = (self.height - points[2]) / (eye[2] - points[2])
        rim = points + (eye[:, None] - points) * climb
        return self.outside(rim[:2].astype(np.float32))

    def inward(self, plane: Array) -> Array:
        """Return the unit normals (3, n) of the wall near points (2, n), towards the felt."""
        own = self.axes.T @ (plane - self.center[:, None])
        out = np.abs(own) - (self.half - np.float32(self.corner))[:, None]
        beyond = np.maximum(out, 1e-4) * np.sign(own)
        normal = -(self.axes @ (beyond / np.sqrt((beyond * beyond).sum(0))))
        return np.concatenate([normal, np.zeros((1, normal.shape[1]), np.float32)])

    def lets_through(self, lamp: Lamp, points: Array) -> Array:
        """Return the share of a lamp that reaches points (3, n) past the rail, (n,)."""
        direction, _ = lamp.towards(points)
        climb = np.maximum(self.height - points[2], 0) / np.maximum(direction[2], 0.05)
        leaves = points[:2] + direction[:2] * climb
        soft = np.float32(0.02) + np.float32(2 * lamp.width) * climb
        out = self.outside(leaves)
        is_on_rail = (climb == 0) & (out > 0)
        return np.asarray(np.where(is_on_rail, 1, np.clip(0.5 - out / soft, 0, 1)), np.float32)


def draw_tower_floor(rng: Generator, view: View) -> Tray:
    """Draw the round floor of a dice tower, with darkness all around."""
    center = view.plane_point(np.array(view.size_wh) / 2 * (1 + rng.normal(0, 0.05, 2)), 0.0)
    radius = min(view.size_wh) / view.edge_px * float(rng.uniform(0.4, 0.58))
    return Tray(
        center=center[:2].astype(np.float32),
        axes=np.eye(2, dtype=np.float32),
        half=np.full(2, radius, dtype=np.float32),
        corner=radius,
        height=float(rng.uniform(0.2, 0.6)),
        thickness=60.0,
        colour=np.full((3, 1), np.exp(rng.uniform(np.log(0.004), np.log(0.05))), np.float32),
        gloss=float(rng.uniform(0, 0.2)),
    )


def draw_tray(rng: Generator, view: View) -> Tray | None:
    """Draw a tray whose felt fills much of the picture; about half of the scenes have none."""
    if rng.random() < 0.55:
        return None
    middle = np.array(view.size_wh) / 2 * (1 + rng.normal(0, 0.06, 2))
    center = view.plane_point(middle, 0.0)[:2]
    wide, high = np.array(view.size_wh) / view.edge_px
    half = np.array([wide, high]) / 2 * rng.uniform(0.6, 1.15)
    corner = float(rng.choice([0.02, rng.uniform(0.1, 0.6) * half.min()]))
    if rng.random() < 0.3:
        half = np.full(2, half.min())
        corner = float(half.min())
    turn = float(np.arctan2(view.axes[0, 1], view.axes[0, 0]) + rng.normal(0, 0.06))
    axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    grey = np.exp(rng.uniform(np.log(0.015), np.log(0.6)))
    tint = np.exp(np.array([-1, 0, 1]) * rng.normal(0.15, 0.3) + rng.normal(0, 0.1, 3))
    return Tray(
        center=center.astype(np.float32),
        axes=axes.astype(np.float32),
        half=half.astype(np.float32),
        corner=max(corner, 0.02),
        height=float(np.exp(rng.uniform(np.log(0.3), np.log(2.5)))),
        thickness=float(rng.uniform(0.2, 1.4)),
        colour=np.clip(grey * tint, 0.01, 0.8).astype(np.float32).reshape(3, 1),
        gloss=float(rng.uniform(0, 0.8)),
    )


def draw_table_tray(rng: Generator, view: View) -> Tray | None:
    """Draw an angular tray of usual size, often a mat with a seam; `None` if there is none."""
    tray = draw_tray(rng, view)
    if tray is None or tray.corner > 0.3 * float(tray.half.min()):
        return None
    sides_mm = 2.0 * EDGE_MM * tray.half
    if sides_mm.min() < FELT_MM[0] or sides_mm.max() > FELT_MM[1]:
        return None
    if rng.random() < 0.35:
        return replace(tray, height=float(rng.uniform(0.03, 0.25)))
    return tray
