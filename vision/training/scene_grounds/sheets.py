# SPDX-License-Identifier: MIT
"""Grounds with prints or writing: paper, and the boards of games."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.scene_grounds.noise import (
    Albedo,
    draw_any_colour,
    draw_cloud,
    draw_colour,
    draw_grain,
    picture_to_albedo,
    shade,
    tile_texture,
)
from vision.training.scene_grounds.prints import (
    SHIFT,
    Canvas,
    draw_blob,
    draw_dot,
    draw_scribble,
    draw_spots,
    draw_word,
    new_canvas,
    write_text,
)


def draw_paper(rng: np.random.Generator, side_px: int) -> Albedo:
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


def draw_game_board(rng: np.random.Generator, side_px: int) -> Albedo:
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


def _turn(rng: np.random.Generator, page: Canvas) -> Albedo:
    scale = rng.uniform(1.0, 1.4)
    angle_rad = rng.uniform(0, 2 * np.pi) if rng.random() < 0.7 else rng.normal(0, 0.05)
    found = tile_texture(rng, page, page.shape[0], scale=(scale, scale), angle_rad=angle_rad)
    return picture_to_albedo(found.astype(np.uint8))


def _draw_lines(rng: np.random.Generator, page: Canvas) -> None:
    side_px, step = page.shape[0], rng.uniform(9, 45)
    colour = draw_colour(rng, (180, 250), (0.1, 0.6), (0.5, 0.85))
    both, thick = rng.random() < 0.6, int(rng.choice([1, 1, 2]))
    for at in np.arange(0, side_px, step).astype(int).tolist():
        cv2.line(page, (0, at), (side_px, at), colour, thick)
        if both:
            cv2.line(page, (at, 0), (at, side_px), colour, thick)


def _print_text(rng: np.random.Generator, page: Canvas, ink: tuple[float, float, float]) -> None:
    side_px, size_px = page.shape[0], rng.uniform(5, 22)
    margin = rng.uniform(0, 0.3) * side_px
    rows = np.arange(margin, side_px, size_px * rng.uniform(1.6, 2.5))[:45]
    for row in rows:
        if rng.random() < 0.1:
            continue
        letters = int(max(4, (side_px - margin) / size_px * rng.uniform(0.4, 1.1)))
        line = " ".join(draw_word(rng, 1, 9) for _ in range(letters // 5))[:letters]
        write_text(rng, page, line, (margin, row), size_px, ink)


def _write_by_hand(rng: np.random.Generator, page: Canvas, ink: tuple[float, float, float]) -> None:
    side_px, size_px = page.shape[0], rng.uniform(12, 40)
    for _ in range(int(rng.integers(1, 8))):
        row, column = rng.uniform(0, side_px, 2)
        for place in range(int(rng.integers(2, 10))):
            middle = np.array([column + place * size_px * 1.1, row + rng.normal(0, size_px / 8)])
            draw_scribble(rng, page, middle, size_px / 2, ink)


def _draw_field(
    rng: np.random.Generator,
    board: Canvas,
    middle: np.ndarray,
    size_px: float,
    *,
    six: bool,
    colour: tuple[float, float, float],
    edge: tuple[float, float, float],
) -> None:
    corners = 6 if six else 4
    turn = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    reach = size_px * (0.5 if six else np.sqrt(0.5))
    outline = middle + np.column_stack([np.cos(turn), np.sin(turn)]) * reach
    points = np.rint(outline * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(board, [points], colour, cv2.LINE_AA, SHIFT)
    cv2.polylines(board, [points], True, edge, max(1, round(size_px * 0.03)), cv2.LINE_AA, SHIFT)


def _draw_picture(
    rng: np.random.Generator, board: Canvas, middle: np.ndarray, size_px: float
) -> None:
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
