# SPDX-License-Identifier: MIT
"""Move a die from pose to pose, in the simplest case carried by a hand."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hardware.simulated.pose import DiePose, rotation_about, turn_between

LIFTING_S = 0.3  # Time in which a hand lifts dice out of the tray.
REACHING_S = 0.25  # Time in which a hand reaches into the tray, and draws back.
_OUT_MM = 190.0  # Distance before the middle of the tray at which a hand is out of view.

_UP = np.array([0.0, 0.0, 1.0])


class Motion(Protocol):
    """A path through time from one pose to another."""

    @property
    def start_s(self) -> float: ...

    @property
    def end_s(self) -> float: ...

    def pose(self, at_s: float) -> DiePose:
        """Return the pose at a time; outside the motion, its first or last pose."""


class CarriedDie:
    """A hand carries a die from pose to pose, lifted or pushed along the felt."""

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
    """A visible hand reaches in before it carries a die from pose to pose, then draws back."""

    @property
    def gone_s(self) -> float:
        """When the hand is out of view again."""
        return self.end_s + REACHING_S

    def hand_mm(self, at_s: float) -> tuple[float, float] | None:
        """Return the position of the finger tips; None while no hand is in view."""
        if not self.start_s - REACHING_S <= at_s < self.gone_s:
            return None
        x_mm, y_mm = (float(place) for place in self.pose(at_s).center_mm[:2])
        away_s = max(self.start_s - at_s, at_s - self.end_s, 0.0)
        return x_mm, y_mm - away_s / REACHING_S * (y_mm + _OUT_MM)


def pose_outside(pose: DiePose) -> DiePose:
    """Return the pose of a die that a hand has lifted out of view."""
    return DiePose(np.array([pose.center_mm[0] * 0.6, -175.0, 85.0]), pose.rotation)
