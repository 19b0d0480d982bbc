# SPDX-License-Identifier: MIT
"""Rough grounds: pebbles, gravel, and coarse sackcloth."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.scene_grounds.noise import (
    Albedo,
    colour_to_albedo,
    draw_any_colour,
    draw_cloud,
    draw_colour,
    draw_grain,
    mix,
    shade,
    tile_texture,
)

TILE_PX = 256


def draw_gravel(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw stones of many tints with dark gaps, lit from one side."""
    stones = int(np.exp(rng.uniform(np.log(150), np.log(2500))))
    away, number = _draw_cells(rng, stones)
    size = np.float32(TILE_PX / np.sqrt(stones))
    height = np.sqrt(np.clip(1 - (away / (size * np.float32(0.75))) ** 2, 0, 1))
    tint = rng.normal(0, rng.uniform(0.1, 0.5), stones + 2).astype(np.float32)[number]
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0) * size * np.float32(0.03)
    light = (height - 1) * np.float32(rng.uniform(0.3, 1.2)) + np.clip(slope, -0.6, 0.6) + tint
    scale = rng.uniform(1.0, 2.0)
    angle = rng.uniform(0, 2 * np.pi)
    found = tile_texture(
        rng, light.astype(np.float32), side_px, scale=(scale, scale), angle_rad=angle
    )
    found += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.02, 0.1))
    colour = (
        draw_colour(rng, (10, 60), (0, 0.35), (0.2, 0.85))
        if rng.random() < 0.7
        else draw_any_colour(rng)
    )
    return shade(colour_to_albedo(colour), found)


def draw_sackcloth(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw coarse threads of uneven width with holes between them."""
    period_px, angle = rng.uniform(7, 20), rng.uniform(0, np.pi)
    steps = np.arange(side_px, dtype=np.float32)
    phase, cosine, sine = (np.float32(v) for v in (np.pi / period_px, np.cos(angle), np.sin(angle)))
    bent = draw_cloud(rng, side_px, period_px * 2, stretch=3) * np.float32(rng.uniform(0.1, 0.5))
    warp = np.abs(np.sin((steps * cosine)[None] * phase + (steps * sine)[:, None] * phase + bent))
    weft = np.abs(np.sin((steps * cosine)[:, None] * phase - (steps * sine)[None] * phase + bent))
    deep = np.float32(rng.uniform(0.3, 1.2))
    light = (np.maximum(warp, weft) - 1) * deep + draw_grain(rng, side_px, side_px) * np.float32(
        0.06
    )
    colour = (
        draw_colour(rng, (20, 50), (0.1, 0.6), (0.3, 0.9))
        if rng.random() < 0.6
        else draw_any_colour(rng)
    )
    one = colour_to_albedo(colour)
    return shade(mix(warp * weft, one * np.float32(0.6), one), np.asarray(light, np.float32))


def _draw_cells(rng: np.random.Generator, count: int) -> tuple[Albedo, np.ndarray]:
    """Return each pixel's distance to the nearest of `count` random points, and its index."""
    free = np.full((TILE_PX, TILE_PX), 255, np.uint8)
    rows, columns = rng.integers(0, TILE_PX, (2, count))
    free[rows, columns] = 0
    away, number = cv2.distanceTransformWithLabels(
        free, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    return np.asarray(away, np.float32), np.asarray(number).clip(0, count + 1)
