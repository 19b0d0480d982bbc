# SPDX-License-Identifier: MIT
"""
Fit the map of a tray to the four corner markers, or to corners that a person set.

Four markers have sixteen corners, more than a map needs. The remaining error shows whether the
map is right: a card that is turned, swapped, bent or away from its corner does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from controller.base.languages.message import Number, message
from vision.calibration.card_sheet import MARGIN_MM, MARKER_MM, locate_marker, outer_corner
from vision.calibration.markers import CORNER_NAMES, Marker, describe_missing
from vision.face import Floats
from vision.focal_length import USUAL_SHARE
from vision.reading import DieReading, Point
from vision.tray_map import HAND_ERROR_MM, TrayMap

USUAL_EDGE_MM = 16.0  # Edge of the dice in a new map, before any was measured.

FELT_LEAST_MM = 80.0
FELT_MOST_MM = 1000.0
_CARD_ERROR_MM = 0.5  # Standard deviation of a corner along each axis, if cards show it.
_WORST_MM = 0.8
_SIZES_AGREE = 0.02
_SMALLEST_SHARE = 0.04
_ROUNDS = 3
_FEWEST_DICE = 2

NO_SCALE = message(
    "Corners alone have no scale. Lay two or more dice on the felt, each turned another way, or"
    " enter its width and depth in mm."
)


class TrayError(ValueError):
    """No tray can be fitted; the message is a sentence with the reason and what to do."""


@dataclass(frozen=True, slots=True)
class FittedTray:
    # Its map. The origin is the felt's middle, x to the right and y to the back. The dice have the
    # usual edge until they are measured.
    tray: TrayMap
    felt_mm: tuple[float, float]
    remark: str = ""  # A sentence about something odd that is no error; empty if there is nothing.


def fit_tray_to_markers(
    markers: tuple[Marker, ...],
    picture_wh: tuple[int, int],
    felt_mm: tuple[float, float] | None = None,
) -> FittedTray:
    """
    Return the tray with the cards in its corners; without a known size they measure the felt.

    Raises:
        TrayError: Markers are missing or in wrong positions.
    """
    if missing := describe_missing(markers):
        raise TrayError(missing)
    _require_upright(markers)
    measured = _require_felt(_measure_felt(markers))
    size = _require_felt(felt_mm or measured)
    places_mm = np.array([locate_marker(marker.number, measured) for marker in markers])
    places_mm = places_mm.reshape(-1, 2)
    places_px = np.array([marker.corners_px for marker in markers]).reshape(-1, 2)
    tray = _fit(places_mm, places_px, picture_wh, measured, _CARD_ERROR_MM)
    off = np.linalg.norm(tray.to_mm(places_px) - places_mm, axis=1).reshape(-1, 4).mean(axis=1)
    if off.max() > _WORST_MM:
        raise TrayError(
            message(
                "The cards contradict each other: lay each one flat in its own corner, its grey"
                " corner outwards. Bent paper and a distorting lens can cause this too."
            )
        )
    if size != measured:
        stretch = np.array(size) / measured
        tray = _fit(places_mm * stretch, places_px, picture_wh, size, _CARD_ERROR_MM)
    return FittedTray(tray, size, _describe_size_difference(felt_mm, measured))


def fit_tray_to_corners(
    corners_px: Sequence[Point], picture_wh: tuple[int, int], felt_mm: tuple[float, float]
) -> FittedTray:
    """
    Return the tray with these corners of the felt, in any order, and its width and depth.

    Raises:
        TrayError: The corners cannot be those of a felt, or it cannot have this size.
    """
    ordered = order_corners(corners_px, picture_wh)
    x, y = (size / 2.0 for size in _require_felt(felt_mm))
    places_mm = np.array([(-x, y), (x, y), (x, -y), (-x, -y)])
    tray = _fit(places_mm, np.array(ordered), picture_wh, felt_mm, HAND_ERROR_MM)
    return FittedTray(tray, felt_mm)


def measure_felt_by_dice(
    corners_px: Sequence[Point],
    picture_wh: tuple[int, int],
    dice: Sequence[DieReading],
    edge_mm: float = USUAL_EDGE_MM,
) -> tuple[float, float]:
    """
    Return width and depth of the felt with these corners, by dice of a known edge on it.

    On a felt of width 1 and depth 1 the sides of a die's square face have different lengths in
    each direction; width and depth are what makes all of them one edge long.

    Raises:
        TrayError: There are fewer than two dice, or these corners cannot be those of a felt.
    """
    # All sides of a die near 45 degrees are as much wide as deep: alone it fixes only their sum.
    if len(dice) < _FEWEST_DICE:
        raise TrayError(NO_SCALE)
    corners = np.array(order_corners(corners_px, picture_wh), np.float32)
    square = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)
    seen = np.array([die.corners_px for die in dice], np.float64)
    to_unit = cv2.getPerspectiveTransform(corners, square)
    unit = cv2.perspectiveTransform(seen.reshape(-1, 1, 2), to_unit).reshape(-1, 4, 2)
    sides = (np.roll(unit, -1, axis=1) - unit).reshape(-1, 2)
    squares, *_ = np.linalg.lstsq(sides**2, np.full(len(sides), edge_mm**2), rcond=None)
    wide, deep = np.sqrt(np.maximum(squares, 0.0))
    for _ in range(_ROUNDS):
        # Top faces are nearer to the camera than the felt.
        tray = fit_tray_to_corners(corners_px, picture_wh, (float(wide), float(deep))).tray
        scale = edge_mm / (measure_edge_mm(dice, tray) or edge_mm)
        wide, deep = scale * wide, scale * deep
    return float(wide), float(deep)


def order_corners(
    corners_px: Sequence[Point], picture_wh: tuple[int, int]
) -> tuple[Point, Point, Point, Point]:
    """
    Return four corners clockwise from the upper left one.

    Raises:
        TrayError: They cannot be the corners of a felt that is in the picture.
    """
    if len(corners_px) != 4:
        raise TrayError(
            message("Expected 4 corners of the felt, found {count}.", count=len(corners_px))
        )
    width, height = picture_wh
    for number, (x, y) in enumerate(corners_px, start=1):
        if not (0.0 <= x <= width - 1.0 and 0.0 <= y <= height - 1.0):
            raise TrayError(
                message(
                    "Corner {number} is outside of the picture ({x}, {y} of {width} × {height}):"
                    " the whole felt must be in view.",
                    number=number,
                    x=Number(x, "g"),
                    y=Number(y, "g"),
                    width=width,
                    height=height,
                )
            )
    places = np.array(corners_px, dtype=np.float64)
    from_middle = places - places.mean(axis=0)
    around = places[np.argsort(np.arctan2(from_middle[:, 1], from_middle[:, 0]))]
    if not cv2.isContourConvex(around.astype(np.float32)):
        raise TrayError(message("One corner lies between the others. Set it again."))
    share = cv2.contourArea(around.astype(np.float32)) / (width * height)
    if share < _SMALLEST_SHARE:
        raise TrayError(
            message(
                "The corners enclose {percent} % of the picture, expected {least} % or more: set"
                " them on the felt's corners, or move the camera nearer.",
                percent=Number(100 * share, ".1f"),
                least=f"{100 * _SMALLEST_SHARE:.0f}",
            )
        )
    first = int(np.argmin(around.sum(axis=1)))
    one, two, three, four = ((float(x), float(y)) for x, y in np.roll(around, -first, axis=0))
    return one, two, three, four


def _require_upright(markers: tuple[Marker, ...]) -> None:
    middle = np.array([marker.corners_px for marker in markers]).mean(axis=(0, 1))
    for marker in markers:
        far = np.linalg.norm(np.array(marker.corners_px) - middle, axis=1)
        if int(np.argmax(far)) != outer_corner(marker.number):
            raise TrayError(
                message(
                    "Card {number} is turned or in the wrong corner: it belongs to the {corner},"
                    " its grey corner outwards.",
                    number=marker.number,
                    corner=CORNER_NAMES[marker.number],
                )
            )


def _measure_felt(markers: tuple[Marker, ...]) -> tuple[float, float]:
    """
    Return the felt's width and depth by the cards.

    The markers' outer corners make a unit square. In it the edges of the markers are shares of
    the distance between those corners, at any slant of the camera.
    """
    outer = np.array([marker.corners_px[outer_corner(marker.number)] for marker in markers])
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_unit = cv2.getPerspectiveTransform(outer.astype(np.float32), square)
    seen = np.array([marker.corners_px for marker in markers], np.float64)
    unit = cv2.perspectiveTransform(seen.reshape(-1, 1, 2), to_unit).reshape(-1, 4, 2)
    wide = np.abs(unit[:, [1, 2], 0] - unit[:, [0, 3], 0]).mean()
    deep = np.abs(unit[:, [3, 2], 1] - unit[:, [0, 1], 1]).mean()
    return float(MARKER_MM / wide + 2.0 * MARGIN_MM), float(MARKER_MM / deep + 2.0 * MARGIN_MM)


def _describe_size_difference(
    known: tuple[float, float] | None, measured: tuple[float, float]
) -> str:
    if known is None:
        return ""
    shares = [one / other for one, other in zip(known, measured, strict=True)]
    if max(abs(share - 1.0) for share in shares) <= _SIZES_AGREE:
        return ""
    return message(
        "The cards measure the felt as {measured} mm, not {entered}: check its size, and that the"
        " sheet's ruler is 100 mm long.",
        measured=f"{measured[0]:.0f} × {measured[1]:.0f}",
        entered=f"{known[0]:g} × {known[1]:g}",
    )


def _require_felt(felt_mm: tuple[float, float]) -> tuple[float, float]:
    if not all(FELT_LEAST_MM <= size <= FELT_MOST_MM for size in felt_mm):
        raise TrayError(
            message(
                "Expected a felt of {least} to {most} mm in width and depth, found {found} mm.",
                least=f"{FELT_LEAST_MM:.0f}",
                most=f"{FELT_MOST_MM:.0f}",
                found=f"{felt_mm[0]:.0f} × {felt_mm[1]:.0f}",
            )
        )
    return felt_mm


def _fit(
    places_mm: Floats,
    places_px: Floats,
    picture_wh: tuple[int, int],
    felt_mm: tuple[float, float],
    error_mm: float,
) -> TrayMap:
    matrix, _ = cv2.findHomography(places_px, places_mm)
    if matrix is None:
        raise TrayError(message("These positions form no tray. Set the corners again."))
    first, second, third = (tuple(row) for row in np.asarray(matrix, np.float64).tolist())
    x, y = felt_mm[0] / 2.0, felt_mm[1] / 2.0
    tray = TrayMap(
        picture_wh=picture_wh,
        felt_from_px=(first, second, third),
        focal_px=USUAL_SHARE * max(picture_wh),
        felt_mm=((-x, y), (x, y), (x, -y), (-x, -y)),
        die_edge_mm=USUAL_EDGE_MM,
        felt_error_mm=error_mm,
    )
    return tray.with_estimated_focal(error_mm)


EDGE_LEAST_MM = 8.0
EDGE_MOST_MM = 25.0
_RIM = 1.05  # A face seems to end where its rounded edge begins, which is a little inside.


def measure_edge_mm(dice: Sequence[DieReading], tray: TrayMap) -> float | None:
    """
    Return the median edge of dice in millimetres, or `None` without dice.

    Top faces are one edge nearer to the camera than the felt, so they look larger. By how much
    depends on the edge itself. Measuring again with the result converges within a few rounds,
    whatever edge the map has.
    """
    if not dice:
        return None
    corners = np.array([die.corners_px for die in dice])
    edge_mm = tray.die_edge_mm
    for _ in range(4):
        guess = replace(tray, die_edge_mm=edge_mm)
        places = guess.tops_to_mm(corners.reshape(-1, 2)).reshape(-1, 4, 2)
        sides = np.linalg.norm(np.roll(places, -1, axis=1) - places, axis=2)
        edge_mm = float(np.median(sides.mean(axis=1)))
    return edge_mm * _RIM


def is_usual_edge(edge_mm: float) -> bool:
    """Return whether a table reads dice with this edge."""
    return EDGE_LEAST_MM <= edge_mm <= EDGE_MOST_MM
