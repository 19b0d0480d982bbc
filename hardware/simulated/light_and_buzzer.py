# SPDX-License-Identifier: MIT
"""Simulate a light and a buzzer; tests can read what they would do."""

from __future__ import annotations

from collections.abc import Callable

from hardware.gpio.buzzer import Melody


class SimulatedLight:
    """A simulated light; dark until its brightness is set."""

    def __init__(self) -> None:
        self.brightness_percent = 0

    def set_brightness(self, brightness_percent: int) -> None:
        self.brightness_percent = brightness_percent

    def close(self) -> None:
        self.brightness_percent = 0


class SimulatedBuzzer:
    """A silent buzzer; `hear` is called with every sound, in the thread that plays it."""

    def __init__(self, hear: Callable[[Melody], None] = lambda sound: None) -> None:
        self._hear = hear

    def play(self, sound: Melody) -> None:
        self._hear(sound)

    def close(self) -> None:
        """Release nothing."""
