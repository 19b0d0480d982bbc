# SPDX-License-Identifier: MIT
"""
What lies about beside dice: coins, dominoes, chips, pens, keys, cards, fingers.

They are drawn flat into the ground with a lit rim and a shadow, which from above is
most of what shows of them. Things with round spots that are no dice teach most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.studio.grounds import colour, letter

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Rng = np.random.Generator
Colour = list[float]


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """Where things are drawn: the ground, the places taken, and a die's edge in its pixels."""

    rng: Rng
    albedo: Floats
    edge_px: float
    keep_out: Floats

    @property
    def colour(self) -> Colour:
        return [float(v) for v in colour(self.rng)]

    def free_place(self, radius_px: float) -> tuple[float, float] | None:
        """A place this far from everything that is to stay clear; none after some tries."""
        height, width = self.albedo.shape[:2]
        for _ in range(12):
            x, y = self.rng.uniform(0, width), self.rng.uniform(0, height)
            away = np.hypot(self.keep_out[:, 0] - x, self.keep_out[:, 1] - y)
            if (away > self.keep_out[:, 2] + radius_px).all():
                return float(x), float(y)
        return None


def lay_things(rng: Rng, albedo: Floats, edge_px: float, keep_out: Floats) -> Bools:
    """
    Lay things on a ground, and print spots on it.

    Args:
        rng: Where chance comes from.
        albedo: The ground, (height, width, 3), BGR, 0 to 1; changed in place.
        edge_px: A die's edge in its pixels.
        keep_out: Circles that stay clear: x, y and radius in pixels, (n, 3).

    Returns:
        Where things lie, (height, width); prints are ground.
    """
    keep_out = np.asarray(keep_out, np.float32).reshape(-1, 3)
    sheet = _Sheet(rng, albedo, edge_px, keep_out)
    mask = np.zeros(albedo.shape[:2], np.uint8)
    if rng.random() < 0.3:
        _print(sheet)
    for _ in range(int(rng.integers(0, 6))):
        kind = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))]
        kind(sheet, mask)
    return mask > 0


def _put(sheet: _Sheet, mask: NDArray[np.uint8], outline: Floats, tint: Colour) -> None:
    """One flat body: its shadow, itself, its lit and its dark rim."""
    rng, albedo = sheet.rng, sheet.albedo
    thick = rng.uniform(0.03, 0.25) * sheet.edge_px
    turn = rng.uniform(0.0, 2.0 * np.pi)
    away = np.array([np.cos(turn), np.sin(turn)]) * thick
    body = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(body, [_whole(outline)], 255, cv2.LINE_AA)
    shade = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(shade, [_whole(outline + away)], 255, cv2.LINE_AA)
    blur = max(0.5, rng.uniform(0.05, 0.8) * thick)
    x, y, w, h = _window(outline, 3.0 * (thick + blur), mask.shape)
    if w <= 0 or h <= 0:
        return
    part = np.s_[y : y + h, x : x + w]
    dark = cv2.GaussianBlur(shade[part], (0, 0), blur).astype(np.float32) / 255.0
    albedo[part] *= (1.0 - rng.uniform(0.2, 0.75) * dark)[..., None]
    share = (body[part].astype(np.float32) / 255.0)[..., None]
    grain = 1.0 + rng.uniform(0.0, 0.12) * rng.standard_normal((h, w, 1), dtype=np.float32)
    albedo[part] = albedo[part] * (1.0 - share) + share * np.array(tint, np.float32) * grain
    rim = max(1, round(0.03 * sheet.edge_px))
    for side, gain in ((-1.0, rng.uniform(1.1, 1.9)), (1.0, rng.uniform(0.4, 0.9))):
        edge = body[part] > 0
        shifted = np.roll(
            edge, tuple(int(v) for v in np.rint(-side * rim * away[::-1] / thick)), (0, 1)
        )
        albedo[part][edge & ~shifted] *= gain
    mask[body > 127] = 255


def _whole(points: Floats) -> NDArray[np.int32]:
    return np.rint(points).astype(np.int32)


def _window(outline: Floats, rim: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    low = np.clip(np.floor(outline.min(0) - rim), 0, (shape[1], shape[0])).astype(int)
    high = np.clip(np.ceil(outline.max(0) + rim), 0, (shape[1], shape[0])).astype(int)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _turned(points: Floats, turn: float, at: tuple[float, float]) -> Floats:
    cos, sin = np.cos(turn), np.sin(turn)
    rotate = np.array([[cos, -sin], [sin, cos]])
    return np.asarray(points @ rotate.T + np.array(at), dtype=np.float32)


def _round(radius: float) -> Floats:
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1).astype(np.float32) * radius


