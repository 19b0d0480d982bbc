# SPDX-License-Identifier: MIT
"""
All kinds of ground under dice, seen from straight above: cloths, boards and printed sheets.

The nets must learn what is *not* a die, so there are many more kinds of ground than game tables
have. The kind, its scale and its colours are random.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.noise import (
    Albedo,
    Field,
    Span,
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
from vision.training.scene_grounds.prints import (
    SHIFT,
    Canvas,
    Colour,
    draw_blob,
    draw_dot,
    draw_pattern_tile,
    draw_scribble,
    draw_spots,
    draw_word,
    new_canvas,
    write_text,
)

Kinds = tuple[tuple[Callable[[Generator, int], Albedo], float], ...]
"""Functions that draw a kind of ground, with their weights."""

FELT_HUES_DEG = ((120, 165), (345, 375), (200, 235), (270, 300), (15, 40))
_GRAVEL_PX = 256
DARKEST, LIGHTEST = 0.004, 0.95


def draw_felt(rng: Generator, side_px: int) -> Albedo:
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


def draw_carpet(rng: Generator, side_px: int) -> Albedo:
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


def draw_weave(rng: Generator, side_px: int) -> Albedo:
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


def draw_printed_cloth(rng: Generator, side_px: int) -> Albedo:
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


def draw_quilt(rng: Generator, side_px: int) -> Albedo:
    """Draw quilted or folded cloth."""
    pitch = np.float32(np.pi / rng.uniform(40, 140))
    angle_rad = rng.uniform(0, np.pi)
    one = np.abs(np.sin(_measure_along(side_px, angle_rad) * pitch))
    two = np.abs(np.sin(_measure_along(side_px, angle_rad + rng.uniform(0.9, 1.6)) * pitch))
    seam = np.minimum(one, two)
    light = np.sqrt(seam) * np.float32(rng.uniform(0.2, 0.7)) + _draw_folds(rng, side_px)
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.01, 0.08))
    return shade(colour_to_albedo(draw_any_colour(rng)), np.asarray(light - 0.5, np.float32))


def draw_sackcloth(rng: Generator, side_px: int) -> Albedo:
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
    one = _draw_usual_colour(rng, 0.6, (20, 50), (0.1, 0.6), (0.3, 0.9))
    return shade(mix(warp * weft, one * np.float32(0.6), one), np.asarray(light, np.float32))


def _draw_usual_colour(
    rng: Generator, share: float, hue_deg: Span, saturation: Span, value: Span
) -> Albedo:
    """Draw a colour within these limits, or any other one except in this share of grounds."""
    is_usual = rng.random() < share
    colour = draw_colour(rng, hue_deg, saturation, value) if is_usual else draw_any_colour(rng)
    return colour_to_albedo(colour)


def _draw_folds(rng: Generator, side_px: int) -> Field:
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


def draw_wood(rng: Generator, side_px: int) -> Albedo:
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
        number = plank.astype(np.float32)
        gap = cv2.Sobel(number, cv2.CV_32F, 1, 0), cv2.Sobel(number, cv2.CV_32F, 0, 1)
        border = np.clip((np.abs(gap[0]) + np.abs(gap[1])) / 4, 0, 1)
        light -= border * np.float32(rng.uniform(0.2, 1.5))
    return shade(mix(late * np.float32(rng.uniform(0.3, 1)), early, dark), light)


def draw_stone(rng: Generator, side_px: int) -> Albedo:
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


def draw_gravel(rng: Generator, side_px: int) -> Albedo:
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
    return shade(_draw_usual_colour(rng, 0.7, (10, 60), (0, 0.35), (0.2, 0.85)), found)


def draw_leather(rng: Generator, side_px: int) -> Albedo:
    """Draw cells with creases between them, lit from one side."""
    cell_px = rng.uniform(4, 18)
    height = -(np.abs(draw_cloud(rng, side_px, cell_px)) ** np.float32(0.7))
    height -= np.abs(draw_cloud(rng, side_px, cell_px * 0.7)) * np.float32(0.5)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0) + cv2.Sobel(height, cv2.CV_32F, 0, 1)
    light = slope * np.float32(rng.uniform(0.02, 0.1)) + height * np.float32(-0.15)
    light += draw_cloud(rng, side_px, rng.uniform(60, 250), octaves=2) * np.float32(0.1)
    colour = _draw_usual_colour(rng, 0.6, (5, 35), (0.3, 0.9), (0.1, 0.6))
    return shade(colour, np.asarray(light, np.float32))


def draw_smooth(rng: Generator, side_px: int) -> Albedo:
    """Draw a plain tabletop, plastic, glass or paint, a little uneven."""
    light = draw_cloud(rng, side_px, rng.uniform(100, 500), octaves=2) * np.float32(
        rng.uniform(0, 0.12)
    )
    light += draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0, 0.05))
    if rng.random() < 0.3:
        light += draw_cloud(rng, side_px, rng.uniform(1.5, 5)) * np.float32(rng.uniform(0.02, 0.1))
    return shade(colour_to_albedo(draw_any_colour(rng)), light)


def draw_metal(rng: Generator, side_px: int) -> Albedo:
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
    rng: Generator, side_px: int, along: Field, across: Field, angle_rad: float
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


def _draw_wood_colours(rng: Generator) -> tuple[Albedo, Albedo]:
    if rng.random() < 0.12:
        early = colour_to_albedo(draw_colour(rng, (0, 360), (0, 0.3), (0.3, 0.9)))
    else:
        early = colour_to_albedo(draw_colour(rng, (12, 42), (0.25, 0.75), (0.15, 0.95)))
    return early, np.asarray(early * rng.uniform(0.35, 0.85, 3), np.float32)


def _draw_pores(rng: Generator, side_px: int, angle_rad: float) -> Field:
    """Draw short dark strokes along the grain; some woods have none."""
    if rng.random() < 0.4:
        return np.zeros((side_px, side_px), np.float32)
    noise = draw_cloud(
        rng, side_px, rng.uniform(1.5, 3.5), stretch=rng.uniform(5, 14), angle_rad=angle_rad
    )
    deep = np.clip(noise - np.float32(rng.uniform(0.8, 1.6)), 0, 1)
    return np.asarray(deep * np.float32(rng.uniform(0.2, 0.8)), np.float32)


def _draw_cells(rng: Generator, count: int) -> tuple[Albedo, np.ndarray]:
    """Return each pixel's distance to the nearest of `count` random points, and its index."""
    free = np.full((_GRAVEL_PX, _GRAVEL_PX), 255, np.uint8)
    rows, columns = rng.integers(0, _GRAVEL_PX, (2, count))
    free[rows, columns] = 0
    away, number = cv2.distanceTransformWithLabels(
        free, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL
    )
    return np.asarray(away, np.float32), np.asarray(number).clip(0, count + 1)


