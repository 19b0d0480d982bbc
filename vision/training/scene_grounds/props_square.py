# SPDX-License-Identifier: MIT
"""Objects with corners: dominoes, cards, cubes with letters, bricks, sticks, phones, scraps."""

from __future__ import annotations

import numpy as np

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour
from vision.training.scene_grounds.prints import draw_word
from vision.training.scene_grounds.prop import (
    Prop,
    box,
    circle,
    draw_contrasting_colour,
    draw_grid_points,
    draw_metal_colour,
    new_prop,
    scale_colour,
)

SYMBOLS = "ABCDEGHKLMNPRSTVWXZ1234567890?!+*#%&$"


def draw_domino(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a domino: two squares of pips and the bar between them."""
    wide = rng.uniform(0.9, 1.9)
    light = draw_colour(rng, (30, 60), (0, 0.2), (0.8, 0.97))
    dark = draw_colour(rng, saturation=(0, 0.5), value=(0.05, 0.25))
    colour = (light, dark, draw_any_colour(rng))[int(rng.choice(3, p=[0.45, 0.35, 0.2]))]
    ink = draw_contrasting_colour(rng, colour)
    prop = new_prop(edge_px, 2 * wide, wide, colour, thick=rng.uniform(0.25, 0.6))
    prop.body(box(2 * wide, wide, corner=wide * rng.uniform(0.02, 0.15)), colour)
    if rng.random() < 0.9:
        reach = rng.uniform(0.3, 0.48) * wide
        prop.line(np.array([(0, -reach), (0, reach)]), rng.uniform(0.03, 0.08), ink)
    if rng.random() < 0.3:
        prop.mark(circle(0.07 * wide), draw_metal_colour(rng), 0.6)
    radius, step = wide * rng.uniform(0.07, 0.11), wide * rng.uniform(0.22, 0.3)
    for side in (-0.5, 0.5):
        pips = _domino_pips(int(rng.integers(0, 7)), turned=rng.random() < 0.5) * step
        prop.spots(pips + np.array([side * wide, 0]), radius, ink, -0.5)
    return prop


def draw_card(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a playing card, its face with symbols and numerals or its patterned back."""
    wide, high = rng.uniform(2.2, 3.8), rng.uniform(3.3, 5.5)
    light = draw_colour(rng, (20, 60), (0, 0.08), (0.85, 0.98))
    prop = new_prop(edge_px, wide, high, light, thick=0.03)
    prop.body(box(wide, high, corner=0.2), light)
    ink = (30, 20, 190) if rng.random() < 0.5 else (25, 20, 20)
    if rng.random() < 0.25:
        back = draw_any_colour(rng)
        prop.mark(box(wide * 0.9, high * 0.92), back)
        for x in np.arange(-0.4, 0.41, 0.1):
            prop.line(np.array([(x * wide, -0.44 * high), (x * wide, 0.44 * high)]), 0.05, light)
        return prop
    corners = int(rng.choice([3, 4, 5, 30]))
    for x in (-0.22, 0, 0.22):
        for y in (-0.32, -0.1, 0.1, 0.32):
            if rng.random() < 0.45:
                prop.mark(circle(0.09 * wide, (x * wide, y * high), corners), ink)
    for sign in (-1, 1):
        at = np.array([0.4 * wide, 0.42 * high]) * sign
        prop.text(rng, draw_word(rng, 1, 1), 0.4, ink, at)
    return prop


def draw_oval_card(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a card with one to three equal ovals, lozenges or bars, filled or in outline."""
    wide, high = rng.uniform(2.4, 3.8), rng.uniform(1.6, 2.6)
    light = draw_colour(rng, (20, 60), (0, 0.08), (0.85, 0.98))
    prop = new_prop(edge_px, wide, high, light, thick=0.03)
    prop.body(box(wide, high, corner=0.15), light)
    ink, corners = draw_contrasting_colour(rng, light), int(rng.choice([40, 4]))
    size = np.array([wide * rng.uniform(0.08, 0.12), high * rng.uniform(0.2, 0.38)])
    count, is_filled = int(rng.integers(1, 4)), rng.random() < 0.65
    for index in range(count):
        shape = circle(1.0, corners=corners) * size
        shape += ((index - (count - 1) / 2) * wide * 0.28, 0)
        if is_filled:
            prop.mark(shape, ink)
        else:
            prop.line(shape, 0.06, ink, closed=True)
    return prop


def draw_score_card(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a card of a game with a row of printed dice, smaller than real ones, and words."""
    count, side = int(rng.integers(2, 7)), rng.uniform(0.3, 0.65)
    wide, high = 1.35 * side * count + 1.5, rng.uniform(1.2, 3)
    paper = draw_colour(rng, (20, 60), (0, 0.25), (0.75, 0.98))
    prop = new_prop(edge_px, wide, high, paper, thick=0.03)
    prop.body(box(wide, high, corner=0.05), paper)
    ink, row = draw_contrasting_colour(rng, paper), -0.2 * high
    is_filled = rng.random() < 0.5
    for index in range(count):
        x = (index - (count - 1) / 2) * 1.35 * side
        frame = box(side, side, (x, row), corner=0.15 * side)
        if is_filled:
            prop.mark(frame, ink)
        else:
            prop.line(frame, 0.04, ink, closed=True)
        pips = _domino_pips(int(rng.integers(1, 7)), turned=rng.random() < 0.5) * 0.27 * side
        prop.spots(pips + np.array([x, row]), 0.09 * side, paper if is_filled else ink)
    prop.text(rng, draw_word(rng, 4, 8), 0.25, ink, np.array([0, 0.2 * high]))
    return prop


def draw_cube(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a cube as large as a die without pips: bare, or with a letter, number or symbol."""
    wide, colour = rng.uniform(0.6, 1.4), draw_any_colour(rng)
    prop = new_prop(edge_px, wide, wide, colour, thick=rng.uniform(0.4, 0.9))
    prop.body(box(wide, wide, corner=wide * rng.uniform(0.02, 0.3)), scale_colour(colour, 0.85))
    prop.mark(box(wide * 0.86, wide * 0.86, corner=wide * rng.uniform(0.02, 0.25)), colour, 0.2)
    ink, kind = draw_contrasting_colour(rng, colour), rng.random()
    if kind < 0.55:
        text = str(rng.choice(list(SYMBOLS)))
        prop.text(rng, text, wide * rng.uniform(0.4, 0.75), ink, np.zeros(2))
    elif kind < 0.75:
        prop.mark(circle(wide * rng.uniform(0.15, 0.4), corners=int(rng.integers(3, 8))), ink)
    elif kind < 0.85:
        reach = wide * rng.uniform(0.15, 0.35)
        prop.line(np.array([(-reach, -reach), (reach, reach)]), 0.1, ink)
        prop.line(np.array([(-reach, reach), (reach, -reach)]), 0.1, ink)
    return prop


def draw_brick(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a building brick with its studs, or a block with holes."""
    colour, pitch = draw_any_colour(rng), rng.uniform(0.35, 0.6)
    rows, columns = int(rng.integers(1, 3)), int(rng.integers(1, 5))
    wide, high = columns * pitch, rows * pitch
    prop = new_prop(edge_px, wide, high, colour, thick=rng.uniform(0.2, 0.6))
    prop.body(box(wide, high, corner=0.03), colour)
    sunk = rng.random() < 0.3
    for row in range(rows):
        for column in range(columns):
            at = ((column + 0.5) * pitch - wide / 2, (row + 0.5) * pitch - high / 2)
            tint = scale_colour(colour, 0.25 if sunk else rng.uniform(0.95, 1.05))
            prop.mark(circle(pitch * 0.3, at), tint, -0.8 if sunk else 0.8)
    return prop


def draw_stick(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a USB stick: a body and a plug with two square holes."""
    colour, long = draw_any_colour(rng), rng.uniform(2, 3.5)
    prop = new_prop(edge_px, long + 1, 1.1, colour, thick=0.4)
    prop.body(box(0.8, 0.75, (long / 2, 0)), draw_metal_colour(rng))
    prop.body(box(long, 1.05, (-0.4, 0), corner=rng.uniform(0, 0.4)), colour)
    for y in (-0.18, 0.18):
        prop.mark(box(0.16, 0.16, (long / 2 + 0.15, y)), (20, 20, 20), -0.8)
    if rng.random() < 0.6:
        prop.text(
            rng,
            draw_word(rng, 2, 5),
            0.35,
            draw_contrasting_colour(rng, colour),
            np.array([-0.4, 0]),
        )
    return prop


def draw_phone(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a phone, its screen or its back up; the back has lenses like pips."""
    wide, high = rng.uniform(3.8, 4.6), rng.uniform(7, 9)
    colour = draw_any_colour(rng) if rng.random() < 0.4 else draw_colour(rng, value=(0.03, 0.15))
    prop = new_prop(edge_px, wide, high, colour, thick=0.4)
    prop.body(box(wide, high, corner=0.5), colour)
    if rng.random() < 0.5:
        prop.mark(box(wide * 0.93, high * 0.95, corner=0.4), draw_colour(rng, value=(0.02, 0.3)))
        return prop
    middle = (-0.26 * wide, -0.38 * high)
    prop.mark(box(1.5, 1.5, middle, corner=0.3), scale_colour(colour, rng.uniform(0.5, 1.3)), 0.3)
    lenses = draw_grid_points(rng, int(rng.integers(2, 6))) * 0.4 + middle
    prop.spots(lenses, 0.2, (25, 20, 20), 0.4)
    return prop


def draw_scrap(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a torn or cut bit of paper, blank, spotted or with a word."""
    corners, size = int(rng.integers(3, 12)), rng.uniform(0.5, 2.2)
    colour = draw_colour(rng, saturation=(0, 0.4), value=(0.6, 1))
    prop = new_prop(edge_px, 2 * size, 2 * size, colour, thick=0.03)
    prop.body(circle(size, corners=corners) * rng.uniform(0.5, 1, (corners, 1)), colour)
    ink, kind = draw_contrasting_colour(rng, colour), rng.random()
    if kind < 0.4:
        prop.text(rng, draw_word(rng, 1, 5), size * 0.3, ink, np.zeros(2))
    elif kind < 0.7:
        spots = draw_grid_points(rng, int(rng.integers(2, 7))) * 0.28 * size
        prop.spots(spots, 0.08 * size, ink)
    return prop


def _domino_pips(count: int, *, turned: bool) -> np.ndarray:
    """Return a domino's pips for a number, from -1 to 1."""
    places = {
        0: [],
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }[count]
    found = np.array(places, np.float64).reshape(-1, 2)
    return found[:, ::-1] if turned else found
