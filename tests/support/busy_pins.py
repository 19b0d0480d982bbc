# SPDX-License-Identifier: MIT
"""Pins of which another program holds some, as gpiozero's drivers report them."""

from __future__ import annotations

from gpiozero import PinInvalidState
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin


class BusyPins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """
    Mock pins, some of which are in use.

    Args:
        busy: Their BCM numbers; take one out when the other program lets go of it.
    """

    def __init__(self, *busy: int) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.busy = set(busy)

    def pin(self, name: object) -> MockPin:
        if name in self.busy:
            raise PinInvalidState("GPIO busy")
        return super().pin(name)
