# SPDX-License-Identifier: MIT
"""
All kinds of ground under dice, seen from straight above.

The nets must learn what is *not* a die, so there are many more kinds of ground than game tables
have. The kind, its scale and its colours are random.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.scene_grounds import boards, cloths, sheets
from vision.training.scene_grounds.noise import Albedo, Field, draw_cloud, shade
from vision.training.scene_grounds.prints import SHIFT

Kinds = tuple[tuple[Callable[[np.random.Generator, int], Albedo], float], ...]
"""Functions that draw a kind of ground, with their weights."""

KINDS: Kinds = (
    (cloths.draw_felt, 0.18),
    (cloths.draw_carpet, 0.09),
    (boards.draw_wood, 0.2),
    (boards.draw_leather, 0.06),
    (sheets.draw_paper, 0.1),
    (boards.draw_smooth, 0.1),
    (boards.draw_metal, 0.03),
    (cloths.draw_weave, 0.08),
    (cloths.draw_printed_cloth, 0.06),
    (cloths.draw_quilt, 0.02),
    (boards.draw_stone, 0.04),
    (sheets.draw_game_board, 0.05),
    (boards.draw_gravel, 0.03),
    (cloths.draw_sackcloth, 0.03),
)

_PRINTED = (sheets.draw_paper, cloths.draw_printed_cloth, sheets.draw_game_board)

PRINTED_KINDS: Kinds = tuple((draw, share) for draw, share in KINDS if draw in _PRINTED)
"""The kinds with prints or writing."""

PLAIN_KINDS: Kinds = tuple((draw, share) for draw, share in KINDS if draw not in _PRINTED)
"""The kinds for a tray without clutter: without prints and writing."""

INFRARED_KINDS: Kinds = (
    (boards.draw_smooth, 0.5),
    (boards.draw_wood, 0.35),
    (cloths.draw_felt, 0.15),
)

DARKEST, LIGHTEST = 0.004, 0.95


def draw_ground(rng: np.random.Generator, side_px: int, kinds: Kinds = KINDS) -> Albedo:
    """
    Draw a ground of one kind, or of two that meet.

    Args:
        side_px: Side of the square texture.
        kinds: The possible kinds; crumbs and scratches come only with `KINDS`.

    Returns:
        Linear BGR albedo, shape (side_px, side_px, 3), 0 to 1.
    """
    albedo = _draw_kind(rng, side_px, kinds)
    if rng.random() < 0.18:
        albedo = _lay_over(rng, albedo, _draw_kind(rng, side_px, kinds))
    if rng.random() < 0.3:
        worn = draw_cloud(rng, side_px, rng.uniform(0.1, 0.5) * side_px, octaves=3)
        albedo = shade(albedo, worn * np.float32(rng.uniform(0.03, 0.15)))
    if kinds is KINDS and rng.random() < 0.2:
        _strew(rng, albedo)
    return np.asarray(np.clip(albedo, DARKEST, LIGHTEST), np.float32)


def _draw_kind(rng: np.random.Generator, side_px: int, kinds: Kinds) -> Albedo:
    chance = np.array([share for _, share in kinds])
    draw, _ = kinds[int(rng.choice(len(kinds), p=chance / chance.sum()))]
    return draw(rng, side_px)


def _lay_over(rng: np.random.Generator, under: Albedo, over: Albedo) -> Albedo:
    """Return one ground with a sheet of another on it, whose edge casts a small shadow."""
    side_px = under.shape[0]
    cover = _draw_cover(rng, side_px)
    soft = cv2.GaussianBlur(cover, (0, 0), rng.uniform(1, 8))
    push = np.array([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]])
    soft = cv2.warpAffine(soft, push, (side_px, side_px), borderMode=cv2.BORDER_REPLICATE)
    dark = (1 - np.float32(rng.uniform(0, 0.6)) * soft) * (1 - cover)
    below = cv2.multiply(under, cv2.merge([dark] * 3))
    return np.asarray(below + cv2.multiply(over, cv2.merge([cover] * 3)), np.float32)


def _draw_cover(rng: np.random.Generator, side_px: int) -> Field:
    """Draw the area of the upper ground: a page, a round mat, or all behind an edge."""
    cover = np.zeros((side_px, side_px), np.float32)
    middle = rng.uniform(0.1, 0.9, 2) * side_px
    if rng.random() < 0.2:
        reach = round(rng.uniform(0.2, 0.6) * side_px * 2**SHIFT)
        center = np.rint(middle * 2**SHIFT).astype(int).tolist()
        cv2.circle(cover, center, reach, 1.0, -1, cv2.LINE_AA, SHIFT)
        return cover
    half = rng.uniform(0.2, 0.8, 2) * side_px
    angle = rng.uniform(0, np.pi)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ turned.T
    points = np.rint((middle + corners) * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(cover, [points], 1.0, cv2.LINE_AA, SHIFT)
    return cover


def _strew(rng: np.random.Generator, albedo: Albedo) -> None:
    """Draw crumbs, lint and scratches on a ground, in place."""
    side_px = albedo.shape[0]
    for _ in range(int(rng.integers(3, 40))):
        tone = float(rng.choice([0.02, 0.3, 0.8]))
        start = rng.uniform(0, side_px, 2)
        end = start + rng.normal(0, float(rng.choice([1, 3, 20])), 2)
        first, last = np.rint(np.stack([start, end]) * 2**SHIFT).astype(int).tolist()
        cv2.line(albedo, first, last, (tone, tone, tone), 1, cv2.LINE_AA, SHIFT)
