# SPDX-License-Identifier: MIT
"""
Check the machine: its temperature and voltage, its clock, its screen and its voice.

A Pi with too little voltage slows down, loses its camera and damages files, without a message on
the screen. Its firmware records this in the bits of `vcgencmd get_throttled`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from controller.appliance.doctor.finding import DiagnosticFinding, Level, note, ok, wrong
from controller.appliance.doctor.host import NOT_A_PI, DiagnosticContext, Host
from controller.base.languages.message import message
from controller.base.speech import PROGRAM, find_speech_program
from hardware.clock import FIRST_YEAR, LAST_YEAR, read_wall_clock_s

POWER, TEMPERATURE = "power", "temperature"
WARM_C, HOT_C = 70.0, 80.0
SINCE_START = 16  # Each bit has a copy 16 places higher, which stays set until the next start.
SUPPLY = message("use the official power supply and a short cable, and unplug other USB devices")
COOL = message("improve the air flow or add a fan")


@dataclass(frozen=True, slots=True)
class FirmwareBit:
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


CLOCK = "clock"
SET_IT = message(
    "connect the network once (sudo timedatectl set-ntp true), or: sudo date -s 'YYYY-MM-DD"
    " HH:MM'; a Pi 5 keeps the time with a battery at J5"
)


def check_clock(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    now = time.gmtime(read_wall_clock_s())
    yield from check_year(now.tm_year)
    if not FIRST_YEAR <= now.tm_year <= LAST_YEAR:
        return
    shown = time.strftime("%Y-%m-%d %H:%M UTC", now)
    synchronised = context.host.output("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synchronised == "yes":
        yield ok(CLOCK, message("{time}, set by the network", time=shown))
    elif synchronised == "no":
        yield note(CLOCK, message("{time}, not set by the network", time=shown), SET_IT)
    else:
        yield note(CLOCK, message("{time}; it is unknown whether the network sets it", time=shown))


def check_year(year: int) -> Iterator[DiagnosticFinding]:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        yield wrong(CLOCK, message("the clock shows the year {year}", year=year), SET_IT)


DISPLAY = "display"
START_DESKTOP = message(
    "boot to the desktop: sudo raspi-config, System Options, Boot, Desktop Autologin"
)
CONNECT = message("connect one and restart, or open the kiosk's page in a browser elsewhere")


def check_display(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    host = context.host
    if desktop := _desktop(context):
        yield ok(DISPLAY, desktop)
    else:
        yield note(DISPLAY, message("no desktop runs, so there is no kiosk here"), START_DESKTOP)
    states = host.files("sys/class/drm", "card*-*/status")
    screens = [path.parent for path in states if path.read_text().strip() == "connected"]
    for screen in screens:
        modes = host.text(str((screen / "modes").relative_to(host.root))).splitlines()
        name = screen.name.partition("-")[2]
        if modes:
            what = message("a screen at {connector}, {size}", connector=name, size=modes[0])
        else:
            what = message("a screen at {connector}, its size is unknown", connector=name)
        yield ok(DISPLAY, what)
    if states and not screens:
        yield note(DISPLAY, message("no screen is connected"), CONNECT)


def _desktop(context: DiagnosticContext) -> str:
    """Return the running desktop: of this user, otherwise of any user."""
    host = context.host
    if name := host.environment.get("WAYLAND_DISPLAY"):
        return f"Wayland ({name})"
    if name := host.environment.get("DISPLAY"):
        return f"X ({name})"
    sockets = [path for path in host.files("run/user", "*/wayland-*") if path.suffix != ".lock"]
    if sockets:
        return f"Wayland ({sockets[0].name} of user {sockets[0].parent.name})"
    if found := host.files("tmp/.X11-unix", "X*"):
        return f"X (:{found[0].name.removeprefix('X')})"
    return ""


SPEECH = "speech"


def check_speech(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Look for the program that speaks where a browser has no voice of its own."""
    if not context.settings.sound.call_aloud:
        yield ok(SPEECH, message("rolls are not called aloud"))
        return
    if program := find_speech_program():
        yield ok(SPEECH, message("rolls are called aloud with {program}", program=program))
    else:
        yield note(
            SPEECH,
            message("only a browser with a voice of its own calls rolls aloud"),
            message("for all others: sudo apt install {program}", program=PROGRAM),
        )
