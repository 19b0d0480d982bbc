# SPDX-License-Identifier: MIT
"""
Paint over the corner cards in a picture, so that they may stay in the tray during a game.

A card's black cells look like pips to the reader. A marker that is completely visible, with paper
all around, is painted in the felt's colour. A card under a die is left as it is. The margin is
never painted, so that no part of a die beside the marker is hidden.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.card_sheet import CARD_MM, MARKER_MM, locate_marker
from vision.calibration.markers import (
    CORNER_NAMES,
    find_levels,
    find_markers,
    sample_outline,
)
from vision.face import Floats
from vision.frame import Image
from vision.reading import Point
from vision.tray_map import TrayMap

_BESIDE_MM = 7.0
_MOST_OFF_MM = 2.5
_RING_MM = 1.4
_PAINTED_MM = 2.0
_SHADOW = 0.35
_TINT = 0.25


def hide_cards(image_bgr: Image, tray: TrayMap, felt_mm: tuple[float, float]) -> Image:
    """Return the picture with felt instead of corner cards; the same object if there are none."""
    cards = {number: np.array(locate_marker(number, felt_mm)) for number in CORNER_NAMES}
    shown = [at for number, at in cards.items() if _is_uncovered(image_bgr, tray, number, at)]
    painted = image_bgr.copy() if shown else image_bgr
    for marker_mm in shown:
        _paint(painted, tray, marker_mm)
    return painted


def _is_uncovered(image_bgr: Image, tray: TrayMap, number: int, marker_mm: Floats) -> bool:
    outline = tray.to_px(_square(marker_mm, CARD_MM / 2.0 + _BESIDE_MM))
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    high = np.ceil(outline.max(axis=0)).astype(int)
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    if min(part.shape[:2]) < CARD_MM:
        return False
    for marker in find_markers(part):
        seen_mm = tray.to_mm(np.array(marker.corners_px) + low)
        off_mm = float(np.abs(seen_mm - marker_mm).max())
        if marker.number == number and off_mm < _MOST_OFF_MM:
            return _is_paper(image_bgr, tray, marker_mm)
    return False


def _is_paper(image_bgr: Image, tray: TrayMap, marker_mm: Floats) -> bool:
    """Return whether only paper is around the marker, in light or in shadow."""
    shares = np.linspace(0.0, 1.0, 24, endpoint=False).tolist()
    ring = sample_outline(_square(marker_mm, MARKER_MM / 2.0 + _RING_MM), shares)
    x, y = tray.to_px(ring).astype(np.float32).T
    seen = cv2.remap(image_bgr, x[None], y[None], cv2.INTER_LINEAR)
    levels = np.asarray(seen, np.float64).reshape(-1, 3)
    # A shadow darkens all colours equally. A coloured die does not, and a dark one is darker.
    shares = levels / np.maximum(np.median(levels, axis=0), 1.0)
    is_light = bool(shares.min() >= _SHADOW)
    return is_light and bool((np.ptp(shares, axis=1) <= _TINT).all())


def _paint(picture: NDArray[np.uint8], tray: TrayMap, marker_mm: Floats) -> None:
    middle = marker_mm.mean(axis=0)
    # Two strips of felt beside the card, on the sides that face the tray's middle.
    out = np.linspace(2.0, _BESIDE_MM, 6) + CARD_MM / 2.0
    beside, along = np.meshgrid(out, np.linspace(-CARD_MM / 2.0, CARD_MM / 2.0, 12))
    strip = np.column_stack([beside.ravel(), along.ravel()]) * -np.sign(middle)
    places = middle + np.concatenate([strip, strip[:, ::-1] * np.sign(middle[0] * middle[1])])
    felt = np.median(find_levels(picture, tray.to_px(places)), axis=0)
    outline = np.rint(tray.to_px(_square(marker_mm, MARKER_MM / 2.0 + _PAINTED_MM)))
    cv2.fillConvexPoly(picture, outline.astype(np.int32), felt.tolist())


def _square(marker_mm: Floats, half_mm: float) -> Floats:
    signs = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
    return np.asarray(marker_mm.mean(axis=0) + signs * half_mm)


def measure_outline(outline_mm: tuple[Point, ...]) -> tuple[float, float]:
    """Return the width and depth of a felt's outline."""
    wide, deep = np.ptp(np.array(outline_mm), axis=0)
    return float(wide), float(deep)