def _box(width: float, height: float, corner: float = 0.0) -> Floats:
    circle = _round(1.0)
    half = np.array([width, height]) / 2.0
    return np.asarray(np.sign(circle + 1e-6) * (half - corner) + circle * corner, np.float32)


def _dots(sheet: _Sheet, points: Floats, radius: float, tint: Colour) -> None:
    for x, y in points:
        center = round(float(x)), round(float(y))
        cv2.circle(sheet.albedo, center, max(1, round(radius)), tint, -1, cv2.LINE_AA)


def _contrasting(sheet: _Sheet, tint: Colour) -> Colour:
    light = sum(tint) / 3.0 < 0.25
    return [0.75 * sheet.rng.uniform(0.7, 1.1) if light else 0.03] * 3


def _coin(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    rng = sheet.rng
    radius = rng.uniform(0.45, 0.9) * sheet.edge_px
    at = sheet.free_place(radius)
    if at is None:
        return
    metals = ([0.5, 0.52, 0.55], [0.2, 0.38, 0.5], [0.1, 0.22, 0.4], [0.25, 0.45, 0.6])
    tint = [v * rng.uniform(0.4, 1.2) for v in metals[int(rng.integers(len(metals)))]]
    _put(sheet, mask, _turned(_round(radius), 0.0, at), tint)
    center = round(at[0]), round(at[1])
    line = [v * rng.uniform(0.4, 1.6) for v in tint]
    cv2.circle(sheet.albedo, center, round(radius * 0.85), line, 1, cv2.LINE_AA)
    relief = rng.normal(0.0, 0.3, (int(rng.integers(3, 9)), 2)) * radius
    for x, y in relief + np.array(at):
        axes = max(1, int(radius * rng.uniform(0.05, 0.3))), max(1, int(radius * 0.12))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(sheet.albedo, (int(x), int(y)), axes, turn, 0, 300, line, 1, cv2.LINE_AA)


def _domino(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    rng = sheet.rng
    width = rng.uniform(0.9, 1.9) * sheet.edge_px
    at = sheet.free_place(width)
    if at is None:
        return
    tint, turn = sheet.colour, rng.uniform(0.0, 2.0 * np.pi)
    _put(sheet, mask, _turned(_box(2.0 * width, width, 0.08 * width), turn, at), tint)
    ink = _contrasting(sheet, tint)
    bar = _turned(np.array([[0.0, -0.4], [0.0, 0.4]], np.float32) * width, turn, at)
    ends = [tuple(int(v) for v in end) for end in _whole(bar)]
    cv2.line(sheet.albedo, ends[0], ends[1], ink, max(1, round(0.03 * width)), cv2.LINE_AA)
    for side in (-0.5, 0.5):
        places = (_pattern(rng) * 0.25 + np.array([side, 0.0])) * width
        _dots(sheet, _turned(places.astype(np.float32), turn, at), 0.09 * width, ink)


def _pattern(rng: Rng) -> Floats:
    """Some spots of a three by three lattice, as dice and dominoes have them, or anyhow."""
    lattice = np.stack(np.meshgrid([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]), axis=2).reshape(-1, 2)
    chosen = rng.permutation(9)[: int(rng.integers(0, 7))]
    return np.asarray(lattice[chosen], dtype=np.float32)


def _chip(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    """A game chip, a button with holes, a bottle cap, a washer, a spotted beetle."""
    rng = sheet.rng
    radius = rng.uniform(0.3, 1.2) * sheet.edge_px
    at = sheet.free_place(radius)
    if at is None:
        return
    tint = sheet.colour
    _put(sheet, mask, _turned(_round(radius), 0.0, at), tint)
    kind = rng.integers(4)
    ink = _contrasting(sheet, tint)
    if kind == 0:
        _dots(sheet, np.array([at], np.float32), rng.uniform(0.15, 0.6) * radius, ink)
    elif kind == 1:
        spots = _turned(_pattern(rng) * 0.35 * radius, rng.uniform(0, np.pi), at)
        _dots(sheet, spots, rng.uniform(0.08, 0.16) * radius, ink)
    elif kind == 2:
        places = _turned(_round(0.88 * radius)[:: int(rng.integers(4, 9))], 0.0, at)
        _dots(sheet, places, 0.1 * radius, ink)


def _card(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    rng = sheet.rng
    width = rng.uniform(1.5, 5.0) * sheet.edge_px
    height = width * rng.uniform(0.3, 1.0)
    at = sheet.free_place(width / 2.0)
    if at is None:
        return
    tint, turn = sheet.colour, rng.uniform(0.0, 2.0 * np.pi)
    _put(sheet, mask, _turned(_box(width, height, 0.05 * height), turn, at), tint)
    inner = rng.uniform(-0.4, 0.4, (int(rng.integers(0, 12)), 2)) * (width, height)
    spots = _turned(inner.astype(np.float32), turn, at)
    _dots(sheet, spots, rng.uniform(0.02, 0.09) * height, _contrasting(sheet, tint))


def _rod(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    """A pen, a stick, a cable, a finger that reaches in."""
    rng = sheet.rng
    thick = rng.uniform(0.15, 1.1) * sheet.edge_px
    length = rng.uniform(3.0, 12.0) * sheet.edge_px
    at = sheet.free_place(thick)
    if at is None:
        return
    turn, bend = rng.uniform(0.0, 2.0 * np.pi), rng.normal(0.0, 0.5)
    along = np.linspace(0.0, 1.0, 24)
    way = turn + bend * along
    steps = np.stack([np.cos(way), np.sin(way)], axis=1) * length / 24.0
    spine = np.cumsum(steps, axis=0) + np.array(at)
    near = np.hypot(*(spine[:, None] - sheet.keep_out[None, :, :2]).transpose(2, 0, 1))
    clear = (near > sheet.keep_out[None, :, 2] + thick).all(axis=1)
    spine = spine[: int(np.argmin(clear)) if not clear.all() else len(spine)]
    if len(spine) < 4:
        return
    side = np.stack([-np.sin(way), np.cos(way)], axis=1)[: len(spine)] * thick / 2.0
    outline = np.vstack([spine + side, (spine - side)[::-1]]).astype(np.float32)
    skin = np.array([0.3, 0.42, 0.65]) * rng.uniform(0.25, 1.2)
    tint = [float(v) for v in skin] if rng.random() < 0.35 else sheet.colour
    _put(sheet, mask, outline, tint)
    shine = [min(v * 1.8 + 0.05, 1.0) for v in tint]
    points = _whole(spine + side * rng.uniform(-0.5, 0.5))
    cv2.polylines(sheet.albedo, [points], False, shine, max(1, round(thick / 8)), cv2.LINE_AA)


def _block(sheet: _Sheet, mask: NDArray[np.uint8]) -> None:
    """A cube of a die's size without pips: bare, or with a letter."""
    rng = sheet.rng
    edge = rng.uniform(0.7, 1.4) * sheet.edge_px
    at = sheet.free_place(edge)
    if at is None:
        return
    tint, turn = sheet.colour, rng.uniform(0.0, 2.0 * np.pi)
    oblong = rng.choice([1.0, 1.0, rng.uniform(0.4, 2.0)])
    _put(sheet, mask, _turned(_box(edge, edge * oblong, 0.1 * edge), turn, at), tint)
    if rng.random() < 0.6:
        sign = str(rng.choice(list("ABEHKMSWX0123456789+#?!*")))
        corner = int(at[0] - 0.3 * edge), int(at[1] + 0.3 * edge)
        page = np.zeros(mask.shape, np.uint8)
        letter(page, sign, corner, edge / 40.0)
        sheet.albedo[page > 127] = _contrasting(sheet, tint)


def _print(sheet: _Sheet) -> None:
    """Spots, lattices of spots and squares printed on the ground itself."""
    rng = sheet.rng
    ink = sheet.colour
    for _ in range(int(rng.integers(1, 9))):
        radius = rng.uniform(0.05, 0.15) * sheet.edge_px
        at = sheet.free_place(sheet.edge_px)
        if at is None:
            continue
        turn = rng.uniform(0.0, 2.0 * np.pi)
        if rng.random() < 0.4:
            outline = _turned(_box(1.1 * sheet.edge_px, 1.1 * sheet.edge_px), turn, at)
            cv2.polylines(sheet.albedo, [_whole(outline)], True, ink, 2, cv2.LINE_AA)
        places = _pattern(rng) * rng.uniform(0.2, 0.4) * sheet.edge_px
        _dots(sheet, _turned(places, turn, at), radius, ink)


_KINDS: tuple[Callable[[_Sheet, NDArray[np.uint8]], None], ...] = (
    _coin, _domino, _chip, _card, _rod, _block,
)  # fmt: skip
_SHARES = (0.17, 0.2, 0.2, 0.12, 0.19, 0.12)
