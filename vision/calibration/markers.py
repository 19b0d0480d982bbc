# SPDX-License-Identifier: MIT
"""
Find the four printed corner markers in a picture.

The markers come from a dictionary with patterns that differ in many cells, so neither pips nor
prints pass for one. Each corner of the felt has its own number, which gives the orientation too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.base.languages.message import chain_messages, message, plural_message
from vision.face import Floats
from vision.frame import Image
from vision.reading import Point

CORNER_NAMES = {
    1: message("back left"),
    2: message("back right"),
    3: message("front right"),
    4: message("front left"),
}
"""The markers' numbers, clockwise as the camera sees the tray from above, and their corners."""

MODULES = 7  # Cells along a marker's edge, its black border included.

_DICTIONARY = cv2.aruco.DICT_5X5_50


@dataclass(frozen=True, slots=True)
class Marker:
    number: int  # Which one, 1 to 4.
    corners_px: tuple[Point, Point, Point, Point]  # Clockwise from the printed upper left one.


def find_markers(image_bgr: Image) -> tuple[Marker, ...]:
    """
    Return the corner markers that are completely visible, in colour or grey, by their numbers.

    A number that appears twice is dropped, because it is ambiguous.
    """
    parameters = cv2.aruco.DetectorParameters()
    # A tray map needs corners to a fraction of a pixel.
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    quads, numbers, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image_bgr)
    if not quads:  # OpenCV 4 returns `None` instead of no numbers.
        return ()
    # OpenCV 4 and 5 wrap these in a different number of axes.
    seen = [int(number) for number in np.asarray(numbers).reshape(-1)]
    found = {
        number: Marker(number, _corners(np.asarray(quad, np.float32).reshape(-1, 2)))
        for number, quad in zip(seen, quads, strict=True)
        if number in CORNER_NAMES and seen.count(number) == 1
    }
    return tuple(found[number] for number in sorted(found))


def sample_outline(corners: Floats, shares: Sequence[float]) -> Floats:
    """Return the points at these shares of each side of a polygon, (n, 2)."""
    sides = np.roll(corners, -1, axis=0) - corners
    return np.concatenate([corners + share * sides for share in shares])


def find_levels(picture: Image, places_px: Floats) -> Image:
    """Return the levels of a picture at those of some places that are within it."""
    x, y = np.rint(places_px).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < picture.shape[1]) & (y < picture.shape[0])
    return np.asarray(picture[y[inside], x[inside]])


def marker_cells(number: int) -> NDArray[np.bool_]:
    """Return which cells of a marker are black, shape (MODULES, MODULES), border included."""
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
    drawn = cv2.aruco.generateImageMarker(dictionary, number, MODULES)
    return np.asarray(np.asarray(drawn).reshape(-1, MODULES) < 128)


def describe_missing(markers: tuple[Marker, ...]) -> str:
    """Return a sentence about the missing markers; empty if there are none."""
    seen = {marker.number for marker in markers}
    missing = [
        message("{number} ({corner})", number=number, corner=name)
        for number, name in CORNER_NAMES.items()
        if number not in seen
    ]
    if not missing:
        return ""
    if len(missing) == len(CORNER_NAMES):
        return message("No card is visible. Put the four corner cards in the corners of the felt.")
    return plural_message(
        "Corner card {cards} is not seen: uncover it and lay it flat.",
        "Corner cards {cards} are not seen: uncover them and lay them flat.",
        len(missing),
        cards=chain_messages(missing, ", "),
    )


def _corners(quad: NDArray[np.float32]) -> tuple[Point, Point, Point, Point]:
    one, two, three, four = ((float(x), float(y)) for x, y in quad)
    return one, two, three, four
