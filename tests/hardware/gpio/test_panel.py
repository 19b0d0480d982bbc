# SPDX-License-Identifier: MIT
"""The panel on gpiozero's mock pins, which (good for us) never apply a bounce time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from gpiozero import PinEdgeDetectUnsupported
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.clock import SteppedClock
from hardware.debounce import DebounceParams
from hardware.gpio.panel import LOST_EDGE_S, GpioPanel
from hardware.panel import Button, Freed, Hold, PanelEvent, PanelLostError, Press, Stuck
from tests.support.stamped_pins import StampedPin, StampedPins

BUTTONS = {Button.LEFT: 5, Button.RIGHT: 6, Button.CONFIRM: 13, Button.BACK: 19}
LAMPS = {Button.LEFT: 12, Button.RIGHT: 16, Button.CONFIRM: 20, Button.BACK: 21}
PARAMS = DebounceParams(bounce_s=0.02, hold_s=1.0)


class Bench:
    """A panel on mock pins with a clock that stands still until it is told to go on."""

    def __init__(
        self, pin_class: type[MockPin] = StampedPin, clock: SteppedClock | None = None
    ) -> None:
        self.clock = clock or SteppedClock()
        self.pins = StampedPins(self.clock, pin_class)
        self.panel = self.new_panel()

    def new_panel(self) -> GpioPanel:
        return GpioPanel(BUTTONS, LAMPS, params=PARAMS, clock=self.clock, pin_factory=self.pins)

    def pin(self, number: int) -> MockPin:
        return self.pins.pin(number)

    def push(self, button: Button) -> None:
        self.pin(BUTTONS[button]).drive_low()

    def let_go(self, button: Button) -> None:
        self.pin(BUTTONS[button]).drive_high()

    def events_after(self, seconds: float) -> list[PanelEvent]:
        """Let time pass, then take all that is there."""
        self.clock.wait_s(seconds)
        told = []
        while (event := self.panel.event(0.0)) is not None:
            told.append(event)
        return told

    def lit(self) -> set[Button]:
        return {button for button, pin in LAMPS.items() if self.pin(pin).state}


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.panel.close()
    bench.pins.reset()


@pytest.mark.parametrize("button", list(Button))
def test_each_button_tells_its_own_press(bench: Bench, button: Button) -> None:
    bench.push(button)
    bench.clock.wait_s(0.05)
    bench.let_go(button)
    assert bench.events_after(0.05) == [Press(button, 0.0)]


def test_bounce_is_taken_out_here_and_not_by_the_pins(bench: Bench) -> None:
    for _ in range(6):
        bench.push(Button.RIGHT)
        assert bench.events_after(0.003) == []
        bench.let_go(Button.RIGHT)
        assert bench.events_after(0.002) == []
    bench.push(Button.RIGHT)
    assert bench.events_after(0.05) == [Press(Button.RIGHT, 0.0)]
    assert bench.pin(BUTTONS[Button.RIGHT]).bounce is None


def test_unobserved_press_and_release_are_reported_later(bench: Bench) -> None:
    bench.push(Button.RIGHT)
    bench.clock.wait_s(0.1)
    bench.let_go(Button.RIGHT)
    bench.clock.wait_s(0.1)
    bench.push(Button.CONFIRM)
    assert bench.events_after(2.0) == [
        Press(Button.RIGHT, 0.0),
        Press(Button.CONFIRM, 0.2),
        Hold(Button.CONFIRM, 1.2),
    ]


def test_lost_release_edge_does_not_leave_the_button_dead(bench: Bench) -> None:
    bench.push(Button.RIGHT)
    assert bench.events_after(0.05) == [Press(Button.RIGHT, 0.0)]
    pin = bench.pin(BUTTONS[Button.RIGHT])
    watcher, pin.when_changed = pin.when_changed, None
    bench.let_go(Button.RIGHT)  # nobody is told of this edge
    pin.when_changed = watcher
    assert bench.events_after(0.05) == []
    assert bench.events_after(LOST_EDGE_S) == []
    bench.push(Button.RIGHT)
    assert [type(event) for event in bench.events_after(0.05)] == [Press]


def test_a_press_soon_after_a_lost_release_counts(bench: Bench) -> None:
    bench.push(Button.RIGHT)
    assert bench.events_after(0.05) == [Press(Button.RIGHT, 0.0)]
    pin = bench.pin(BUTTONS[Button.RIGHT])
    watcher, pin.when_changed = pin.when_changed, None
    bench.let_go(Button.RIGHT)  # nobody is told of this edge
    pin.when_changed = watcher
    assert bench.events_after(0.15) == []
    bench.clock.wait_s(0.05)
    bench.push(Button.RIGHT)
    bench.clock.wait_s(0.06)
    bench.let_go(Button.RIGHT)
    assert bench.events_after(0.05) == [Press(Button.RIGHT, 0.25)]


@pytest.mark.parametrize("late_s", [0.01, 0.03, 0.2, 0.9])
def test_a_press_counts_however_late_its_edges_are_reported(bench: Bench, late_s: float) -> None:
    """A busy program reads the pins while edges with earlier times wait to be reported."""
    bench.pins.is_busy = True
    for _ in range(4):
        bench.push(Button.RIGHT)
        assert bench.events_after(0.002) == []
        bench.let_go(Button.RIGHT)
        bench.clock.wait_s(0.001)
    bench.push(Button.RIGHT)
    assert bench.events_after(0.03) == []
    bench.clock.wait_s(0.01)
    bench.let_go(Button.RIGHT)
    assert bench.events_after(late_s) == []
    bench.pins.report()
    assert bench.events_after(0.05) == [Press(Button.RIGHT, 0.0)]


def test_a_glitch_whose_end_is_reported_late_is_no_press(bench: Bench) -> None:
    bench.push(Button.RIGHT)
    bench.clock.wait_s(0.005)
    bench.pins.is_busy = True
    bench.let_go(Button.RIGHT)
    assert bench.events_after(0.1) == []
    bench.pins.report()
    assert bench.events_after(0.1) == []


def test_a_bounce_reported_within_the_next_press_is_no_press(bench: Bench) -> None:
    """The next press has the level of the bounce, so the level does not show what is missing."""
    bench.pins.is_busy = True
    for seconds in (0.06, 0.001):  # a press, and the bounce of its release
        bench.push(Button.RIGHT)
        bench.clock.wait_s(seconds)
        bench.let_go(Button.RIGHT)
        bench.clock.wait_s(0.001)
    bench.clock.wait_s(0.023)
    bench.pins.report(2)
    events = bench.events_after(0.035)
    bench.push(Button.RIGHT)
    bench.clock.wait_s(0.03)
    bench.pins.report(1)
    events += bench.events_after(0.0)
    bench.pins.report()
    events += bench.events_after(0.2)
    assert [type(event) for event in events] == [Press, Press]
    assert [event.at_s for event in events] == pytest.approx([0.0, 0.121])


class StallingClock(SteppedClock):
    """A clock whose reader is stopped once, before one reading, while other things happen."""

    def __init__(self) -> None:
        super().__init__()
        self.readings_left = -1
        self.happens: Callable[[], None] = lambda: None

    def now_s(self) -> float:
        self.readings_left -= 1
        if self.readings_left == 0:
            self.happens()
        return super().now_s()


@pytest.mark.parametrize("readings", [1, 2, 3])
def test_a_press_counts_if_its_report_stalls(readings: int) -> None:
    """The thread that is told of an edge reads two clocks; it may be stopped between them."""
    clock = StallingClock()
    bench = Bench(clock=clock)
    bench.pins.is_busy = True
    bench.push(Button.RIGHT)
    clock.readings_left, clock.happens = readings, lambda: clock.wait_s(0.06)
    bench.pins.report()
    bench.let_go(Button.RIGHT)
    bench.pins.report()
    assert bench.events_after(0.5) == [Press(Button.RIGHT, 0.0)]
    bench.panel.close()


@pytest.mark.parametrize("readings", [1, 2, 3])
def test_two_presses_count_if_their_reader_stalls(readings: int) -> None:
    """The level is down again when the pins are read, and the edges between were reported."""
    clock = StallingClock()
    bench = Bench(clock=clock)
    bench.push(Button.LEFT)

    def press_again() -> None:
        clock.wait_s(0.06)
        bench.let_go(Button.LEFT)
        clock.wait_s(1.4)
        bench.push(Button.LEFT)
        clock.wait_s(0.01)

    clock.readings_left, clock.happens = readings, press_again
    events = bench.events_after(0.0)
    clock.wait_s(0.05)
    bench.let_go(Button.LEFT)
    events += bench.events_after(0.05)
    assert events == [Press(Button.LEFT, 0.0), Press(Button.LEFT, 1.46)]
    bench.panel.close()


class PinchedPin(StampedPin):
    """A pin whose button is down already when it is taken."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == f"GPIO{BUTTONS[Button.CONFIRM]}":
            self.drive_low()


