# SPDX-License-Identifier: MIT
"""
A page as shapes in millimetres, and its two file formats, which print the same sizes.

The origin is the page's upper left corner, y goes down. Greys are 0 (black) to 1 (white).
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
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


POINTS_PER_MM = 72.0 / 25.4
_CAPITALS = 0.718  # Height of Helvetica's capitals, as a share of the font's size.


def encode_pdf(page: Page) -> bytes:
    """
    Return the page as the bytes of a PDF file.

    A page this small needs five objects, and no library. Every size on paper can be read in the
    file, and its font is one that every viewer has.
    """
    wide, high = (_format_number(size * POINTS_PER_MM) for size in (page.wide_mm, page.high_mm))
    # Shapes count in millimetres from the upper left corner, the file from the lower left one.
    scale = _format_number(POINTS_PER_MM)
    lines = [f"{scale} 0 0 -{scale} 0 {high} cm", *(_draw_shape(shape) for shape in page.shapes)]
    content = "\n".join(lines).encode("cp1252", errors="replace")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {wide} {high}] /Contents 4 0 R"
        " /Resources << /Font << /F 5 0 R >> >> >>".encode("ascii"),
        f"<< /Length {len(content)} >>\nstream\n".encode("ascii") + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )
    return _assemble_file(objects)


def _assemble_file(objects: tuple[bytes, ...]) -> bytes:
    data = b"%PDF-1.4\n"
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(data))
        data += f"{number} 0 obj\n".encode("ascii") + body + b"\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n"
    return data + f"{end}startxref\n{len(data)}\n%%EOF\n".encode("ascii")


def _draw_shape(shape: Shape) -> str:
    match shape:
        case Box():
            sizes = (shape.x_mm, shape.y_mm, shape.wide_mm, shape.high_mm)
            return f"{_format_number(shape.grey)} g {' '.join(map(_format_number, sizes))} re f"
        case Wedge():
            return f"{_format_number(shape.grey)} g {_draw_path(shape.places_mm)} h f"
        case Stroke():
            width = _format_number(shape.wide_mm)
            return f"{_format_number(shape.grey)} G {width} w {_draw_path(shape.places_mm)} S"
        case Words():
            text = shape.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            size, x, y = shape.high_mm / _CAPITALS, shape.x_mm, shape.y_mm
            # The page is flipped, so letters are flipped back.
            place = f"1 0 0 -1 {_format_number(x)} {_format_number(y)} Tm"
            return f"BT 0 g /F {_format_number(size)} Tf {place} ({text}) Tj ET"


def _draw_path(places_mm: tuple[tuple[float, float], ...]) -> str:
    steps = [f"{_format_number(x)} {_format_number(y)}" for x, y in places_mm]
    return " ".join([f"{steps[0]} m", *(f"{step} l" for step in steps[1:])])


def _format_number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


PRINT_DPI = 300
_MM_PER_INCH = 25.4
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FONT_HIGH_PX = 21.0  # Height of the font's capitals at scale 1.
_FRACTION_BITS = 6
_HEADER_BYTES = 8 + 25


def draw_page(page: Page, dpi: float = PRINT_DPI) -> Image:
    """Return the page as a grey picture, shape (height, width), uint8."""
    scale = dpi / _MM_PER_INCH
    size = (round(page.high_mm * scale), round(page.wide_mm * scale))
    picture = np.full(size, 255, np.uint8)
    for shape in page.shapes:
        match shape:
            case Box():
                left, top = round(shape.x_mm * scale), round(shape.y_mm * scale)
                right = round((shape.x_mm + shape.wide_mm) * scale)
                below = round((shape.y_mm + shape.high_mm) * scale)
                picture[top:below, left:right] = int(_grey(shape.grey)[0])
            case Wedge():
                places = _to_fixed_point(shape.places_mm, scale)
                cv2.fillPoly(picture, [places], _grey(shape.grey), cv2.LINE_AA, _FRACTION_BITS)
            case Stroke():
                wide = max(1, round(shape.wide_mm * scale))
                line = _to_fixed_point(shape.places_mm, scale)
                grey = _grey(shape.grey)
                cv2.polylines(picture, [line], False, grey, wide, cv2.LINE_AA, _FRACTION_BITS)
            case Words():
                _write(picture, shape, scale)
    return picture


def encode_png(page: Page, dpi: int = PRINT_DPI) -> bytes:
    """
    Return the page as the bytes of a PNG file with its size on paper (`pHYs`, pixels per metre).

    Without it each printing program guesses another size.
    """
    _, encoded = cv2.imencode(".png", draw_page(page, dpi))
    data = encoded.tobytes()
    per_metre = round(dpi / _MM_PER_INCH * 1000.0)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    # The chunk must stand between the header and the pixels.
    return data[:_HEADER_BYTES] + chunk + data[_HEADER_BYTES:]


def _write(picture: NDArray[np.uint8], words: Words, scale: float) -> None:
    size = words.high_mm * scale / _FONT_HIGH_PX
    at = (round(words.x_mm * scale), round(words.y_mm * scale))
    thick = max(1, round(words.high_mm * scale / 9.0))
    # OpenCV's font has no letters with marks.
    plain = words.text.replace("ß", "ss")
    text = unicodedata.normalize("NFKD", plain).encode("ascii", errors="ignore").decode()
    cv2.putText(picture, text, at, _FONT, size, (0,), thick, cv2.LINE_AA)


def _to_fixed_point(places_mm: tuple[Point, ...], scale: float) -> NDArray[np.int32]:
    places = np.array(places_mm) * scale - 0.5
    return np.asarray(np.rint(places * (1 << _FRACTION_BITS)), dtype=np.int32)


def _grey(grey: float) -> tuple[float]:
    return (round(255.0 * grey),)
