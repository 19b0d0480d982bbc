# SPDX-License-Identifier: MIT
"""
Buttons, lamps, light and buzzer for the service page.

Panel events pass through here to the table, and views pass through here to the lamps. So every
press can be shown, a lamp can be tested and then returns to what the table wants, and a test
mode lets buttons be pressed without playing.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import TypedDict

from controller.base.errors import InputError, UnavailableError
from controller.runtime.devices.peripherals import Peripherals, lit_buttons, to_table_event
from controller.runtime.event_loop import LoopObserver
from controller.table import events as on
from controller.table.view.types import Snapshot
from hardware.clock import Clock
from hardware.gpio.buzzer import Melody
from hardware.panel import Button, Freed, Panel, PanelEvent, Press, Stuck
from hardware.simulated.panel import SimulatedPanel

TEST_S = 1.2  # How long a test lights a lamp, or darkens the light.
TEST_MODE_S = 3.0  # How long the test mode lasts after the last request for it.


class ButtonView(TypedDict):
    """A button; `down` is `None` without a button, `lamp` is `None` without a lamp."""

    button: str
    down: bool | None
    stuck: bool
    presses: int
    lamp: bool | None


class PanelView(TypedDict):
    """A panel; seat 0 is the shared one."""

    seat: int
    simulated: bool
    buttons: list[ButtonView]


class PanelsView(TypedDict):
    """All peripherals; `apart` means that presses do not play, `lost` why pins cannot be used."""

    panels: list[PanelView]
    light: bool
    buzzer: bool
    lost: list[str]
    apart: bool


class PanelMonitor(LoopObserver):
    """Monitors and tests the peripherals of a table; any thread may use it."""

    def __init__(
        self, peripherals: Peripherals, clock: Clock, wait: Callable[[float], bool]
    ) -> None:
        self._peripherals = peripherals
        self._clock = clock
        self._wait = wait
        self._lock = threading.Lock()
        self._view: Snapshot | None = None
        self._presses: Counter[tuple[int, Button]] = Counter()
        self._stuck: set[tuple[int, Button]] = set()
        self._test_mode_until_s = 0.0
        self._brightness_percent = 100

    def on_view(self, view: Snapshot) -> None:
        with self._lock:
            self._view = view
            self._peripherals.show(view)

    def on_panel_event(self, panel_event: PanelEvent, seat: int | None) -> on.Event | None:
        """Count a press; return the event for the table, `None` if there is none."""
        which = seat or 0, panel_event.button
        with self._lock:
            if isinstance(panel_event, Press):
                self._presses[which] += 1
            elif isinstance(panel_event, Stuck):
                self._stuck.add(which)
            elif isinstance(panel_event, Freed):
                self._stuck.discard(which)
            is_test_mode = self._clock.now_s() < self._test_mode_until_s
        event = to_table_event(panel_event, seat)
        is_play = isinstance(event, on.KeyPressed | on.PauseRequested | on.ReviewRequested)
        return None if is_test_mode and is_play else event

    def enter_test_mode(self) -> None:
        """Keep presses from the table for a few seconds; call it repeatedly."""
        self._test_mode_until_s = self._clock.now_s() + TEST_MODE_S

    def status(self) -> PanelsView:
        """Return the buttons and lamps as they are now."""
        devices = self._peripherals.devices
        with self._lock:
            return {
                "panels": [self._panel(seat or 0, panel) for seat, panel in self._panels()],
                "light": self._peripherals.light is not None,
                "buzzer": self._peripherals.buzzer is not None,
                "lost": [_describe(device.loss) for device in devices if device.loss],
                "apart": self._clock.now_s() < self._test_mode_until_s,
            }

    def press(self, seat: int, button: str) -> None:
        """Press a simulated panel's button; InputError or UnavailableError without one."""
        panel = self._panel_of(seat)
        if not isinstance(panel, SimulatedPanel):
            raise InputError(
                expected="a simulated panel", found="one with real buttons. Press those."
            )
        panel.press(_button(button))

    def try_lamp(self, seat: int, button: str) -> None:
        """Light one lamp alone of its panel for a moment, then return; InputError without it."""
        panel, lamp = self._panel_of(seat), _button(button)
        if lamp not in panel.lamps():
            raise InputError(expected="a lamp of this panel", found=button)
        with self._lock:
            panel.show_lamps({lamp})
        self._wait(TEST_S)
        with self._lock:
            panel.show_lamps(lit_buttons(self._view, seat or None) if self._view else frozenset())

    def set_brightness(self, brightness_percent: int) -> None:
        self._brightness_percent = brightness_percent
        if self._peripherals.light is not None:
            self._peripherals.light.set_brightness(brightness_percent)

    def try_light(self) -> None:
        """Darken the light for a moment, then return; UnavailableError if it cannot be used."""
        light = self._peripherals.light
        if light is None:
            raise UnavailableError(expected="a light", found="no pin for it in [light]")
        self._require_open(on.LIGHT)
        light.set_brightness(0)
        self._wait(TEST_S)
        light.set_brightness(self._brightness_percent)

    def try_sound(self, name: str) -> None:
        """Play a sound; InputError for an unknown one, UnavailableError without a usable buzzer."""
        if self._peripherals.buzzer is None:
            raise UnavailableError(expected="a buzzer", found="no pin for it in [sound]")
        sounds = {sound.value: sound for sound in Melody}
        if name not in sounds:
            raise InputError(expected=f"one of {', '.join(sounds)}", found=name)
        self._require_open(on.BUZZER)
        self._peripherals.buzzer.play(sounds[name])

    def _require_open(self, name: str) -> None:
        for device in self._peripherals.devices:
            if device.name == name and device.loss:
                raise UnavailableError(expected=f"a usable {name}", found=_describe(device.loss))

    def _panels(self) -> tuple[tuple[int | None, Panel], ...]:
        return tuple(self._peripherals.panels())

    def _panel_of(self, seat: int) -> Panel:
        panels = {each or 0: panel for each, panel in self._panels()}
        if seat not in panels:
            raise UnavailableError(
                expected="a panel of this table", found=f"seat {seat} without one"
            )
        return panels[seat]

    def _panel(self, seat: int, panel: Panel) -> PanelView:
        lit = lit_buttons(self._view, seat or None) if self._view else frozenset()
        lamps, down = panel.lamps(), panel.buttons()
        there = [button for button in Button if button in down or button in lamps]
        buttons: list[ButtonView] = [
            {
                "button": button.value,
                "down": down.get(button),
                "stuck": (seat, button) in self._stuck,
                "presses": self._presses[seat, button],
                "lamp": button in lit if button in lamps else None,
            }
            for button in there
        ]
        is_simulated = isinstance(panel, SimulatedPanel)
        return {"seat": seat, "simulated": is_simulated, "buttons": buttons}


def _describe(lost: on.PeripheralLost) -> str:
    return f"{lost.what}; {lost.remedy}"


def _button(name: str) -> Button:
    buttons = {button.value: button for button in Button}
    if name not in buttons:
        raise InputError(expected=f"one of {', '.join(buttons)}", found=name)
    return buttons[name]