def test_a_button_down_at_the_start_is_stuck_until_released() -> None:
    bench = Bench(PinchedPin)
    assert bench.events_after(5.0) == [Stuck(Button.CONFIRM, 0.02)]
    bench.let_go(Button.CONFIRM)
    assert bench.events_after(0.05) == [Freed(Button.CONFIRM, 5.0)]
    bench.push(Button.CONFIRM)
    assert [type(event) for event in bench.events_after(0.05)] == [Press]
    bench.panel.close()


def test_a_stuck_button_leaves_the_others_as_they_were(bench: Bench) -> None:
    bench.push(Button.RIGHT)
    assert bench.events_after(60.0) == [
        Press(Button.RIGHT, 0.0),
        Hold(Button.RIGHT, 1.0),
        Stuck(Button.RIGHT, 10.0),
    ]
    bench.push(Button.CONFIRM)
    assert bench.events_after(0.05) == [Press(Button.CONFIRM, 60.0)]


def test_it_lists_the_buttons_and_which_make_contact(bench: Bench) -> None:
    bench.push(Button.CONFIRM)
    down = {button: button is Button.CONFIRM for button in BUTTONS}
    assert bench.panel.buttons() == down
    assert bench.panel.lamps() == frozenset(LAMPS)
    bench.let_go(Button.CONFIRM)
    assert not any(bench.panel.buttons().values())
    bench.panel.close()
    assert (bench.panel.buttons(), bench.panel.lamps()) == ({}, frozenset())


