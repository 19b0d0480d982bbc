# SPDX-License-Identifier: MIT
"""Long objects and limbs: pens, cables, keys, screws, figures, hands and sleeves."""

from __future__ import annotations

import numpy as np

from vision.training.scene_grounds.noise import draw_any_colour, draw_colour
from vision.training.scene_grounds.prints import Colour
from vision.training.scene_grounds.prop import (
    Points,
    Prop,
    box,
    circle,
    draw_metal_colour,
    new_prop,
    scale_colour,
)


def draw_pen(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_cable(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_key(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_screw(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_figure(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_hand(rng: np.random.Generator, edge_px: float) -> Prop:
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


def draw_sleeve(rng: np.random.Generator, edge_px: float) -> Prop:
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
