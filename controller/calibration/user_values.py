# SPDX-License-Identifier: MIT
"""
What a person says where a table is calibrated: it goes before whatever is measured.

Nothing said is none, so that each thing can be left to the pictures again.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.errors import InputError
from vision.calibration.die_size import is_usual_edge
from vision.calibration.fit_tray import FELT_LEAST_MM, FELT_MOST_MM
from vision.reading import Point


@dataclass(frozen=True, slots=True)
class ManualInputs:
    """
    What a person has said.

    Attributes:
        corners_px: The felt's corners, set by hand; nothing: the cards tell.
        felt_mm: Its width and depth; none: the cards measure it.
        die_edge_mm: Edge of the dice; none: it is measured.
    """

    corners_px: tuple[Point, ...] = ()
    felt_mm: tuple[float, float] | None = None
    die_edge_mm: float | None = None


def validate_felt_size(felt_mm: tuple[float, float]) -> tuple[float, float] | None:
    """
    Return the felt's width and depth as a person says them; zeros say nothing, so none.

    Raises:
        InputError: No felt is of that size.
    """
    if felt_mm == (0.0, 0.0):
        return None
    if not all(FELT_LEAST_MM <= size <= FELT_MOST_MM for size in felt_mm):
        span = f"{FELT_LEAST_MM:.0f} to {FELT_MOST_MM:.0f} mm"
        found = f"{felt_mm[0]:g} x {felt_mm[1]:g}"
        raise InputError(expected=f"a felt of {span} in width and depth", found=found)
    return felt_mm


def validate_die_edge(die_edge_mm: float) -> float | None:
    """
    Return the edge of the dice as a person says it; zero says nothing, so none.

    Raises:
        InputError: No dice are of that size.
    """
    if die_edge_mm == 0.0:
        return None
    if not is_usual_edge(die_edge_mm):
        raise InputError(expected="dice with an edge of 8 to 25 mm", found=f"{die_edge_mm:g}")
    return die_edge_mm
