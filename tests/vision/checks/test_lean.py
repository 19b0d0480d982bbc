# SPDX-License-Identifier: MIT
"""A leaning die is a doubt with its position; flat dice are not, from any camera."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pose import DieKind
from vision.pipeline import Reader
from vision.reading import Doubt, DoubtKind, Status, TrayReading

_WHITE, _BLACK = (DieKind.WHITE,) * 5, (DieKind.BLACK,) * 5


def _read_simulated(
    seed: int, dice: tuple[DieKind, ...], *, leaning: int | None = None
) -> tuple[TrayReading, tuple[float, float] | None]:
    """Return the reading of a simulated tray, and the position of the leaning die."""
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=seed, dice=dice) as camera:
        if leaning is not None:
            camera.tilt(leaning)
        clock.wait_s(3.0)
        reading = Reader().read(camera.frame(1.0).image_bgr, expect=len(dice))
        if leaning is None:
            return reading, None
        die = camera.truth()[leaning]
        return reading, camera.project(die.x_mm, die.y_mm, 12.0)


def _select_kind(reading: TrayReading, kind: DoubtKind) -> list[Doubt]:
    return [doubt for doubt in reading.doubts if doubt.kind is kind]


def test_most_dice_against_the_wall_are_doubts() -> None:
    """Without a calibration some leans look like the slant of another camera."""
    readings = [
        _read_simulated(seed, dice, leaning=seed)[0]
        for seed in range(5)
        for dice in (_WHITE, _BLACK)
    ]
    believed = [one for one in readings if one.status is Status.READ]
    assert len(believed) <= 1


def test_the_doubt_is_at_the_leaning_die() -> None:
    reading, place = _read_simulated(11, _WHITE, leaning=2)
    (doubt,) = _select_kind(reading, DoubtKind.COCKED)
    assert doubt.center_px is not None
    assert place is not None
    assert np.hypot(*np.subtract(doubt.center_px, place)) < doubt.radius_px
    assert len(reading.dice) == 4


@pytest.mark.parametrize("seed", [3, 4, 11])
def test_flat_dice_all_over_the_tray_do_not_lean(seed: int) -> None:
    reading, _ = _read_simulated(seed, _WHITE)
    assert reading.status is Status.READ
