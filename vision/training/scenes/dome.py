# SPDX-License-Identifier: MIT
"""
A clear plastic dome over the dice: its outlines, its mirrored lamps, and its veil.

The dome is a body of revolution: an upright wall under a cap that is part of a ball. So the points
where a ray enters and leaves it have a closed form, and the dome is a layer over the finished
light of the scene. Rays go straight through it: the shift behind a thin shell is below a pixel.
Each shell has two faces, and the far wall mirrors too, so one lamp has up to four images.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scenes.light import (
    Lamp,
    Lighting,
    draw_ceiling_lamp,
    draw_window,
    specular_light,
)
from vision.training.scenes.view import View

Array = NDArray[np.float32]
Points = NDArray[np.float64]

RADII = (2.5, 4.0)  # Inner radii of domes, in edges.
FLATNESS = 0.1  # Height of a flat top's cap, as a share of its radius; none is quite flat.
CLEARANCE = 1.0  # Least height of the camera above a dome, in edges.
FLANGE = 0.6  # Largest width of the flange around a foot, in edges.

_OUTLINE = np.linspace(0, 2 * np.pi, 72, endpoint=False)


class DomeKind(Enum):
    """The shape of a dome's top."""

    HEMISPHERE = "hemisphere"
    FLAT_TOP = "flat top"


@dataclass(frozen=True, slots=True, eq=False)
class Dome:
    """A dome on the felt."""

    kind: DomeKind  # The shape of its top.
    center: Points  # The middle of its foot on the felt, (2,), in edges.
    radius: float  # Its inner radius in edges.
    height: float  # Its inner height in edges; a hemisphere's is at least its radius.
    shell: float = 0.12  # The thickness of its shell in edges.

    @property
    def cap(self) -> float:
        """The height of its cap."""
        return self.radius * (1.0 if self.kind is DomeKind.HEMISPHERE else FLATNESS)

    def contains(self, points: Points) -> bool:
        """Return whether points (3, n) are inside it."""
        inner = _Face(self, 0.0)
        aside = np.hypot(*(points[:2] - self.center[:, None]))
        off = np.hypot(aside, points[2] - inner.ball_z)
        inside = (aside < self.radius) & ((points[2] < inner.wall) | (off < inner.ball))
        return bool(inside.all())

    def outline(self, view: View) -> Points:
        """Return the outline of its foot in the picture, an ellipse, (n, 2)."""
        return view.project(self._circle(self.radius + self.shell, 0.0))

    def silhouette(self, view: View) -> Points:
        """Return the hull of the whole dome in the picture, (n, 2)."""
        outer = _Face(self, self.shell)
        rise = np.linspace(0, np.pi / 2, 7)
        low = np.arcsin(np.clip((outer.wall - outer.ball_z) / outer.ball, -1, 1))
        climb = low + (np.pi / 2 - low) * rise / rise[-1]
        rings = [self._circle(outer.radius, 0.0)] + [
            self._circle(outer.ball * np.cos(angle), outer.ball_z + outer.ball * np.sin(angle))
            for angle in climb
        ]
        seen = view.project(np.concatenate(rings, axis=1)).astype(np.float32)
        return np.asarray(cv2.convexHull(seen)[:, 0], np.float64)

    def _circle(self, radius: float, height: float) -> Points:
        around = np.stack([np.cos(_OUTLINE), np.sin(_OUTLINE)]) * radius
        return np.vstack([around + self.center[:, None], np.full(len(_OUTLINE), height)])


def draw_dome(rng: Generator, view: View) -> Dome | None:
    """Draw a dome that is whole in the picture; `None` if none of usual size fits."""
    short = min(view.size_wh)
    most = min(RADII[1], 0.5 * short / view.edge_px)
    if most < RADII[0]:
        return None
    radius = float(rng.uniform(RADII[0], most))
    at = (np.array(view.size_wh) - 1) / 2 + rng.normal(0, 0.06, 2) * short
    kind = DomeKind.HEMISPHERE if rng.random() < 0.6 else DomeKind.FLAT_TOP
    high = radius * rng.uniform(1.0, 1.25) if kind is DomeKind.HEMISPHERE else rng.uniform(2.0, 3.2)
    shell = float(rng.uniform(0.06, 0.22))
    dome = Dome(kind, view.plane_point(at, 0.0)[:2], radius, float(high), shell)
    seen = dome.silhouette(view)
    slack = 0.08 * short
    is_whole = (seen > -slack).all() and (seen < np.array(view.size_wh) + slack).all()
    return dome if is_whole and view.position[2] > high + shell + CLEARANCE else None


