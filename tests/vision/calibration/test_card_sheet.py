# SPDX-License-Identifier: MIT
"""The printed sheet is true to scale, and what is printed is found again."""

from __future__ import annotations

import re
import struct

import cv2
import numpy as np
import pytest

from vision.calibration.card_sheet import (
    CARD_MM,
    MARKER_MM,
    RULER_MM,
    build_corner_sheet,
    locate_marker,
)
from vision.calibration.markers import CORNER_NAMES, find_markers
from vision.calibration.print_page import Stroke, draw_page, encode_pdf, encode_png
from vision.frame import Image

DPI = 200
MM_PER_POINT = 25.4 / 72.0


def paint_boxes(pdf: bytes) -> Image:
    """Return the page that a PDF paints with its filled rectangles alone, at DPI."""
    text = pdf.decode("latin-1")
    box = re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    turn = re.search(r"([\d.]+) 0 0 (-[\d.]+) 0 ([\d.]+) cm", text)
    assert box is not None
    assert turn is not None
    scale, down, high = (float(number) for number in turn.groups())
    dots = DPI / 72.0
    page = np.full((round(float(box[2]) * dots), round(float(box[1]) * dots)), 255, np.uint8)
    for found in re.finditer(r"([\d.]+) g ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f", text):
        grey, x, y, wide, tall = (float(number) for number in found.groups())
        left, right = (round(scale * at * dots) for at in (x, x + wide))
        top, below = (round((float(box[2]) - high - down * at) * dots) for at in (y, y + tall))
        page[top:below, left:right] = round(255 * grey)
    return page


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_the_printed_markers_are_found_with_their_size(kind: str) -> None:
    sheet = build_corner_sheet()
    page = draw_page(sheet, DPI) if kind == "png" else paint_boxes(encode_pdf(sheet))
    markers = find_markers(page)
    assert [marker.number for marker in markers] == sorted(CORNER_NAMES)
    for marker in markers:
        corners = np.array(marker.corners_px) / DPI * 25.4
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        assert sides == pytest.approx(MARKER_MM, abs=0.15)


def test_the_ruler_is_100_mm_long_and_the_page_an_a4() -> None:
    sheet = build_corner_sheet()
    longest = max(
        abs(shape.places_mm[1][0] - shape.places_mm[0][0])
        for shape in sheet.shapes
        if isinstance(shape, Stroke) and len(shape.places_mm) == 2
    )
    assert longest == RULER_MM == 100.0
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", encode_pdf(sheet))
    assert box is not None
    assert [float(size) * MM_PER_POINT for size in box.groups()] == pytest.approx([210.0, 297.0])


def test_a_pdf_contains_the_offsets_of_its_objects() -> None:
    data = encode_pdf(build_corner_sheet())
    start = int(data.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert data[start:].startswith(b"xref\n0 6\n")
    for number, line in enumerate(data[start:].split(b"\n")[3:8], start=1):
        assert data[int(line[:10]) :].startswith(f"{number} 0 obj".encode())
    length = re.search(rb"/Length (\d+) >>\nstream\n", data)
    assert length is not None
    assert data[length.end() + int(length[1]) :].startswith(b"\nendstream")


def test_a_png_contains_its_size_on_paper() -> None:
    data = encode_png(build_corner_sheet(), DPI)
    at = data.index(b"pHYs") + 4
    assert struct.unpack(">IIB", data[at : at + 9]) == (7874, 7874, 1)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert np.array(picture.shape) / DPI * 25.4 == pytest.approx([297.0, 210.0], abs=0.1)


def test_cards_touch_the_corners_and_stay_within_the_felt() -> None:
    places = np.array([locate_marker(number, (300.0, 200.0)) for number in CORNER_NAMES])
    assert np.abs(places[..., 0]).max() == 150.0 - (CARD_MM - MARKER_MM) / 2.0
    assert np.abs(places[..., 1]).max() == 100.0 - (CARD_MM - MARKER_MM) / 2.0
    assert [tuple(np.sign(place.mean(axis=0))) for place in places] == [
        (-1, 1),
        (1, 1),
        (1, -1),
        (-1, -1),
    ]
