# SPDX-License-Identifier: MIT
"""
The light of a scene: lamps at a finite distance, a sky, and windows that are only reflected.

A surface reflects a diffuse share of the light and, by its gloss, a specular share. The width of
a highlight is that of the lamp and of the surface together. So small lamps make sharp glints, and
rough dice have a soft sheen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scenes.spec import SceneSpec

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """One lamp."""

    position: Array  # In edges, (3,).
    colour: Array  # Its light at the tray's middle on a surface that faces it, (3, 1).
    width: float  # Its radius as seen from there, in radians.
    aim: Array  # Unit direction of its beam, (3,).
    cone: tuple[float, float]  # Cosines where the beam fades and ends; -1, -2 for none.

    def towards(self, points: Array) -> tuple[Array, Array]:
        """Return unit directions (3, n) from points to it, and its strength there (n,)."""
        direction = self.position[:, None] - points
        squared = np.einsum("ij,ij->j", direction, direction)
        strength = np.float32(np.dot(self.position, self.position)) / squared
        direction = direction / np.sqrt(squared)
        if self.cone[1] > -1:
            inner, outer = self.cone
            strength = strength * np.clip((-(self.aim @ direction) - outer) / (inner - outer), 0, 1)
        return direction, strength


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A bright rectangle in the sky: axes (3, 3) with the third towards it, half sizes, light."""

    axes: Array
    half: tuple[float, float]
    colour: Array


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """
    The shadow of a large object: a point on its edge, the normal, softness and depth.

    `radius` is that of a round shadow in edges; 0 for one behind a straight edge.
    """

    point: Array
    normal: Array
    softness: float
    depth: float
    wave: float
    radius: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """All light of one scene; `sky` and `floor` are (3, 1), `most_glare` limits highlights."""

    lamps: tuple[Lamp, ...]
    sky: Array
    floor: Array
    windows: tuple[Window, ...]
    arm: Arm | None
    most_glare: float


def draw_lighting(rng: Generator, extent: float, spec: SceneSpec) -> Lighting:
    """Draw the light over a scene `extent` edges wide."""
    key_share = float(rng.uniform(0.15, 0.85))
    kind = rng.random()
    if kind < 0.09:
        key_share = float(rng.uniform(0.45, 0.85))
        lamps = [_draw_sun(rng, extent, key_share * 1.15)]
    elif kind < 0.19:
        lamps = [_draw_side_window(rng, extent, key_share * 1.15)]
    else:
        lamps = [_draw_lamp(rng, extent, key_share * 1.15)]
    more = int(rng.choice([0, 1, 2, 3], p=[0.67, 0.26, 0.05, 0.02]))
    for _ in range(more):
        lamps.append(_draw_lamp(rng, extent, key_share * float(rng.uniform(0.15, 0.7))))
    if rng.random() < 0.05:
        lamps.append(_draw_corner_lamp(rng, extent, float(rng.uniform(0.3, 1.2))))
    windows = tuple(draw_window(rng) for _ in range(int(rng.choice([0, 1, 2, 4]))))
    arm = _draw_arm(rng, extent) if rng.random() < 0.13 else None
    return Lighting(
        lamps=tuple(lamps),
        sky=_draw_tint(rng, 0.12) * np.float32(1 - key_share),
        floor=np.full((3, 1), 0.3, dtype=np.float32),
        windows=windows,
        arm=arm,
        most_glare=0.25 if spec.clear else float(rng.choice([0.2, 0.4, 0.9], p=[0.35, 0.4, 0.25])),
    )


def _draw_arm(rng: Generator, extent: float) -> Arm:
    turn = rng.uniform(0, 2 * np.pi)
    is_round = rng.random() < 0.4
    return Arm(
        point=rng.normal(0, extent * 0.2, 2).astype(np.float32),
        normal=np.array([np.cos(turn), np.sin(turn)], dtype=np.float32),
        softness=float(np.exp(rng.uniform(np.log(0.05), np.log(2)))),
        depth=float(rng.uniform(0.3, 0.85)),
        wave=float(rng.uniform(0, 0.8)),
        radius=extent * float(rng.uniform(0.1, 0.4)) if is_round else 0.0,
    )


