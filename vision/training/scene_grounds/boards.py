# SPDX-License-Identifier: MIT
"""Hard grounds: wood, stone, gravel, leather, metal and plastic."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.scene_grounds.noise import (
    Albedo,
    Field,
    colour_to_albedo,
    draw_any_colour,
    draw_cloud,
    draw_colour,
    draw_grain,
    mix,
    shade,
    tile_texture,
)

_GRAVEL_PX = 256


def draw_wood(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw planks or one board, with rings, pores and knots, from maple to black oak."""
    angle_rad = rng.uniform(0, np.pi) if rng.random() < 0.6 else 0.0
    along, across = _axes(side_px, angle_rad)
    plank = np.floor(across / np.float32(rng.uniform(90, 500)) + np.float32(rng.random()))
    plank = (plank - plank.min()).astype(np.int32)
    count = int(plank.max()) + 1
    rings = _draw_rings(rng, side_px, along, across, angle_rad)
    rings += rng.uniform(0, 20, count).astype(np.float32)[plank]
    tooth = rings - np.floor(rings)
    late = tooth ** np.float32(rng.uniform(1, 4)) * (1 - tooth**12)
    early, dark = _draw_wood_colours(rng)
    fibre = draw_cloud(
        rng, side_px, rng.uniform(1.2, 2.5), stretch=rng.uniform(10, 40), angle_rad=angle_rad
    )
    light = fibre * np.float32(rng.uniform(0.02, 0.1))
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.005, 0.03))
    light += rng.normal(0, 0.12, count).astype(np.float32)[plank]
    light -= _draw_pores(rng, side_px, angle_rad)
    if count > 1 and rng.random() < 0.8:
        light -= _find_gaps(plank) * np.float32(rng.uniform(0.2, 1.5))
    return shade(mix(late * np.float32(rng.uniform(0.3, 1)), early, dark), light)


def draw_stone(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw granite's speckle or marble's veins."""
    base, other = colour_to_albedo(draw_any_colour(rng)), colour_to_albedo(draw_any_colour(rng))
    if rng.random() < 0.5:
        other = base * np.float32(rng.uniform(0.3, 2.0))
    if rng.random() < 0.5:
        speckle = draw_cloud(rng, side_px, rng.uniform(1.5, 6), octaves=2)
        share = speckle * np.float32(rng.uniform(0.3, 1.2)) + np.float32(0.3)
    else:
        bent = draw_cloud(rng, side_px, rng.uniform(80, 300), octaves=4)
        share = np.exp(-np.abs(bent) * np.float32(rng.uniform(4, 14)))
    light = draw_cloud(rng, side_px, rng.uniform(40, 200), octaves=3) * np.float32(0.08)
    light += draw_grain(rng, side_px, side_px) * np.float32(0.02)
    return shade(mix(share, base, np.minimum(other, 0.9)), light)


def draw_gravel(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw stones of many tints with dark gaps, lit from one side."""
    stones = int(np.exp(rng.uniform(np.log(150), np.log(2500))))
    away, number = _draw_cells(rng, stones)
    size = np.float32(_GRAVEL_PX / np.sqrt(stones))
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


def draw_leather(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw cells with creases between them, lit from one side."""
    cell_px = rng.uniform(4, 18)
    height = -(np.abs(draw_cloud(rng, side_px, cell_px)) ** np.float32(0.7))
    height -= np.abs(draw_cloud(rng, side_px, cell_px * 0.7)) * np.float32(0.5)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0) + cv2.Sobel(height, cv2.CV_32F, 0, 1)
    light = slope * np.float32(rng.uniform(0.02, 0.1)) + height * np.float32(-0.15)
    light += draw_cloud(rng, side_px, rng.uniform(60, 250), octaves=2) * np.float32(0.1)
    colour = (
        draw_colour(rng, (5, 35), (0.3, 0.9), (0.1, 0.6))
        if rng.random() < 0.6
        else draw_any_colour(rng)
    )
    return shade(colour_to_albedo(colour), np.asarray(light, np.float32))


def draw_smooth(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw a plain tabletop, plastic, glass or paint, a little uneven."""
    light = draw_cloud(rng, side_px, rng.uniform(100, 500), octaves=2) * np.float32(
        rng.uniform(0, 0.12)
    )
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0, 0.05))
    if rng.random() < 0.3:
        light += draw_cloud(rng, side_px, rng.uniform(1.5, 5)) * np.float32(rng.uniform(0.02, 0.1))
    return shade(colour_to_albedo(draw_any_colour(rng)), light)