def draw_paper(rng: Generator, side_px: int) -> Albedo:
    """Draw a page: plain, lined or squared, written on, printed, or a card of one colour."""
    light = draw_colour(rng, (20, 260), (0, 0.08), (0.8, 0.97))
    page = new_canvas(side_px, side_px, light if rng.random() < 0.8 else draw_any_colour(rng))
    ink = draw_colour(rng, (200, 260), (0, 0.8), (0.05, 0.5))
    kind = rng.random()
    if kind < 0.35:
        _draw_lines(rng, page)
    elif kind < 0.55:
        _print_text(rng, page, ink)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 7))):
            size_px = side_px * rng.uniform(0.02, 0.15)
            draw_scribble(rng, page, rng.uniform(0, side_px, 2), size_px, ink)
    if rng.random() < 0.3:
        _write_by_hand(rng, page, ink)
    turned = _turn(rng, page)
    uneven = draw_cloud(rng, side_px, rng.uniform(80, 300)) * np.float32(rng.uniform(0, 0.06))
    return shade(turned, uneven + draw_grain(rng, side_px, side_px) * np.float32(0.015))


def draw_game_board(rng: Generator, side_px: int) -> Albedo:
    """Draw the fields of a board, square or hexagonal, with pictures, spots and words."""
    board = new_canvas(side_px, side_px, draw_any_colour(rng))
    colours = [draw_any_colour(rng) for _ in range(int(rng.integers(2, 6)))]
    edge, six = draw_any_colour(rng), rng.random() < 0.45
    size_px = rng.uniform(30, 160)
    down, right = (size_px * 0.75, size_px * 0.866) if six else (size_px, size_px)
    busy = rng.uniform(0, 0.8)
    for row in range(int(side_px / down) + 2):
        for column in range(int(side_px / right) + 2):
            middle = np.array([(column + 0.5 * (six and row % 2)) * right, row * down])
            _draw_field(
                rng,
                board,
                middle,
                size_px,
                six=six,
                colour=colours[int(rng.integers(len(colours)))],
                edge=edge,
            )
            if rng.random() < busy:
                _draw_picture(rng, board, middle, size_px * 0.7)
    found = _turn(rng, board)
    light = draw_grain(rng, side_px, side_px) * np.float32(rng.uniform(0.01, 0.04))
    return shade(found, light + draw_cloud(rng, side_px, 3) * np.float32(rng.uniform(0, 0.04)))


