# SPDX-License-Identifier: MIT
"""A light and a buzzer without pins: what they would do can be looked at, and told."""

from __future__ import annotations

from collections.abc import Callable

from hardware.gpio.buzzer import Melody


class SimulatedLight:
    """A light that exists only here; dark until it is told to shine."""

    def __init__(self) -> None:
        self._brightness_percent = 0

    @property
    def brightness_percent(self) -> int:
        """How bright it is, 0 to 100."""
        return self._brightness_percent

    def set_brightness(self, brightness_percent: int) -> None:
        """Shine this bright, 0 (dark) to 100."""
        self._brightness_percent = brightness_percent

    def close(self) -> None:
        """Make it dark; safe to call twice."""
        self._brightness_percent = 0


class SimulatedBuzzer:
    """
    A buzzer that makes no noise.

    Args:
        hear: Told every sound, in the thread that plays it.
    """

    def __init__(self, hear: Callable[[Melody], None] = lambda sound: None) -> None:
        self._hear = hear

    def play(self, sound: Melody) -> None:
        """Tell the sound."""
        self._hear(sound)

    def close(self) -> None:
        """Do nothing; there is nothing to release."""
