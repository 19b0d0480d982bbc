# SPDX-License-Identifier: MIT
"""
Encode a page as a PDF file: one page of plain shapes and a font that every viewer has.

A page this small needs five objects, and no library. Every size on paper can be read in the file.
"""

from __future__ import annotations

from vision.calibration.printing.page_shapes import Box, Page, Shape, Stroke, Wedge, Words

POINTS_PER_MM = 72.0 / 25.4
_CAPITALS = 0.718  # Height of Helvetica's capitals, as a share of the font's size.


def encode_pdf(page: Page) -> bytes:
    """Return the page as the bytes of a PDF file."""
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
    data += f"xref\n0 {count}\n0000000000 65535 f \n{table}".encode("ascii")
    end = len(data) - len(f"xref\n0 {count}\n0000000000 65535 f \n{table}")
    data += f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{end}\n%%EOF\n".encode("ascii")
    return data


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
