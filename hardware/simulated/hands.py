# SPDX-License-Identifier: MIT
"""
Somebody's hands at the simulated tray, for buttons that name no die.

A page says "nudge"; which die is left to chance. Hands that find nothing to do, such as
a die to take out of an empty tray, do nothing.
"""

from __future__ import annotations

import random

from hardware.simulated.camera import SimulatedCamera


class TrayHands:
    """
    Does to a simulated tray what a page asks for.

    Args:
        camera: The tray.
        seed: Decides which die is handled.
    """

    def __init__(self, camera: SimulatedCamera, *, seed: int) -> None:
        self._camera = camera
        self._random = random.Random(seed)

    def throw(self) -> None:
        """Throw all dice."""
        self._camera.throw()

    def nudge(self) -> None:
        """Push a die a little."""
        if (index := self._any_die()) is not None:
            self._camera.nudge(index)

    def turn(self) -> None:
        """Turn a die over to another face."""
        if (index := self._any_die()) is not None:
            face = self._camera.truth()[index].face
            self._camera.turn(index, self._random.choice([f for f in range(1, 7) if f != face]))

    def tilt(self) -> None:
        """Lean a die against the wall."""
        if (index := self._any_die()) is not None:
            self._camera.tilt(index)

    def take_out(self) -> None:
        """Take a die out of the tray."""
        if (index := self._any_die()) is not None:
            self._camera.take_out(index)

    def put_back(self) -> None:
        """Put the dice that were taken out back."""
        self._camera.put_back()

    def set_fault(self, name: str | None) -> None:
        """
        Let the camera fail by one of its faults; none mends it.

        Raises:
            ValueError: No such fault.
        """
        self._camera.set_fault(name)

    def _any_die(self) -> int | None:
        inside = [die.index for die in self._camera.truth() if die.is_in_tray]
        return self._random.choice(inside) if inside else None
