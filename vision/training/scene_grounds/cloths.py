# SPDX-License-Identifier: MIT
"""Soft grounds: felt, carpet, woven, printed and quilted cloth, sackcloth."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scene_grounds.noise import (
    Albedo,
    Field,
    colour_to_albedo,
    draw_any_colour,
    draw_cloud,
    draw_colour,
    draw_grain,
    mix,
    picture_to_albedo,
    shade,
    tile_texture,
)
from vision.training.scene_grounds.prints import draw_pattern_tile

FELT_HUES_DEG = ((120, 165), (345, 375), (200, 235), (270, 300), (15, 40))


def draw_felt(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw fine fibres in all directions, in the colours of card tables, or any."""
    if rng.random() < 0.65:
        hues = FELT_HUES_DEG[int(rng.integers(len(FELT_HUES_DEG)))]
        colour = draw_colour(rng, hues, (0.4, 0.95), (0.15, 0.7))
    else:
        colour = draw_any_colour(rng)
    light = draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.02, 0.12))
    light += draw_cloud(rng, side_px, rng.uniform(20, 150), octaves=2) * np.float32(0.05)
    for _ in range(int(rng.integers(1, 4))):
        fibres = draw_cloud(rng, side_px, rng.uniform(1.2, 2.5), stretch=rng.uniform(3, 9))
        light += fibres * np.float32(rng.uniform(0.03, 0.12))
    return shade(colour_to_albedo(colour), light)


def draw_carpet(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw tufts, speckled in two colours, with dark gaps."""
    tuft_px = rng.uniform(2.5, 9)
    one, other = colour_to_albedo(draw_any_colour(rng)), colour_to_albedo(draw_any_colour(rng))
    tufts = draw_cloud(rng, side_px, tuft_px, octaves=2)
    light = tufts * np.float32(rng.uniform(0.15, 0.4))
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.03, 0.12))
    if rng.random() < 0.5:
        rows = np.sin(_measure_along(side_px, rng.uniform(0, np.pi)) * np.float32(2.2 / tuft_px))
        light += rows * np.float32(rng.uniform(0.05, 0.3))
    speckle = draw_cloud(rng, side_px, tuft_px * rng.uniform(0.8, 2)) * np.float32(2)
    amount = np.float32(rng.uniform(0, 0.35))
    return shade(mix((speckle - 1) * amount, one, other), light)


def draw_weave(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw threads over and under each other: linen, canvas, denim, a neoprene mat's back."""
    period_px, angle_rad = rng.uniform(2.5, 11), rng.uniform(0, np.pi)
    phase = np.float32(2 * np.pi / period_px)
    warp = np.sin(_measure_along(side_px, angle_rad) * phase)
    weft = np.sin(_measure_along(side_px, angle_rad + np.pi / 2) * phase)
    over = (
        warp * weft
        if rng.random() < 0.6
        else np.sin(_measure_along(side_px, angle_rad) * phase * 2)
    )
    one = draw_any_colour(rng)
    if rng.random() < 0.25:
        one = draw_colour(rng, (205, 235), (0.35, 0.8), (0.15, 0.6))
    other = (
        draw_any_colour(rng) if rng.random() < 0.35 else (one[0] * 0.7, one[1] * 0.8, one[2] * 0.9)
    )
    uneven = draw_cloud(
        rng, side_px, period_px * 1.5, stretch=rng.uniform(2, 8), angle_rad=angle_rad
    )
    light = (warp + weft) * np.float32(rng.uniform(0.02, 0.15))
    light += uneven * np.float32(rng.uniform(0.03, 0.15))
    return shade(mix(over * 0.5 + 0.5, colour_to_albedo(one), colour_to_albedo(other)), light)


def draw_printed_cloth(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw cloth with a pattern that repeats: checks, stripes, dots, blots, words."""
    tile = picture_to_albedo(draw_pattern_tile(rng, int(rng.integers(60, 220))))
    size = rng.uniform(0.7, 2.2)
    found = tile_texture(
        rng, tile, side_px, scale=(size, size), angle_rad=rng.uniform(0, 2 * np.pi)
    )
    light = draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.01, 0.08))
    light += _draw_folds(rng, side_px)
    if rng.random() < 0.5:
        threads = np.sin(
            _measure_along(side_px, rng.uniform(0, np.pi)) * np.float32(rng.uniform(0.8, 2))
        )
        light += threads * np.float32(rng.uniform(0.02, 0.1))
    return shade(np.clip(found, 0.003, 1), light)


def draw_quilt(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw quilted or folded cloth."""
    pitch = np.float32(np.pi / rng.uniform(40, 140))
    angle_rad = rng.uniform(0, np.pi)
    one = np.abs(np.sin(_measure_along(side_px, angle_rad) * pitch))
    two = np.abs(np.sin(_measure_along(side_px, angle_rad + rng.uniform(0.9, 1.6)) * pitch))
    seam = np.minimum(one, two)
    light = np.sqrt(seam) * np.float32(rng.uniform(0.2, 0.7)) + _draw_folds(rng, side_px)
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.01, 0.08))
    return shade(colour_to_albedo(draw_any_colour(rng)), np.asarray(light - 0.5, np.float32))


def draw_sackcloth(rng: np.random.Generator, side_px: int) -> Albedo:
    """Draw coarse threads of uneven width with holes between them."""
    period_px, angle = rng.uniform(7, 20), rng.uniform(0, np.pi)
    steps = np.arange(side_px, dtype=np.float32)
    phase, cosine, sine = (np.float32(v) for v in (np.pi / period_px, np.cos(angle), np.sin(angle)))
    bent = draw_cloud(rng, side_px, period_px * 2, stretch=3) * np.float32(rng.uniform(0.1, 0.5))
    warp = np.abs(np.sin((steps * cosine)[None] * phase + (steps * sine)[:, None] * phase + bent))
    weft = np.abs(np.sin((steps * cosine)[:, None] * phase - (steps * sine)[None] * phase + bent))
    deep = np.float32(rng.uniform(0.3, 1.2))
    light = (np.maximum(warp, weft) - 1) * deep
    light = light + draw_grain(rng, side_px, side_px) * np.float32(0.06)
    colour = (
        draw_colour(rng, (20, 50), (0.1, 0.6), (0.3, 0.9))
        if rng.random() < 0.6
        else draw_any_colour(rng)
    )
    one = colour_to_albedo(colour)
    return shade(mix(warp * weft, one * np.float32(0.6), one), np.asarray(light, np.float32))


def _draw_folds(rng: np.random.Generator, side_px: int) -> Field:
    """Draw the light and shade of folds; half of the cloths have none."""
    if rng.random() < 0.5:
        return np.zeros((side_px, side_px), np.float32)
    size_px = rng.uniform(60, 250)
    height = draw_cloud(rng, side_px, size_px, octaves=2, stretch=rng.uniform(1, 4))
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3) * np.float32(size_px / 8)
    return np.asarray(np.tanh(slope) * np.float32(rng.uniform(0.1, 0.4)), np.float32)


def _measure_along(side_px: int, angle_rad: float) -> Field:
    steps = np.arange(side_px, dtype=np.float32)
    across: NDArray[np.float32] = steps[None] * np.float32(np.cos(angle_rad))
    return np.asarray(across + (steps * np.float32(np.sin(angle_rad)))[:, None], np.float32)
