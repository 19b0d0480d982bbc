# SPDX-License-Identifier: MIT
"""What holds for every panel: the simulated one and the one on pins."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Protocol

import pytest

from hardware.clock import SteppedClock
from hardware.gpio.panel import GpioPanel
from hardware.panel import Button, Freed, Hold, Panel, PanelEvent, Press, Stuck
from hardware.simulated.panel import SimulatedPanel
from tests.support.stamped_pins import StampedPins

BUTTONS = {Button.LEFT: 5, Button.RIGHT: 6, Button.CONFIRM: 13, Button.BACK: 19}
LAMPS = {Button.LEFT: 12, Button.RIGHT: 16, Button.CONFIRM: 20, Button.BACK: 21}


class Rig(Protocol):
    """A panel on the bench, and fingers."""

    panel: Panel

    def press(self, button: Button) -> None:
        """Press a button and let it go."""

    def hold(self, button: Button) -> None:
        """Press a button, long enough to be a hold."""

    def stick(self, button: Button) -> None:
        """Lean something on a button until it counts as stuck."""

    def free(self, button: Button) -> None:
        """Take that away."""

    def lit(self) -> set[Button]:
        """Look which lamps are lit."""


class SimulatedRig:
    def __init__(self) -> None:
        self._panel = SimulatedPanel(SteppedClock())
        self.panel: Panel = self._panel

    def press(self, button: Button) -> None:
        self._panel.press(button)

    def hold(self, button: Button) -> None:
        self._panel.hold(button)

    def stick(self, button: Button) -> None:
        self._panel.hold(button)
        self._panel.stick(button)

    def free(self, button: Button) -> None:
        self._panel.free(button)

    def lit(self) -> set[Button]:
        return set(self._panel.lit)


class GpioRig:
    def __init__(self) -> None:
        self._clock = SteppedClock()
        self._pins = StampedPins(self._clock)
        self.panel: Panel = GpioPanel(BUTTONS, LAMPS, clock=self._clock, pin_factory=self._pins)

    def press(self, button: Button, seconds: float = 0.1) -> None:
        pin = self._pins.pin(BUTTONS[button])
        pin.drive_low()
        self._clock.wait_s(seconds)
        pin.drive_high()
        self._clock.wait_s(0.1)

    def hold(self, button: Button) -> None:
        self.press(button, 2.0)

    def stick(self, button: Button) -> None:
        self._pins.pin(BUTTONS[button]).drive_low()
        self._clock.wait_s(60.0)

    def free(self, button: Button) -> None:
        self._pins.pin(BUTTONS[button]).drive_high()
        self._clock.wait_s(0.1)

    def lit(self) -> set[Button]:
        return {button for button, pin in LAMPS.items() if self._pins.pin(pin).state}


@pytest.fixture(params=[SimulatedRig, GpioRig], ids=["simulated", "gpio"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Each panel in turn; afterwards no thread may be left."""
    before = set(threading.enumerate())
    made: Rig = request.param()
    yield made
    made.panel.close()
    assert set(threading.enumerate()) <= before


def test_nothing_pressed_is_no_event(rig: Rig) -> None:
    assert rig.panel.event(0.0) is None


def test_every_press_is_told_once_and_in_order(rig: Rig) -> None:
    pressed = [Button.LEFT, Button.CONFIRM, Button.CONFIRM, Button.BACK, Button.RIGHT]
    for button in pressed:
        rig.press(button)
    events = [rig.panel.event(0.0) for _ in pressed]
    assert [type(event) for event in events] == [Press] * 5
    assert [event.button for event in events if event] == pressed
    assert rig.panel.event(0.0) is None


@pytest.mark.parametrize("button", [Button.LEFT, Button.BACK])
def test_holding_left_or_back_is_not_pressing_it_as_well(rig: Rig, button: Button) -> None:
    rig.hold(button)
    rig.press(button)
    told = [rig.panel.event(0.0) for _ in range(3)]
    assert [type(event) for event in told if event] == [Hold, Press]


def test_hold_follows_its_press(rig: Rig) -> None:
    rig.hold(Button.RIGHT)
    press, hold = rig.panel.event(0.0), rig.panel.event(0.0)
    assert isinstance(press, Press)
    assert isinstance(hold, Hold)
    assert press.button is hold.button is Button.RIGHT
    assert press.at_s <= hold.at_s
    assert rig.panel.event(0.0) is None


def test_a_stuck_button_is_told_as_stuck_and_then_as_freed(rig: Rig) -> None:
    rig.stick(Button.RIGHT)
    told = [rig.panel.event(0.0) for _ in range(4)]
    assert [type(event) for event in told if event] == [Press, Hold, Stuck]
    rig.free(Button.RIGHT)
    rig.press(Button.RIGHT)
    told = [rig.panel.event(0.0) for _ in range(3)]
    assert [type(event) for event in told if event] == [Freed, Press]


def test_lamps_show_what_was_asked_and_nothing_else(rig: Rig) -> None:
    assert rig.lit() == set()
    rig.panel.show_lamps({Button.LEFT, Button.CONFIRM})
    assert rig.lit() == {Button.LEFT, Button.CONFIRM}
    rig.panel.show_lamps(set())
    assert rig.lit() == set()


def test_closed_panel_is_dark_and_may_be_closed_again(rig: Rig) -> None:
    rig.panel.show_lamps(set(Button))
    rig.panel.close()
    assert rig.lit() == set()
    rig.panel.close()


def test_closing_ends_the_waiting(rig: Rig) -> None:
    closer = threading.Timer(0.0, rig.panel.close)
    closer.start()
    assert rig.panel.event(30.0) is None
    closer.join()


def test_only_the_stuck_button_makes_contact_until_freed(rig: Rig) -> None:
    rig.stick(Button.RIGHT)
    assert rig.panel.buttons() == {button: button is Button.RIGHT for button in Button}
    rig.free(Button.RIGHT)
    assert not any(rig.panel.buttons().values())


def test_it_tells_which_buttons_have_a_lamp(rig: Rig) -> None:
    assert rig.panel.lamps() == frozenset(LAMPS)


def test_a_press_of_a_simulated_button_wakes_who_waits() -> None:
    panel = SimulatedPanel(SteppedClock(5.0))
    found: list[PanelEvent | None] = []
    waiting = threading.Thread(target=lambda: found.append(panel.event(60.0)))
    waiting.start()
    panel.press(Button.RIGHT)
    waiting.join()
    assert found == [Press(Button.RIGHT, 5.0)]
