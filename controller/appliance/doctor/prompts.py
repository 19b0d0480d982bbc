# SPDX-License-Identifier: MIT
"""
Test by hand: a person presses every button and watches every lamp, the light and the buzzer.

A pin can be free and still have nothing connected. A button that answers for another one shows
which two wires were swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.settings import LightSettings, PanelDriver, Settings
from controller.base.settings.schema import NO_PIN
from controller.runtime.devices.pin_drivers import (
    PanelPins,
    PinDrivers,
    debounce_params,
    list_panels,
)
from hardware.clock import Clock
from hardware.gpio.buzzer import Melody
from hardware.panel import Button, Panel, PanelLostError, Press, Stuck

PRESS_TIMEOUT_S = 15.0
DIM_PERCENT = 15
REWIRE = "check the wires of pin {} and [{}] in the settings"
LAMP_WIRING = "a lamp needs its resistor, and its longer leg at the pin"


@dataclass(frozen=True, slots=True)
class Assistant:
    show_line: Callable[[str], None]
    agrees: Callable[[str], bool]


def try_peripherals(
    settings: Settings, assistant: Assistant, clock: Clock, *, drivers: PinDrivers
) -> Iterator[DiagnosticFinding]:
    """Let a person try all buttons, lamps, lights and buzzers of the settings, in time."""
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
        open_panel = partial(drivers.panel, name, pins, debounce_params(settings))
        yield _try_panel(name, pins, open_panel, assistant, clock)
    if settings.light.pin != NO_PIN:
        yield _try_light(settings.light, assistant, drivers)
    if settings.sound.buzzer_pin != NO_PIN:
        yield _try_buzzer(settings.sound.buzzer_pin, assistant, drivers)


def _try_panel(
    name: str,
    pins: PanelPins,
    open_panel: Callable[[], Panel],
    assistant: Assistant,
    clock: Clock,
) -> Iterator[DiagnosticFinding]:
    """Try every button by pressing it and every lamp by lighting it; `name` is its section."""
    with closing(open_panel()) as panel:
        for button, pin in pins.buttons.items():
            timeout = f"{PRESS_TIMEOUT_S:.0f} seconds"
            assistant.show_line(f"[{name}] Press {button.value}, within {timeout}.")
            yield _wait_for_press(name, panel, button, pin, clock)
        for button, pin in pins.lamps.items():
            panel.show_lamps({button})
            lamp = f"lamp {button.value} at pin {pin}"
            if assistant.agrees(f"[{name}] Is the lamp of {button.value} lit, and no other?"):
                yield ok(name, f"{lamp} lights")
            else:
                mend = f"{REWIRE.format(pin, name)}; {LAMP_WIRING}"
                yield wrong(name, f"{lamp} does not light correctly", mend)
        panel.show_lamps(set())


def _wait_for_press(
    name: str, panel: Panel, button: Button, pin: int, clock: Clock
) -> DiagnosticFinding:
    """Wait for a press; the first button that answers decides."""
    until_s = clock.now_s() + PRESS_TIMEOUT_S
    while (left_s := until_s - clock.now_s()) > 0:
        event = panel.event(left_s)
        if isinstance(event, Stuck) and event.button is button:
            mend = f"free the button; {REWIRE.format(pin, name)}"
            return wrong(name, f"button {button.value} at pin {pin} is always down", mend)
        if isinstance(event, Press):
            return _check_press(name, event.button, button, pin)
    mend = f"{REWIRE.format(pin, name)}; a press connects the pin to ground"
    return wrong(name, f"button {button.value} at pin {pin}: no press was seen", mend)


def _check_press(name: str, seen: Button, expected: Button, pin: int) -> DiagnosticFinding:
    if seen is expected:
        return ok(name, f"button {expected.value} at pin {pin} answers")
    mend = f"swap their wires, or their pins in [{name}]"
    return wrong(name, f"expected {expected.value}, found {seen.value}", mend)


def _try_light(
    settings: LightSettings, assistant: Assistant, drivers: PinDrivers
) -> Iterator[DiagnosticFinding]:
    """Try the light over the tray: bright, then dim."""
    pin = settings.pin
    with closing(drivers.light(pin, settings.frequency_hz)) as light:
        light.set_brightness(100)
        bright = assistant.agrees("[light] Is the light over the tray bright?")
        light.set_brightness(DIM_PERCENT)
        dim = bright and assistant.agrees("[light] Is it dim now?")
        light.set_brightness(0)
        if bright and dim:
            yield ok("light", f"the light at pin {pin} shines and can be dimmed")
        else:
            what = "cannot be dimmed" if bright else "does not shine"
            mend = f"{REWIRE.format(pin, 'light')}; it needs a transistor that switches its ground"
            yield wrong("light", f"the light at pin {pin} {what}", mend)


def _try_buzzer(pin: int, assistant: Assistant, drivers: PinDrivers) -> Iterator[DiagnosticFinding]:
    """Try the buzzer with the longest of its sounds."""
    with closing(drivers.buzzer(pin)) as buzzer:
        buzzer.play(Melody.END)
        if assistant.agrees("[sound] Did you hear a rising melody?"):
            yield ok("sound", f"the buzzer at pin {pin} sounds")
        else:
            mend = f"{REWIRE.format(pin, 'sound')}; it must be a passive buzzer"
            yield wrong("sound", f"the buzzer at pin {pin} is not heard", mend)
