# SPDX-License-Identifier: MIT
"""The board shows what is pressed and lit, and gives everything back as the table wants it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.base.errors import RefusedError
from controller.base.settings import LightSettings, Settings, SoundSettings
from controller.runtime.devices.drivers import create_peripherals
from controller.runtime.devices.panel_monitor import TEST_MODE_S, ButtonView, PanelMonitor
from controller.runtime.devices.peripherals import Peripherals
from controller.table.events import ButtonStuck, Key, KeyPressed
from hardware.clock import SteppedClock
from hardware.gpio.buzzer import Melody
from hardware.panel import Button, Freed, Hold, Press, Stuck
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel
from tests.support.busy_pins import BusyPins
from tests.webui.fakes import view

LOBBY_LAMPS = frozenset({Button.CONFIRM, Button.BACK})
PRESS = Press(Button.LEFT, 1.0)


class Bench:
    """Two panels, a light and a buzzer on a board; what is tried is looked at in its middle."""

    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.everybodys, self.own = SimulatedPanel(self.clock), SimulatedPanel(self.clock)
        self.light = SimulatedLight()
        self.heard: list[Melody] = []
        self.seen: list[object] = []
        buzzer = SimulatedBuzzer(self.heard.append)
        peripherals = Peripherals(self.everybodys, {2: self.own}, self.light, buzzer)
        self.board = PanelMonitor(peripherals, self.clock, self._wait)
        self.board.on_view(view())

    def button(self, seat: int, name: str) -> ButtonView:
        (panel,) = (each for each in self.board.status()["panels"] if each["seat"] == seat)
        (button,) = (each for each in panel["buttons"] if each["button"] == name)
        return button

    def _wait(self, timeout_s: float) -> bool:
        self.seen.append((self.everybodys.lit, self.own.lit, self.light.brightness_percent))
        # Something happens at the table meanwhile.
        self.board.on_view(
            view(buttons={"left": "x", "right": None, "confirm": None, "back": None})
        )
        return False


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_press_is_counted_for_its_panel_and_goes_to_the_table(bench: Bench) -> None:
    assert bench.board.on_panel_event(PRESS, 2) == KeyPressed(Key.LEFT, 2)
    assert bench.button(2, "left")["presses"] == 1
    assert bench.button(0, "left")["presses"] == 0


def test_a_button_is_down_during_contact_and_stuck_if_reported(bench: Bench) -> None:
    bench.everybodys.stick(Button.BACK)
    assert bench.board.on_panel_event(Stuck(Button.BACK, 1.0), None) == ButtonStuck(Key.BACK)
    assert (bench.button(0, "back")["down"], bench.button(0, "back")["stuck"]) == (True, True)
    bench.everybodys.free(Button.BACK)
    bench.board.on_panel_event(Freed(Button.BACK, 2.0), None)
    assert (bench.button(0, "back")["down"], bench.button(0, "back")["stuck"]) == (False, False)


def test_presses_do_nothing_in_test_mode_and_play_after_it(bench: Bench) -> None:
    bench.board.enter_test_mode()
    assert bench.board.on_panel_event(PRESS, None) is None
    assert bench.board.on_panel_event(Hold(Button.BACK, 1.0), None) is None
    assert bench.board.on_panel_event(Hold(Button.LEFT, 1.0), None) is None
    assert bench.board.on_panel_event(Stuck(Button.LEFT, 1.0), None) == ButtonStuck(Key.LEFT)
    assert bench.button(0, "left")["presses"] == 1
    bench.clock.wait_s(TEST_MODE_S)
    assert bench.board.on_panel_event(PRESS, None) == KeyPressed(Key.LEFT)
    assert not bench.board.status()["apart"]


def test_lamps_are_told_as_they_are_lit(bench: Bench) -> None:
    assert bench.everybodys.lit == LOBBY_LAMPS
    assert bench.button(0, "confirm")["lamp"] is True
    assert bench.button(0, "left")["lamp"] is False


def test_a_tested_lamp_returns_to_what_the_table_wants_by_then(bench: Bench) -> None:
    bench.board.try_lamp(2, "right")
    assert bench.seen == [(LOBBY_LAMPS, frozenset({Button.RIGHT}), 0)]
    assert bench.own.lit == LOBBY_LAMPS
    bench.board.try_lamp(0, "right")
    assert bench.everybodys.lit == frozenset({Button.LEFT})


def test_the_light_goes_dark_and_returns_at_its_set_brightness(bench: Bench) -> None:
    bench.board.set_brightness(40)
    assert bench.light.brightness_percent == 40
    bench.board.try_light()
    assert bench.seen == [(LOBBY_LAMPS, LOBBY_LAMPS, 0)]
    assert bench.light.brightness_percent == 40


def test_a_sound_is_heard(bench: Bench) -> None:
    bench.board.try_sound("doubt")
    assert bench.heard == [Melody.DOUBT]


def test_a_simulated_button_can_be_pressed(bench: Bench) -> None:
    bench.board.press(2, "confirm")
    told = bench.own.event(0.0)
    assert isinstance(told, Press)
    assert told.button is Button.CONFIRM


BARE = PanelMonitor(Peripherals(), SteppedClock(), lambda timeout_s: False)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (lambda board: board.press(5, "left"), "seat 5 without one"),
        (lambda board: board.try_lamp(0, "top"), "one of left, right, confirm, back"),
        (lambda board: board.try_sound("boo"), "one of bell, roll taken, choice, your turn"),
        (lambda _: BARE.try_light(), "expected a light"),
        (lambda _: BARE.try_sound("end"), "expected a buzzer"),
    ],
)
def test_what_is_not_there_is_refused_in_words(
    bench: Bench, wish: Callable[[PanelMonitor], None], message: str
) -> None:
    with pytest.raises(RefusedError, match=message):
        wish(bench.board)


def test_a_table_without_any_of_it_says_so() -> None:
    status = BARE.status()
    assert status == {"panels": [], "light": False, "buzzer": False, "lost": [], "apart": False}


def test_what_cannot_be_used_is_named_and_not_tried() -> None:
    settings = Settings(light=LightSettings(pin=18), sound=SoundSettings(buzzer_pin=17))
    peripherals = create_peripherals(settings, pins=BusyPins(17, 18))
    board = PanelMonitor(peripherals, SteppedClock(), lambda timeout_s: False)
    assert [reason.partition(" (")[0] for reason in board.status()["lost"]] == [
        "pin 18 cannot be the light",
        "pin 17 cannot be the buzzer",
    ]
    with pytest.raises(RefusedError, match="expected a usable light, found pin 18"):
        board.try_light()
    with pytest.raises(RefusedError, match="expected a usable buzzer, found pin 17"):
        board.try_sound("doubt")
    peripherals.close()
