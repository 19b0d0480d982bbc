# SPDX-License-Identifier: MIT
"""Devices on pins that are unusable for a while are reported, and opened when they can be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.base.settings import (
    LightSettings,
    PanelDriver,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
    SoundSettings,
)
from controller.runtime.devices.drivers import create_peripherals
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.devices.pin_devices import PAUSE_S, open_again
from controller.table.effects import SoundCue
from controller.table.events import Event, PeripheralBack, PeripheralLost
from hardware.panel import Button, Press
from tests.support.busy_pins import BusyPins

ALL = Settings(
    panel=PanelSettings(driver=PanelDriver.GPIO),
    panel_2=PlayerPanelSettings(confirm_pin=22),
    light=LightSettings(pin=18, brightness_percent=60, frequency_hz=2000),
    sound=SoundSettings(buzzer_pin=17),
)
LEFT, LEFT_LAMP = 5, 12


def run_until_open(peripherals: Peripherals, *then: Callable[[], None]) -> list[Event]:
    """Return the events of the thread; each pause does the next of `then`, the last ends it."""
    told: list[Event] = []
    left = list(then)

    def wait(seconds: float) -> bool:
        assert seconds == PAUSE_S
        if not left:
            return True
        left.pop(0)()
        return False

    open_again(peripherals.devices, told.append, wait)
    assert not left
    return told


def test_what_opens_at_once_is_not_reported() -> None:
    peripherals = create_peripherals(ALL, pins=BusyPins())
    assert run_until_open(peripherals) == []
    peripherals.close()


@pytest.mark.parametrize(
    ("pin", "device", "seat", "section"),
    [
        (LEFT, "buttons", None, "panel"),
        (LEFT_LAMP, "lamps", None, "panel"),
        (22, "buttons", 2, "panel_2"),
        (18, "light", None, "light"),
        (17, "buzzer", None, "sound"),
    ],
)
def test_a_busy_pin_is_reported_and_opened_once_free(
    pin: int, device: str, seat: int | None, section: str
) -> None:
    pins = BusyPins(pin)
    peripherals = create_peripherals(ALL, pins=pins)
    lost, back = run_until_open(peripherals, lambda: None, pins.busy.clear)
    assert isinstance(lost, PeripheralLost)
    assert (lost.device, lost.panel) == (device, seat)
    assert lost.what.startswith(f"pin {pin} cannot be ")
    assert "GPIO busy" in lost.what
    assert f"section [{section}] of the settings" in lost.remedy
    assert back == PeripheralBack(device, seat)
    assert [one.loss for one in peripherals.devices] == [None] * 5
    peripherals.close()


def test_another_reason_is_reported_again() -> None:
    pins = BusyPins(LEFT)
    peripherals = create_peripherals(ALL, pins=pins)

    def take_another() -> None:
        pins.busy = {6}

    told = run_until_open(peripherals, take_another, pins.busy.clear, lambda: pins.busy.clear())
    first, second, _ = told
    assert isinstance(first, PeripheralLost)
    assert isinstance(second, PeripheralLost)
    assert "pin 5" in first.what
    assert "pin 6" in second.what
    peripherals.close()


def test_buttons_work_while_the_lamps_cannot_be_used() -> None:
    pins = BusyPins(LEFT_LAMP)
    panel = create_peripherals(ALL, pins=pins).panel
    assert panel is not None
    assert panel.lamps() == frozenset()
    assert panel.event(0.0) is None
    pins.pin(6).drive_low()
    told = panel.event(30.0)
    assert isinstance(told, Press)
    assert told.button is Button.RIGHT
    panel.close()


def test_lamps_and_light_show_what_was_wanted_before_they_opened() -> None:
    pins = BusyPins(LEFT_LAMP, 18)
    peripherals = create_peripherals(ALL, pins=pins)
    assert peripherals.panel is not None
    assert peripherals.light is not None
    peripherals.panel.show_lamps({Button.LEFT})
    peripherals.light.set_brightness(30)
    run_until_open(peripherals, pins.busy.clear)
    assert (pins.pin(LEFT_LAMP).state, pins.pin(18).state) == (1, 0.3)
    peripherals.close()


def test_a_refused_light_leaves_the_panel_running() -> None:
    pins = BusyPins(18)
    peripherals = create_peripherals(ALL, pins=pins)
    assert peripherals.panel is not None
    run_until_open(peripherals, lambda: None, lambda: None, pins.busy.clear)
    peripherals.panel.show_lamps({Button.LEFT})
    assert pins.pin(LEFT_LAMP).state == 1
    peripherals.close()


def test_a_chip_that_vanishes_is_reported_and_opened_again() -> None:
    pins = BusyPins()
    peripherals = create_peripherals(ALL, pins=pins)
    panel, light = peripherals.panel, peripherals.light
    assert panel is not None
    assert light is not None

    def vanish() -> None:
        pins.has_vanished = True
        assert (panel.event(0.0), panel.buttons()) == (None, {})
        panel.show_lamps({Button.LEFT})
        light.set_brightness(30)
        peripherals.play(SoundCue.END)
        assert not any(device.is_open for device in peripherals.devices)

    def bring_back() -> None:
        pins.has_vanished = False

    told = run_until_open(peripherals, vanish, bring_back)
    lost, back = told[:5], told[5:]
    assert {each.what for each in lost if isinstance(each, PeripheralLost)} == {
        "the pins do not answer any more (no such device)"
    }
    assert back == [PeripheralBack(device.name, device.seat) for device in peripherals.devices]
    assert (pins.pin(LEFT_LAMP).state, pins.pin(18).state) == (1, 0.3)
    peripherals.close()


@pytest.mark.parametrize("name", ["lamps", "light", "buzzer"])
def test_whatever_notices_it_releases_all_devices(name: str) -> None:
    pins = BusyPins()
    peripherals = create_peripherals(ALL, pins=pins)
    assert peripherals.panel is not None
    assert peripherals.light is not None
    pins.has_vanished = True
    if name == "lamps":
        peripherals.panel.show_lamps({Button.LEFT})
    elif name == "light":
        peripherals.light.set_brightness(30)
    else:
        while any(device.is_open for device in peripherals.devices):
            peripherals.play(SoundCue.END)  # its own thread uses the pin
    assert not any(device.is_open for device in peripherals.devices)
    peripherals.close()


def test_a_table_closes_while_its_chip_is_gone() -> None:
    pins = BusyPins()
    peripherals = create_peripherals(ALL, pins=pins)
    pins.has_vanished = True
    peripherals.close()


def test_nothing_that_is_out_of_order_is_in_the_way() -> None:
    pins = BusyPins(LEFT, LEFT_LAMP, 18, 17)
    peripherals = create_peripherals(ALL, pins=pins)
    peripherals.play(SoundCue.END)
    assert peripherals.panel is not None
    assert (peripherals.panel.event(0.0), peripherals.panel.buttons()) == (None, {})
    peripherals.close()
    peripherals.close()
    pins.busy.clear()
    for device in peripherals.devices:
        device.open()  # closed for good
        assert not device.is_open


def test_closing_one_thing_never_depends_on_another() -> None:
    pins = BusyPins()
    peripherals = create_peripherals(ALL, pins=pins)
    assert peripherals.light is not None
    pins.pin(LEFT_LAMP).function = "input"  # switching this lamp off raises
    peripherals.close()
    assert pins.pin(18).function == "input"
    create_peripherals(ALL, pins=pins).close()


def test_a_second_start_in_one_process_gets_its_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setenv("GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
    for _ in range(2):
        peripherals = create_peripherals(ALL)
        assert [device.loss for device in peripherals.devices] == [None] * 5
        peripherals.close()
