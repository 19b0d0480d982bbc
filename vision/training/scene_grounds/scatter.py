# SPDX-License-Identifier: MIT
"""
Scatter props on a ground: coins, dominoes, chips, pens, keys, cards, fingers.

Each is drawn upright on its own canvas, then turned, shaded by its relief, and placed with its
shadow. Props with two to six round spots teach most, so they are frequent. Prints are flat and
belong to the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.noise import Albedo, Field, draw_any_colour, picture_to_albedo
from vision.training.scene_grounds.prop import (
    Prop,
    box,
    circle,
    draw_contrasting_colour,
    draw_grid_points,
    new_prop,
)
from vision.training.scene_grounds.props import PROPS

TRIES = 8


@dataclass(frozen=True, slots=True)
class _ShadowLight:
    """Direction of the props' shadows, (x, y) of unit length; depth and blur, 0 to 1."""

    away: tuple[float, float]
    depth: float
    blur: float


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedProp:
    """A turned prop in a window of the ground: its rows and columns, cover and shadow 0 to 1."""

    window: tuple[slice, slice]
    colours: Albedo
    cover: Field
    shadow: Field


def scatter_props(
    rng: Generator, albedo: Albedo, edge_px: float, keep_out: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """
    Place up to five props on a ground, linear BGR, in place, and sometimes print spots on it.

    Nothing changes in the circles `keep_out`: x, y, radius in pixels, (n, 3). Returned is the mask
    of all props, (h, w); shadows and prints are ground.
    """
    taken = np.zeros(albedo.shape[:2], np.uint8)
    for x, y, radius in np.asarray(keep_out, np.float64).reshape(-1, 3):
        # One pixel larger.
        cv2.circle(taken, (round(x), round(y)), int(np.ceil(radius)) + 1, 1, -1)
    found = np.zeros(albedo.shape[:2], np.bool_)
    turn = rng.uniform(0, 2 * np.pi)
    away = (float(np.cos(turn)), float(np.sin(turn)))
    light = _ShadowLight(away, rng.uniform(0.2, 0.75), rng.uniform(0.1, 0.8))
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 5))):
            _place_prop(rng, albedo, _draw_print(rng, edge_px), light, taken)
    weights = np.array([weight for _, weight in PROPS])
    count = int(rng.choice(6, p=[0.25, 0.2, 0.2, 0.15, 0.1, 0.1]))
    for index in rng.choice(len(PROPS), count, p=weights / weights.sum()):
        laid = _place_prop(rng, albedo, PROPS[index][0](rng, edge_px), light, taken)
        if laid is not None:
            found[laid.window] |= laid.cover > 0.5
            taken[laid.window] |= (laid.cover > 0).astype(np.uint8)
    return found


def _place_prop(
    rng: Generator, albedo: Albedo, prop: Prop, light: _ShadowLight, taken: NDArray[np.uint8]
) -> _PlacedProp | None:
    """Place a prop if there is room, and return it."""
    for _ in range(TRIES):
        laid = _turn(rng, prop, light, (albedo.shape[0], albedo.shape[1]))
        if laid is None:
            continue
        touched = (laid.cover > 0) | (laid.shadow > 0)
        if (taken[laid.window].astype(np.bool_) & touched).any():
            continue
        window = albedo[laid.window]
        window *= (1 - laid.shadow)[..., None]
        window += laid.cover[..., None] * (laid.colours - window)
        return laid
    return None


