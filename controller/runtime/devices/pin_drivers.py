# SPDX-License-Identifier: MIT
"""What the settings name on pins, and how each of it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.base.settings import PanelDriver, PanelSettings, PlayerPanelSettings, Settings
from controller.base.settings.schema import NO_PIN, list_sections
from hardware.debounce import DebounceParams
from hardware.gpio.buzzer import Buzzer, GpioBuzzer
from hardware.gpio.light import Light, PwmLight
from hardware.gpio.panel import GpioPanel
from hardware.gpio.pins import SharedPins
from hardware.panel import Button, Panel


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The buttons and the lamps of one panel, by their BCM numbers; those that are there."""

    buttons: Mapping[Button, int]
    lamps: Mapping[Button, int]

    @classmethod
    def of(cls, section: PanelSettings | PlayerPanelSettings) -> PanelPins:
        buttons = {button: getattr(section, f"{button.value}_pin") for button in Button}
        lamps = {button: getattr(section, f"{button.value}_lamp_pin") for button in Button}
        return cls(
            {button: pin for button, pin in buttons.items() if pin != NO_PIN},
            {button: pin for button, pin in lamps.items() if pin != NO_PIN},
        )


def list_panels(settings: Settings) -> Mapping[str, PanelPins]:
    """Return the panels that have pins, by their sections; none without a driver for panels."""
    if settings.panel.driver is PanelDriver.NONE:
        return {}
    panels = {
        name: PanelPins.of(section)
        for name, section in list_sections(settings).items()
        if isinstance(section, PanelSettings | PlayerPanelSettings)
    }
    return {name: pins for name, pins in panels.items() if pins.buttons or pins.lamps}


def find_seat(section: str) -> int | None:
    """Return the seat whose panel a section describes, from 1; `None` for the shared panel."""
    seat = section.removeprefix("panel").removeprefix("_")
    return int(seat) if seat else None


def debounce_params(settings: Settings) -> DebounceParams:
    times = settings.panel
    return DebounceParams(bounce_s=times.bounce_ms / 1000, hold_s=times.hold_ms / 1000)


@dataclass(frozen=True, slots=True)
class PinDrivers:
    """How devices on pins are opened. Each may raise `PanelLostError`."""

    # Opens a panel, by its section and its pins.
    panel: Callable[[str, PanelPins, DebounceParams], Panel]
    # Opens a light, by its pin and its switching frequency in Hz.
    light: Callable[[int, int], Light]
    buzzer: Callable[[int], Buzzer]  # Opens a buzzer by its pin.

    @classmethod
    def on(cls, pins: SharedPins) -> PinDrivers:
        def open_panel(section: str, used: PanelPins, params: DebounceParams) -> Panel:
            factory = pins.open(section)
            return GpioPanel(
                used.buttons, used.lamps, pin_factory=factory, section=section, params=params
            )

        def open_light(pin: int, frequency_hz: int) -> Light:
            return PwmLight(pin, frequency_hz=frequency_hz, pin_factory=pins.open("light"))

        def open_buzzer(pin: int) -> Buzzer:
            return GpioBuzzer(pin, pin_factory=pins.open("sound"))

        return cls(open_panel, open_light, open_buzzer)
