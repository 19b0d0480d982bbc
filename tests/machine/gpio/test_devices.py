# SPDX-License-Identifier: MIT
"""All devices on the pins of one chip: beside one another, refused, started again, vanished."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

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
from controller.table.effects import SoundCue
from hardware.panel import Button, Panel, Press
from tests.machine.gpio.chip import SimulatedChip

LIGHT, BUZZER, OWN_CONFIRM = 18, 24, 22
SETTINGS = Settings(
    panel=PanelSettings(driver=PanelDriver.GPIO),
    panel_2=PlayerPanelSettings(confirm_pin=OWN_CONFIRM),
    light=LightSettings(pin=LIGHT, brightness_percent=100),
    sound=SoundSettings(buzzer_pin=BUZZER),
)
CONFIRM, CONFIRM_LAMP = SETTINGS.panel.confirm_pin, SETTINGS.panel.confirm_lamp_pin
BUTTONS = [
    SETTINGS.panel.left_pin,
    SETTINGS.panel.right_pin,
    CONFIRM,
    SETTINGS.panel.back_pin,
    OWN_CONFIRM,
]
PATIENCE_S = 30.0
LOG_LINES = 2000  # An emulated processor needs a while to notice that a chip has vanished.
HOLD = """
import sys, lgpio
lgpio.gpio_claim_output(lgpio.gpiochip_open(0), int(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_program(pin: int) -> Iterator[None]:
    command = [sys.executable, "-c", HOLD, str(pin)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield
        other.communicate("")


def release_buttons(chip: SimulatedChip) -> None:
    for pin in BUTTONS:
        chip.pull(pin, up=True)


def check_panel(chip: SimulatedChip, panel: Panel) -> None:
    """Press a button and light its lamp."""
    chip.pull(CONFIRM, up=False)
    event = panel.event(PATIENCE_S)
    assert isinstance(event, Press)
    assert event.button is Button.CONFIRM
    chip.pull(CONFIRM, up=True)
    panel.show_lamps({Button.CONFIRM})
    assert chip.level(CONFIRM_LAMP) == 1


def losses(peripherals: Peripherals) -> dict[str, str]:
    found = {device.name: device.loss for device in peripherals.devices}
    return {name: loss.what for name, loss in found.items() if loss}


def test_a_second_start_in_one_process_gets_its_pins(chip: SimulatedChip) -> None:
    release_buttons(chip)
    for _ in range(2):
        peripherals = create_peripherals(SETTINGS)
        assert losses(peripherals) == {}
        assert peripherals.panel is not None
        check_panel(chip, peripherals.panel)
        assert chip.level(LIGHT) == 1
        peripherals.play(SoundCue.END)
        peripherals.close()
        assert [chip.level(pin) for pin in (CONFIRM_LAMP, LIGHT, BUZZER)] == [0, 0, 0]


def test_a_refused_light_leaves_the_panel_running(chip: SimulatedChip) -> None:
    release_buttons(chip)
    with held_by_another_program(LIGHT):
        peripherals = create_peripherals(SETTINGS)
        assert "GPIO busy" in losses(peripherals)["light"]
        assert peripherals.panel is not None
        check_panel(chip, peripherals.panel)
    for device in peripherals.devices:
        device.open()
    assert losses(peripherals) == {}
    assert chip.level(LIGHT) == 1
    check_panel(chip, peripherals.panel)
    peripherals.close()


def test_a_chip_that_vanishes_comes_back(
    chip: SimulatedChip, capfd: pytest.CaptureFixture[str]
) -> None:
    release_buttons(chip)
    peripherals = create_peripherals(SETTINGS)
    panel = peripherals.panel
    assert panel is not None
    chip.remove()
    assert panel.event(PATIENCE_S) is None
    assert set(losses(peripherals)) == {"buttons", "lamps", "light", "buzzer"}
    assert all("do not answer any more" in what for what in losses(peripherals).values())
    assert len(capfd.readouterr().err.splitlines()) < LOG_LINES
    assert (panel.event(1.0), panel.buttons()) == (None, {})
    assert capfd.readouterr().err == ""
    again = SimulatedChip()
    release_buttons(again)
    for device in peripherals.devices:
        device.open()
    assert losses(peripherals) == {}
    check_panel(again, panel)
    again.remove()
    peripherals.close()  # before anything has noticed
    assert "Traceback" not in capfd.readouterr().err