def draw_metal(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw brushed metal, sometimes scratched all over."""
    angle_rad = rng.uniform(0, np.pi)
    brushed = draw_cloud(rng, side_px, 1.3, stretch=rng.uniform(20, 80), angle_rad=angle_rad)
    light = brushed * np.float32(rng.uniform(0.04, 0.2))
    light += draw_cloud(
        rng, side_px, rng.uniform(8, 30), stretch=20, angle_rad=angle_rad
    ) * np.float32(0.06)
    return shade(colour_to_albedo(draw_colour(rng, (20, 240), (0, 0.2), (0.25, 0.85))), light)


def _axes(side_px: int, angle_rad: float) -> tuple[Field, Field]:
    steps = np.arange(side_px, dtype=np.float32)
    cosine, sine = np.float32(np.cos(angle_rad)), np.float32(np.sin(angle_rad))
    along = (steps * cosine)[None] + (steps * sine)[:, None]
    across = (steps * cosine)[:, None] - (steps * sine)[None]
    return along, across


def _draw_rings(
    rng: np.random.Generator, side_px: int, along: Field, across: Field, angle_rad: float
) -> Field:
    """Draw the year of growth at each pixel, bent at random and around knots."""
    period_px = rng.uniform(8, 60)
    bent = draw_cloud(
        rng,
        side_px,
        rng.uniform(30, 120),
        stretch=rng.uniform(4, 12),
        angle_rad=angle_rad,
        octaves=2,
    )
    rings = across / np.float32(period_px) + bent * np.float32(rng.uniform(0.3, 2.5))
    knots = int(rng.choice([0, 0, 0, 1, 2, 4]))
    for _ in range(knots):
        column, row = rng.integers(side_px, size=2)
        size_px = rng.uniform(8, 40)
        far = ((along - along[row, column]) / np.float32(2.5)) ** 2
        far += (across - across[row, column]) ** 2
        rings += np.exp(far * np.float32(-0.5 / size_px**2)) * np.float32(rng.uniform(2, 6))
    return np.asarray(rings, np.float32)


def _draw_wood_colours(rng: np.random.Generator) -> tuple[Albedo, Albedo]:
    if rng.random() < 0.12:
        early = colour_to_albedo(draw_colour(rng, (0, 360), (0, 0.3), (0.3, 0.9)))
    else:
        early = colour_to_albedo(draw_colour(rng, (12, 42), (0.25, 0.75), (0.15, 0.95)))
    return early, np.asarray(early * rng.uniform(0.35, 0.85, 3), np.float32)


def _draw_pores(rng: np.random.Generator, side_px: int, angle_rad: float) -> Field:
    """Draw short dark strokes along the grain; some woods have none."""
    if rng.random() < 0.4:
        return np.zeros((side_px, side_px), np.float32)
    noise = draw_cloud(
        rng, side_px, rng.uniform(1.5, 3.5), stretch=rng.uniform(5, 14), angle_rad=angle_rad
    )
    deep = np.clip(noise - np.float32(rng.uniform(0.8, 1.6)), 0, 1)
    return np.asarray(deep * np.float32(rng.uniform(0.2, 0.8)), np.float32)


def _find_gaps(plank: np.ndarray) -> Field:
    """Return 1 on the border of two planks."""
    number = plank.astype(np.float32)
    edge = np.abs(cv2.Sobel(number, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(number, cv2.CV_32F, 0, 1))
    return np.asarray(np.clip(edge / 4, 0, 1), np.float32)


def _draw_cells(rng: np.random.Generator, count: int) -> tuple[Albedo, np.ndarray]:
    """Return each pixel's distance to the nearest of `count` random points, and its index."""
    free = np.full((_GRAVEL_PX, _GRAVEL_PX), 255, np.uint8)
    rows, columns = rng.integers(0, _GRAVEL_PX, (2, count))
    free[rows, columns] = 0
    away, number = cv2.distanceTransformWithLabels(
        free, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    return np.asarray(away, np.float32), np.asarray(number).clip(0, count + 1)
