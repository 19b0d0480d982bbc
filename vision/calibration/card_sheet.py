# SPDX-License-Identifier: MIT
"""
The sheet with the four corner cards, true to scale.

Each card touches both walls in its corner of the felt, so the felt's corner is a known distance
from the marker. The size of the markers is known too, so four cards give the size of the felt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby

from controller.base.languages.message import chain_messages, message
from vision.calibration.markers import CORNER_NAMES, MODULES, marker_cells
from vision.calibration.print_page import Box, Page, Shape, Stroke, Wedge, Words
from vision.reading import Point

MARKER_MM = 20.0  # Edge of a marker, its black border included.
MARGIN_MM = 4.0  # White around a marker, up to where the card is cut.

CARD_MM = MARKER_MM + 2.0 * MARGIN_MM

RULER_MM = 100.0

A4_MM = (210.0, 297.0)
_CARDS_MM = {1: (38.0, 92.0), 2: (124.0, 92.0), 3: (124.0, 142.0), 4: (38.0, 142.0)}
_RULER_AT_MM = (55.0, 58.0)
_PLAN_MM = (60.0, 206.0, 90.0, 60.0)
_SIGN_MM = 3.0
_GREY = 0.55


def outer_corner(number: int) -> int:
    """Return the index of the marker's corner next to the felt's corner, 0 to 3."""
    return number - 1


def locate_marker(number: int, felt_mm: tuple[float, float]) -> tuple[Point, ...]:
    """
    Return the corners of marker 1 to 4 whose card is in its corner of the felt.

    They are clockwise from the marker's printed upper left corner, in millimetres from the felt's
    middle, x to the right and y to the back.
    """
    right = number in (2, 3)
    front = number in (3, 4)
    x = felt_mm[0] / 2.0 - MARGIN_MM - MARKER_MM if right else -felt_mm[0] / 2.0 + MARGIN_MM
    y = -felt_mm[1] / 2.0 + MARGIN_MM + MARKER_MM if front else felt_mm[1] / 2.0 - MARGIN_MM
    return ((x, y), (x + MARKER_MM, y), (x + MARKER_MM, y - MARKER_MM), (x, y - MARKER_MM))


def build_corner_sheet(
    felt_mm: tuple[float, float] | None = None, translate: Callable[[str], str] = str
) -> Page:
    """Return the page to print, with the felt's width and depth in its plan if they are known."""
    shapes = [*_draw_heading(), *_draw_ruler()]
    for number, (x, y) in _CARDS_MM.items():
        shapes += _draw_card(number, x, y)
    shapes += _draw_plan(felt_mm)
    translated = (
        replace(shape, text=translate(shape.text)) if isinstance(shape, Words) else shape
        for shape in shapes
    )
    return Page(*A4_MM, tuple(translated))


def draw_marker(number: int, x_mm: float, y_mm: float) -> Iterator[Box]:
    """Yield a marker's black cells; neighbours in a row are one box."""
    cell = MARKER_MM / MODULES
    for row, cells in enumerate(marker_cells(number)):
        for is_black, run in groupby(range(MODULES), key=cells.tolist().__getitem__):
            first, *others = run
            if is_black:
                wide = (1 + len(others)) * cell
                yield Box(x_mm + first * cell, y_mm + row * cell, wide, cell)


def _draw_heading() -> Iterator[Shape]:
    lines = (
        message("dicebell: corner cards"),
        message("Print at 100 %, not fitted to the page: the ruler must be 100 mm long."),
        message("Cut the cards out and lay each flat in its corner, the grey edge outwards."),
    )
    for (y, high), line in zip(((26.0, 5.0), (36.0, 2.6), (41.5, 2.6)), lines, strict=True):
        yield Words(25.0, y, high, line)


def _draw_ruler() -> Iterator[Shape]:
    x, y = _RULER_AT_MM
    yield Stroke(((x, y), (x + RULER_MM, y)), 0.3)
    for step in range(11):
        at = x + 10.0 * step
        yield Stroke(((at, y), (at, y + (6.0 if step % 5 == 0 else 3.5))), 0.3)
    yield Words(x - 0.8, y + 10.0, 2.4, "0")
    yield Words(x + RULER_MM - 5.0, y + 10.0, 2.4, "100 mm")


def _draw_card(number: int, x_mm: float, y_mm: float) -> Iterator[Shape]:
    far_y = y_mm + CARD_MM
    outline = _outline(x_mm, y_mm, CARD_MM, CARD_MM)
    yield Stroke(outline, 0.15, _GREY)
    x, y = outline[outer_corner(number)]
    in_x, in_y = (1.0 if at == low else -1.0 for at, low in ((x, x_mm), (y, y_mm)))
    yield Wedge(((x, y), (x + in_x * _SIGN_MM, y), (x, y + in_y * _SIGN_MM)), _GREY)
    yield from draw_marker(number, x_mm + MARGIN_MM, y_mm + MARGIN_MM)
    # On the card itself too, because its name is cut off.
    yield Words(x_mm + CARD_MM / 2.0 - 0.8, far_y - 1.0, 2.0, str(number))
    yield Words(x_mm, far_y + 5.0, 2.4, chain_messages([str(number), CORNER_NAMES[number]], "  "))


def _draw_plan(felt_mm: tuple[float, float] | None) -> Iterator[Shape]:
    x, y, wide, high = _PLAN_MM
    outline = _outline(x, y, wide, high)
    yield Stroke(outline, 0.8, _GREY)
    for number, (corner_x, corner_y) in enumerate(outline[:4], start=1):
        left = corner_x if corner_x == x else corner_x - 9.0
        top = corner_y if corner_y == y else corner_y - 9.0
        yield Stroke(_outline(left, top, 9.0, 9.0), 0.3)
        yield Words(left + 3.4, top + 6.2, 3.4, str(number))
    across, deep = (f"{size:g} mm" for size in felt_mm) if felt_mm else (message("the felt"), "")
    yield Words(x + wide / 2.0 - 10.0, y + high + 6.0, 2.6, across)
    yield Words(x + wide + 4.0, y + high / 2.0, 2.6, deep)
    yield Words(x + wide / 2.0 - 16.0, y - 3.0, 2.6, message("back, as the camera sees it"))


def _outline(x: float, y: float, wide: float, high: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle, the first one also at the end."""
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)
