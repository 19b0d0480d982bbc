# SPDX-License-Identifier: MIT
"""What moves a die from place to place, and the plainest way of it: a hand that carries it."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hardware.simulated.pose import DiePose, rotation_about, turn_between

LIFTING_S = 0.3
"""How long a hand takes to lift dice out of the tray."""

REACHING_S = 0.25
"""How long a hand takes to reach into the tray, and to draw back."""

_OUT_MM = 190.0
"""How far before the middle of the tray a hand is out of the camera's view."""

_UP = np.array([0.0, 0.0, 1.0])


class Motion(Protocol):
    """A way through time from one pose to another."""

    @property
    def start_s(self) -> float:
        """When it begins."""
        ...

    @property
    def end_s(self) -> float:
        """When it is over."""
        ...

    def pose(self, at_s: float) -> DiePose:
        """Return where the die is; before and after, where it starts and ends."""
        ...


class CarriedDie:
    """
    A die taken from pose to pose by a hand, lifted on the way or pushed along the felt.

    Args:
        start: Where it is taken.
        end: Where it is put.
        start_s: When the hand takes it.
        duration_s: How long it takes.
        lift_mm: How much higher than the straight way it is in the middle.
    """

    def __init__(
        self,
        start: DiePose,
        end: DiePose,
        *,
        start_s: float,
        duration_s: float,
        lift_mm: float = 0.0,
    ) -> None:
        self.start_s = start_s
        self.end_s = start_s + duration_s
        self._start, self._end = start, end
        self._lift_mm = lift_mm
        self._axis, self._angle_rad = turn_between(start.rotation, end.rotation)

    def pose(self, at_s: float) -> DiePose:
        """Return where the die is; before and after, where it starts and ends."""
        if at_s <= self.start_s:
            return self._start
        if at_s >= self.end_s:
            return self._end
        share = (at_s - self.start_s) / (self.end_s - self.start_s)
        eased = share * share * (3.0 - 2.0 * share)
        center = self._start.center_mm + eased * (self._end.center_mm - self._start.center_mm)
        center = center + _UP * self._lift_mm * np.sin(np.pi * share)
        return DiePose(
            center, rotation_about(self._axis, eased * self._angle_rad) @ self._start.rotation
        )


class HandMove(CarriedDie):
    """
    A die taken from pose to pose by a hand that is seen: it reaches in, and draws back after.

    Args:
        start: Where the die is taken.
        end: Where it is put.
        start_s: When the hand begins to reach for it.
        duration_s: How long it has the die.
        lift_mm: How much higher than the straight way the die is in the middle.
    """

    def __init__(
        self,
        start: DiePose,
        end: DiePose,
        *,
        start_s: float,
        duration_s: float,
        lift_mm: float = 0.0,
    ) -> None:
        super().__init__(
            start, end, start_s=start_s + REACHING_S, duration_s=duration_s, lift_mm=lift_mm
        )
        self.gone_s = self.end_s + REACHING_S

    def hand_mm(self, at_s: float) -> tuple[float, float] | None:
        """Return where the finger tips are over the felt; none while no hand is there."""
        if not self.start_s - REACHING_S <= at_s < self.gone_s:
            return None
        x_mm, y_mm = (float(place) for place in self.pose(at_s).center_mm[:2])
        away_s = max(self.start_s - at_s, at_s - self.end_s, 0.0)
        return x_mm, y_mm - away_s / REACHING_S * (y_mm + _OUT_MM)


def pose_outside(pose: DiePose) -> DiePose:
    """Return where a die is when a hand has lifted it out of the camera's view."""
    return DiePose(np.array([pose.center_mm[0] * 0.6, -175.0, 85.0]), pose.rotation)
