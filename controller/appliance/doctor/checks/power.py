# SPDX-License-Identifier: MIT
"""
Check temperature and voltage.

A Pi with too little voltage slows down, loses its camera and damages files, without a message on
the screen. Its firmware records this in the bits of `vcgencmd get_throttled`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, Level, note, ok, wrong
from controller.appliance.doctor.host import NOT_A_PI, Host
from controller.base.languages.message import message

POWER, TEMPERATURE = "power", "temperature"
WARM_C, HOT_C = 70.0, 80.0
SINCE_START = 16  # Each bit has a copy 16 places higher, which stays set until the next start.
SUPPLY = message("use the official power supply and a short cable, and unplug other USB devices")
COOL = message("improve the air flow or add a fan")


@dataclass(frozen=True, slots=True)
class FirmwareBit:
    """What a bit of the firmware means."""

    bit: int
    subject: str
    what: str
    mend: str


WARNINGS = (
    FirmwareBit(0, POWER, message("too little voltage"), SUPPLY),
    FirmwareBit(1, TEMPERATURE, message("the processor's speed is capped"), COOL),
    FirmwareBit(
        2,
        TEMPERATURE,
        message("the processor is throttled"),
        message("{first}; or {second}", first=COOL, second=SUPPLY),
    ),
    FirmwareBit(3, TEMPERATURE, message("near the limit of its temperature"), COOL),
)


def check_power(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    host = context.host
    if not host.is_pi:
        yield note(POWER, NOT_A_PI)
        return
    bits = read_throttled_bits(host)
    alarms = host.files("sys/class/hwmon", "*/in0_lcrit_alarm")
    if bits is None and not alarms:
        yield note(
            POWER, message("the voltage is unknown"), message("run: sudo apt install raspi-utils")
        )
        return
    found = list(_warnings(bits or 0, POWER))
    if not found and any(path.read_text().strip() == "1" for path in alarms):
        found = [wrong(POWER, message("{problem} now", problem=WARNINGS[0].what), SUPPLY)]
    yield from found or [ok(POWER, message("the voltage has not been too low since the start"))]


def check_temperature(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Look at the temperature, and whether the processor was slowed down because of it."""
    host = context.host
    degrees = read_temperature_c(host)
    if degrees is None:
        yield note(TEMPERATURE, message("there is no sensor"))
    else:
        yield check_degrees(degrees)
    if host.is_pi:
        yield from _warnings(read_throttled_bits(host) or 0, TEMPERATURE)


def check_degrees(degrees: float) -> DiagnosticFinding:
    what = f"{degrees:.0f} °C"
    if degrees >= HOT_C:
        return wrong(TEMPERATURE, message("{temperature}: it slows down", temperature=what), COOL)
    return note(TEMPERATURE, what, COOL) if degrees >= WARM_C else ok(TEMPERATURE, what)


def read_throttled_bits(host: Host) -> int | None:
    """Return the bits of the firmware; `None` if it does not report them."""
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", host.output("vcgencmd", "get_throttled") or "")
    return int(found[1], 16) if found else None


def read_temperature_c(host: Host) -> float | None:
    """Return the highest temperature of all sensors; `None` without one."""
    texts = [path.read_text().strip() for path in host.files("sys/class/thermal", "*/temp")]
    degrees = [int(text) / 1000 for text in texts if re.fullmatch(r"-?\d+", text)]
    return max(degrees, default=None)


def _warnings(bits: int, subject: str) -> Iterator[DiagnosticFinding]:
    for each in WARNINGS:
        if each.subject != subject:
            continue
        if bits & 1 << each.bit:
            yield DiagnosticFinding(
                subject, Level.WRONG, message("{problem} now", problem=each.what), each.mend
            )
        elif bits & 1 << each.bit + SINCE_START:
            yield DiagnosticFinding(
                subject,
                Level.NOTE,
                message("{problem} at times since the start", problem=each.what),
                each.mend,
            )
