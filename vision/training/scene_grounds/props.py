# SPDX-License-Identifier: MIT
"""
Objects that lie about: with corners, round ones, long ones and limbs, and those of a home.

Each is drawn upright on a canvas of its own; random numbers are drawn in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour
from vision.training.scene_grounds.prints import Colour, draw_word
from vision.training.scene_grounds.prop import (
    Points,
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


def draw_domino(rng: Generator, edge_px: float) -> Prop:
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


def draw_card(rng: Generator, edge_px: float) -> Prop:
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


def draw_oval_card(rng: Generator, edge_px: float) -> Prop:
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


def draw_score_card(rng: Generator, edge_px: float) -> Prop:
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


def draw_cube(rng: Generator, edge_px: float) -> Prop:
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


def draw_brick(rng: Generator, edge_px: float) -> Prop:
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


def draw_stick(rng: Generator, edge_px: float) -> Prop:
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


def draw_phone(rng: Generator, edge_px: float) -> Prop:
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


def draw_scrap(rng: Generator, edge_px: float) -> Prop:
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


def draw_coin(rng: Generator, edge_px: float) -> Prop:
    """Draw a coin: a rim, and a relief of letters, a head, or spots."""
    radius, colour = rng.uniform(0.5, 0.95), draw_metal_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.08, 0.15))
    prop.body(circle(radius), colour)
    prop.mark(circle(radius), scale_colour(colour, 1.05), 0.3)
    inner = draw_metal_colour(rng) if rng.random() < 0.25 else scale_colour(colour, 0.92)
    prop.mark(circle(radius * rng.uniform(0.65, 0.93)), inner, -0.05)
    for _ in range(int(rng.integers(2, 9))):
        at = rng.normal(0, 0.28 * radius, 2)
        shape = circle(rng.uniform(0.05, 0.3) * radius, at, int(rng.integers(3, 12)))
        prop.mark(shape, scale_colour(inner, rng.uniform(0.75, 1.2)), rng.uniform(-0.2, 0.4))
    if rng.random() < 0.6:
        at = rng.normal(0, 0.2 * radius, 2)
        prop.text(
            rng,
            str(rng.choice(["1", "2", "5", "10", "20", "50"])),
            radius * 0.6,
            scale_colour(inner, rng.uniform(0.5, 0.8)),
            at,
        )
    return prop


def draw_chip(rng: Generator, edge_px: float) -> Prop:
    """Draw a counter of a game: plain, with a notched edge, rings, spots, or a number."""
    radius, colour = rng.uniform(0.4, 1.25), draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.08, 0.3))
    prop.body(circle(radius), colour)
    ink = draw_contrasting_colour(rng, colour)
    if rng.random() < 0.4:
        prop.spots(circle(radius * 0.9, corners=int(rng.integers(4, 13))), radius * 0.13, ink)
    if rng.random() < 0.4:
        ring = radius * rng.uniform(0.4, 0.8)
        prop.mark(circle(ring), scale_colour(colour, rng.uniform(0.6, 1.3)), rng.uniform(-0.3, 0.3))
    kind = rng.random()
    if kind < 0.35:
        reach = radius * 0.8
        middles = draw_grid_points(rng, int(rng.integers(2, 7))) * reach * 0.5
        prop.spots(middles, reach * rng.uniform(0.08, 0.16), ink)
    elif kind < 0.6:
        prop.text(rng, draw_word(rng, 1, 2), radius * rng.uniform(0.4, 0.9), ink, np.zeros(2))
    elif kind < 0.7:
        prop.mark(circle(radius * rng.uniform(0.1, 0.4)), ink)
    return prop


def draw_button(rng: Generator, edge_px: float) -> Prop:
    """Draw a button with two, three or four holes that show dark."""
    radius, colour = rng.uniform(0.3, 0.85), draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.08, 0.2))
    prop.body(circle(radius), colour)
    prop.mark(circle(radius), colour, 0.3)
    prop.mark(circle(radius * 0.75), scale_colour(colour, 0.95), -0.1)
    for at in circle(radius * rng.uniform(0.2, 0.35), corners=int(rng.choice([2, 3, 4, 4]))):
        prop.mark(circle(radius * rng.uniform(0.08, 0.14), at), scale_colour(colour, 0.15), -0.8)
    return prop


def draw_cap(rng: Generator, edge_px: float) -> Prop:
    """Draw the cap of a bottle, with its crimped edge."""
    radius, colour = rng.uniform(0.8, 1.05), draw_any_colour(rng)
    prop = new_prop(edge_px, 2.1 * radius, 2.1 * radius, colour, thick=0.35)
    turn = np.linspace(0, 2 * np.pi, 126, endpoint=False)
    reach = radius * (1 + 0.04 * np.sin(21 * turn))
    prop.body(
        np.column_stack([np.cos(turn), np.sin(turn)]) * reach[:, None], scale_colour(colour, 0.8)
    )
    prop.mark(circle(radius * 0.82), colour, 0.5)
    prop.text(rng, draw_word(rng, 2, 5), 0.35, draw_contrasting_colour(rng, colour), np.zeros(2))
    return prop


def draw_ring(rng: Generator, edge_px: float) -> Prop:
    """Draw a washer, a ring, or a nut."""
    radius = rng.uniform(0.3, 0.9)
    colour = draw_metal_colour(rng) if rng.random() < 0.7 else draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.06, 0.35))
    prop.body(circle(radius, corners=int(rng.choice([6, 40, 40]))), colour)
    prop.pierce(circle(radius * rng.uniform(0.3, 0.8)))
    return prop


def draw_beetle(rng: Generator, edge_px: float) -> Prop:
    """Draw a ladybird of wood or sugar: a vaulted back with spots."""
    wide, high = rng.uniform(0.5, 1.2), rng.uniform(0.45, 0.9)
    colour = draw_colour(rng, (345, 400), (0.6, 1), (0.4, 0.9))
    prop = new_prop(edge_px, 1.3 * wide, high, colour, thick=0.35)
    prop.body(circle(0.2 * wide, (0.5 * wide, 0)), (20, 20, 20))
    prop.body(circle(0.5) * (wide, high), colour)
    for level in (0.9, 0.7, 0.5, 0.3):
        prop.mark(circle(level / 2) * (wide, high), colour, 1 - level)
    prop.line(np.array([(-0.5, 0), (0.5, 0)]) * wide, 0.04, (15, 15, 15))
    middles = draw_grid_points(rng, int(rng.integers(2, 7))) * (0.25 * wide, 0.25 * high)
    prop.spots(middles, 0.09 * wide, (15, 15, 15))
    return prop


def draw_sweet(rng: Generator, edge_px: float) -> Prop:
    """Draw a sweet, a pill, or a bean: rounded all over, bright."""
    wide, high = rng.uniform(0.3, 0.9, 2)
    colour = draw_colour(rng, saturation=(0.3, 1), value=(0.4, 1))
    prop = new_prop(edge_px, wide, high, colour, thick=0.3)
    prop.body(circle(0.5) * (wide, high), colour)
    for level in (0.9, 0.7, 0.5, 0.3):
        prop.mark(circle(level / 2) * (wide, high), colour, 1 - level)
    prop.mark(circle(0.06, (-0.15 * wide, -0.15 * high)), (245, 245, 245))
    if rng.random() < 0.3:
        prop.text(
            rng, draw_word(rng, 1, 1), 0.4 * high, draw_contrasting_colour(rng, colour), np.zeros(2)
        )
    return prop


def draw_pebble(rng: Generator, edge_px: float) -> Prop:
    """Draw a pebble or a glass stone: round or long, uneven, speckled or with a light spot."""
    colour = draw_any_colour(rng) if rng.random() < 0.4 else draw_colour(rng, (10, 50), (0, 0.3))
    long = rng.uniform(0.5, 1.5)
    wide, bumps = long * rng.uniform(0.6, 1.0), rng.normal(0, 0.04, 6) / np.arange(1, 7)
    prop = new_prop(edge_px, 1.3 * long, 1.3 * long, colour, thick=rng.uniform(0.3, 0.7))
    turn = np.arctan2(*circle(1.0).T)
    swell = 1 + sum(bump * np.cos((k + 2) * turn + k) for k, bump in enumerate(bumps))
    outline = circle(0.5) * (long, wide) * np.asarray(swell)[:, None]
    prop.body(outline, scale_colour(colour, 0.75))
    for share, raised in ((0.85, 0.15), (0.65, 0.35), (0.4, 0.5)):
        prop.mark(outline * share, scale_colour(colour, 1.1 - 0.3 * share), raised)
    for at in rng.uniform(-0.3, 0.3, (int(rng.choice([0, 1, 3, 12])), 2)) * (long, wide):
        tint = scale_colour(colour, rng.uniform(0.4, 1.6))
        prop.mark(circle(rng.uniform(0.01, 0.07), at), tint)
    if rng.random() < 0.5:
        prop.mark(circle(rng.uniform(0.04, 0.1), (0.15 * long, -0.15 * wide)), (250, 250, 250))
    return prop


def draw_beads(rng: Generator, edge_px: float) -> Prop:
    """Draw a few beads, peas or pebbles in a group like pips."""
    size, colour = rng.uniform(0.5, 1.5), draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * size, 2 * size, colour, thick=rng.uniform(0.1, 0.3))
    radius = size * rng.uniform(0.09, 0.22)
    one_colour = rng.random() < 0.7
    for at in draw_grid_points(rng, int(rng.integers(2, 7))) * 0.6 * size:
        middle = at + rng.normal(0, 0.06 * size, 2)
        tint = colour if one_colour else draw_any_colour(rng)
        prop.body(circle(radius, middle), tint)
        prop.mark(circle(radius * 0.6, middle), tint, 0.6)
    return prop


def draw_cup(rng: Generator, edge_px: float) -> Prop:
    """Draw a dice cup, a glass or a lid, seen from above."""
    radius = rng.uniform(1.5, 2.8)
    colour = (
        draw_any_colour(rng)
        if rng.random() < 0.5
        else draw_colour(rng, (10, 30), (0.2, 0.7), (0.1, 0.4))
    )
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.4, 1.0))
    prop.body(circle(radius), colour)
    prop.mark(
        circle(radius * rng.uniform(0.82, 0.95)), scale_colour(colour, rng.uniform(0.2, 0.9)), -0.6
    )
    if rng.random() < 0.5:
        prop.mark(
            circle(radius * rng.uniform(0.3, 0.7)), scale_colour(colour, rng.uniform(0.3, 1.1))
        )
    return prop


def draw_pen(rng: Generator, edge_px: float) -> Prop:
    """Draw a pen or a pencil with its tip."""
    long, wide, colour = rng.uniform(6, 10), rng.uniform(0.3, 0.7), draw_any_colour(rng)
    prop = new_prop(edge_px, long, wide, colour, thick=wide * 0.8)
    body = long * rng.uniform(0.8, 0.9)
    prop.body(box(body, wide, (-(long - body) / 2, 0), corner=wide * rng.uniform(0, 0.5)), colour)
    start, tip = long / 2 - (long - body), long / 2
    cone = np.array([(start, -wide / 2), (tip, -0.03), (tip, 0.03), (start, wide / 2)])
    prop.body(cone, draw_any_colour(rng))
    for _ in range(int(rng.integers(0, 4))):
        at = rng.uniform(-0.45, 0.3) * long
        prop.mark(box(rng.uniform(0.05, 0.6), wide, (at, 0)), draw_any_colour(rng))
    for y, shine in ((-0.2, 1.35), (-0.28, 1.15), (0.35, 0.7)):
        path = np.array([(-long / 2, y * wide), (start, y * wide)])
        prop.line(path, 0.12 * wide, scale_colour(colour, shine))
    return prop


def draw_cable(rng: Generator, edge_px: float) -> Prop:
    """Draw a cable or a cord that comes in from outside."""
    long, wide = rng.uniform(5, 14), rng.uniform(0.12, 0.4)
    colour = draw_any_colour(rng)
    prop = new_prop(edge_px, long, 4, colour, thick=wide, from_border=True)
    along = np.linspace(-long / 2, long / 2, 60)
    bend = sum(
        rng.normal(0, 0.5) * np.sin(along * rng.uniform(0.2, 1.2) + rng.uniform(0, 6))
        for _ in range(3)
    )
    path = np.column_stack([along, np.clip(bend, -1.8, 1.8)])
    prop.limb(path, wide, colour)
    prop.line(path - (0, wide * 0.2), wide * 0.25, scale_colour(colour, 1.4))
    if rng.random() < 0.4:
        prop.body(box(0.9, 0.8, (path[-1, 0] - 0.4, path[-1, 1])), scale_colour(colour, 0.9))
    return prop


def draw_key(rng: Generator, edge_px: float) -> Prop:
    """Draw a key with its bow, blade and teeth."""
    colour, long = draw_metal_colour(rng), rng.uniform(2.5, 3.8)
    prop = new_prop(edge_px, long, 1.8, colour, thick=0.12)
    bow = rng.uniform(0.6, 0.85)
    left = -long / 2 + bow
    prop.body(circle(bow, (left, 0), int(rng.choice([6, 8, 30]))), colour)
    blade = box(long - 2 * bow + 0.3, 0.4, (left + bow + (long - 2 * bow) / 2 - 0.15, 0))
    prop.body(blade, colour)
    for x in np.arange(left + bow + 0.3, long / 2 - 0.2, 0.3):
        prop.body(box(0.2, rng.uniform(0.1, 0.4), (x, 0.25)), colour)
    prop.line(
        np.array([(left + bow, -0.05), (long / 2 - 0.2, -0.05)]), 0.05, scale_colour(colour, 0.5)
    )
    prop.pierce(circle(rng.uniform(0.15, 0.3), (left - 0.3 * bow, 0)))
    return prop


def draw_screw(rng: Generator, edge_px: float) -> Prop:
    """Draw a screw on its side, or its head with the cross."""
    colour, head = draw_metal_colour(rng), rng.uniform(0.2, 0.4)
    long = rng.uniform(0.8, 2.5)
    prop = new_prop(edge_px, long + 2 * head, 2 * head, colour, thick=head)
    if rng.random() < 0.5:
        prop.body(circle(head), colour)
        for path in (np.array([(-0.6, 0), (0.6, 0)]), np.array([(0, -0.6), (0, 0.6)])):
            prop.line(path * head, 0.3 * head, scale_colour(colour, 0.3))
        return prop
    prop.body(box(long, head * 0.9), colour)
    prop.body(box(head * 0.7, 2 * head, (-long / 2, 0), corner=0.1 * head), colour)
    for x in np.arange(-long / 2 + head, long / 2, 0.12):
        path = np.array([(x, -0.45 * head), (x + 0.06, 0.45 * head)])
        prop.line(path, 0.05, scale_colour(colour, 0.45))
    return prop


def draw_figure(rng: Generator, edge_px: float) -> Prop:
    """Draw a wooden figure of a board game on its back."""
    colour, size = draw_any_colour(rng), rng.uniform(0.7, 1.2)
    prop = new_prop(edge_px, 1.2 * size, 1.2 * size, colour, thick=0.5)
    half = np.array(
        [
            (0, -0.2),
            (0.2, -0.22),
            (0.55, 0),
            (0.5, 0.12),
            (0.28, 0.1),
            (0.45, 0.5),
            (0.1, 0.5),
            (0, 0.3),
        ]
    )
    outline = np.vstack([half, half[::-1] * (-1, 1)]) * size
    prop.body(outline, colour)
    prop.body(circle(0.2 * size, (0, -0.3 * size)), colour)
    return prop


def draw_hand(rng: Generator, edge_px: float) -> Prop:
    """Draw a hand that reaches in: some fingers, or all and the back of the hand."""
    skin = draw_colour(rng, (8, 30), (0.25, 0.65), (0.2, 0.95))
    long = rng.uniform(5, 8)
    prop = new_prop(edge_px, long, 6, skin, thick=0.7, from_border=True)
    knuckles = long / 2 - rng.uniform(2.5, 4)
    count = int(rng.choice([1, 2, 4, 4]))
    if count == 4:
        palm = np.array([(-long / 2, 0.2), (knuckles - 1.2, 0)])
        _draw_round_limb(prop, palm, 4.2, skin)
        thumb = np.array([(knuckles - 3, 1.8), (knuckles - 0.6, 2.5), (knuckles + 0.4, 2.3)])
        _draw_round_limb(prop, thumb, 1.1, skin)
    for finger in range(count):
        y = (finger - (count - 1) / 2) * 1.05
        start = knuckles - 1 if count == 4 else -long / 2
        reach = long / 2 - 0.6 - abs(y) * 0.5 - rng.uniform(0, 0.6)
        path = np.array([(start, y), (knuckles + 0.4, y * 1.1), (reach, y * rng.uniform(0.7, 1.2))])
        _draw_round_limb(
            prop, path, rng.uniform(0.8, 1.05), scale_colour(skin, rng.uniform(0.93, 1.05))
        )
        if rng.random() < 0.7:
            nail = circle(0.27, (reach + 0.1, path[-1, 1]))
            prop.mark(nail, scale_colour(skin, rng.uniform(1.05, 1.25)), 0.5)
    return prop


def draw_sleeve(rng: Generator, edge_px: float) -> Prop:
    """Draw a sleeve or a cloth's corner that hangs in."""
    colour, long, wide = draw_any_colour(rng), rng.uniform(3, 7), rng.uniform(3, 5)
    prop = new_prop(edge_px, long, wide + 1, colour, thick=0.8, from_border=True)
    y = np.linspace(-wide / 2, wide / 2, 12)
    end = long / 2 - 0.4 + rng.normal(0, 0.12, 12)
    outline = np.vstack(
        [np.column_stack([end, y]), [(-long / 2, wide / 2), (-long / 2, -wide / 2)]]
    )
    prop.body(outline, colour)
    for _ in range(int(rng.integers(1, 7))):
        ends = np.column_stack(
            [rng.uniform(-0.5, 0.45, 2) * long, rng.uniform(-0.45, 0.45, 2) * wide]
        )
        prop.line(ends, rng.uniform(0.1, 0.4), scale_colour(colour, rng.uniform(0.7, 1.2)))
    return prop


