# SPDX-License-Identifier: MIT
"""Pins: the chip, the right to use it, and who else wants the same ones."""

from __future__ import annotations

from pathlib import Path

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


def test_a_pc_without_pins_is_a_note(tmp_path: Path) -> None:
    host = machine_at(tmp_path, is_pi=False)
    assert told(list(check_gpio(patient_with(host)))) == ["note: not a Raspberry Pi"]


def test_a_pc_whose_settings_want_pins_is_wrong(tmp_path: Path) -> None:
    host = machine_at(tmp_path, is_pi=False)
    (finding,) = check_gpio(patient_with(host, "[light]\npin = 18\n"))
    assert told([finding]) == ["wrong: not a Raspberry Pi, but the settings use 18 [light] pin"]


def test_a_pi_without_a_chip_is_wrong(tmp_path: Path) -> None:
    (line,) = told(list(check_gpio(patient_with(machine_at(tmp_path)))))
    assert line == "wrong: there is no /dev/gpiochip"


def test_free_pins_are_named_with_their_keys(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP)
    first, second = told(list(check_gpio(patient_with(host, PANEL))))
    assert first == "ok: Raspberry Pi 5 Model B Rev 1.0: gpiochip0"
    assert second.startswith("ok: pins that the settings use are free: 5 [panel] left_pin, 6 ")


def test_a_pi_whose_settings_use_no_pin_is_a_note(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP)
    lines = told(list(check_gpio(patient_with(host))))
    assert lines[1:] == ["note: the settings use no pin"]


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


def test_a_pin_that_another_program_holds_is_wrong(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP, commands={"gpioinfo": GPIOINFO_2})
    lines = told(list(check_gpio(patient_with(host, PANEL))))
    assert "wrong: pin 5 ([panel] left_pin) is in use by lg" in lines


def test_a_pin_that_the_running_table_holds_is_a_note(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP, commands={"gpioinfo": GPIOINFO_2})
    lines = told(list(check_gpio(patient_with(host, PANEL, is_running=True))))
    assert "note: pin 5 ([panel] left_pin) is in use by lg, while dicebell runs" in lines


def test_pins_of_panels_count_only_where_panels_are_on_pins() -> None:
    assert list_configured_pins(Settings()) == {}
    text = f"{PANEL}back_pin = 0\n[panel_2]\nconfirm_pin = 22\n[sound]\nbuzzer_pin = 23\n"
    pins = list_configured_pins(parse_settings(text))
    assert pins[22] == "[panel_2] confirm_pin"
    assert pins[23] == "[sound] buzzer_pin"
    assert list_configured_pins(parse_settings(text.replace('"gpio"', '"simulated"'))) == {}
    assert 0 not in pins
    assert 19 not in pins


def test_what_the_running_table_cannot_use_is_wrong(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files=CHIP)
    lost = "buttons: pin 5 cannot be a button (GPIO busy); end that program."
    lines = told(list(check_gpio(patient_with(host, PANEL, is_running=True, peripherals=lost))))
    assert lines[0] == f"wrong: out of order in the running dicebell: {lost}"
