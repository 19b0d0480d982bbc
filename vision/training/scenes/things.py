# SPDX-License-Identifier: MIT
"""
What lies about beside dice: coins, dominoes, chips, pens, keys, cards, fingers.

Each is drawn upright on a canvas of its own, then turned, lit from the side by its own relief
and laid on its shadow. What carries two to six round spots and is no die teaches most, so such
things come often; printed ones lie flat and belong to the ground.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes.noise import Albedo, Field, any_paint, as_albedo
from vision.training.scenes.prop import Prop, around, box, canvas, contrasting, grid
from vision.training.scenes.props_home import (
    book,
    earphones,
    keyboard,
    mouse,
    plate,
    plug,
    remote,
    tile,
)
from vision.training.scenes.props_long import cable, figure, hand, key, pen, screw, sleeve
from vision.training.scenes.props_round import (
    beads,
    beetle,
    button,
    cap,
    chip,
    coin,
    cup,
    ring,
    sweet,
)
from vision.training.scenes.props_square import brick, card, cube, domino, phone, scrap, stick

KINDS: tuple[tuple[Callable[[np.random.Generator, float], Prop], float], ...] = (
    (domino, 3),
    (coin, 2.5),
    (cube, 2.5),
    (chip, 2),
    (hand, 2),
    (beads, 1.5),
    (button, 1.5),
    (brick, 1.5),
    (beetle, 1),
    (pen, 1),
    (cable, 1),
    (card, 1),
    (scrap, 1),
    (ring, 0.7),
    (cap, 0.7),
    (key, 0.7),
    (screw, 0.7),
    (stick, 0.7),
    (figure, 0.7),
    (sweet, 0.7),
    (sleeve, 0.7),
    (cup, 0.5),
    (phone, 0.4),
    (plate, 1.5),
    (keyboard, 0.7),
    (mouse, 0.5),
    (remote, 0.7),
    (book, 1),
    (earphones, 0.5),
    (plug, 0.6),
    (tile, 0.8),
)
"""What draws a thing, and how often it comes beside the others."""

TRIES = 8


@dataclass(frozen=True, slots=True)
class _Light:
    """From where the things' shadows fall, and how hard: (x, y) of unit length, 0 to 1."""

    away: tuple[float, float]
    depth: float
    blur: float


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A turned thing in a window of the ground: first column and row, cover and shadow 0 to 1."""

    x: int
    y: int
    colours: Albedo
    cover: Field
    shadow: Field


def lay_things(
    rng: np.random.Generator, albedo: Albedo, edge_px: float, keep_out: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """
    Lay up to five things on a ground, and sometimes print spots on it.

    Args:
        rng: Decides everything.
        albedo: The ground, shape (h, w, 3), linear BGR, 0 to 1; drawn on in place.
        edge_px: How long a die's edge is in its pixels.
        keep_out: Circles in which nothing changes: x, y, radius in pixels, shape (n, 3).

    Returns:
        Where a thing lies, shape (h, w); shadows and prints are ground.
    """
    taken = _taken(albedo.shape[:2], np.asarray(keep_out, np.float64).reshape(-1, 3))
    found = np.zeros(albedo.shape[:2], np.bool_)
    turn = rng.uniform(0, 2 * np.pi)
    away = (float(np.cos(turn)), float(np.sin(turn)))
    light = _Light(away, rng.uniform(0.2, 0.75), rng.uniform(0.1, 0.8))
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(1, 5))):
            _lay(rng, albedo, _print(rng, edge_px), light, taken)
    weights = np.array([weight for _, weight in KINDS])
    count = int(rng.choice(6, p=[0.25, 0.2, 0.2, 0.15, 0.1, 0.1]))
    for index in rng.choice(len(KINDS), count, p=weights / weights.sum()):
        laid = _lay(rng, albedo, KINDS[index][0](rng, edge_px), light, taken)
        if laid is not None:
            rows = slice(laid.y, laid.y + laid.cover.shape[0])
            columns = slice(laid.x, laid.x + laid.cover.shape[1])
            found[rows, columns] |= laid.cover > 0.5
            taken[rows, columns] |= (laid.cover > 0).astype(np.uint8)
    return found


def _taken(shape: tuple[int, ...], keep_out: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return where nothing may be drawn, a pixel more than asked."""
    taken = np.zeros(shape[:2], np.uint8)
    for x, y, radius in keep_out:
        cv2.circle(taken, (round(x), round(y)), int(np.ceil(radius)) + 1, 1, -1)
    return taken


def _lay(
    rng: np.random.Generator,
    albedo: Albedo,
    prop: Prop,
    light: _Light,
    taken: NDArray[np.uint8],
) -> _Laid | None:
    """Draw a thing where there is room for it; return nothing where none was found."""
    for _ in range(TRIES):
        laid = _turned(rng, prop, light, (albedo.shape[0], albedo.shape[1]))
        if laid is None:
            continue
        rows = slice(laid.y, laid.y + laid.cover.shape[0])
        columns = slice(laid.x, laid.x + laid.cover.shape[1])
        touched = (laid.cover > 0) | (laid.shadow > 0)
        if (taken[rows, columns].astype(np.bool_) & touched).any():
            continue
        window = albedo[rows, columns]
        window *= (1 - laid.shadow)[..., None]
        window += laid.cover[..., None] * (laid.colours - window)
        return laid
    return None