def _turn(
    rng: Generator, prop: Prop, light: _ShadowLight, shape: tuple[int, int]
) -> _PlacedProp | None:
    """Return the prop at a random position in the ground, lit and with its shadow."""
    height, width = prop.cover.shape
    center, angle = _pick_position(rng, prop, shape)
    cosine, sine = np.cos(angle), np.sin(angle)
    rim = 3 + prop.thick * prop.edge_px * 1.6
    half = np.abs([[cosine, sine], [sine, cosine]]) @ (width / 2, height / 2) + rim
    low = np.maximum(np.floor(center - half), 0).astype(int)
    high = np.minimum(np.ceil(center + half), (shape[1], shape[0])).astype(int)
    if (high - low < 4).any():
        return None
    turn = np.array([[cosine, -sine, 0], [sine, cosine, 0]])
    turn[:, 2] = center - low - turn[:, :2] @ ((width - 1) / 2, (height - 1) / 2)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover = _share(cv2.warpAffine(prop.cover, turn, size), 255)
    picture = cv2.warpAffine(prop.picture, turn, size, borderMode=cv2.BORDER_REPLICATE)
    relief = _share(cv2.warpAffine(prop.relief, turn, size, borderValue=128), 127)
    colours = picture_to_albedo(np.asarray(picture, np.uint8))
    if prop.thick > 0:
        colours *= _light_relief(rng, prop, cover, relief, light)[..., None]
    shadow = _cast_shadow(prop, cover, light)
    colours = np.asarray(np.clip(colours, 0.003, 1), np.float32)
    return _PlacedProp((slice(low[1], high[1]), slice(low[0], high[0])), colours, cover, shadow)


def _share(levels: NDArray[np.integer | np.floating], whole: int) -> Field:
    return np.asarray(levels, np.float32) / np.float32(whole)


def _pick_position(
    rng: Generator, prop: Prop, shape: tuple[int, int]
) -> tuple[NDArray[np.float64], float]:
    """Draw a prop's middle and turn; one that enters over the border points inwards."""
    size = np.array([shape[1], shape[0]], np.float64)
    place = rng.uniform(0, 1, 2) * size
    if not prop.from_border:
        return place, rng.uniform(0, 2 * np.pi)
    side = int(rng.integers(4))
    place[side % 2] = size[side % 2] * (side // 2)
    inwards = (0, np.pi / 2, np.pi, 3 * np.pi / 2)[side]
    angle = inwards + rng.normal(0, 0.4)
    reach = prop.cover.shape[1] * rng.uniform(-0.4, 0.45)
    return place + reach * np.array([np.cos(angle), np.sin(angle)]), float(angle)


def _light_relief(
    rng: Generator, prop: Prop, cover: Field, relief: Field, light: _ShadowLight
) -> Field:
    soft = max(0.6, prop.edge_px * rng.uniform(0.015, 0.05))
    height = cover * min(prop.thick * 3, 1) + relief * np.float32(0.5)
    height = cv2.GaussianBlur(height, (0, 0), soft)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0) * np.float32(light.away[0])
    slope += cv2.Sobel(height, cv2.CV_32F, 0, 1) * np.float32(light.away[1])
    return np.asarray(np.exp(np.clip(slope * np.float32(light.depth), -1.2, 1.2)), np.float32)


def _cast_shadow(prop: Prop, cover: Field, light: _ShadowLight) -> Field:
    if prop.thick <= 0:
        return np.zeros_like(cover)
    reach = prop.thick * prop.edge_px * 0.6
    push = np.array([[1, 0, light.away[0] * reach], [0, 1, light.away[1] * reach]])
    moved = cv2.warpAffine(cover, push, (cover.shape[1], cover.shape[0]))
    blurred = cv2.GaussianBlur(moved, (0, 0), max(0.5, reach * light.blur))
    return np.asarray(np.where(blurred > 0.01, blurred * light.depth, 0), np.float32)


def _draw_print(rng: Generator, edge_px: float) -> Prop:
    """Draw spots for a print on the ground, often inside a square like a die."""
    wide, colour = rng.uniform(0.6, 1.6), draw_any_colour(rng)
    prop = new_prop(edge_px, wide, wide, colour, thick=0)
    ink = draw_contrasting_colour(rng, colour)
    kind = rng.random()
    if kind < 0.4:
        prop.body(box(wide, wide, corner=wide * rng.uniform(0, 0.25)), colour)
        prop.line(box(wide, wide), 0.04, ink, closed=True)
    step, radius = wide * rng.uniform(0.2, 0.33), wide * rng.uniform(0.06, 0.13)
    for at in draw_grid_points(rng, int(rng.integers(1, 7))) * step:
        spot = circle(radius, at)
        if kind < 0.4:
            prop.mark(spot, ink)
        else:
            prop.body(spot, ink)
    if 0.4 <= kind < 0.6:
        outline = box(wide * 0.95, wide * 0.95)
        prop.limb(np.vstack([outline, outline[:1]]), 0.05, ink)
    return prop
