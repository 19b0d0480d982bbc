# SPDX-License-Identifier: MIT
"""Round objects: coins, chips, buttons, caps, rings, beetles, sweets, beads, a cup."""

from __future__ import annotations

import numpy as np

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour
from vision.training.scene_grounds.prints import draw_word
from vision.training.scene_grounds.prop import (
    Prop,
    circle,
    draw_contrasting_colour,
    draw_grid_points,
    draw_metal_colour,
    new_prop,
    scale_colour,
)


def draw_coin(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_chip(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_button(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a button with two, three or four holes that show dark."""
    radius, colour = rng.uniform(0.3, 0.85), draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.08, 0.2))
    prop.body(circle(radius), colour)
    prop.mark(circle(radius), colour, 0.3)
    prop.mark(circle(radius * 0.75), scale_colour(colour, 0.95), -0.1)
    for at in circle(radius * rng.uniform(0.2, 0.35), corners=int(rng.choice([2, 3, 4, 4]))):
        prop.mark(circle(radius * rng.uniform(0.08, 0.14), at), scale_colour(colour, 0.15), -0.8)
    return prop


def draw_cap(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_ring(rng: np.random.Generator, edge_px: float) -> Prop:
    """Draw a washer, a ring, or a nut."""
    radius = rng.uniform(0.3, 0.9)
    colour = draw_metal_colour(rng) if rng.random() < 0.7 else draw_any_colour(rng)
    prop = new_prop(edge_px, 2 * radius, 2 * radius, colour, thick=rng.uniform(0.06, 0.35))
    prop.body(circle(radius, corners=int(rng.choice([6, 40, 40]))), colour)
    prop.pierce(circle(radius * rng.uniform(0.3, 0.8)))
    return prop


def draw_beetle(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_sweet(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_pebble(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_beads(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_cup(rng: np.random.Generator, edge_px: float) -> Prop:
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
