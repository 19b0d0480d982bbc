# SPDX-License-Identifier: MIT
"""QR codes as a browser paints them."""

from __future__ import annotations

from xml.etree import ElementTree

import cv2
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
    """Read a code as a phone does, which comes nearer until it sees it; empty if it never does."""
    picture = paint_code(svg)
    for size in (1.0, 0.75, 1.5, 2.0, 0.5):
        near = cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
        if text := cv2.QRCodeDetector().detectAndDecode(near)[0]:
            return str(text)
    return ""
