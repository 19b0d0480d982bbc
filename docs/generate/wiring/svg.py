# SPDX-License-Identifier: MIT
"""A drawing of lines, boxes and words, written as SVG; on white, whatever page it stands on."""

from __future__ import annotations

from html import escape
from typing import Literal, TypeAlias

Point: TypeAlias = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

INK, SOFT, PAPER = "#1f2a24", "#66604f", "#ffffff"
RED, GREEN, BLUE, BRASS = "#b3241f", "#14532f", "#0d6fb3", "#b76b00"
FACE = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"
LINE_PX = 2.0


class Drawing:
    """
    A picture that is put together piece by piece; places are in pixels from the upper left.

    Args:
        width_px: How wide it is.
        height_px: How high it is.
        title: What it shows, for who cannot see it.
    """

    def __init__(self, width_px: int, height_px: int, title: str) -> None:
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width_px} {height_px}"'
            f' width="{width_px}" height="{height_px}" role="img"'
            f' font-family="{escape(FACE)}">\n<title>{escape(title)}</title>'
        )
        self._pieces: list[str] = []
        self.box((0, 0), (width_px, height_px), fill=PAPER, line="none")

    def line(self, *points: Point, colour: str = INK) -> None:
        """Draw a line through the points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add("polyline", points=path, fill="none", stroke=colour, width=LINE_PX)

    def box(
        self, corner: Point, size: Point, *, fill: str = PAPER, line: str = INK, round_px: float = 0
    ) -> None:
        """Draw a box with its upper left corner there."""
        (x, y), (width, height) = corner, size
        self._pieces.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_px:g}"'
            f' fill="{fill}" stroke="{line}" stroke-width="{LINE_PX:g}"/>'
        )

    def dot(
        self, centre: Point, radius_px: float, *, fill: str, line: str = INK, **data: str | int
    ) -> None:
        """Draw a dot; `data` is what a program can read of it."""
        x, y = centre
        said = "".join(f' data-{key}="{escape(str(value))}"' for key, value in data.items())
        self._pieces.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius_px:g}" fill="{fill}" stroke="{line}"'
            f' stroke-width="{LINE_PX:g}"{said}/>'
        )

    def area(self, *points: Point, fill: str = INK) -> None:
        """Fill the area between the points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add("polygon", points=path, fill=fill, stroke=fill, width=1)

    def words(
        self,
        text: str,
        at: Point,
        *,
        size_px: int = 14,
        anchor: Anchor = "start",
        colour: str = INK,
        is_bold: bool = False,
    ) -> None:
        """Write words on one line, on this base line."""
        weight = ' font-weight="bold"' if is_bold else ""
        self._pieces.append(
            f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size_px}" text-anchor="{anchor}"'
            f' fill="{colour}"{weight}>{escape(text)}</text>'
        )

    def text(self) -> str:
        """Return the whole drawing."""
        return "\n".join([self._head, *self._pieces, "</svg>\n"])

    def _add(self, name: str, *, points: str, fill: str, stroke: str, width: float) -> None:
        self._pieces.append(
            f'<{name} points="{points}" fill="{fill}" stroke="{stroke}" stroke-width="{width:g}"/>'
        )
