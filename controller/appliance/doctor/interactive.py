# SPDX-License-Identifier: MIT
"""Test everything on pins that the settings name, one after the other, with a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from controller.appliance.doctor.finding import DiagnosticFinding, note, wrong
from controller.appliance.doctor.prompts import Assistant, try_buzzer, try_light, try_panel
from controller.base.settings import PanelDriver, Settings
from controller.base.settings.schema import NO_PIN
from controller.runtime.devices.pin_drivers import (
    PanelPins,
    PinDrivers,
    debounce_params,
    list_panels,
)
from hardware.clock import Clock
from hardware.panel import PanelLostError


def try_peripherals(
    settings: Settings, assistant: Assistant, clock: Clock, *, drivers: PinDrivers
) -> Iterator[DiagnosticFinding]:
    """
    Let a person try every button and lamp, the light and the buzzer that the settings name.

    Args:
        clock: Measures how long a press is waited for.
    """
    tries = list(_tries(settings, assistant, clock, drivers))
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
    if settings.panel.driver is PanelDriver.SIMULATED:
        return  # then the light and the buzzer are simulated too
    for name, pins in list_panels(settings).items():
        yield _try_panel(settings, name, pins, assistant, clock, drivers)
    if settings.light.pin != NO_PIN:
        yield _try_light(settings, assistant, drivers)
    if settings.sound.buzzer_pin != NO_PIN:
        yield _try_buzzer(settings, assistant, drivers)


def _try_panel(
    settings: Settings,
    name: str,
    pins: PanelPins,
    assistant: Assistant,
    clock: Clock,
    drivers: PinDrivers,
) -> Iterator[DiagnosticFinding]:
    with closing(drivers.panel(name, pins, debounce_params(settings))) as panel:
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
