# SPDX-License-Identifier: MIT
"""QR codes as a browser paints them."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

PIXELS = 5


def paint_code(svg: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Paint a code as a browser does: its paths are rows of modules, one line each."""
    tree = ElementTree.fromstring(svg)
    _, _, width, height = (int(float(side)) for side in tree.attrib["viewBox"].split())
    picture = np.full((height, width), 255, dtype=np.uint8)
    (dark,) = [node for node in tree.iter() if node.attrib.get("stroke") == "#000"]
    x, y = 0.0, 0.0
    steps = dark.attrib["d"].replace("M", " M ").replace("m", " m ").replace("h", " h ").split()
    while steps:
        match steps.pop(0):
            case "M":
                x, y = float(steps.pop(0)), float(steps.pop(0))
            case "m":
                x, y = x + float(steps.pop(0)), y + float(steps.pop(0))
            case "h":
                end = x + float(steps.pop(0))
                picture[int(y), int(x) : int(end)] = 0
                x = end
    return np.kron(picture, np.ones((PIXELS, PIXELS), dtype=np.uint8))


def read_code(svg: bytes) -> str:
    """Read a code from its picture; empty if there is none."""
    # What is loaded while tests are collected never goes, and zxing reports that at the end.
    import zxingcpp

    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    found = zxingcpp.read_barcode(paint_code(svg), formats=formats)
    return found.text if found else ""
