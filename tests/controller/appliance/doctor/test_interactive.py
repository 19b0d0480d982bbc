# SPDX-License-Identifier: MIT
"""Pressing every button and looking at every lamp, at a panel without pins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from controller.appliance.doctor.finding import DiagnosticFinding
from controller.appliance.doctor.prompts import PRESS_TIMEOUT_S, Assistant, try_peripherals
from controller.base.settings import Settings, parse_settings
from controller.runtime.devices.pin_drivers import PanelPins, PinDrivers, list_panels
from hardware.clock import SteppedClock
from hardware.debounce import DebounceParams
from hardware.gpio.buzzer import Buzzer, Melody
from hardware.gpio.light import Light
from hardware.panel import Button, Panel, PanelEvent, PanelLostError
from hardware.simulated.light_and_buzzer import SimulatedBuzzer, SimulatedLight
from hardware.simulated.panel import SimulatedPanel
from tests.controller.appliance.doctor.hosts import told

PANEL = '[panel]\ndriver = "gpio"\nback_pin = 0\nback_lamp_pin = 0\nright_lamp_pin = 0\n'


class PatientPanel(SimulatedPanel):
    """A panel at which waiting costs no time."""

    def __init__(self, clock: SteppedClock) -> None:
        super().__init__(clock)
        self._passing = clock
        self.is_closed = False

    def event(self, timeout_s: float) -> PanelEvent | None:
        seen = super().event(0.0)
        if seen is None:
            self._passing.wait_s(timeout_s)
        return seen

    def close(self) -> None:
        self.is_closed = True
        super().close()


@dataclass
class Bench:
    """A panel, a light and a buzzer on a bench, and what a person sees and does there."""

    press: Callable[[SimulatedPanel, str], None] = lambda panel, asked: None
    agrees: Callable[[str], bool] = lambda question: True
    clock: SteppedClock = field(default_factory=SteppedClock)
    light: SimulatedLight = field(default_factory=SimulatedLight)
    heard: list[Melody] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    lit: list[frozenset[Button]] = field(default_factory=list)
    shone: list[int] = field(default_factory=list)
    bounce_s: float = 0.0

    def __post_init__(self) -> None:
        self.panel = PatientPanel(self.clock)

    def findings(self, settings: Settings) -> list[DiagnosticFinding]:
        drivers = PinDrivers(
            panel=self._take_panel, light=self._take_light, buzzer=self._take_buzzer
        )
        assistant = Assistant(show_line=self._tell, agrees=self._agrees)
        return list(try_peripherals(settings, assistant, self.clock, drivers=drivers))

    def _take_panel(self, section: str, pins: PanelPins, params: DebounceParams) -> Panel:
        self.bounce_s = params.bounce_s
        return self.panel

    def _take_light(self, pin: int, frequency_hz: int) -> Light:
        return self.light

    def _take_buzzer(self, pin: int) -> Buzzer:
        return SimulatedBuzzer(self.heard.append)

    def _tell(self, line: str) -> None:
        self.asked.append(line)
        self.press(self.panel, line)

    def _agrees(self, question: str) -> bool:
        self.asked.append(question)
        self.lit.append(self.panel.lit)
        self.shone.append(self.light.brightness_percent)
        return self.agrees(question)


def press_what_is_asked(panel: SimulatedPanel, asked: str) -> None:
    panel.press(next(button for button in Button if f"Press {button.value}" in asked))


def test_every_button_is_asked_for_and_every_lamp_lit_alone() -> None:
    bench = Bench(press=press_what_is_asked)
    lines = told(bench.findings(parse_settings(PANEL)))
    assert lines == [
        "ok: button left at pin 5 answers",
        "ok: button right at pin 6 answers",
        "ok: button confirm at pin 13 answers",
        "ok: lamp left at pin 12 lights",
        "ok: lamp confirm at pin 20 lights",
    ]
    assert bench.lit == [{Button.LEFT}, {Button.CONFIRM}]
    assert bench.panel.is_closed
    assert bench.bounce_s == pytest.approx(0.02)


def test_a_button_that_nobody_sees_is_wrong_after_a_while() -> None:
    bench = Bench()
    first = bench.findings(parse_settings(PANEL))[0]
    assert told([first]) == ["wrong: button left at pin 5: no press was seen"]
    assert "connects the pin to ground" in first.mend
    assert bench.clock.now_s() >= PRESS_TIMEOUT_S


def test_another_button_that_answers_is_named() -> None:
    bench = Bench(press=lambda panel, asked: panel.press(Button.RIGHT))
    first, second, _, *_ = bench.findings(parse_settings(PANEL))
    assert told([first]) == ["wrong: expected left, found right"]
    assert "swap" in first.mend
    assert told([second]) == ["ok: button right at pin 6 answers"]


def test_a_button_that_is_down_all_the_time_is_wrong() -> None:
    bench = Bench(press=lambda panel, asked: panel.stick(Button.LEFT))
    first = bench.findings(parse_settings(PANEL))[0]
    assert told([first]) == ["wrong: button left at pin 5 is always down"]


def test_a_lamp_that_stays_dark_is_wrong_with_its_pin() -> None:
    bench = Bench(press=press_what_is_asked, agrees=lambda question: "left" not in question)
    findings = bench.findings(parse_settings(PANEL))
    (finding,) = [each for each in findings if each.level.value == "wrong"]
    assert told([finding]) == ["wrong: lamp left at pin 12 does not light correctly"]
    assert "pin 12" in finding.mend


def test_the_light_is_bright_and_then_dim_and_dark_in_the_end() -> None:
    bench = Bench()
    lines = told(bench.findings(parse_settings("[light]\npin = 18\n")))
    assert lines == ["ok: the light at pin 18 shines and can be dimmed"]
    assert bench.shone == [100, 15]
    assert bench.light.brightness_percent == 0


def test_a_light_that_does_not_dim_is_wrong() -> None:
    bench = Bench(agrees=lambda question: "dim" not in question)
    lines = told(bench.findings(parse_settings("[light]\npin = 18\n")))
    assert lines == ["wrong: the light at pin 18 cannot be dimmed"]


@pytest.mark.parametrize(
    ("hears", "expected"),
    [
        (True, "ok: the buzzer at pin 22 sounds"),
        (False, "wrong: the buzzer at pin 22 is not heard"),
    ],
)
def test_the_buzzer_plays_its_longest_sound(hears: bool, expected: str) -> None:
    bench = Bench(agrees=lambda question: hears)
    assert told(bench.findings(parse_settings("[sound]\nbuzzer_pin = 22\n"))) == [expected]
    assert bench.heard == [Melody.END]


def test_every_player_has_a_panel_to_try() -> None:
    text = '[panel]\ndriver = "gpio"\n[panel_2]\nconfirm_pin = 22\nconfirm_lamp_pin = 23\n'
    panels = list_panels(parse_settings(text))
    assert list(panels) == ["panel", "panel_2"]
    assert panels["panel_2"] == PanelPins({Button.CONFIRM: 22}, {Button.CONFIRM: 23})


def test_settings_without_pins_leave_nothing_to_try() -> None:
    (line,) = told(Bench().findings(Settings()))
    assert line.startswith("note: the settings name no pins")


def test_an_unavailable_part_does_not_stop_the_other_tests() -> None:
    def refuse(section: str, pins: PanelPins, params: DebounceParams) -> Panel:
        raise PanelLostError(panel=section, what="pin 5 is in use", mend="end that program")

    bench = Bench()
    drivers = PinDrivers(refuse, bench._take_light, bench._take_buzzer)
    assistant = Assistant(show_line=lambda line: None, agrees=lambda question: True)
    settings = parse_settings(f"{PANEL}[light]\npin = 18\n")
    lines = told(list(try_peripherals(settings, assistant, bench.clock, drivers=drivers)))
    assert lines == ["wrong: pin 5 is in use", "ok: the light at pin 18 shines and can be dimmed"]
