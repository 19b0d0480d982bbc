# SPDX-License-Identifier: MIT
"""Pins: the chip, the right to use it, and who else wants the same ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.appliance.doctor.checks.gpio import (
    check_gpio,
    find_lines_in_use,
    list_configured_pins,
)
from controller.base.settings import Settings, parse_settings
from tests.controller.appliance.doctor.hosts import is_root, machine_at, patient_with, told

PANEL = '[panel]\ndriver = "gpio"\n'
CHIP = {"dev/gpiochip0": ""}
CONFIG = "boot/firmware/config.txt"

GPIOINFO_1 = """gpiochip0 - 54 lines:
\tline   5:      "GPIO5"       "lg"   input  active-low [used]
\tline   6:      "GPIO6"       unused   input  active-high
\tline  13:     "GPIO13"       "spi0 CS0"   output  active-low [used]"""
GPIOINFO_2 = """gpiochip0 - 54 lines:
\tline   5:\t"GPIO5"         \tinput active-low consumer="lg"
\tline   6:\t"GPIO6"         \tinput
\tline  13:\t"GPIO13"        \toutput consumer=dim"""


LIGHT = "[light]\npin = 18\n"
LOST = "buttons: pin 5 cannot be a button (GPIO busy); end that program."


def check(tmp_path: Path, settings: str = "", *, is_pi: bool = True, **running: Any) -> list[str]:
    """Return what is found at a machine with a chip and a tool that lists its pins."""
    files, commands = (CHIP, {"gpioinfo": GPIOINFO_2}) if is_pi else ({}, {})
    host = machine_at(tmp_path, files=files, commands=commands, is_pi=is_pi)
    return told(list(check_gpio(patient_with(host, settings, **running))))


def test_a_pc_without_pins_is_wrong_if_the_settings_want_some(tmp_path: Path) -> None:
    assert check(tmp_path, is_pi=False) == ["note: not a Raspberry Pi"]
    wrong = "wrong: not a Raspberry Pi, but the settings use 18 [light] pin"
    assert check(tmp_path, LIGHT, is_pi=False) == [wrong]


def test_a_pi_without_a_chip_is_wrong(tmp_path: Path) -> None:
    (line,) = told(list(check_gpio(patient_with(machine_at(tmp_path)))))
    assert line == "wrong: there is no /dev/gpiochip"


def test_free_pins_are_named_with_their_keys(tmp_path: Path) -> None:
    chip = "ok: Raspberry Pi 5 Model B Rev 1.0: gpiochip0"
    assert check(tmp_path) == [chip, "note: the settings use no pin"]
    first, second = check(tmp_path, f"{LIGHT}[sound]\nbuzzer_pin = 22\n")
    assert first == chip
    free = "ok: pins that the settings use are free: 18 [light] pin, 22 [sound] buzzer_pin"
    assert second == free


def test_a_pin_that_is_in_use_is_wrong_unless_the_table_runs(tmp_path: Path) -> None:
    found = "pin 5 ([panel] left_pin) is in use by lg"
    assert f"wrong: {found}" in check(tmp_path, PANEL)
    assert f"note: {found}, while dicebell runs" in check(tmp_path, PANEL, is_running=True)
    lines = check(tmp_path, PANEL, is_running=True, peripherals=LOST)
    assert lines[0] == f"wrong: out of order in the running dicebell: {LOST}"


@pytest.mark.skipif(is_root(), reason="to root no file is closed")
def test_a_chip_that_may_not_be_used_is_mended_with_its_group(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP)
    host.path("/dev/gpiochip0").chmod(0)
    (finding,) = check_gpio(patient_with(host))
    assert told([finding]) == ["wrong: /dev/gpiochip0 may not be used"]
    assert "usermod -aG gpio" in finding.mend


@pytest.mark.parametrize(
    ("files", "settings", "expected"),
    [
        ({"dev/i2c-1": ""}, "[light]\npin = 2\n", "pin 2 ([light] pin) belongs to I2C"),
        ({CONFIG: "dtparam=i2c_arm=on\n"}, "[light]\npin = 3\n", "belongs to I2C"),
        ({"dev/spidev0.0": ""}, "[light]\npin = 9\n", "belongs to SPI,"),
        ({CONFIG: "dtparam=audio=on,spi=on"}, "[light]\npin = 8\n", "belongs to SPI,"),
        ({CONFIG: "enable_uart=1"}, "[sound]\nbuzzer_pin = 14\n", "belongs to UART"),
        ({CONFIG: "dtparam=uart0=on # console"}, "[sound]\nbuzzer_pin = 15\n", "to UART"),
        ({CONFIG: "dtoverlay=w1-gpio"}, "[light]\npin = 4\n", "belongs to 1-Wire"),
        ({CONFIG: "dtoverlay=hifiberry-dac"}, "[light]\npin = 18\n", "belongs to I2S"),
        (
            {"boot/config.txt": "dtoverlay=spi1-1cs"},
            PANEL,
            "[panel] right_lamp_pin) belongs to SPI1",
        ),
    ],
)
def test_a_pin_that_belongs_to_something_else_is_wrong(
    tmp_path: Path, files: dict[str, str], settings: str, expected: str
) -> None:
    host = machine_at(tmp_path, files={**CHIP, **files})
    lines = told(list(check_gpio(patient_with(host, settings))))
    assert any(line.startswith("wrong") and expected in line for line in lines)


@pytest.mark.parametrize(
    "line", ["#dtparam=spi=on", "dtparam=spi=off", "enable_uart=0", "dtparam=i2c_vc=on"]
)
def test_what_is_switched_off_takes_no_pin(tmp_path: Path, line: str) -> None:
    host = machine_at(tmp_path, files={**CHIP, CONFIG: line})
    for pin in (2, 8, 14):
        lines = told(list(check_gpio(patient_with(host, f"[light]\npin = {pin}\n"))))
        assert all(line.startswith("ok") for line in lines)


@pytest.mark.parametrize("said", [GPIOINFO_1, GPIOINFO_2])
def test_pins_in_use_are_read_from_both_versions_of_the_tool(tmp_path: Path, said: str) -> None:
    host = machine_at(tmp_path, commands={"gpioinfo": said})
    assert set(find_lines_in_use(host)) == {5, 13}
    assert find_lines_in_use(host)[5] == "lg"


def test_only_the_chip_of_the_header_counts(tmp_path: Path) -> None:
    """A Pi 5 has several chips, and its header is not always on the first one."""
    said = GPIOINFO_2.replace("gpiochip0", "gpiochip4")
    other = 'gpiochip0 - 17 lines:\n\tline   6:\t"WL_ON"\toutput consumer="wifi"'
    commands = {
        "gpioinfo": f"{other}\n{said}",
        "gpiodetect": "gpiochip0 [gpio-brcmstb] (17 lines)\ngpiochip4 [pinctrl-rp1] (54 lines)",
    }
    assert find_lines_in_use(machine_at(tmp_path, commands=commands)) == {5: "lg", 13: "dim"}


def test_pins_of_panels_count_only_where_panels_are_on_pins() -> None:
    assert list_configured_pins(Settings()) == {}
    text = f"{PANEL}back_pin = 0\n[panel_2]\nconfirm_pin = 22\n[sound]\nbuzzer_pin = 23\n"
    pins = list_configured_pins(parse_settings(text))
    assert pins[22] == "[panel_2] confirm_pin"
    assert pins[23] == "[sound] buzzer_pin"
    assert list_configured_pins(parse_settings(text.replace('"gpio"', '"simulated"'))) == {}
    assert 0 not in pins
    assert 19 not in pins