def _draw_sun(rng: Generator, extent: float, strength: float) -> Lamp:
    """Draw a low and distant light with hard shadows, 2 to 3.5 edges long."""
    height, turn = np.radians(rng.uniform(16, 27)), rng.uniform(0, 2 * np.pi)
    far, width = extent * 8 + 30, float(rng.uniform(0.006, 0.03))
    return _make_lamp(height, turn, far, width, _draw_tint(rng, 0.15) * np.float32(strength))


def _draw_side_window(rng: Generator, extent: float, strength: float) -> Lamp:
    """Draw a wide light beside the table, with soft shadows and a bright side."""
    height, turn = np.radians(rng.uniform(22, 45)), rng.uniform(0, 2 * np.pi)
    far, width = extent * float(rng.uniform(0.8, 1.5)) + 4, float(rng.uniform(0.35, 0.8))
    return _make_lamp(height, turn, far, width, _draw_tint(rng, 0.12) * np.float32(strength * 1.5))


def _draw_corner_lamp(rng: Generator, extent: float, strength: float) -> Lamp:
    """Draw a lamp close to one side of the picture, which it overexposes."""
    height, turn = np.radians(rng.uniform(25, 50)), rng.uniform(0, 2 * np.pi)
    far, width = extent * float(rng.uniform(0.5, 0.8)) + 3, float(rng.uniform(0.05, 0.4))
    return _make_lamp(height, turn, far, width, _draw_tint(rng, 0.15) * np.float32(strength))


def _point_up(height: float, turn: float) -> NDArray[np.float64]:
    """Return the unit direction (3,) at this angle above the felt."""
    return np.array([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)])


def _make_lamp(height: float, turn: float, far: float, width: float, colour: Array) -> Lamp:
    """Return a lamp without a beam at this distance from the tray's middle."""
    direction = _point_up(height, turn).astype(np.float32)
    return Lamp(direction * np.float32(far), colour, width, -direction, (-1.0, -2.0))


def _draw_lamp(rng: Generator, extent: float, strength: float) -> Lamp:
    height = np.radians(rng.uniform(20, 88) if rng.random() < 0.5 else rng.uniform(45, 88))
    turn = rng.uniform(0, 2 * np.pi)
    far = extent * float(np.exp(rng.uniform(np.log(0.9), np.log(6)))) + 5
    towards = _point_up(height, turn)
    width = float(np.exp(rng.uniform(np.log(0.015), np.log(0.6))))
    colour = _draw_tint(rng, 0.15) * np.float32(strength / max(np.sin(height), 0.45))
    position = towards * far
    aim, cone = -towards, (-1.0, -2.0)
    if rng.random() < 0.12:
        aim = rng.normal(0, extent * 0.1, 3) * [1, 1, 0] - position
        beam = np.arctan(extent * rng.uniform(0.25, 0.7) / far)
        cone = (float(np.cos(beam * rng.uniform(0.4, 0.98))), float(np.cos(beam)))
    direction = (aim / np.linalg.norm(aim)).astype(np.float32)
    return Lamp(position.astype(np.float32), colour, width, direction, cone)


def draw_ceiling_lamp(rng: Generator) -> Lamp:
    """Draw one of several small lamps of a ceiling: weak, but bright in a mirror."""
    height, turn = np.radians(rng.uniform(40, 88)), rng.uniform(0, 2 * np.pi)
    width = float(rng.uniform(0.02, 0.07))
    return _make_lamp(height, turn, 200.0, width, _draw_tint(rng, 0.1) * np.float32(0.3))


def draw_window(rng: Generator) -> Window:
    """Draw a bright rectangle in the upper half of the sky."""
    height, turn = np.radians(rng.uniform(35, 90)), rng.uniform(0, 2 * np.pi)
    towards = _point_up(height, turn)
    aside = np.array([-np.sin(turn), np.cos(turn), 0.0])
    axes = np.stack([aside, np.cross(towards, aside), towards]).astype(np.float32)
    half = (float(rng.uniform(0.04, 0.4)), float(rng.uniform(0.04, 0.5)))
    return Window(axes, half, _draw_tint(rng, 0.1) * np.float32(rng.uniform(0.5, 5)))