def _draw_round_limb(prop: Prop, path: Points, wide: float, colour: Colour) -> None:
    prop.limb(path, wide, scale_colour(colour, 0.7))
    for share, light in ((0.88, 0.82), (0.72, 0.92), (0.5, 1.0)):
        prop.line(path, wide * share, scale_colour(colour, light))


def draw_keyboard(rng: Generator, edge_px: float) -> Prop:
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


def draw_mouse(rng: Generator, edge_px: float) -> Prop:
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


def draw_remote(rng: Generator, edge_px: float) -> Prop:
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


def draw_book(rng: Generator, edge_px: float) -> Prop:
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


def draw_earphones(rng: Generator, edge_px: float) -> Prop:
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


def draw_plug(rng: Generator, edge_px: float) -> Prop:
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


def draw_plate(rng: Generator, edge_px: float) -> Prop:
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


def draw_panel(rng: Generator, edge_px: float) -> Prop:
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


def draw_tile(rng: Generator, edge_px: float) -> Prop:
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


def _draw_plastic_colour(rng: Generator) -> Colour:
    """Draw black, white, grey, or sometimes any colour."""
    if rng.random() < 0.2:
        return draw_any_colour(rng)
    level = ((0.05, 0.25), (0.75, 0.97), (0.3, 0.7))[int(rng.choice(3, p=[0.5, 0.35, 0.15]))]
    return draw_colour(rng, saturation=(0, 0.08), value=level)


