# SPDX-License-Identifier: MIT
"""
What a person enters while calibrating. It takes precedence over measurements.

An empty value leaves the quantity to the pictures again.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.base.errors import InputError
from controller.base.languages.message import Number, chain_messages, message
from vision.calibration.fit_tray import FELT_LEAST_MM, FELT_MOST_MM, is_usual_edge
from vision.reading import Point


@dataclass(frozen=True, slots=True)
class ManualInputs:
    """The inputs of a person; empty ones are measured instead."""

    corners_px: tuple[Point, ...] = ()  # The felt's corners; empty: found by the cards.
    # Width and depth of the felt; `None`: measured by the cards.
    felt_mm: tuple[float, float] | None = None
    # The same as dice measure it that lie there; `None`: not yet, or not needed.
    felt_by_dice_mm: tuple[float, float] | None = None
    die_edge_mm: float | None = None  # Edge of the dice; `None`: measured.
    # The dome's middle and a point on its rim; empty: found by itself.
    dome_px: tuple[Point, ...] = ()


def validate_felt_size(felt_mm: tuple[float, float]) -> tuple[float, float] | None:
    """Return width and depth of the felt; `None` for zeros, InputError if no felt has them."""
    if felt_mm == (0.0, 0.0):
        return None
    if not all(FELT_LEAST_MM <= size <= FELT_MOST_MM for size in felt_mm):
        expected = message(
            "a felt of {least} to {most} mm in width and depth",
            least=f"{FELT_LEAST_MM:.0f}",
            most=f"{FELT_MOST_MM:.0f}",
        )
        raise InputError(
            expected=expected, found=chain_messages([Number(size, "g") for size in felt_mm], " x ")
        )
    return felt_mm


def validate_die_edge(die_edge_mm: float) -> float | None:
    """Return the entered edge of the dice; `None` for zero, InputError if no dice have it."""
    if die_edge_mm == 0.0:
        return None
    if not is_usual_edge(die_edge_mm):
        expected = message("dice with an edge of 8 to 25 mm")
        raise InputError(expected=expected, found=Number(die_edge_mm, "g"))
    return die_edge_mm
