# SPDX-License-Identifier: MIT
"""
Find what is wrong with the light over a felt, where, and what to do about it.

The white paper of corner cards is the reference: it must be light but not overexposed. Without
cards the lightest part of the view is used. Unevenness is measured on the felt by medians, so
that dice and cards do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.base.languages.message import Message, message
from vision.calibration.card_sheet import MARGIN_MM, MARKER_MM
from vision.calibration.markers import Marker, find_levels, sample_outline
from vision.frame import Image
from vision.pyramid import to_grey
from vision.reading import Point
from vision.tray_map import TrayMap

DARK_LEVEL = 110.0
BRIGHT_LEVEL = 250.0
_BURNT = 250
_GLARE_MM2 = 60.0
_EVEN = 0.55
_FELT_LEAST = 12.0
_CELLS = 3
_PX_PER_MM = 2.0

_Levels = NDArray[np.float64]


class LightKind(Enum):
    DARK = "too dark"
    BRIGHT = "too bright"
    GLARE = "glare"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class LightFault:
    kind: LightKind
    text: str
    center_px: Point | None = None  # Where, in pixels of the picture; `None` for the whole picture.
    radius_px: float = 0.0  # Its extent; 0 for the whole picture.


SIDES = (
    (message("at the back left"), message("at the back"), message("at the back right")),
    (message("at the left"), message("in the middle"), message("at the right")),
    (message("at the front left"), message("at the front"), message("at the front right")),
)
"""The parts of the felt as the picture shows it, row by row."""


def find_light_faults(
    image_bgr: Image, tray: TrayMap, markers: Sequence[Marker] = ()
) -> tuple[LightFault, ...]:
    """Return the faults of the light."""
    felt = _FlatFelt(image_bgr, tray)
    white = _measure_white(image_bgr, felt, markers)
    faults = []
    if white < DARK_LEVEL:
        text = message(
            "Too dark: white reaches only {level} of 255. Add light, or bring the lamp nearer.",
            level=f"{white:.0f}",
        )
        faults.append(LightFault(LightKind.DARK, text))
    elif white >= BRIGHT_LEVEL:
        text = message(
            "Too bright: white is overexposed. Dim the lamp, move it away, or fix the light again."
        )
        faults.append(LightFault(LightKind.BRIGHT, text))
    else:
        faults += felt.find_glare()
    if (uneven := felt.find_unevenness()) is not None:
        faults.append(uneven)
    return tuple(faults)


class _FlatFelt:
    """The felt as seen from straight above, with `_PX_PER_MM` pixels per millimetre."""

    def __init__(self, image_bgr: Image, tray: TrayMap) -> None:
        self._tray = tray
        outline = np.array(tray.felt_mm)
        self._corner_mm = outline.min(axis=0)
        wide, high = np.maximum(np.rint(np.ptp(outline, axis=0) * _PX_PER_MM).astype(int), 1)
        grow = np.diag([1.0 / _PX_PER_MM, 1.0 / _PX_PER_MM, 1.0])
        grow[:2, 2] = self._corner_mm
        to_px = np.linalg.inv(np.array(tray.felt_from_px)) @ grow
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(image_bgr, to_px, (int(wide), int(high)), flags=flags)
        self.bgr = np.asarray(flat, np.uint8)
        self.grey = to_grey(self.bgr)

    def find_glare(self) -> list[LightFault]:
        """Return the overexposed areas, the largest first."""
        burnt = (self.bgr.min(axis=2) >= _BURNT).astype(np.uint8)
        burnt = cv2.morphologyEx(burnt, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
        least_px = _GLARE_MM2 * _PX_PER_MM**2
        large = [i for i in range(1, len(stats)) if stats[i][cv2.CC_STAT_AREA] >= least_px]
        large.sort(key=lambda i: -int(stats[i][cv2.CC_STAT_AREA]))
        return [self._glare(middles[i], stats[i]) for i in large[:3]]

    def find_unevenness(self) -> LightFault | None:
        rows = np.array_split(self.grey, _CELLS, axis=0)
        cells = np.array(
            [[np.median(cell) for cell in np.array_split(row, _CELLS, axis=1)] for row in rows]
        )
        lightest = float(cells.max())
        row, column = np.unravel_index(int(np.argmin(cells)), cells.shape)
        share = float(cells[row, column]) / max(lightest, 1.0)
        if lightest < _FELT_LEAST or share >= _EVEN:
            return None
        high, wide = self.grey.shape
        place = (np.array([column, row]) + 0.5) * (wide / _CELLS, high / _CELLS)
        center, radius = self._to_picture(place, min(wide, high) / (2.0 * _CELLS))
        text = message(
            "Uneven: {side} the felt gets {percent} % of the light of its brightest part."
            " Move the lamp towards it, or add one there.",
            side=self._side(place),
            percent=f"{100 * share:.0f}",
        )
        return LightFault(LightKind.UNEVEN, text, center, radius)

    def _glare(self, middle: _Levels, stats: NDArray[np.int32]) -> LightFault:
        size = max(stats[cv2.CC_STAT_WIDTH], stats[cv2.CC_STAT_HEIGHT]) / 2.0
        center, radius = self._to_picture(middle, float(size))
        text = message(
            "Glare {side}: the lamp is mirrored there. Move it to the side, or hang thin"
            " paper in front of it.",
            side=self._side(middle),
        )
        return LightFault(LightKind.GLARE, text, center, radius)

    def _to_picture(self, place: _Levels, radius: float) -> tuple[Point, float]:
        ends = np.array([place, np.add(place, (radius, 0.0))]) / _PX_PER_MM + self._corner_mm
        seen = self._tray.to_px(ends)
        x, y = seen[0].tolist()
        return (x, y), float(np.linalg.norm(seen[1] - seen[0]))

    def _side(self, place: _Levels) -> Message:
        x, y = self._to_picture(place, 0.0)[0]
        corners = self._tray.to_px(np.array(self._tray.felt_mm))
        low, high = corners.min(axis=0), corners.max(axis=0)
        across, down = (np.array([x, y]) - low) / (high - low)
        return SIDES[min(int(3.0 * down), 2)][min(int(3.0 * across), 2)]


def _measure_white(image_bgr: Image, felt: _FlatFelt, markers: Sequence[Marker]) -> float:
    """Return the grey level of white paper, or of the lightest part of the view."""
    grey = to_grey(image_bgr)
    if not markers:
        return max(float(np.percentile(grey, 99.5)), float(np.percentile(felt.grey, 99.5)))
    return float(np.median([_measure_paper(grey, marker) for marker in markers]))


def _measure_paper(grey: NDArray[np.uint8], marker: Marker) -> float:
    corners = np.array(marker.corners_px)
    middle = corners.mean(axis=0)
    halfway = 1.0 + MARGIN_MM / MARKER_MM
    ring = middle + (corners - middle) * halfway
    levels = find_levels(grey, sample_outline(ring, (0.2, 0.4, 0.6, 0.8)))
    return float(np.median(levels)) if levels.size else 0.0
