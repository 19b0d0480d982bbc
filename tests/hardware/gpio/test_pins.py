# SPDX-License-Identifier: MIT
"""One factory for all drivers of a process: closing one thing releases nothing else."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.gpio.light import PwmLight
from hardware.gpio.panel import GpioPanel
from hardware.gpio.pins import SharedPins, find_misfit
from hardware.panel import Button, PanelLostError
from tests.support.old_gpiozero import install_old_gpiozero

MOCK = {"GPIOZERO_PIN_FACTORY": "mock", "GPIOZERO_MOCK_PIN_CLASS": "mockpwmpin"}


@pytest.fixture
def mock_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in MOCK.items():
        monkeypatch.setenv(name, value)


def test_every_driver_gets_the_same_factory(mock_library: None) -> None:
    pins = SharedPins()
    assert pins.open("panel") is pins.open("light")
    pins.close()
    pins.close()


def test_closed_pins_can_be_opened_again(mock_library: None) -> None:
    pins = SharedPins()
    for _ in range(2):
        light = PwmLight(18, frequency_hz=1000, pin_factory=pins.open("light"))
        light.set_brightness(50)
        light.close()
        pins.close()


def test_pins_that_appear_later_are_opened_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "no-such-library")
    pins = SharedPins()
    with pytest.raises(
        PanelLostError, match=r"light: a library is missing .*no-such-library"
    ) as no:
        pins.open("light")
    assert "sudo apt install python3-gpiozero" in no.value.mend
    for name, value in MOCK.items():
        monkeypatch.setenv(name, value)
    assert isinstance(pins.open("light"), MockFactory)
    pins.close()


def test_a_machine_without_pins_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has pins")
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(PanelLostError) as told:
        SharedPins().open("panel")
    assert told.value.panel == "panel"
    assert told.value.mend


def test_libraries_that_do_not_fit_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    install_old_gpiozero(monkeypatch)
    assert find_misfit().endswith("does not fit this lgpio, which has no SET_BIAS_DISABLE")
    with pytest.raises(PanelLostError, match=r"gpiozero .* does not fit this lgpio") as told:
        SharedPins().open("light")
    assert "pip install 'gpiozero>=2.0'" in told.value.mend


def test_a_library_that_cannot_write_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lgpio.py").write_text("open('/no/such/folder/.lgd-nfy0')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    with pytest.raises(PanelLostError, match="lgpio cannot make a file in the current") as told:
        SharedPins().open("panel")
    assert "a folder where it may write" in told.value.mend


class LocalPins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of which a process has one list, as those of a real Raspberry Pi are."""

    _list: dict[object, MockPin] = {}  # noqa: RUF012
    _users: dict[object, list[object]] = defaultdict(list)  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__(pin_class=MockPWMPin)
        self.pins, self._reservations = LocalPins._list, LocalPins._users


def test_closing_the_light_leaves_the_panel_as_it_was() -> None:
    pins = SharedPins(LocalPins())
    lamp = {Button.CONFIRM: 20}
    panel = GpioPanel({Button.CONFIRM: 13}, lamp, pin_factory=pins.open("panel"))
    light = PwmLight(18, frequency_hz=1000, pin_factory=pins.open("light"))
    light.close()
    panel.show_lamps({Button.CONFIRM})
    assert pins.open("panel").pin(20).state == 1
    panel.close()
    pins.close()