def test_a_panel_may_lack_buttons_and_lamps() -> None:
    clock = SteppedClock()
    pins = StampedPins(clock)
    only = {Button.CONFIRM: 13}
    panel = GpioPanel(only, {}, clock=clock, pin_factory=pins)
    panel.show_lamps(set(Button))
    pins.pin(13).drive_low()
    clock.wait_s(0.1)
    assert panel.event(0.0) == Press(Button.CONFIRM, 0.0)
    panel.close()


def test_what_is_told_of_a_players_panel_names_its_section() -> None:
    pins = MockFactory()
    with pytest.raises(PanelLostError, match=r"panel_2: .*section \[panel_2\]"):
        GpioPanel({}, {Button.LEFT: 99}, section="panel_2", pin_factory=pins)


def test_closing_darkens_the_lamps_and_frees_the_pins(bench: Bench) -> None:
    bench.panel.show_lamps(set(Button))
    bench.panel.close()
    bench.panel.close()
    assert bench.lit() == set()
    assert {bench.pin(pin).function for pin in LAMPS.values()} == {"input"}
    again = bench.new_panel()
    again.close()


def test_pin_in_use_is_told_by_number_and_nothing_stays_taken(bench: Bench) -> None:
    bench.panel.close()
    with pytest.raises(PanelLostError, match="pin 12 cannot be a button") as told:
        GpioPanel({**BUTTONS, Button.BACK: 12}, LAMPS, pin_factory=bench.pins)
    assert "settings" in told.value.mend
    bench.panel = bench.new_panel()  # would fail if the half-built one had kept its pins


def test_pin_that_does_not_exist_is_told_by_number(bench: Bench) -> None:
    with pytest.raises(PanelLostError, match="pin 99 cannot be a lamp"):
        GpioPanel({}, {Button.LEFT: 99}, pin_factory=bench.pins)


class ReportingPin(StampedPin):
    """A pin that goes on reporting edges after it was closed, as lgpio's do."""

    def close(self) -> None:
        self.function = "input"


def test_a_closed_panel_watches_no_pin() -> None:
    bench = Bench(ReportingPin)
    assert bench.pin(BUTTONS[Button.BACK]).when_changed is not None
    bench.panel.close()
    assert [bench.pin(pin).when_changed for pin in BUTTONS.values()] == [None] * 4


class UnwatchablePin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that can be read, but tells no edges."""

    def _enable_event_detect(self) -> None:
        if self.info.name == f"GPIO{BUTTONS[Button.BACK]}":
            raise PinEdgeDetectUnsupported("no edges")


def test_pin_without_edges_is_named_and_all_pins_are_released() -> None:
    pins = MockFactory(pin_class=UnwatchablePin)
    with pytest.raises(PanelLostError, match="pin 19 cannot be watched"):
        GpioPanel(BUTTONS, LAMPS, pin_factory=pins)
    three: dict[Button, int] = {
        button: pin for button, pin in BUTTONS.items() if button is not Button.BACK
    }
    GpioPanel(three, LAMPS, pin_factory=pins).close()


def test_waiting_ends_with_the_press_and_not_with_the_timeout() -> None:
    pins = MockFactory()
    params = DebounceParams(bounce_s=0.002, hold_s=0.01)
    panel = GpioPanel(BUTTONS, {}, params=params, pin_factory=pins)
    hand = threading.Thread(target=pins.pin(BUTTONS[Button.RIGHT]).drive_low)
    hand.start()
    told = [panel.event(30.0), panel.event(30.0)]
    hand.join()
    panel.close()
    assert [type(event) for event in told] == [Press, Hold]
