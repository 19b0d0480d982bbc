# SPDX-License-Identifier: MIT
"""
What dice are thrown on, seen from straight above: cloth, wood, stone, paper, print.

Every ground is a colour with a texture, both drawn at random; few of them are as
they should be on a games table, because tables are not.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rng = np.random.Generator


def ground(rng: Rng, side_px: int) -> Floats:
    """
    Draw a ground.

    Args:
        rng: Where chance comes from.
        side_px: Side of the square.

    Returns:
        How much of the light it sends back, (side, side, 3), BGR, 0 to 1.
    """
    albedo = _one(rng, side_px)
    if rng.random() < 0.15:
        albedo = _laid_over(rng, albedo, _one(rng, side_px))
    return np.ascontiguousarray(np.clip(albedo, 0.004, 0.95), dtype=np.float32)


def _one(rng: Rng, side: int) -> Floats:
    kind = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))]
    return kind(rng, side)


def noise(rng: Rng, side: int, cell_px: float, *, stretch: float = 1.0) -> Floats:
    """
    Return smooth noise of mean 0 and deviation about 1, (side, side).

    Args:
        rng: Where chance comes from.
        side: Of the square, in pixels.
        cell_px: How far apart independent values lie.
        stretch: How many times longer the grain is along x.
    """
    rows = max(2, int(side / max(cell_px, 1.0)))
    columns = max(2, int(side / max(cell_px * stretch, 1.0)))
    small = rng.standard_normal((min(rows, side), min(columns, side)), dtype=np.float32)
    smooth = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, dtype=np.float32)


def octaves(rng: Rng, side: int, cell_px: float, *, stretch: float = 1.0) -> Floats:
    """Return noise with detail on four scales, from `cell_px` down."""
    total = np.zeros((side, side), np.float32)
    for k in range(4):
        total += noise(rng, side, cell_px / 2.4**k, stretch=stretch) * 0.6**k
    return total


def colour(
    rng: Rng, *, hue: tuple[float, float] = (0.0, 1.0), most_saturated: float = 0.85
) -> Floats:
    """Return a random albedo (3,), BGR; dark, light, dull and saturated ones alike."""
    value = float(np.exp(rng.uniform(np.log(0.02), np.log(0.85))))
    saturation = most_saturated * float(rng.beta(1.2, 1.6))
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1.0, saturation, 1.0)
    return np.array([blue, green, red], np.float32) * value


def _textured(base: Floats, texture: Floats, depth: float) -> Floats:
    return np.asarray(base * np.exp(depth * texture)[..., None], dtype=np.float32)


def _felt(rng: Rng, side: int) -> Floats:
    base = colour(rng)
    fibres = noise(rng, side, rng.uniform(1.0, 2.5), stretch=rng.uniform(1.0, 4.0))
    fibres += 0.5 * rng.standard_normal((side, side), dtype=np.float32)
    cloudy = octaves(rng, side, side / rng.uniform(3.0, 12.0))
    return _textured(base, fibres + 0.7 * cloudy, rng.uniform(0.02, 0.14))


def _carpet(rng: Rng, side: int) -> Floats:
    cell = rng.uniform(2.0, 12.0)
    tufts = noise(rng, side, cell) + 0.6 * noise(rng, side, cell / 2.0)
    albedo = _textured(colour(rng), tufts, rng.uniform(0.15, 0.5))
    if rng.random() < 0.6:
        other = noise(rng, side, cell) > rng.uniform(0.3, 1.5)
        albedo[other] = colour(rng)
    return albedo


def _wood(rng: Rng, side: int) -> Floats:
    light, dark = colour(rng, hue=(0.03, 0.12)), colour(rng, hue=(0.02, 0.1))
    light = np.maximum(light, 0.6 * light + 0.4 * np.array([0.12, 0.25, 0.42], np.float32))
    along = octaves(rng, side, side / rng.uniform(4.0, 14.0), stretch=rng.uniform(5.0, 20.0))
    rings = np.sin(along * rng.uniform(2.0, 9.0))
    grain = noise(rng, side, rng.uniform(1.0, 3.0), stretch=rng.uniform(8.0, 40.0))
    share = np.clip(0.5 + rng.uniform(0.1, 0.35) * rings + 0.1 * grain, 0.0, 1.0)[..., None]
    contrast = rng.uniform(0.1, 0.7)
    albedo = light * (1.0 - contrast * share) + dark * contrast * share
    if rng.random() < 0.5:
        _planks(rng, albedo)
    if rng.random() < 0.4:
        albedo = _knots(rng, albedo)
    return np.rot90(albedo, int(rng.integers(4))).astype(np.float32)


def _planks(rng: Rng, albedo: Floats) -> None:
    side = len(albedo)
    for y in np.arange(rng.uniform(0, 80), side, rng.uniform(60, 260)).astype(int):
        albedo[y:] *= rng.uniform(0.85, 1.18)
        albedo[y : y + int(rng.integers(1, 4))] *= rng.uniform(0.2, 0.8)


def _knots(rng: Rng, albedo: Floats) -> Floats:
    side = len(albedo)
    dark = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(1, 7))):
        center = tuple(int(v) for v in rng.integers(0, side, 2))
        axes = int(rng.uniform(4, 26)), int(rng.uniform(3, 14))
        cv2.ellipse(dark, center, axes, 0, 0, 360, float(rng.uniform(0.3, 0.9)), -1)
    dark = cv2.GaussianBlur(dark, (0, 0), 2.0)
    return (albedo * (1.0 - dark[..., None])).astype(np.float32)


def _leather(rng: Rng, side: int) -> Floats:
    cells = np.abs(noise(rng, side, rng.uniform(4.0, 14.0)))
    bumps = np.minimum(cells, np.abs(noise(rng, side, rng.uniform(4.0, 14.0))))
    depth = rng.uniform(0.1, 0.45)
    return _textured(colour(rng, most_saturated=0.7), np.minimum(bumps, 1.0), depth)


def _plain(rng: Rng, side: int) -> Floats:
    base = colour(rng, most_saturated=0.5)
    if rng.random() < 0.4:
        base = np.full(3, rng.choice([0.02, 0.04, 0.7, 0.85]), np.float32)
    texture = octaves(rng, side, side / rng.uniform(2.0, 40.0))
    if rng.random() < 0.3:
        texture += noise(rng, side, 1.2, stretch=rng.uniform(20.0, 80.0))
    return _textured(base, texture, rng.uniform(0.0, 0.06))


def _stone(rng: Rng, side: int) -> Floats:
    veins = np.abs(octaves(rng, side, side / rng.uniform(3.0, 12.0)))
    share = np.exp(-veins * rng.uniform(2.0, 8.0))[..., None] * rng.uniform(0.2, 0.9)
    albedo = colour(rng, most_saturated=0.4) * (1.0 - share) + colour(rng) * share
    if rng.random() < 0.5:
        specks = noise(rng, side, rng.uniform(1.5, 6.0)) > rng.uniform(1.0, 2.2)
        albedo[specks] = colour(rng, most_saturated=0.4)
    return np.asarray(albedo, dtype=np.float32)


def _paper(rng: Rng, side: int) -> Floats:
    base = np.array([0.72, 0.75, 0.78], np.float32) * rng.uniform(0.6, 1.1)
    albedo = _textured(base, octaves(rng, side, side / 5.0), rng.uniform(0.0, 0.03))
    ink = colour(rng) * 0.4
    step = rng.uniform(14.0, 60.0)
    lines = np.arange(rng.uniform(0.0, step), side, step).astype(int)
    kind = rng.integers(4)
    if kind >= 1:
        albedo[lines] = 0.5 * albedo[lines] + 0.5 * ink
    if kind == 2:
        albedo[:, lines] = 0.5 * albedo[:, lines] + 0.5 * ink
    if kind == 3:
        _write(rng, albedo, lines, step, ink)
    return albedo


def _write(rng: Rng, albedo: Floats, lines: NDArray[np.int_], step: float, ink: Floats) -> None:
    signs = "abcdefghiklmnoprstuvwxyz   .,:0123456789OIEAS%8&"
    page = np.zeros(albedo.shape[:2], np.uint8)
    for y in lines:
        text = "".join(rng.choice(list(signs), int(rng.integers(8, 70))))
        letter(page, text, (int(rng.uniform(-20, len(albedo) / 2)), int(y)), step / 40.0)
    share = page[..., None].astype(np.float32) / 255.0
    albedo += share * (ink - albedo)


def letter(page: NDArray[np.uint8], text: str, at: tuple[int, int], size: float) -> None:
    """Write on a page (height, width), uint8: how much of each pixel is ink."""
    weight = max(1, round(size * 1.8))
    cv2.putText(page, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, weight, cv2.LINE_AA)


def _weave(rng: Rng, side: int) -> Floats:
    """Threads over and under each other, or checks, or spots in rows, as cloth has them."""
    period = rng.uniform(3.0, 30.0)
    x = np.arange(side, dtype=np.float32) * 2.0 * np.pi / period
    wavy = rng.uniform(0.0, 0.6) * octaves(rng, side, side / 4.0)
    across, down = np.sin(x[None] + wavy), np.sin(x[:, None] * rng.uniform(0.7, 1.4) + wavy)
    pattern = across * down if rng.random() < 0.6 else np.maximum(across, down)
    share = 1.0 / (1.0 + np.exp(-pattern * rng.uniform(1.0, 8.0)))
    first, second = colour(rng), colour(rng)
    second = first + (second - first) * rng.uniform(0.1, 1.0)
    albedo = first + (second - first) * share[..., None]
    return _textured(albedo, rng.standard_normal((side, side), dtype=np.float32), 0.08)


def _board(rng: Rng, side: int) -> Floats:
    """A printed game board: fields in colours, with blots and rings on them."""
    albedo = np.empty((side, side, 3), np.float32)
    albedo[:] = colour(rng)
    field_px = rng.uniform(40.0, 220.0)
    sides = int(rng.choice([4, 6]))
    for row, y in enumerate(np.arange(0.0, side + field_px, field_px * 0.87)):
        for x in np.arange((row % 2) * field_px / 2, side + field_px, field_px):
            turn = np.arange(sides) * 2.0 * np.pi / sides + np.pi / sides
            outline = np.stack([np.cos(turn), np.sin(turn)], 1) * field_px * 0.54 + (x, y)
            points = np.rint(outline).astype(np.int32)
            cv2.fillPoly(albedo, [points], [float(v) for v in colour(rng)])
            cv2.polylines(albedo, [points], True, [0.5, 0.6, 0.7], 2)
            for _ in range(int(rng.integers(0, 5))):
                _blot(rng, albedo, np.array([x, y]), field_px)
    return _textured(albedo, octaves(rng, side, 40.0), 0.05)


def _blot(rng: Rng, albedo: Floats, middle: NDArray[np.float64], field_px: float) -> None:
    at = middle + rng.uniform(-0.35, 0.35, 2) * field_px
    center = int(at[0]), int(at[1])
    radius = max(1, int(rng.uniform(0.03, 0.16) * field_px))
    tint = [float(v) for v in colour(rng)]
    cv2.circle(albedo, center, radius, tint, int(rng.choice([-1, 1, 3])), cv2.LINE_AA)


def _laid_over(rng: Rng, below: Floats, above: Floats) -> Floats:
    """A sheet, a mat or a board that lies on another ground and ends somewhere."""
    side = len(below)
    turn = rng.uniform(0.0, 2.0 * np.pi)
    y, x = np.ogrid[-0.5 : 0.5 : side * 1j, -0.5 : 0.5 : side * 1j]
    away = (x * np.cos(turn) + y * np.sin(turn)) - rng.uniform(-0.3, 0.3)
    if rng.random() < 0.4:
        away = np.maximum(away, x * np.sin(turn) - y * np.cos(turn) - rng.uniform(-0.3, 0.3))
    shade = 1.0 - rng.uniform(0.0, 0.5) * np.exp(-np.maximum(away, 0.0) * side / 6.0)
    return np.where((away < 0)[..., None], above, below * shade[..., None]).astype(np.float32)


_KINDS: tuple[Callable[[Rng, int], Floats], ...] = (
    _felt, _carpet, _wood, _leather, _plain, _stone, _paper, _weave, _board,
)  # fmt: skip
_SHARES = (0.24, 0.1, 0.18, 0.08, 0.16, 0.06, 0.08, 0.06, 0.04)
