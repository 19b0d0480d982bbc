# SPDX-License-Identifier: MIT
"""
A page as shapes in millimetres, so that every file format prints the same sizes.

The origin is the page's upper left corner, y goes down. Greys are 0 (black) to 1 (white).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from vision.reading import Point


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle: upper left corner, width and height."""

    x_mm: float
    y_mm: float
    wide_mm: float
    high_mm: float
    grey: float = 0.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through positions."""

    places_mm: tuple[Point, ...]
    wide_mm: float = 0.2
    grey: float = 0.0


@dataclass(frozen=True, slots=True)
class Wedge:
    """A filled polygon."""

    places_mm: tuple[Point, ...]
    grey: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text in Latin letters: its start on the base line, and the height of capitals."""

    x_mm: float
    y_mm: float
    high_mm: float
    text: str


Shape: TypeAlias = Box | Stroke | Wedge | Words


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its shapes, in drawing order."""

    wide_mm: float
    high_mm: float
    shapes: tuple[Shape, ...]
