# SPDX-License-Identifier: MIT
"""The light on a mock pin, and its simulated twin."""

from __future__ import annotations

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.gpio.light import Light, PwmLight
from hardware.panel import PanelLostError
from hardware.simulated.light_and_buzzer import SimulatedLight

PIN = 18


def mock_pins() -> MockFactory:
    return MockFactory(pin_class=MockPWMPin)


def test_the_light_is_dark_until_it_is_told_to_shine() -> None:
    pins = mock_pins()
    light = PwmLight(PIN, frequency_hz=2000, pin_factory=pins)
    assert pins.pin(PIN).state == 0
    light.set_brightness(40)
    assert pins.pin(PIN).state == pytest.approx(0.4)
    light.set_brightness(100)
    assert pins.pin(PIN).state == 1
    light.close()


def test_a_light_of_full_brightness_is_not_switched_at_all() -> None:
    pins = mock_pins()
    light = PwmLight(PIN, frequency_hz=2000, pin_factory=pins)
    light.set_brightness(100)
    assert (pins.pin(PIN).frequency, pins.pin(PIN).state) == (None, 1)
    light.set_brightness(50)
    assert (pins.pin(PIN).frequency, pins.pin(PIN).state) == (2000, 0.5)
    light.close()


def test_closing_darkens_the_light_and_frees_its_pin() -> None:
    pins = mock_pins()
    light = PwmLight(PIN, frequency_hz=1000, pin_factory=pins)
    light.set_brightness(70)
    light.close()
    light.close()
    light.set_brightness(70)
    assert pins.pin(PIN).state == 0
    assert pins.pin(PIN).function == "input"
    PwmLight(PIN, frequency_hz=1000, pin_factory=pins).close()


def test_a_pin_in_use_is_told_with_its_section() -> None:
    pins = mock_pins()
    light = PwmLight(PIN, frequency_hz=1000, pin_factory=pins)
    with pytest.raises(PanelLostError, match=r"light: pin 18 cannot be the light.*\[light\]"):
        PwmLight(PIN, frequency_hz=1000, pin_factory=pins)
    light.close()


def test_the_simulated_light_can_be_looked_at() -> None:
    simulated = SimulatedLight()
    light: Light = simulated
    assert simulated.brightness_percent == 0
    light.set_brightness(80)
    assert simulated.brightness_percent == 80
    light.close()
    assert simulated.brightness_percent == 0


def test_a_pin_without_dimming_is_reported_with_the_error_class() -> None:
    with pytest.raises(PanelLostError, match=r"cannot be the light \(PinPWMUnsupported\)"):
        PwmLight(PIN, frequency_hz=1000, pin_factory=MockFactory())
