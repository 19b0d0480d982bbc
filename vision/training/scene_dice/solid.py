# SPDX-License-Identifier: MIT
"""
The shape of all bodies: a box with rounded edges, intersected with a ball.

Dice, blocks and marbles all have this shape. The distance of a point to it has a closed form, so
rays from the camera and to the lamps are marched in few steps. A camera ray begins where it enters
the bounding box. Its least distance gives the share of the pixel that the body covers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
SEAM = np.float32(0.03)  # Width of the blend between box and ball, in edges.
SKY_REACH = 0.9  # Distance from a solid, in edges, within which it hides some of the sky.

TANGENT_FROM = 3
"""
From this step on a ray goes to the plane that touches the body at its nearest point.

All bodies are convex, so that plane is never behind them. It reaches flat faces at once, while
plain steps are slow if a ray grazes a face.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A rounded box with its position."""

    half: Array  # Half edges, (3,).
    rounding: float  # Radius of its edges.
    ball: float  # Radius of the ball that cuts its corners.
    center: Array  # Its middle, (3,).
    rotation: Array  # Columns are its axes in the world, (3, 3).

    def local(self, points: Array) -> Array:
        """Return world points (3, n) in its own coordinates."""
        return np.asarray(self.rotation.T @ (points - self.center[:, None]), dtype=np.float32)

    def distance(self, local: Array) -> Array:
        """Return the distance of points in its own coordinates (3, n), in edges, (n,)."""
        out = np.abs(local) - (self.half - np.float32(self.rounding))[:, None]
        beyond = np.maximum(out, 0)
        box = np.sqrt(np.einsum("ij,ij->j", beyond, beyond))
        box += np.minimum(_largest(out), 0) - np.float32(self.rounding)
        ball = np.sqrt(np.einsum("ij,ij->j", local, local)) - np.float32(self.ball)
        overlap = np.maximum(SEAM - np.abs(box - ball), 0)
        return np.asarray(np.maximum(box, ball) + overlap * overlap / (4 * SEAM))

    def normal(self, local: Array) -> Array:
        """Return the outward unit normals (3, n) in its own coordinates at points near it."""
        out = np.abs(local) - (self.half - np.float32(self.rounding))[:, None]
        beyond = np.maximum(out, 0)
        length = np.sqrt(np.einsum("ij,ij->j", beyond, beyond))
        from_middle = np.sqrt(np.einsum("ij,ij->j", local, local))
        flat = (out == _largest(out)).astype(np.float32)
        box = np.where(length > 1e-6, beyond / np.maximum(length, 1e-6), flat) * np.sign(local)
        gap = length - np.float32(self.rounding) - from_middle + np.float32(self.ball)
        share = np.clip(0.5 + gap / (2 * SEAM), 0, 1)
        normal = box * share + local / np.maximum(from_middle, 1e-6) * (1 - share)
        return np.asarray(normal / np.sqrt(np.einsum("ij,ij->j", normal, normal)))

    def corners(self) -> NDArray[np.float64]:
        """Return the eight corners of the box without its rounding, (3, 8)."""
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8)
        inner = self.rotation.astype(np.float64) @ (signs * self.half[:, None])
        return np.asarray(inner + self.center[:, None])

    def reach(self) -> float:
        """Return the radius of its bounding ball."""
        return min(float(np.linalg.norm(self.half)), self.ball)


def _largest(rows: Array) -> Array:
    """Return the largest of three rows (3, n), (n,); faster than numpy's own for three."""
    return np.asarray(np.maximum(np.maximum(rows[0], rows[1]), rows[2]), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays met a solid."""

    index: NDArray[np.intp]  # Indices of the rays that came near, (n,).
    local: Array  # Points in the solid's own coordinates, (3, n).
    depth: Array  # Distance along the ray, (n,).
    cover: Array  # Share of the ray's pixel that the solid covers, (n,).


def trace_rays(solid: Solid, eye: Array, rays: Array, pixel: float) -> Hits:
    """
    Trace rays from the camera, with unit directions (3, n), to a solid where a pixel is so wide;
    return those whose pixels show some of it.
    """
    start = solid.local(eye[:, None])
    local_rays = (solid.rotation.T @ rays).astype(np.float32)
    inverse = 1 / np.where(np.abs(local_rays) < 1e-7, np.float32(1e-7), local_rays)
    shell = (solid.half + np.float32(pixel))[:, None]
    one, two = (-shell - start) * inverse, (shell - start) * inverse
    enter = _largest(np.minimum(one, two))
    index = np.flatnonzero(enter < -_largest(-np.maximum(one, two)))
    along, depth = local_rays[:, index], enter[index]
    skin = np.float32(0.5 * pixel)
    least = np.full(len(index), np.float32(9))
    best = depth.copy()
    for step in range(7):
        local = start + along * depth
        gap = solid.distance(local) + skin
        nearer = gap < least
        best = np.where(nearer, depth, best)
        least = np.minimum(least, gap)
        if step >= TANGENT_FROM:
            facing = -np.einsum("ij,ij->j", along, solid.normal(local))
            gap = gap / np.where(facing > 0.05, facing, 1)
        depth = depth + gap
    cover = np.clip(1 - least / np.float32(pixel), 0, 1)
    seen = cover > 0.02
    depth = best[seen]
    return Hits(index[seen], start + along[:, seen] * depth, depth, cover[seen])


def lamp_past(solid: Solid, points: Array, to_lamp: Array, width: float) -> Array:
    """
    Return the share of a lamp that reaches points (3, n) past a solid, (n,): 1 for full light. The
    lamp has unit directions (3, n), and its radius is in radians.
    """
    light = np.ones(points.shape[1], dtype=np.float32)
    away = solid.center[:, None] - points
    along = np.einsum("ij,ij->j", away, to_lamp)
    aside = np.sqrt(np.maximum(np.einsum("ij,ij->j", away, away) - along * along, 0))
    reach = np.float32(solid.reach())
    near = np.flatnonzero((aside < reach + np.float32(width) * along) & (along > -0.3))
    if not len(near):
        return light
    start = solid.local(points[:, near])
    ray = (solid.rotation.T @ to_lamp[:, near]).astype(np.float32)
    depth = np.maximum(along[near] - reach, np.float32(0.01))
    until = along[near] + reach
    open_share = np.ones(len(near), dtype=np.float32)
    for _ in range(9):
        gap = solid.distance(start + ray * depth)
        open_share = np.minimum(open_share, 0.5 + 0.5 * gap / (np.float32(width) * depth))
        depth = np.minimum(depth + np.maximum(gap, np.float32(0.04)), until)
    open_share = np.clip(open_share, 0, 1)
    light[near] = open_share * open_share * (3 - 2 * open_share)
    return light


def sky_past(solid: Solid, points: Array, normals: Array) -> Array:
    """Return the share of the sky past a solid over points (3, n), 0 to 1, (n,)."""
    away = points - solid.center[:, None]
    open_share = np.ones(points.shape[1], dtype=np.float32)
    far = np.float32(solid.reach() + SKY_REACH)
    near = np.flatnonzero(np.einsum("ij,ij->j", away, away) < far * far)
    if not len(near):
        return open_share
    closed = np.zeros(len(near), dtype=np.float32)
    for step, weight in ((0.08, 0.9), (0.3, 0.75), (0.7, 0.35)):
        gap = solid.distance(solid.local(points[:, near] + normals[:, near] * np.float32(step)))
        closed += np.float32(weight) * np.maximum(step - gap, 0) / np.float32(step) * 0.55
    open_share[near] = np.clip(1 - closed, 0.12, 1)
    return open_share
