# SPDX-License-Identifier: MIT
"""Display, clock, temperature and power, as Linux and the firmware tell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.appliance.doctor.checks import machine
from controller.appliance.doctor.checks.machine import (
    check_clock,
    check_degrees,
    check_display,
    check_power,
    check_speech,
    check_temperature,
    check_year,
)
from controller.appliance.doctor.finding import Level
from controller.appliance.doctor.host import Host
from tests.controller.appliance.doctor.hosts import machine_at, patient_with, told

HDMI = "sys/class/drm/card1-HDMI-A-1"


def display(host: Host) -> list[str]:
    return told(list(check_display(patient_with(host))))


def power(host: Host) -> list[str]:
    return told(list(check_power(patient_with(host))))


def temperature(host: Host) -> list[str]:
    return told(list(check_temperature(patient_with(host))))


def clock(host: Host) -> list[str]:
    return told(list(check_clock(patient_with(host))))


def throttled(tmp_path: Path, bits: str) -> Host:
    return machine_at(tmp_path, commands={"vcgencmd": f"throttled={bits}"})


@pytest.mark.parametrize(
    ("environment", "files", "expected"),
    [
        ({"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, {}, ["ok: Wayland (wayland-1)"]),
        ({"DISPLAY": ":0"}, {}, ["ok: X (:0)"]),
        (
            {},
            {"run/user/1000/wayland-0": "", "run/user/1000/wayland-0.lock": ""},
            ["ok: Wayland (wayland-0 of user 1000)"],
        ),
        (
            {},
            {
                f"{HDMI}/status": "connected\n",
                f"{HDMI}/modes": "1920x1080\n1280x720\n",
                "sys/class/drm/card1-HDMI-A-2/status": "disconnected\n",
                "tmp/.X11-unix/X1": "",
            },
            ["ok: X (:1)", "ok: a screen at HDMI-A-1, 1920x1080"],
        ),
        ({}, {f"{HDMI}/status": "disconnected\n"}, ["note: ", "note: "]),
    ],
)
def test_desktop_and_screens_are_named(
    tmp_path: Path, environment: dict[str, str], files: dict[str, str], expected: list[str]
) -> None:
    lines = display(machine_at(tmp_path, environment=environment, files=files))
    assert len(lines) == len(expected)
    assert all(map(str.startswith, lines, expected))


@pytest.mark.parametrize(("said", "expected"), [("yes", "ok: "), ("no", "note: "), ("", "note: ")])
def test_the_network_sets_the_clock_or_not(tmp_path: Path, said: str, expected: str) -> None:
    (line,) = clock(machine_at(tmp_path, commands={"timedatectl": said}))
    assert line.startswith(expected)


def test_a_machine_without_the_command_is_a_note(tmp_path: Path) -> None:
    (line,) = clock(machine_at(tmp_path))
    assert line.endswith("it is unknown whether the network sets it")


@pytest.mark.parametrize("year", [1970, 2000, 2024, 2026, 2100])
def test_a_year_that_cannot_be_is_wrong(year: int) -> None:
    findings = list(check_year(year))
    assert [finding.level for finding in findings] == ([] if year == 2026 else [Level.WRONG])
    assert all(str(year) in finding.what for finding in findings)


def test_the_firmware_of_a_well_fed_pi_has_nothing_to_tell(tmp_path: Path) -> None:
    host = throttled(tmp_path, "0x0")
    assert power(host) == ["ok: the voltage has not been too low since the start"]
    assert temperature(host) == ["note: there is no sensor"]


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        ("0x1", "wrong: too little voltage now"),
        ("0x10000", "note: too little voltage at times since the start"),
        ("0x2", "wrong: the processor's speed is capped now"),
        ("0x20000", "note: the processor's speed is capped at times since the start"),
        ("0x4", "wrong: the processor is throttled now"),
        ("0x40000", "note: the processor is throttled at times since the start"),
        ("0x8", "wrong: near the limit of its temperature now"),
        ("0x80000", "note: near the limit of its temperature at times since the start"),
    ],
)
def test_every_bit_is_told_in_words(tmp_path: Path, bits: str, expected: str) -> None:
    host = throttled(tmp_path, bits)
    lines = power(host) + temperature(host)
    assert expected in lines
    assert sum("now" in line or "at times" in line for line in lines) == 1


def test_without_firmware_the_kernel_tells_the_voltage_of_a_pi(tmp_path: Path) -> None:
    alarm = {"sys/class/hwmon/hwmon2/in0_lcrit_alarm": "1\n"}
    assert power(machine_at(tmp_path, is_pi=False)) == ["note: not a Raspberry Pi"]
    assert power(machine_at(tmp_path)) == ["note: the voltage is unknown"]
    assert power(machine_at(tmp_path, files=alarm)) == ["wrong: too little voltage now"]


def test_the_hottest_sensor_counts(tmp_path: Path) -> None:
    zones = {f"sys/class/thermal/thermal_zone{n}/temp": t for n, t in enumerate(["41200", "52700"])}
    assert temperature(machine_at(tmp_path, files=zones)) == ["ok: 53 °C"]


@pytest.mark.parametrize(
    ("degrees", "level"), [(69.9, Level.OK), (70.0, Level.NOTE), (80.0, Level.WRONG)]
)
def test_heat_is_noted_and_then_wrong(degrees: float, level: Level) -> None:
    assert check_degrees(degrees).level is level


def test_calling_aloud_needs_a_voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = machine_at(tmp_path)
    assert told(list(check_speech(patient_with(host)))) == ["ok: rolls are not called aloud"]
    context = patient_with(host, "[sound]\ncall_aloud = true")
    for program, level in (("/usr/bin/espeak-ng", Level.OK), (None, Level.NOTE)):
        monkeypatch.setattr(machine, "find_speech_program", lambda found=program: found)
        (finding,) = check_speech(context)
        assert finding.level is level
    assert "sudo apt install espeak-ng" in finding.mend
