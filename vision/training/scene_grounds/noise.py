# SPDX-License-Identifier: MIT
"""
Cheap noise in two dimensions, and colours, for grounds and props.

Noise of every scale comes from small arrays that are enlarged, turned and stretched in one step.
Only the finest grain is as large as the texture, and that comes from raw bytes.
"""

from __future__ import annotations

import colorsys
import math

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Field = NDArray[np.float32]  # One value per texture pixel, shape (h, w).
Albedo = NDArray[np.float32]  # Reflected share of light, linear BGR, shape (h, w, 3) or (3,).
Span = tuple[float, float]  # Lower and upper limit.

_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


def draw_grain(rng: Generator, *shape: int) -> Field:
    """Draw white noise of zero mean and unit spread, cheaply: the sum of two bytes."""
    raw = np.frombuffer(rng.bytes(2 * math.prod(shape)), np.int8).reshape(2, *shape)
    total = cv2.add(raw[0], raw[1], dtype=cv2.CV_32F)
    return np.asarray(total, np.float32) / np.float32(104.5)


def tile_texture(
    rng: Generator,
    tile: NDArray[np.float32] | NDArray[np.uint8],
    side_px: int,
    *,
    scale: tuple[float, float],
    angle_rad: float,
) -> NDArray[np.float32]:
    """
    Return a tile (n, m) or (n, m, 3) repeated over a square from a random offset, enlarged by
    `scale` along its rows and across them, and turned.
    """
    cosine, sine = np.cos(angle_rad), np.sin(angle_rad)
    turn = np.array([[cosine, sine], [-sine, cosine]]) / np.array(scale)[:, None]
    corners = turn @ (np.array([(0, 1, 0, 1), (0, 0, 1, 1)]) * side_px)
    low, high = corners.min(1), corners.max(1)
    size = np.array(tile.shape[1::-1])
    start = rng.uniform(2, 2 + size)
    # Repeated explicitly, because versions of OpenCV differ in how often a border wraps.
    columns, rows = np.ceil((start + high - low + 3) / size).astype(int).tolist()
    many = cv2.repeat(tile, rows, columns)
    whole = np.column_stack([turn, start - low])
    how = cv2.INTER_CUBIC if min(scale) > 2 else cv2.INTER_LINEAR
    flags = how | cv2.WARP_INVERSE_MAP
    found = cv2.warpAffine(
        many, whole, (side_px, side_px), flags=flags, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(found, np.float32)


def draw_cloud(
    rng: Generator,
    side_px: int,
    cell_px: float,
    *,
    octaves: int = 1,
    stretch: float = 1.0,
    angle_rad: float | None = None,
) -> Field:
    """
    Draw smooth noise of about unit spread, with blots of at least about one pixel.

    Each octave is a layer of half the size and strength of the one before. Blots may be stretched
    in a direction, which is random if `None`.
    """
    angle_rad = rng.uniform(0, np.pi) if angle_rad is None else angle_rad
    total = np.zeros((side_px, side_px), np.float32)
    weight, power = 1.0, 0.0
    for _ in range(octaves):
        total += _draw_layer(rng, side_px, cell_px, stretch, angle_rad) * np.float32(weight)
        power += weight**2
        weight, cell_px = weight * 0.55, max(cell_px / 2, 1.0)
    return np.asarray(total * np.float32(1.25 / np.sqrt(power)), np.float32)


def _draw_layer(
    rng: Generator, side_px: int, cell_px: float, stretch: float, angle_rad: float
) -> Field:
    # Large blots are turned at a small size and then enlarged, for a tenth of the cost.
    coarse = cell_px / 3 if cell_px > 4 else 1.0
    small_px = int(np.ceil(side_px / coarse))
    cells = int(np.clip(1.5 * side_px / cell_px + 4, 8, 160))
    scale = (cell_px / coarse * stretch, cell_px / coarse)
    tile = draw_grain(rng, cells, cells)
    found = tile_texture(rng, tile, small_px, scale=scale, angle_rad=angle_rad)
    if coarse > 1:
        found = np.asarray(cv2.resize(found, (side_px, side_px), interpolation=cv2.INTER_CUBIC))
    return found


def draw_colour(
    rng: Generator,
    hue_deg: Span = (0, 360),
    saturation: Span = (0.0, 1.0),
    value: Span = (0.08, 1.0),
) -> tuple[float, float, float]:
    """Draw a colour as in pictures: blue, green, red, 0 to 255."""
    hue = rng.uniform(*hue_deg) / 360 % 1.0
    red, green, blue = colorsys.hsv_to_rgb(hue, rng.uniform(*saturation), rng.uniform(*value))
    return blue * 255, green * 255, red * 255


def draw_any_colour(rng: Generator) -> tuple[float, float, float]:
    """Draw any colour, with black, white and greys as often as strong ones."""
    kind = rng.random()
    if kind < 0.15:
        return draw_colour(rng, saturation=(0, 0.15), value=(0.06, 0.22))
    if kind < 0.3:
        return draw_colour(rng, saturation=(0, 0.1), value=(0.8, 0.97))
    if kind < 0.5:
        return draw_colour(rng, saturation=(0, 0.25), value=(0.2, 0.9))
    return draw_colour(rng, saturation=(0.25, 0.95), value=(0.15, 0.95))


def colour_to_albedo(colour: tuple[float, float, float]) -> Albedo:
    """Return the albedo, shape (3,), of a colour as in pictures."""
    return np.asarray((np.array(colour) / 255.0) ** 2.2, np.float32)


def picture_to_albedo(picture: NDArray[np.uint8]) -> Albedo:
    """Return the albedo of a picture, shape (h, w, 3)."""
    return np.asarray(cv2.LUT(picture, _LINEAR), np.float32)


def mix(share: Field, low: Albedo, high: Albedo) -> Albedo:
    """Return colours between two, (3,) each: `low` for a share of 0, `high` for 1."""
    share = np.clip(share, 0, 1)
    channels = [share * (to - start) + start for start, to in zip(low, high, strict=True)]
    return np.asarray(cv2.merge(channels), np.float32)


def shade(albedo: Albedo, light: Field) -> Albedo:
    """Return the albedo, (3,) or (h, w, 3), times the exponential of `light`, (h, w)."""
    factor = cv2.exp(light)
    if albedo.ndim == 1:
        return np.asarray(cv2.merge([factor * share for share in albedo]), np.float32)
    return np.asarray(cv2.multiply(albedo, cv2.merge([factor] * 3)), np.float32)
