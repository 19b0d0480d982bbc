# SPDX-License-Identifier: MIT
"""
Prints, drawings and writing on grounds: patterns, boards, letters, scribbles, spots.

Printed spots in groups of two to six are on purpose: they look like pips, but there is no die.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour

Canvas = NDArray[np.uint8]  # A picture to draw on, shape (h, w, 3), in picture colours.

Colour = tuple[float, float, float]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)
LETTERS = "aaabcdeeeefghiiijklmnnooooprssttuuvwxyzABCDEFGHIKLMNOPRSTW0123456789.:&!?"
SHIFT = 4  # Fractional bits of drawing coordinates.


def new_canvas(height: int, width: int, colour: Colour) -> Canvas:
    """Return an empty canvas."""
    return np.full((height, width, 3), np.array(colour).astype(np.uint8), np.uint8)


def draw_word(rng: Generator, least: int = 1, most: int = 8) -> str:
    """Draw random letters."""
    return "".join(rng.choice(list(LETTERS), int(rng.integers(least, most + 1))))


def write_text(
    rng: Generator,
    canvas: Canvas,
    text: str,
    at_xy: tuple[float, float],
    height_px: float,
    colour: Colour,
) -> None:
    """Write a text whose capitals are about `height_px` high; `at_xy` is its lower left."""
    font = FONTS[int(rng.integers(len(FONTS)))]
    thick = max(1, round(height_px * rng.uniform(0.05, 0.2)))
    place = (round(at_xy[0]), round(at_xy[1]))
    cv2.putText(canvas, text, place, font, height_px / 22, colour, thick, cv2.LINE_AA)


def draw_dot(
    canvas: Canvas, at_xy: NDArray[np.float64], radius_px: float, colour: Colour, thick: int = -1
) -> None:
    """Draw a disc, or a ring of some thickness."""
    center = np.rint(at_xy * 2**SHIFT).astype(int).tolist()
    radius = max(1, round(radius_px * 2**SHIFT))
    cv2.circle(canvas, center, radius, colour, thick, cv2.LINE_AA, SHIFT)


def draw_blob(
    rng: Generator, canvas: Canvas, at_xy: NDArray[np.float64], radius_px: float, colour: Colour
) -> None:
    """Draw a filled outline that is round, bent, or has a few corners."""
    corners = int(rng.choice([3, 4, 5, 6, 12, 24]))
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False) + rng.uniform(0, np.pi)
    reach = radius_px * (1 + rng.uniform(0, 0.35) * rng.uniform(-1, 1, corners))
    outline = at_xy + np.column_stack([np.cos(turn), np.sin(turn)]) * reach[:, None]
    points = np.rint(outline * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(canvas, [points], colour, cv2.LINE_AA, SHIFT)


def draw_spots(
    rng: Generator, canvas: Canvas, middle: NDArray[np.float64], size_px: float, colour: Colour
) -> None:
    """Draw two to six spots close to each other: in rows, in a ring, or at random."""
    count = int(rng.integers(2, 7))
    kind = rng.random()
    if kind < 0.45:
        grid = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float64)
        places = grid[rng.permutation(9)[:count]] * 0.28
    elif kind < 0.7:
        turn = np.arange(count) * 2 * np.pi / count + rng.uniform(0, np.pi)
        places = np.column_stack([np.cos(turn), np.sin(turn)]) * 0.3
    else:
        places = rng.uniform(-0.45, 0.45, (count, 2))
    angle = rng.uniform(0, 2 * np.pi)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    radius = size_px * rng.uniform(0.06, 0.13)
    thick = -1 if rng.random() < 0.8 else max(1, round(radius * 0.4))
    for place in places:
        draw_dot(canvas, middle + turned @ place * size_px, radius, colour, thick)


def draw_scribble(
    rng: Generator, canvas: Canvas, middle: NDArray[np.float64], size_px: float, colour: Colour
) -> None:
    """Draw a line as by hand."""
    steps = rng.normal(0, 1, (int(rng.integers(6, 40)), 2)).cumsum(0)
    path = np.repeat(steps, 4, 0)
    path = np.column_stack([np.convolve(c, np.ones(6) / 6, "valid") for c in path.T])
    path = (path - path.mean(0)) / max(float(np.abs(path - path.mean(0)).max()), 1e-6)
    points = np.rint((middle + path * size_px) * 2**SHIFT).astype(np.int32)
    thick = max(1, round(size_px * rng.uniform(0.01, 0.05)))
    cv2.polylines(canvas, [points], False, colour, thick, cv2.LINE_AA, SHIFT)


def draw_pattern_tile(rng: Generator, side_px: int) -> Canvas:
    """Draw a square of a pattern that can be repeated."""
    draw = TILES[int(rng.integers(len(TILES)))]
    tile = new_canvas(side_px, side_px, draw_any_colour(rng))
    draw(rng, tile)
    return tile


def _draw_checks(rng: Generator, tile: Canvas) -> None:
    side, half = tile.shape[0], tile.shape[0] // 2
    one, other = draw_any_colour(rng), draw_any_colour(rng)
    cv2.rectangle(tile, (0, 0), (half, half), one, -1)
    cv2.rectangle(tile, (half, half), (side, side), one if rng.random() < 0.5 else other, -1)


def _draw_tartan(rng: Generator, tile: Canvas) -> None:
    side = tile.shape[0]
    for _ in range(int(rng.integers(2, 6))):
        start, width = rng.integers(side), int(rng.integers(1, max(2, side // 4)))
        colour = np.array(draw_any_colour(rng))
        band = np.arange(start, start + width) % side
        tile[band] = (tile[band] * 0.5 + colour * 0.5).astype(np.uint8)
        tile[:, band] = (tile[:, band] * 0.5 + colour * 0.5).astype(np.uint8)


def _draw_stripes(rng: Generator, tile: Canvas) -> None:
    for _ in range(int(rng.integers(1, 6))):
        start, width = rng.integers(tile.shape[0]), int(rng.integers(1, tile.shape[0] // 3))
        tile[start : start + width] = np.array(draw_any_colour(rng)).astype(np.uint8)


def _draw_dots(rng: Generator, tile: Canvas) -> None:
    side, colour = tile.shape[0], draw_any_colour(rng)
    count = int(rng.integers(2, 5))
    radius = side / count * rng.uniform(0.1, 0.4)
    for row in range(count):
        for column in range(count):
            place = (np.array([column + 0.5 * (row % 2) * (count % 2 == 0), row]) + 0.5) / count
            draw_dot(tile, place % 1.0 * side, radius, colour)


def _draw_blobs(rng: Generator, tile: Canvas) -> None:
    side = tile.shape[0]
    for _ in range(int(rng.integers(3, 15))):
        draw_blob(
            rng, tile, rng.uniform(0, side, 2), side * rng.uniform(0.03, 0.2), draw_any_colour(rng)
        )


def _draw_words(rng: Generator, tile: Canvas) -> None:
    side, colour = tile.shape[0], draw_any_colour(rng)
    size = side * rng.uniform(0.08, 0.3)
    for row in np.arange(size, side, size * 1.6):
        write_text(
            rng, tile, draw_word(rng, 2, 12), (rng.uniform(-0.1, 0.4) * side, row), size, colour
        )


def _draw_some_spots(rng: Generator, tile: Canvas) -> None:
    side = tile.shape[0]
    for _ in range(int(rng.integers(1, 4))):
        colour, size = draw_any_colour(rng), side * rng.uniform(0.2, 0.6)
        draw_spots(rng, tile, rng.uniform(0.2, 0.8, 2) * side, size, colour)


def _draw_squares(rng: Generator, tile: Canvas) -> None:
    side = tile.shape[0]
    for _ in range(int(rng.integers(1, 5))):
        corner, size = rng.uniform(0, 0.7, 2) * side, rng.uniform(0.1, 0.5) * side
        end = corner + size
        thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 5))
        cv2.rectangle(
            tile, corner.astype(int).tolist(), end.astype(int).tolist(), draw_any_colour(rng), thick
        )
        if rng.random() < 0.4:
            draw_spots(rng, tile, corner + size / 2, size, draw_colour(rng, saturation=(0, 0.3)))


TILES: tuple[Callable[[Generator, Canvas], None], ...] = (
    _draw_checks,
    _draw_tartan,
    _draw_stripes,
    _draw_dots,
    _draw_blobs,
    _draw_words,
    _draw_some_spots,
    _draw_squares,
)