Props = tuple[tuple[Callable[[Generator, float], Prop], float], ...]

PROPS: Props = (
    (draw_domino, 3),
    (draw_coin, 2.5),
    (draw_cube, 2.5),
    (draw_chip, 2),
    (draw_hand, 2),
    (draw_beads, 1.5),
    (draw_button, 1.5),
    (draw_brick, 1.5),
    (draw_beetle, 1),
    (draw_pen, 1),
    (draw_cable, 1),
    (draw_card, 1),
    (draw_scrap, 1),
    (draw_ring, 0.7),
    (draw_cap, 0.7),
    (draw_key, 0.7),
    (draw_screw, 0.7),
    (draw_stick, 0.7),
    (draw_figure, 0.7),
    (draw_sweet, 0.7),
    (draw_sleeve, 0.7),
    (draw_cup, 0.5),
    (draw_phone, 0.4),
    (draw_plate, 1.5),
    (draw_keyboard, 0.7),
    (draw_mouse, 0.5),
    (draw_remote, 0.7),
    (draw_book, 1),
    (draw_earphones, 0.5),
    (draw_plug, 0.6),
    (draw_tile, 0.8),
    (draw_oval_card, 1),
    (draw_score_card, 1),
    (draw_panel, 1),
    (draw_pebble, 1.2),
)
"""Functions that draw a prop, with their weights."""
