# SPDX-License-Identifier: MIT
"""Objects of a home: keyboards, mice, remote controls, books, earphones, sockets, tiles."""

from __future__ import annotations

import numpy as np

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour
from vision.training.scene_grounds.prints import Colour, draw_word
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


def draw_keyboard(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw part of a keyboard that reaches in: rows of keys with a letter each."""
    colour, key = _draw_plastic_colour(rng), rng.uniform(0.8, 1.2)
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 9))
    wide, high = columns * key + 0.4, rows * key + 0.4
    prop = new_prop(edge_px, wide, high, colour, thick=0.4, from_border=True)
    prop.body(box(wide, high, corner=0.2), colour)
    cap = (
        scale_colour(colour, rng.uniform(0.7, 1.5))
        if rng.random() < 0.6
        else _draw_plastic_colour(rng)
    )
    ink, is_lettered = draw_contrasting_colour(rng, cap), edge_px > 12
    for row in range(rows):
        for column in range(columns):
            x = (column + 0.5) * key - columns * key / 2
            y = (row + 0.5) * key - rows * key / 2
            prop.mark(box(key * 0.86, key * 0.86, (x, y), corner=0.1), cap, 0.5)
            if is_lettered:
                prop.text(rng, draw_word(rng, 1, 1), 0.3 * key, ink, np.array([x, y]))
    return prop


def draw_mouse(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a computer mouse with two keys and a wheel."""
    colour, long = _draw_plastic_colour(rng), rng.uniform(4, 6.5)
    wide = long * rng.uniform(0.5, 0.65)
    prop = new_prop(edge_px, long, wide, colour, thick=1.0)
    prop.body(box(long, wide, corner=wide * 0.45), scale_colour(colour, 0.85))
    for share in (0.92, 0.8, 0.6):
        prop.mark(box(long * share, wide * share, corner=wide * share * 0.45), colour, 1 - share)
    dark = scale_colour(colour, 0.5)
    prop.line(np.array([(0.1 * long, 0), (0.5 * long, 0)]), 0.06, dark)
    prop.line(np.array([(0.1 * long, -0.46 * wide), (0.1 * long, 0.46 * wide)]), 0.06, dark)
    prop.mark(
        box(0.16 * long, 0.12 * wide, (0.32 * long, 0), corner=0.08), _draw_plastic_colour(rng), 0.6
    )
    return prop


def draw_remote(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a remote control with rows of round or square buttons."""
    colour, wide = _draw_plastic_colour(rng), rng.uniform(2, 3)
    long, pitch = rng.uniform(5, 9), wide / rng.uniform(3.2, 4.4)
    prop = new_prop(edge_px, long, wide, colour, thick=0.7)
    prop.body(box(long, wide, corner=wide * rng.uniform(0.05, 0.4)), colour)
    cap, is_round = draw_contrasting_colour(rng, colour), rng.random() < 0.6
    for x in np.arange(-0.42 * long, 0.42 * long, pitch * 1.15):
        for y in (-pitch, 0.0, pitch):
            if rng.random() < 0.25:
                continue
            tint = cap if rng.random() < 0.85 else draw_any_colour(rng)
            size, at = pitch * 0.32, (float(x), float(y))
            prop.mark(circle(size, at) if is_round else box(2 * size, size, at), tint, 0.5)
    return prop


def draw_book(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a book, a leaflet, or the box of a game: a picture, a title, small print."""
    wide, high, colour = rng.uniform(4, 8), rng.uniform(4, 8), draw_any_colour(rng)
    thick = float(rng.choice([0.05, 0.6]))
    prop = new_prop(edge_px, wide, high, colour, thick=thick, from_border=rng.random() < 0.6)
    prop.body(box(wide, high, corner=0.05), colour)
    for _ in range(int(rng.integers(1, 5))):
        at = (rng.uniform(-0.3, 0.3) * wide, rng.uniform(-0.3, 0.3) * high)
        size = rng.uniform(0.4, 2.0)
        shape = circle(size, at, int(rng.integers(3, 9))) if rng.random() < 0.4 else None
        prop.mark(box(2 * size, size, at) if shape is None else shape, draw_any_colour(rng))
    ink = draw_contrasting_colour(rng, colour)
    prop.text(rng, draw_word(rng, 3, 8), rng.uniform(0.6, 1.2), ink, np.array([0, -0.3 * high]))
    for row in range(int(rng.integers(0, 5))):
        prop.text(rng, draw_word(rng, 8, 16), 0.25, ink, np.array([0, 0.15 * high + 0.4 * row]))
    if rng.random() < 0.3:
        spots = draw_grid_points(rng, int(rng.integers(1, 7))) * 0.5 + (0, 0.1 * high)
        prop.spots(spots, 0.12, ink)
    return prop


def draw_earphones(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw two earplugs on their thin wires."""
    colour = _draw_plastic_colour(rng)
    prop = new_prop(edge_px, 7, 3.2, colour, thick=0.3, from_border=True)
    along = np.linspace(-3.5, 2.6, 40)
    for side in (-1, 1):
        bend = side * (along + 3.5) * 0.16 + 0.3 * np.sin(along * rng.uniform(0.6, 2))
        prop.limb(np.column_stack([along, bend]), 0.12, colour)
        at = (2.6, float(bend[-1]))
        prop.body(circle(0.42, at), colour)
        prop.mark(circle(0.28, at), scale_colour(colour, rng.uniform(0.4, 0.8)), 0.5)
        prop.mark(circle(0.12, at), (30, 30, 30))
    return prop


def draw_plug(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a plug with its pins, or a socket with its holes, on a cable."""
    colour = _draw_plastic_colour(rng)
    prop = new_prop(edge_px, 6, 2.4, colour, thick=0.6, from_border=True)
    prop.limb(np.array([(-3, 0), (0.4, rng.normal(0, 0.2))]), rng.uniform(0.25, 0.45), colour)
    if rng.random() < 0.5:
        prop.body(box(1.6, 1.3, (1, 0), corner=0.3), colour)
        for y in (-0.35, 0.35):
            prop.limb(np.array([(1.8, y), (2.8, y)]), 0.2, draw_metal_colour(rng))
        return prop
    prop.body(circle(1.1, (1.3, 0)), colour)
    prop.mark(circle(0.9, (1.3, 0)), scale_colour(colour, 0.85), -0.4)
    for y in (-0.4, 0.4):
        prop.mark(circle(0.14, (1.3, y)), (20, 20, 20), -0.8)
    return prop


def draw_plate(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a bracket or a box with one, two, or three round holes, screws, or lamps."""
    # Never square: from above, a square plate with one hole looks like a die with a one.
    high = rng.uniform(0.5, 1.2)
    wide = high * rng.uniform(1.5, 3)
    colour = draw_metal_colour(rng) if rng.random() < 0.4 else _draw_plastic_colour(rng)
    prop = new_prop(edge_px, wide, high, colour, thick=rng.uniform(0.05, 0.7))
    prop.body(box(wide, high, corner=rng.uniform(0, 0.3) * high), colour)
    count, radius = int(rng.integers(1, 4)), high * rng.uniform(0.07, 0.22)
    ink = draw_contrasting_colour(rng, colour)
    for index in range(count):
        at = ((index - (count - 1) / 2) * wide * 0.3, rng.normal(0, 0.04))
        prop.mark(circle(radius, at), ink, float(rng.choice([-0.8, 0.0, 0.6])))
    return prop


def draw_panel(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a panel with rows of round lamps or keys, some of them lit."""
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(3, 7))
    pitch = rng.uniform(0.35, 0.7)
    wide, high, colour = (columns + 0.6) * pitch, (rows + 0.6) * pitch, _draw_plastic_colour(rng)
    prop = new_prop(edge_px, wide, high, colour, thick=rng.uniform(0.2, 0.8))
    prop.body(box(wide, high, corner=0.1), colour)
    off, lit = scale_colour(colour, rng.uniform(0.4, 0.8)), draw_colour(rng, value=(0.9, 1.0))
    radius, share = pitch * rng.uniform(0.2, 0.36), rng.uniform(0.1, 1)
    for row in range(rows):
        for column in range(columns):
            at = ((column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch)
            is_lit = rng.random() < share
            prop.mark(circle(radius, at), lit if is_lit else off, 0.3)
            if is_lit and rng.random() < 0.5:
                prop.mark(circle(0.5 * radius, at), (255, 255, 255))
    return prop


def draw_tile(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a hexagonal field of a board game, often with a number on a disc."""
    radius, colour = rng.uniform(1.2, 3.0), draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=0.08)
    prop.body(circle(radius, corners=6), scale_colour(colour, 0.7))
    prop.mark(circle(radius * 0.9, corners=6), colour)
    for at in rng.normal(0, 0.4 * radius, (int(rng.integers(0, 9)), 2)):
        size = rng.uniform(0.05, 0.3) * radius
        prop.mark(circle(size, at, int(rng.integers(3, 9))), draw_any_colour(rng))
    if rng.random() < 0.6:
        disc = draw_colour(rng, (30, 50), (0.05, 0.3), (0.7, 0.95))
        prop.mark(circle(0.32 * radius), disc, 0.2)
        prop.text(rng, str(rng.integers(2, 13)), 0.25 * radius, (20, 20, 40), np.zeros(2))
        for x in np.arange(int(rng.integers(1, 6))) * 0.06:
            prop.mark(circle(0.025 * radius, ((x - 0.1) * radius, 0.2 * radius)), (20, 20, 40))
    return prop


def _draw_plastic_colour(rng: np.random.Generator) -> Colour:
    """Draw black, white, grey, or sometimes any colour."""
    if rng.random() < 0.2:
        return draw_any_colour(rng)
    level = ((0.05, 0.25), (0.75, 0.97), (0.3, 0.7))[int(rng.choice(3, p=[0.5, 0.35, 0.15]))]
    return draw_colour(rng, saturation=(0, 0.08), value=level)
