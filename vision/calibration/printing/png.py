# SPDX-License-Identifier: MIT
"""
Draw a page as a picture, and encode it as a PNG file with its size on paper.

Printing programs take the size from the file (`pHYs`, pixels per metre). Without it each program
guesses another size.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.printing.page_shapes import Box, Page, Stroke, Wedge, Words
from vision.frame import Image
from vision.reading import Point

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
                _fill_box(picture, shape, scale)
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
    """Return the page as the bytes of a PNG file with its size on paper."""
    _, encoded = cv2.imencode(".png", draw_page(page, dpi))
    data = encoded.tobytes()
    per_metre = round(dpi / _MM_PER_INCH * 1000.0)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    # The chunk must stand between the header and the pixels.
    return data[:_HEADER_BYTES] + chunk + data[_HEADER_BYTES:]


def _fill_box(picture: NDArray[np.uint8], box: Box, scale: float) -> None:
    left, top = round(box.x_mm * scale), round(box.y_mm * scale)
    right = round((box.x_mm + box.wide_mm) * scale)
    below = round((box.y_mm + box.high_mm) * scale)
    picture[top:below, left:right] = int(_grey(box.grey)[0])


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
