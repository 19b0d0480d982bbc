# SPDX-License-Identifier: MIT
"""
The light over the tray, dimmed by switching it on and off (PWM).

The eye sees the mean; a camera with a short exposure may see the switching as bands. So
it is switched often, and an exposure should last several of its periods; at 100 percent
it is simply on, and there is nothing to see. A light is no lamp: lamps are in buttons.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Protocol

from hardware.gpio.pins import Pins, pi_pins, raise_as_panel_lost

SECTION = "light"


class Light(Protocol):
    """A light that can be dimmed."""

    def set_brightness(self, brightness_percent: int) -> None:
        """Shine this bright, 0 (dark) to 100; a closed light stays dark."""
        ...

    def close(self) -> None:
        """Make it dark and release it; safe to call twice."""
        ...


class PwmLight:
    """
    A light behind a transistor on a GPIO pin; dark until it is told to shine.

    Args:
        pin: BCM number; high is lit.
        frequency_hz: How often it is switched on in a second. The pin is switched by lgpio,
            which goes up to 10,000.
        pin_factory: Whose pin; none for those of the Raspberry Pi, through lgpio.

    Raises:
        PanelLostError: There is no such pin here, or it is in use.
    """

    def __init__(self, pin: int, *, frequency_hz: int, pin_factory: Pins | None = None) -> None:
        with ExitStack() as taken:
            factory = pin_factory or taken.enter_context(closing(pi_pins(SECTION)))
            with raise_as_panel_lost(SECTION, f"pin {pin} cannot be the light"):
                from gpiozero import PWMLED

                led = PWMLED(pin, frequency=frequency_hz, pin_factory=factory)
            self._led, self._frequency_hz = taken.enter_context(led), frequency_hz
            taken.callback(led.off)  # a pin that is merely let go may leave the light as it was
            self._taken = taken.pop_all()

    def set_brightness(self, brightness_percent: int) -> None:
        """Shine this bright, 0 (dark) to 100; a closed light stays dark."""
        if not self._led.closed:
            self._led.pin.frequency = self._frequency_hz if brightness_percent < 100 else None
            self._led.value = brightness_percent / 100

    def close(self) -> None:
        """Make it dark and release the pin; safe to call twice."""
        self._taken.close()