def _draw_tint(rng: Generator, spread: float) -> Array:
    warmth = rng.normal(0, spread)
    return np.exp([[-warmth], [rng.normal(0, 0.03)], [warmth]]).astype(np.float32)


def arm_visibility(arm: Arm | None, points: Array) -> Array:
    """Return the share of the first lamp past a large object at points (3, n), (n,)."""
    if arm is None:
        return np.ones(points.shape[1], dtype=np.float32)
    across = arm.normal[0] * (points[0] - arm.point[0]) + arm.normal[1] * (points[1] - arm.point[1])
    along = arm.normal[0] * points[1] - arm.normal[1] * points[0]
    if arm.radius:
        aside = np.hypot(points[0] - arm.point[0], points[1] - arm.point[1])
        across, along = np.float32(arm.radius) - aside, across
    across = across + np.float32(arm.wave) * np.sin(along * np.float32(0.7))
    inside = np.clip(across / np.float32(arm.softness) + 0.5, 0, 1)
    return np.asarray(1 - np.float32(arm.depth) * inside, dtype=np.float32)


def diffuse_light(
    light: Lighting, points: Array, normals: Array, shares: list[Array], sky: Array
) -> Array:
    """
    Return the diffuse light (3, n) at points (3, n) with unit normals (3, n), by the share of each
    lamp and of the sky that reaches each point, (n,).
    """
    up = 0.5 + 0.5 * normals[2]
    total = (light.sky * up + light.floor * (1 - up)) * sky
    for lamp, share in zip(light.lamps, shares, strict=True):
        direction, strength = lamp.towards(points)
        facing = np.maximum(np.einsum("ij,ij->j", direction, normals), 0)
        total = total + lamp.colour * (facing * strength * share)
    return np.asarray(total, dtype=np.float32)


def specular_light(
    light: Lighting,
    points: Array,
    normals: Array,
    rays: Array,
    shares: list[Array],
    gloss: float | Array,
    roughness: float | Array,
) -> Array:
    """Return the specular light (3, n) towards a camera that looks along `rays` (3, n)."""
    facing = np.einsum("ij,ij->j", rays, normals)
    bounce = rays - 2 * facing * normals
    fresnel = 0.04 + 0.96 * np.clip(1 + facing, 0, 1) ** 5
    total = light.sky * np.clip(0.35 + 0.65 * bounce[2], 0.1, 1) * np.float32(0.8)
    for lamp, share in zip(light.lamps, shares, strict=True):
        direction, strength = lamp.towards(points)
        spread = np.asarray((lamp.width / 2) ** 2 + roughness * roughness, dtype=np.float32)
        off = 2 * (1 - np.einsum("ij,ij->j", direction, bounce))
        spot = np.exp(-off / (2 * spread)) / (2 * np.pi * spread)
        total = total + lamp.colour * (strength * share * spot)
    for window in light.windows:
        total = total + window.colour * _window_share(window, bounce, roughness)
    seen = np.minimum(total * fresnel, np.float32(light.most_glare))
    return np.asarray(seen * np.float32(gloss) if isinstance(gloss, float) else seen * gloss)


def _window_share(window: Window, bounce: Array, roughness: float | Array) -> Array:
    seen = window.axes @ bounce
    ahead = np.maximum(seen[2], 1e-3)
    soft = np.asarray(roughness + 0.02, dtype=np.float32)
    inside = np.float32(1)
    for k in (0, 1):
        inside = inside * np.clip((window.half[k] - np.abs(seen[k] / ahead)) / soft + 0.5, 0, 1)
    return np.asarray(np.where(seen[2] > 0.05, inside, 0), dtype=np.float32)


def change_light(rng: Generator, light: Lighting) -> Lighting:
    """Return the light after somebody switched a lamp, or a cloud passed."""
    share = np.float32(rng.choice([rng.uniform(0.4, 0.7), rng.uniform(1.3, 1.6)]))
    lamps = tuple(replace(lamp, colour=lamp.colour * share) for lamp in light.lamps)
    return replace(light, lamps=lamps)
