# SPDX-License-Identifier: MIT
"""Pins that another program holds, or that vanish, as gpiozero's drivers report them."""

from __future__ import annotations

from gpiozero import PinInvalidState
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin


class BusyPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    def close(self) -> None:
        self.factory.require_chip()
        super().close()

    def _get_state(self) -> float:
        self.factory.require_chip()
        return float(super()._get_state())

    def _set_state(self, value: float) -> None:
        self.factory.require_chip()
        super()._set_state(value)


class BusyPins(MockFactory):  # type: ignore[misc]
    """Mock pins; a `busy` one is in use until the test takes it out."""

    def __init__(self, *busy: int) -> None:
        super().__init__(pin_class=BusyPin)
        self.busy = set(busy)
        self.has_vanished = False

    def pin(self, name: object) -> MockPin:
        if name in self.busy:
            raise PinInvalidState("GPIO busy")
        self.require_chip()
        return super().pin(name)

    def require_chip(self) -> None:
        if self.has_vanished:
            raise PinInvalidState("no such device")
