# SPDX-License-Identifier: MIT
"""Test everything on pins that the settings name, one after the other, with a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from controller.doctor.finding import DiagnosticFinding, note, wrong
from controller.doctor.prompts import Assistant, try_buzzer, try_light, try_panel
from controller.settings import PanelDriver, Settings
from controller.settings.schema import NO_PIN, PanelSettings, PlayerPanelSettings, list_sections
from hardware.clock import Clock
from hardware.debounce import DebounceParams
from hardware.gpio.buzzer import Buzzer, GpioBuzzer
from hardware.gpio.light import Light, PwmLight
from hardware.gpio.panel import GpioPanel
from hardware.panel import Button, Panel, PanelLostError


@dataclass(frozen=True, slots=True)
class PanelPins:
    """The buttons and the lamps of one panel, by their BCM numbers; those that are there."""

    buttons: Mapping[Button, int]
    lamps: Mapping[Button, int]

    @classmethod
    def of(cls, section: PanelSettings | PlayerPanelSettings) -> PanelPins:
        """Return the pins that a section of the settings names."""
        buttons = {button: getattr(section, f"{button.value}_pin") for button in Button}
        lamps = {button: getattr(section, f"{button.value}_lamp_pin") for button in Button}
        return cls(
            {button: pin for button, pin in buttons.items() if pin != NO_PIN},
            {button: pin for button, pin in lamps.items() if pin != NO_PIN},
        )


def _open_panel(section: str, pins: PanelPins, params: DebounceParams) -> Panel:
    return GpioPanel(pins.buttons, pins.lamps, section=section, params=params)


def _open_light(pin: int, frequency_hz: int) -> Light:
    return PwmLight(pin, frequency_hz=frequency_hz)


@dataclass(frozen=True, slots=True)
class PinDrivers:
    """
    How pins are taken; by default those of the Raspberry Pi. Each may raise `PanelLostError`.

    Attributes:
        panel: Takes a panel, by its section and its pins.
        light: Takes a light, by its pin and how often it is switched a second.
        buzzer: Takes a buzzer by its pin.
    """

    panel: Callable[[str, PanelPins, DebounceParams], Panel] = _open_panel
    light: Callable[[int, int], Light] = _open_light
    buzzer: Callable[[int], Buzzer] = GpioBuzzer


def try_peripherals(
    settings: Settings, assistant: Assistant, clock: Clock, *, drivers: PinDrivers | None = None
) -> Iterator[DiagnosticFinding]:
    """
    Let a person try every button and lamp, the light and the buzzer that the settings name.

    Args:
        settings: They name the pins.
        person: Who presses and looks.
        clock: Measures how long a press is waited for.
        taking: How the pins are taken.
    """
    tries = list(_tries(settings, assistant, clock, drivers or PinDrivers()))
    if not tries:
        yield note("panel", "the settings name no pins, so there is nothing to test")
    for each in tries:
        try:
            yield from each
        except PanelLostError as error:
            yield wrong(error.panel, error.what, error.mend)


def _tries(
    settings: Settings, assistant: Assistant, clock: Clock, drivers: PinDrivers
) -> Iterator[Iterator[DiagnosticFinding]]:
    """Return what there is to try; nothing is taken before its turn."""
    for name, pins in list_panels(settings).items():
        yield _try_panel(settings, name, pins, assistant, clock, drivers)
    if settings.panel.driver is PanelDriver.SIMULATED:
        return  # then the light and the buzzer are simulated too
    if settings.light.pin != NO_PIN:
        yield _try_light(settings, assistant, drivers)
    if settings.sound.buzzer_pin != NO_PIN:
        yield _try_buzzer(settings, assistant, drivers)


def list_panels(settings: Settings) -> Mapping[str, PanelPins]:
    """Return the panels on pins by their sections, those that have any."""
    if settings.panel.driver is not PanelDriver.GPIO:
        return {}
    panels = {
        name: PanelPins.of(section)
        for name, section in list_sections(settings).items()
        if isinstance(section, PanelSettings | PlayerPanelSettings)
    }
    return {name: pins for name, pins in panels.items() if pins.buttons or pins.lamps}


def _try_panel(
    settings: Settings,
    name: str,
    pins: PanelPins,
    assistant: Assistant,
    clock: Clock,
    drivers: PinDrivers,
) -> Iterator[DiagnosticFinding]:
    times = settings.panel
    params = DebounceParams(bounce_s=times.bounce_ms / 1000, hold_s=times.hold_ms / 1000)
    with closing(drivers.panel(name, pins, params)) as panel:
        yield from try_panel(name, panel, pins.buttons, pins.lamps, assistant, clock)


def _try_light(
    settings: Settings, assistant: Assistant, drivers: PinDrivers
) -> Iterator[DiagnosticFinding]:
    pin = settings.light.pin
    with closing(drivers.light(pin, settings.light.frequency_hz)) as light:
        yield from try_light(light, pin, assistant)


def _try_buzzer(
    settings: Settings, assistant: Assistant, drivers: PinDrivers
) -> Iterator[DiagnosticFinding]:
    pin = settings.sound.buzzer_pin
    with closing(drivers.buzzer(pin)) as buzzer:
        yield from try_buzzer(buzzer, pin, assistant)