def paint_base(rng: Generator, albedo: Array, dome: Dome, view: View) -> None:
    """Paint the disc on which half of all domes stand into the ground's albedo, in place."""
    if rng.random() < 0.5:
        return
    reach = (dome.radius + dome.shell) * float(rng.uniform(0.97, 1.3))
    rim = view.project(dome._circle(reach, 0.0))
    level = np.exp(rng.uniform(np.log(0.02), np.log(0.7)))
    tint = np.exp(rng.normal(0, 0.35, 3))
    cover = np.zeros(albedo.shape[:2], np.float32)
    cv2.fillPoly(cover, [np.rint(rim * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    colour = np.clip(level * tint, 0.01, 0.85).astype(np.float32)
    # Some of the print or the grain shows in the disc, as in a printed one.
    kept = np.float32(rng.choice([0.0, 0.15, 0.5]))
    cover *= 1 - kept
    albedo += cover[..., None] * (colour - albedo)


def add_dome(
    rng: Generator,
    linear: Array,
    dome: Dome,
    view: View,
    light: Lighting,
    hidden: NDArray[np.bool_],
) -> None:
    """
    Add a dome to the finished light of a scene (h, w, 3), in place.

    It mirrors the lamps and windows of the scene's light. The pixels of bodies inside it, (h, w),
    hide its far wall.
    """
    flange = view.project(dome._circle(dome.radius + dome.shell + FLANGE, 0.0))
    seen = np.concatenate([dome.silhouette(view), flange])
    low = np.maximum(np.floor(seen.min(0)).astype(int) - 4, 0)
    high = np.minimum(np.ceil(seen.max(0)).astype(int) + 5, view.size_wh)
    rows, columns = slice(low[1], high[1]), slice(low[0], high[0])
    shape = (int(high[1] - low[1]), int(high[0] - low[0]))
    y_px, x_px = (grid.reshape(-1).astype(np.float32) for grid in np.mgrid[rows, columns])
    rays = view.rays(x_px, y_px)
    layer = _Layer(
        eye=view.position.astype(np.float32),
        rays=rays,
        through=np.ones(rays.shape[1], np.float32),
        added=np.zeros_like(rays),
        glow=light.sky + sum((lamp.colour for lamp in light.lamps), np.zeros((3, 1), np.float32)),
    )
    is_open = ~hidden[rows, columns].reshape(-1)
    mirrored = _draw_mirrored(rng, light)
    roughness = float(np.exp(rng.uniform(np.log(0.003), np.log(0.02))))
    is_inside = []
    for offset, share in ((dome.shell, 1.0), (0.0, float(rng.uniform(0.5, 0.95)))):
        face = _Face(dome, offset)
        enter, leave = face.cross(layer.eye, rays)
        is_inside.append(np.isfinite(enter))
        _mirror(layer, face, enter, mirrored, share, roughness)
        _mirror(layer, face, np.where(is_open, leave, np.inf), mirrored, -share, roughness)
    # Where rays pass only through the shell, its whole depth shows.
    shell = is_inside[0] & ~is_inside[1]
    layer.through[shell] *= np.float32(rng.uniform(0.45, 0.95))
    layer.added[:, shell] += layer.glow * np.float32(rng.uniform(0, 0.15))
    pixel = float(np.linalg.norm(view.position)) / view.focal_px
    _add_rim(rng, layer, dome, 0.0, pixel, is_open)
    wall = dome.height - dome.cap
    if wall > 0.2 and (dome.kind is DomeKind.FLAT_TOP or rng.random() < 0.3):
        _add_rim(rng, layer, dome, wall, pixel, is_inside[0])
    smears = _draw_smears(rng, shape, view.edge_px).reshape(-1)
    layer.added[:] += smears * is_inside[0] * layer.glow
    both = np.concatenate([layer.through[None], layer.added]).T.reshape(*shape, 4)
    both = cv2.GaussianBlur(both, (0, 0), 0.6, borderType=cv2.BORDER_REPLICATE)
    window = linear[rows, columns]
    window *= both[..., :1]
    window += both[..., 1:]


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """What a dome changes in the picture."""

    eye: Array  # The camera's position, (3,).
    rays: Array  # The directions of the pixels, (3, n).
    through: Array  # The share of the light that is left, (n,); changes in place.
    added: Array  # The light that the dome adds, (3, n); changes in place.
    glow: Array  # The light that scratches, rims and smears scatter, (3, 1).


class _Face:
    """The inner face of a dome's shell, or one outside it by an offset."""

    def __init__(self, dome: Dome, offset: float) -> None:
        self.center = np.append(dome.center, 0.0).astype(np.float32)
        self.radius = dome.radius + offset
        cap = dome.cap + offset
        self.wall = dome.height - dome.cap
        self.ball = (self.radius**2 + cap**2) / (2 * cap)
        self.ball_z = self.wall + cap - self.ball

    def cross(self, eye: Array, rays: Array) -> tuple[Array, Array]:
        """Return the depths at which rays (3, n) enter it and leave it, inf for none."""
        own = eye - self.center
        ball = own - np.array([0, 0, self.ball_z], np.float32)
        whole = np.ones(rays.shape[1], np.float32)
        on_cap = _solve(whole, ball @ rays, float(ball @ ball) - self.ball**2)
        flat, apart = rays[:2], own[:2]
        steep = np.maximum(np.einsum("ij,ij->j", flat, flat), np.float32(1e-9))
        on_wall = _solve(steep, apart @ flat, float(apart @ apart) - self.radius**2)
        found = []
        for roots, is_cap in ((on_cap, True), (on_wall, False)):
            for depth in roots:
                z = own[2] + rays[2] * depth
                fits = z >= self.wall if is_cap else (z >= 0) & (z < self.wall)
                found.append(np.where(fits & (depth > 0), depth, np.float32(np.inf)))
        depths = np.stack(found)
        enter = depths.min(0)
        last = np.where(np.isfinite(depths), depths, np.float32(-1)).max(0)
        return enter, np.where(last > enter + np.float32(1e-3), last, np.float32(np.inf))

    def normals(self, points: Array) -> Array:
        """Return its outward unit normals at points on it, (3, n)."""
        own = points - self.center[:, None]
        on_cap = own[2] >= self.wall
        own[2] = np.where(on_cap, own[2] - np.float32(self.ball_z), 0)
        return np.asarray(own / np.sqrt(np.einsum("ij,ij->j", own, own)), np.float32)


def _solve(square: Array, half: NDArray[np.floating], rest: float) -> tuple[Array, Array]:
    """Return both roots of square t² + 2 half t + rest, NaN for none."""
    half = np.asarray(half, np.float32)
    squared = half * half - square * np.float32(rest)
    root = np.where(squared >= 0, np.sqrt(np.maximum(squared, 0)), np.float32(np.nan))
    return np.asarray((-half - root) / square), np.asarray((root - half) / square)


def _draw_mirrored(rng: Generator, light: Lighting) -> Lighting:
    """Return what the dome mirrors: the scene's light, and often windows and rows of lamps."""
    lamps: list[Lamp] = list(light.lamps)
    if rng.random() < 0.4:
        lamps += [draw_ceiling_lamp(rng) for _ in range(int(rng.integers(1, 6)))]
    windows = light.windows
    if rng.random() < 0.4:
        windows += tuple(draw_window(rng) for _ in range(int(rng.integers(1, 3))))
    glare = float(np.exp(rng.uniform(np.log(0.6), np.log(5))))
    return replace(light, lamps=tuple(lamps), windows=windows, most_glare=glare)


def _mirror(
    layer: _Layer, face: _Face, depth: Array, light: Lighting, share: float, roughness: float
) -> None:
    """Add what a face mirrors at these depths of the rays; with share < 0, its inner side does."""
    met = np.flatnonzero(np.isfinite(depth))
    rays = layer.rays[:, met]
    points = layer.eye[:, None] + rays * depth[met]
    normals = face.normals(points) * np.float32(np.sign(share))
    lit = [np.ones(len(met), np.float32) for _ in light.lamps]
    layer.added[:, met] += specular_light(light, points, normals, rays, lit, abs(share), roughness)
    steep = np.clip(1 + np.einsum("ij,ij->j", rays, normals), 0, 1)
    layer.through[met] *= np.float32(0.96) - np.float32(0.9) * steep**5


def _add_rim(
    rng: Generator, layer: _Layer, dome: Dome, height: float, pixel: float, shown: NDArray[np.bool_]
) -> None:
    """Add pairs of dark and bright rings at this height, where they are shown."""
    drop = (np.float32(height) - layer.eye[2]) / layer.rays[2]
    points = layer.eye[:, None] + layer.rays * drop
    x, y = points[:2] - dome.center[:, None].astype(np.float32)
    aside = np.hypot(x, y)
    outer = dome.radius + dome.shell
    near = np.flatnonzero(shown & (np.abs(aside - outer) < 1.2))
    x, y, aside = x[near], y[near], aside[near]
    dark = np.ones(len(near), np.float32)
    if height == 0:
        # The contact shadow of the wall.
        soft = np.exp(-(((aside - outer) / np.float32(rng.uniform(0.1, 0.3))) ** 2))
        dark *= 1 - np.float32(rng.uniform(0, 0.35)) * soft
    radii = [dome.radius, outer]
    if height == 0 and rng.random() < 0.4:
        radii.append(outer + float(rng.uniform(0.1, FLANGE)))
    for radius in radii:
        width = np.float32(max(0.7 * pixel, rng.uniform(0.01, 0.05)))
        turn, fade = rng.uniform(0, 2 * np.pi), np.float32(rng.uniform(0, 0.5))
        # Rings are bright on some sides only.
        side = (x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn))) / aside
        uneven = fade + (1 - fade) * (0.5 + 0.5 * side)
        off = (aside - np.float32(radius)) / width
        dark *= 1 - np.float32(rng.uniform(0.1, 0.6)) * np.exp(-off * off) * (1 - 0.5 * uneven)
        off = off - np.float32(rng.choice([-1.6, 1.6]))
        bright = np.float32(rng.uniform(0.05, 0.6)) * np.exp(-off * off) * uneven
        layer.added[:, near] += layer.glow * bright
    layer.through[near] *= dark


def _draw_smears(rng: Generator, shape: tuple[int, int], edge_px: float) -> Array:
    """Draw haze, streaks and fingerprints, as shares of the light around, (h, w)."""
    high, wide = shape
    haze = np.full(shape, rng.uniform(0, 0.02) ** 1.2, np.float32)
    if rng.random() < 0.5:
        cells = (int(rng.integers(3, 8)), int(rng.integers(3, 30)))
        coarse = rng.normal(0, 1, cells if rng.random() < 0.5 else cells[::-1]).astype(np.float32)
        streaks = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
        haze += np.clip(streaks - 0.6, 0, 1) * np.float32(rng.uniform(0.005, 0.05))
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.4, 0.25, 0.2, 0.15]))):
        reach = max(edge_px * float(rng.uniform(0.3, 0.6)), 2.0)
        at, turn = rng.uniform(0.15, 0.85, 2) * (wide, high), rng.uniform(0, np.pi)
        low = np.maximum((at - 2.5 * reach).astype(int), 0)
        end = np.minimum((at + 2.5 * reach).astype(int) + 1, (wide, high))
        y, x = np.mgrid[low[1] : end[1], low[0] : end[0]].astype(np.float32)
        along = ((x - at[0]) * np.cos(turn) + (y - at[1]) * np.sin(turn)) / reach
        across = ((y - at[1]) * np.cos(turn) - (x - at[0]) * np.sin(turn)) / (0.65 * reach)
        print_ = np.exp(-1.5 * (along**2 + across**2))
        if reach > 8:
            ridge = np.hypot(along - 0.2, across) * reach / rng.uniform(1.5, 2.5)
            print_ *= 0.6 + 0.4 * np.sin(ridge * np.pi)
        haze[low[1] : end[1], low[0] : end[0]] += print_ * np.float32(rng.uniform(0.01, 0.08))
    return haze
