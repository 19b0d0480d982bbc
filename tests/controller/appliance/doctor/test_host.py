# SPDX-License-Identifier: MIT
"""Display, clock, temperature and power, as Linux and the firmware tell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.appliance.doctor.checks import speech
from controller.appliance.doctor.checks.clock import check_clock, check_year
from controller.appliance.doctor.checks.display import check_display
from controller.appliance.doctor.checks.power import check_degrees, check_power, check_temperature
from controller.appliance.doctor.checks.speech import check_speech
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
    ("environment", "expected"),
    [
        ({"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, "ok: Wayland (wayland-1)"),
        ({"DISPLAY": ":0"}, "ok: X (:0)"),
    ],
)
def test_the_own_desktop_is_named(
    tmp_path: Path, environment: dict[str, str], expected: str
) -> None:
    assert display(machine_at(tmp_path, environment=environment)) == [expected]


def test_a_desktop_is_found_from_outside_too(tmp_path: Path) -> None:
    files = {"run/user/1000/wayland-0": "", "run/user/1000/wayland-0.lock": ""}
    host = machine_at(tmp_path, files=files)
    assert display(host) == ["ok: Wayland (wayland-0 of user 1000)"]


def test_screens_are_told_with_their_size(tmp_path: Path) -> None:
    files = {
        f"{HDMI}/status": "connected\n",
        f"{HDMI}/modes": "1920x1080\n1280x720\n",
        "sys/class/drm/card1-HDMI-A-2/status": "disconnected\n",
        "tmp/.X11-unix/X1": "",
    }
    lines = display(machine_at(tmp_path, files=files))
    assert lines == ["ok: X (:1)", "ok: a screen at HDMI-A-1, 1920x1080"]


def test_no_desktop_and_no_screen_are_notes(tmp_path: Path) -> None:
    lines = display(machine_at(tmp_path, files={f"{HDMI}/status": "disconnected\n"}))
    assert [line.partition(":")[0] for line in lines] == ["note", "note"]


@pytest.mark.parametrize(("said", "expected"), [("yes", "ok: "), ("no", "note: "), ("", "note: ")])
def test_the_network_sets_the_clock_or_not(tmp_path: Path, said: str, expected: str) -> None:
    (line,) = clock(machine_at(tmp_path, commands={"timedatectl": said}))
    assert line.startswith(expected)


def test_a_machine_without_the_command_is_a_note(tmp_path: Path) -> None:
    (line,) = clock(machine_at(tmp_path))
    assert line.endswith("it is unknown whether the network sets it")


@pytest.mark.parametrize("year", [1970, 2000, 2024, 2100])
def test_a_year_that_cannot_be_is_wrong(year: int) -> None:
    (finding,) = check_year(year)
    assert finding.level is Level.WRONG
    assert str(year) in finding.what


def test_a_year_that_can_be_is_no_trouble() -> None:
    assert list(check_year(2026)) == []


def test_the_firmware_of_a_well_fed_pi_has_nothing_to_tell(tmp_path: Path) -> None:
    host = throttled(tmp_path, "0x0")
    assert power(host) == ["ok: the voltage has not been too low since the start"]
    assert temperature(host) == ["note: there is no sensor"]


def test_bits_of_now_are_wrong_and_bits_of_before_are_notes(tmp_path: Path) -> None:
    host = throttled(tmp_path, "0x50005")
    assert power(host) == ["wrong: too little voltage now"]
    assert temperature(host)[1:] == ["wrong: the processor is throttled now"]


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


def test_the_kernel_reports_the_voltage_if_the_firmware_does_not(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files={"sys/class/hwmon/hwmon2/in0_lcrit_alarm": "1\n"})
    assert power(host) == ["wrong: too little voltage now"]


def test_a_pi_that_tells_nothing_of_its_voltage_is_a_note(tmp_path: Path) -> None:
    assert power(machine_at(tmp_path)) == ["note: the voltage is unknown"]


def test_a_pc_has_no_such_firmware(tmp_path: Path) -> None:
    assert power(machine_at(tmp_path, is_pi=False)) == ["note: not a Raspberry Pi"]


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
        monkeypatch.setattr(speech, "find_speech_program", lambda found=program: found)
        (finding,) = check_speech(context)
        assert finding.level is level
    assert "sudo apt install espeak-ng" in finding.mend