def _turn(rng: Generator, page: Canvas) -> Albedo:
    scale = rng.uniform(1.0, 1.4)
    angle_rad = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else rng.normal(0, 0.05)
    found = tile_texture(rng, page, page.shape[0], scale=(scale, scale), angle_rad=angle_rad)
    return picture_to_albedo(found.astype(np.uint8))


def _draw_lines(rng: Generator, page: Canvas) -> None:
    side_px, step = page.shape[0], rng.uniform(9, 45)
    colour = draw_colour(rng, (180, 250), (0.1, 0.6), (0.5, 0.85))
    both, thick = rng.random() < 0.6, int(rng.choice([1, 1, 2]))
    for at in np.arange(0, side_px, step).astype(int).tolist():
        cv2.line(page, (0, at), (side_px, at), colour, thick)
        if both:
            cv2.line(page, (at, 0), (at, side_px), colour, thick)


def _print_text(rng: Generator, page: Canvas, ink: Colour) -> None:
    side_px, size_px = page.shape[0], rng.uniform(5, 22)
    margin = rng.uniform(0, 0.3) * side_px
    rows = np.arange(margin, side_px, size_px * rng.uniform(1.6, 2.5))[:45]
    for row in rows:
        if rng.random() < 0.1:
            continue
        letters = int(max(4, (side_px - margin) / size_px * rng.uniform(0.4, 1.1)))
        line = " ".join(draw_word(rng, 1, 9) for _ in range(letters // 5))[:letters]
        write_text(rng, page, line, (margin, row), size_px, ink)


def _write_by_hand(rng: Generator, page: Canvas, ink: Colour) -> None:
    side_px, size_px = page.shape[0], rng.uniform(12, 40)
    for _ in range(int(rng.integers(1, 8))):
        row, column = rng.uniform(0, side_px, 2)
        for place in range(int(rng.integers(2, 10))):
            middle = np.array([column + place * size_px * 1.1, row + rng.normal(0, size_px / 8)])
            draw_scribble(rng, page, middle, size_px / 2, ink)


def _draw_field(
    rng: Generator,
    board: Canvas,
    middle: np.ndarray,
    size_px: float,
    *,
    six: bool,
    colour: Colour,
    edge: Colour,
) -> None:
    corners = 6 if six else 4
    turn = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    reach = size_px * (0.5 if six else np.sqrt(0.5))
    outline = middle + np.column_stack([np.cos(turn), np.sin(turn)]) * reach
    points = np.rint(outline * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(board, [points], colour, cv2.LINE_AA, SHIFT)
    cv2.polylines(board, [points], True, edge, max(1, round(size_px * 0.03)), cv2.LINE_AA, SHIFT)


def _draw_picture(rng: Generator, board: Canvas, middle: np.ndarray, size_px: float) -> None:
    """Draw something small: blots, spots, a ring, a letter."""
    colour, kind = draw_any_colour(rng), rng.random()
    if kind < 0.4:
        for _ in range(int(rng.integers(1, 5))):
            at = middle + rng.normal(0, size_px * 0.2, 2)
            draw_blob(rng, board, at, size_px * rng.uniform(0.05, 0.35), draw_any_colour(rng))
    elif kind < 0.7:
        draw_spots(rng, board, middle, size_px, colour)
    elif kind < 0.85:
        write_text(
            rng, board, draw_word(rng, 1, 3), tuple(middle - size_px * 0.3), size_px * 0.5, colour
        )
    else:
        draw_dot(
            board, middle, size_px * rng.uniform(0.1, 0.45), colour, int(rng.choice([-1, 1, 2, 4]))
        )


KINDS: Kinds = (
    (draw_felt, 0.18),
    (draw_carpet, 0.09),
    (draw_wood, 0.2),
    (draw_leather, 0.06),
    (draw_paper, 0.1),
    (draw_smooth, 0.1),
    (draw_metal, 0.03),
    (draw_weave, 0.08),
    (draw_printed_cloth, 0.06),
    (draw_quilt, 0.02),
    (draw_stone, 0.04),
    (draw_game_board, 0.05),
    (draw_gravel, 0.03),
    (draw_sackcloth, 0.03),
)

_PRINTED = (draw_paper, draw_printed_cloth, draw_game_board)

PRINTED_KINDS: Kinds = tuple((draw, share) for draw, share in KINDS if draw in _PRINTED)
"""The kinds with prints or writing."""

PLAIN_KINDS: Kinds = tuple((draw, share) for draw, share in KINDS if draw not in _PRINTED)
"""The kinds for a tray without clutter: without prints and writing."""

INFRARED_KINDS: Kinds = ((draw_smooth, 0.5), (draw_wood, 0.35), (draw_felt, 0.15))


def draw_ground(rng: Generator, side_px: int, kinds: Kinds = KINDS) -> Albedo:
    """
    Draw a ground of one kind, or of two that meet, as linear BGR albedo, (side_px, side_px, 3).

    Crumbs and scratches come only with `KINDS`.
    """
    albedo = _draw_kind(rng, side_px, kinds)
    if rng.random() < 0.18:
        albedo = _lay_over(rng, albedo, _draw_kind(rng, side_px, kinds))
    if rng.random() < 0.3:
        worn = draw_cloud(rng, side_px, rng.uniform(0.1, 0.5) * side_px, octaves=3)
        albedo = shade(albedo, worn * np.float32(rng.uniform(0.03, 0.15)))
    if kinds is KINDS and rng.random() < 0.2:
        _strew(rng, albedo)
    return np.asarray(np.clip(albedo, DARKEST, LIGHTEST), np.float32)


def _draw_kind(rng: Generator, side_px: int, kinds: Kinds) -> Albedo:
    chance = np.array([share for _, share in kinds])
    draw, _ = kinds[int(rng.choice(len(kinds), p=chance / chance.sum()))]
    return draw(rng, side_px)


def _lay_over(rng: Generator, under: Albedo, over: Albedo) -> Albedo:
    """Return one ground with a sheet of another on it, whose edge casts a small shadow."""
    side_px = under.shape[0]
    cover = _draw_cover(rng, side_px)
    soft = cv2.GaussianBlur(cover, (0, 0), rng.uniform(1, 8))
    push = np.array([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]])
    soft = cv2.warpAffine(soft, push, (side_px, side_px), borderMode=cv2.BORDER_REPLICATE)
    dark = (1 - np.float32(rng.uniform(0, 0.6)) * soft) * (1 - cover)
    below = cv2.multiply(under, cv2.merge([dark] * 3))
    return np.asarray(below + cv2.multiply(over, cv2.merge([cover] * 3)), np.float32)


def _draw_cover(rng: Generator, side_px: int) -> Field:
    """Draw the area of the upper ground: a page, a round mat, or all behind an edge."""
    cover = np.zeros((side_px, side_px), np.float32)
    middle = rng.uniform(0.1, 0.9, 2) * side_px
    if rng.random() < 0.2:
        reach = round(rng.uniform(0.2, 0.6) * side_px * 2**SHIFT)
        center = np.rint(middle * 2**SHIFT).astype(int).tolist()
        cv2.circle(cover, center, reach, 1.0, -1, cv2.LINE_AA, SHIFT)
        return cover
    half = rng.uniform(0.2, 0.8, 2) * side_px
    angle = rng.uniform(0, np.pi)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turned.T
    points = np.rint((middle + corners) * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(cover, [points], 1.0, cv2.LINE_AA, SHIFT)
    return cover


def _strew(rng: Generator, albedo: Albedo) -> None:
    """Draw crumbs, lint and scratches on a ground, in place."""
    side_px = albedo.shape[0]
    for _ in range(int(rng.integers(3, 40))):
        tone = float(rng.choice([0.02, 0.3, 0.8]))
        start = rng.uniform(0, side_px, 2)
        end = start + rng.normal(0, float(rng.choice([1, 3, 20])), 2)
        first, last = np.rint(np.stack([start, end]) * 2**SHIFT).astype(int).tolist()
        cv2.line(albedo, first, last, (tone, tone, tone), 1, cv2.LINE_AA, SHIFT)
