# SPDX-License-Identifier: MIT
"""
Dim the light over the tray by pulse-width modulation (PWM).

The eye sees the mean, but a camera with a short exposure may see bands. So the frequency is
high, and an exposure should last several periods. At 100 percent the light is simply on.
A light is not a lamp: lamps are in buttons.
"""

from __future__ import annotations

from typing import Protocol

from hardware.gpio.pins import Pins, lose_with_pins, raise_as_panel_lost, release

SECTION = "light"


class Light(Protocol):
    """A light that can be dimmed."""

    def set_brightness(self, brightness_percent: int) -> None:
        """Set the brightness, 0 (dark) to 100; a closed light stays dark."""

    def close(self) -> None:
        """Switch it off and release it; safe to call twice."""


class PwmLight:
    """
    A light behind a transistor on a GPIO pin; dark until its brightness is set.

    The pin has a BCM number, and high is lit. lgpio allows frequencies up to 10,000 Hz.

    Raises:
        PanelLostError: The pin is missing or in use.
    """

    def __init__(self, pin: int, *, frequency_hz: int, pin_factory: Pins) -> None:
        with raise_as_panel_lost(SECTION, f"pin {pin} cannot be the light"):
            from gpiozero import PWMLED

            self._led = PWMLED(pin, frequency=frequency_hz, pin_factory=pin_factory)
        self._frequency_hz = frequency_hz

    def set_brightness(self, brightness_percent: int) -> None:
        if not self._led.closed:
            with lose_with_pins(SECTION):
                self._led.pin.frequency = self._frequency_hz if brightness_percent < 100 else None
                self._led.value = brightness_percent / 100

    def close(self) -> None:
        if not self._led.closed:
            release(self._led.off)  # a released pin may keep its last level
            release(self._led.close)
