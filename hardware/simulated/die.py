# SPDX-License-Identifier: MIT
"""Represent one die of the simulated tray: its final pose and the motions to it."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.simulated.motion import Motion
from hardware.simulated.pose import FLAT_WITHIN_DEG, DieKind, DiePose


@dataclass(frozen=True, slots=True)
class SimulatedDie:
    """The true state of one die, to compare with a reading."""

    index: int  # Its constant number among the dice, from 0.
    kind: DieKind
    face: int  # The face up; for a leaning die, the one that is closest to up.
    x_mm: float  # Its middle on the felt, to the right of the felt's middle.
    y_mm: float  # Its middle on the felt, away from the viewer.
    angle_deg: float  # Turn of the upper face, counter-clockwise from above, 0 up to 90.
    is_flat: bool  # Whether it lies flat on the felt; false while it moves.
    is_in_tray: bool  # Whether it is in the tray; False as soon as a hand lifts it out.


@dataclass(frozen=True, slots=True, eq=False)
class MovableDie:
    """A die with its motions."""

    kind: DieKind
    goal: DiePose  # Its final pose; for a die outside the tray, its old pose.
    is_in: bool = True  # Whether it is in the tray or moving there.
    motions: tuple[Motion, ...] = ()  # The motions to its goal, in order of time.

    def pose(self, at_s: float) -> DiePose:
        """Return its pose; for a die outside the tray, the last visible one."""
        begun = [motion for motion in self.motions if motion.start_s <= at_s]
        if begun:
            return begun[-1].pose(at_s)
        return self.motions[0].pose(at_s) if self.motions else self.goal

    def end_s(self, now_s: float) -> float:
        """Return the time from which it lies still, not before `now_s`."""
        return max([now_s, *(motion.end_s for motion in self.motions)])

    def is_visible(self, at_s: float) -> bool:
        """Return whether it is in the tray or still moving out of it."""
        return self.is_in or any(motion.end_s > at_s for motion in self.motions)

    def truth(self, index: int, at_s: float) -> SimulatedDie:
        pose = self.pose(at_s)
        is_still = self.is_in and self.end_s(at_s) <= at_s
        return SimulatedDie(
            index=index,
            kind=self.kind,
            face=pose.face,
            x_mm=float(pose.center_mm[0]),
            y_mm=float(pose.center_mm[1]),
            angle_deg=pose.angle_deg,
            is_flat=is_still and pose.lean_deg <= FLAT_WITHIN_DEG,
            is_in_tray=self.is_in,
        )
