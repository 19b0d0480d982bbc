# SPDX-License-Identifier: MIT
"""Inspect one picture of a tray during calibration: its markers, map, sharpness and light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.base.languages.message import message
from vision.calibration.fit_tray import (
    NO_SCALE,
    FittedTray,
    TrayError,
    fit_tray_to_corners,
    fit_tray_to_markers,
    order_corners,
)
from vision.calibration.lighting import LightFault, LightKind, find_light_faults
from vision.calibration.markers import Marker, find_markers
from vision.calibration.sharpness import measure_sharpness
from vision.dome.find import MeasuredDome, mark_dome, measure_dome
from vision.frame import Image
from vision.reading import Point
from vision.tray_map import TrayMap

_NO_DOME = message(
    "No dome is seen. Put it on the felt, completely in the picture, or mark it by hand."
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result for one picture."""

    picture_wh: tuple[int, int]  # Its width and height.
    markers: tuple[Marker, ...]
    found: FittedTray | None  # The tray, or `None` if it was not found.
    problem: str  # Why it, or the dome, was not found and what to do; empty if all was.
    sharpness: float  # How sharp the picture is, 0 to 100.
    light: tuple[LightFault, ...]
    dome: MeasuredDome | None = None  # The dome, or `None` if there is none or if it was not found.


def inspect_picture(
    image_bgr: Image,
    *,
    felt_mm: tuple[float, float] | None = None,
    corners_px: Sequence[Point] = (),
    under_dome: bool = False,
    dome_px: Sequence[Point] = (),
) -> Inspection:
    """
    Inspect a picture.

    The corners of the felt, and the dome's middle and a point on its rim, are as a person set them.
    Without corners the cards are used, and without these points the dome is sought.
    """
    height, width = image_bgr.shape[:2]
    markers = find_markers(image_bgr)
    found, problem = None, ""
    try:
        if not corners_px:
            found = fit_tray_to_markers(markers, (width, height), felt_mm)
        elif felt_mm is not None:
            found = fit_tray_to_corners(corners_px, (width, height), felt_mm)
        else:
            order_corners(corners_px, (width, height))
            problem = NO_SCALE
    except TrayError as error:
        problem = error.args[0]
    dome = _find_dome(image_bgr, found.tray, dome_px) if found and under_dome else None
    if found and under_dome and dome is None:
        problem = _NO_DOME
    light = find_light_faults(image_bgr, found.tray, markers) if found else ()
    if under_dome:
        # A dome always mirrors lamps.
        light = tuple(fault for fault in light if fault.kind is not LightKind.GLARE)
    return Inspection(
        picture_wh=(width, height),
        markers=markers,
        found=found,
        problem=problem,
        sharpness=measure_sharpness(image_bgr),
        light=light,
        dome=dome,
    )


def _find_dome(image_bgr: Image, tray: TrayMap, dome_px: Sequence[Point]) -> MeasuredDome | None:
    if not dome_px:
        return measure_dome(image_bgr, tray)
    middle_px, rim_px = dome_px
    return mark_dome(tray, middle_px, rim_px)
