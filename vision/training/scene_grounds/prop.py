# SPDX-License-Identifier: MIT
"""
The canvas for props: small, upright and measured in edges of a die.

The middle of the canvas is the origin. A prop is turned and lit only when it is placed.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.training.scene_grounds.noise import draw_colour
from vision.training.scene_grounds.prints import SHIFT, Canvas, Colour, new_canvas, write_text

Points = NDArray[np.float64]  # Outline or path, shape (n, 2), in edges of a die.
Point = tuple[float, float] | NDArray[np.float64]  # One point, in edges of a die.
MARGIN = 0.15  # Margin around a prop on its canvas, in edges of a die.
METAL_HUES_DEG = ((35, 50), (20, 32), (200, 230), (40, 48))


@dataclass(frozen=True, slots=True, eq=False)
class Prop:
    """A flat object or a print, to draw on."""

    picture: Canvas  # Its colours, (h, w, 3), uint8.
    cover: NDArray[np.uint8]  # Its mask, (h, w), uint8, 255 inside.
    relief: NDArray[np.uint8]  # Its height, (h, w), uint8, 128 is its surface.
    edge_px: float  # Pixels per edge of a die.
    thick: float  # Its thickness, in edges; 0 is a print.
    from_border: bool = False  # Whether it enters over the picture's border; it then points right.

    def body(self, outline: Points, colour: Colour) -> None:
        """Add a filled outline to it."""
        cv2.fillPoly(self.picture, [self._to_fixed_point(outline)], colour, cv2.LINE_AA, SHIFT)
        cv2.fillPoly(self.cover, [self._to_fixed_point(outline)], 255, cv2.LINE_AA, SHIFT)

    def limb(self, path: Points, wide: float, colour: Colour) -> None:
        """Add a line of some width to it, with round ends."""
        thick = max(1, round(wide * self.edge_px))
        points = [self._to_fixed_point(path)]
        cv2.polylines(self.picture, points, False, colour, thick, cv2.LINE_AA, SHIFT)
        cv2.polylines(self.cover, points, False, 255, thick, cv2.LINE_AA, SHIFT)

    def mark(self, outline: Points, colour: Colour, raised: float = 0.0) -> None:
        """Paint an outline on it, raised (to 1) or sunk (to -1)."""
        cv2.fillPoly(self.picture, [self._to_fixed_point(outline)], colour, cv2.LINE_AA, SHIFT)
        if raised:
            level = round(128 + 127 * raised)
            cv2.fillPoly(self.relief, [self._to_fixed_point(outline)], level, cv2.LINE_AA, SHIFT)

    def spots(self, middles: Points, radius: float, colour: Colour, raised: float = 0.0) -> None:
        """Paint equal spots on it, like pips."""
        for middle in middles:
            self.mark(circle(radius, middle), colour, raised)

    def line(self, path: Points, wide: float, colour: Colour, *, closed: bool = False) -> None:
        """Paint a line on it."""
        thick = max(1, round(wide * self.edge_px))
        points = [self._to_fixed_point(path)]
        cv2.polylines(self.picture, points, closed, colour, thick, cv2.LINE_AA, SHIFT)

    def pierce(self, outline: Points) -> None:
        """Cut a hole into it."""
        cv2.fillPoly(self.cover, [self._to_fixed_point(outline)], 0, cv2.LINE_AA, SHIFT)

    def text(self, rng: Generator, text: str, height: float, colour: Colour, at: Points) -> None:
        """Write on it around a point; `height` of a capital in edges."""
        size_px = height * self.edge_px
        middle = self._to_pixels(at)
        corner = (middle[0] - 0.45 * size_px * len(text), middle[1] + 0.5 * size_px)
        write_text(rng, self.picture, text, corner, size_px, colour)

    def _to_pixels(self, points: Points) -> Points:
        height, width = self.cover.shape
        return np.asarray(points * self.edge_px + (width / 2 - 0.5, height / 2 - 0.5))

    def _to_fixed_point(self, points: Points) -> NDArray[np.int32]:
        return np.asarray(np.rint(self._to_pixels(points) * 2**SHIFT), np.int32)


def new_prop(
    edge_px: float,
    wide: float,
    high: float,
    colour: Colour,
    *,
    thick: float,
    from_border: bool = False,
) -> Prop:
    """Return an empty prop of this size in edges; `colour` shows through seams."""
    width = int(np.ceil((wide + 2 * MARGIN) * edge_px)) + 2
    height = int(np.ceil((high + 2 * MARGIN) * edge_px)) + 2
    return Prop(
        new_canvas(height, width, colour),
        np.zeros((height, width), np.uint8),
        np.full((height, width), 128, np.uint8),
        edge_px,
        thick,
        from_border,
    )


def circle(radius: float, at: Point = (0, 0), corners: int = 40) -> Points:
    """Return a circle, or a regular outline with few corners."""
    turn = (np.arange(corners) + 0.5) * 2 * np.pi / corners
    return np.column_stack([np.cos(turn), np.sin(turn)]) * radius + at


def box(wide: float, high: float, at: Point = (0, 0), corner: float = 0) -> Points:
    """Return a rectangle, its corners rounded by a radius."""
    corners = circle(1.0)
    half = np.array([wide, high]) / 2
    return np.asarray(np.sign(corners) * (half - corner) + corners * corner + at)


def draw_grid_points(rng: Generator, count: int) -> Points:
    """Draw `count` of the nine positions of a three by three lattice, from -1 to 1."""
    places = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float64)
    return np.asarray(places[rng.permutation(9)[:count]])


def draw_contrasting_colour(rng: Generator, colour: Colour) -> Colour:
    """Draw a colour that contrasts with another: dark on light or light on dark."""
    light = sum(colour) / 3 < rng.uniform(90, 150)
    low, high = (170, 250) if light else (5, 60)
    tint = rng.uniform(low, high, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(low, high))
    return float(tint[0]), float(tint[1]), float(tint[2])


def draw_metal_colour(rng: Generator) -> Colour:
    """Draw the colour of silver, brass, copper, steel, bright or dull."""
    hues = METAL_HUES_DEG[int(rng.integers(4))]
    strong = (0, 0.1) if hues[0] > 100 else (0.15, 0.6)
    return draw_colour(rng, hues, strong, (0.3, 0.9))


def scale_colour(colour: Colour, factor: float) -> Colour:
    """Return a colour that is lighter or darker."""
    blue, green, red = (min(255.0, share * factor) for share in colour)
    return blue, green, red