def _turned(
    rng: np.random.Generator, prop: Prop, light: _Light, shape: tuple[int, int]
) -> _Laid | None:
    """Return the thing somewhere in the ground, lit and with its shadow."""
    height, width = prop.cover.shape
    center, angle = _somewhere(rng, prop, shape)
    cosine, sine = np.cos(angle), np.sin(angle)
    rim = 3 + prop.thick * prop.edge_px * 1.6
    half = np.abs([[cosine, sine], [sine, cosine]]) @ (width / 2, height / 2) + rim
    low = np.maximum(np.floor(center - half), 0).astype(int)
    high = np.minimum(np.ceil(center + half), (shape[1], shape[0])).astype(int)
    if (high - low < 4).any():
        return None
    turn = np.array([[cosine, -sine, 0], [sine, cosine, 0]])
    turn[:, 2] = center - low - turn[:, :2] @ ((width - 1) / 2, (height - 1) / 2)
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    cover = _share(cv2.warpAffine(prop.cover, turn, size), 255)
    picture = cv2.warpAffine(prop.picture, turn, size, borderMode=cv2.BORDER_REPLICATE)
    relief = _share(cv2.warpAffine(prop.relief, turn, size, borderValue=128), 127)
    colours = as_albedo(np.asarray(picture, np.uint8))
    if prop.thick > 0:
        colours *= _lit(rng, prop, cover, relief, light)[..., None]
    shadow = _shadow(prop, cover, light)
    colours = np.asarray(np.clip(colours, 0.003, 1), np.float32)
    return _Laid(int(low[0]), int(low[1]), colours, cover, shadow)


def _share(levels: NDArray[np.integer | np.floating], whole: int) -> Field:
    return np.asarray(levels, np.float32) / np.float32(whole)


def _somewhere(
    rng: np.random.Generator, prop: Prop, shape: tuple[int, int]
) -> tuple[NDArray[np.float64], float]:
    """Return a thing's middle and turn; what comes in over the border points inwards."""
    size = np.array([shape[1], shape[0]], np.float64)
    place = rng.uniform(0, 1, 2) * size
    if not prop.from_border:
        return place, rng.uniform(0, 2 * np.pi)
    side = int(rng.integers(4))
    place[side % 2] = size[side % 2] * (side // 2)
    inwards = (0, np.pi / 2, np.pi, 3 * np.pi / 2)[side]
    angle = inwards + rng.normal(0, 0.4)
    reach = prop.cover.shape[1] * rng.uniform(-0.4, 0.45)
    return place + reach * np.array([np.cos(angle), np.sin(angle)]), float(angle)


def _lit(rng: np.random.Generator, prop: Prop, cover: Field, relief: Field, light: _Light) -> Field:
    """Return how much brighter each of its pixels is for the way its surface leans."""
    soft = max(0.6, prop.edge_px * rng.uniform(0.015, 0.05))
    height = cover * min(prop.thick * 3, 1) + relief * np.float32(0.5)
    height = cv2.GaussianBlur(height, (0, 0), soft)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0) * np.float32(light.away[0])
    slope += cv2.Sobel(height, cv2.CV_32F, 0, 1) * np.float32(light.away[1])
    return np.asarray(np.exp(np.clip(slope * np.float32(light.depth), -1.2, 1.2)), np.float32)


def _shadow(prop: Prop, cover: Field, light: _Light) -> Field:
    if prop.thick <= 0:
        return np.zeros_like(cover)
    reach = prop.thick * prop.edge_px * 0.6
    push = np.array([[1, 0, light.away[0] * reach], [0, 1, light.away[1] * reach]])
    moved = cv2.warpAffine(cover, push, (cover.shape[1], cover.shape[0]))
    blurred = cv2.GaussianBlur(moved, (0, 0), max(0.5, reach * light.blur))
    return np.asarray(np.where(blurred > 0.01, blurred * light.depth, 0), np.float32)


def _print(rng: np.random.Generator, edge_px: float) -> Prop:
    """Return spots printed on the ground, often in the picture of a die or in a square."""
    wide, colour = rng.uniform(0.6, 1.6), any_paint(rng)
    prop = canvas(edge_px, wide, wide, colour, thick=0)
    ink = contrasting(rng, colour)
    kind = rng.random()
    if kind < 0.4:
        prop.body(box(wide, wide, corner=wide * rng.uniform(0, 0.25)), colour)
        prop.line(box(wide, wide), 0.04, ink, closed=True)
    step, radius = wide * rng.uniform(0.2, 0.33), wide * rng.uniform(0.06, 0.13)
    for at in grid(rng, int(rng.integers(1, 7))) * step:
        spot = around(radius, (at[0], at[1]))
        if kind < 0.4:
            prop.mark(spot, ink)
        else:
            prop.body(spot, ink)
    if 0.4 <= kind < 0.6:
        outline = box(wide * 0.95, wide * 0.95)
        prop.limb(np.vstack([outline, outline[:1]]), 0.05, ink)
    return prop
