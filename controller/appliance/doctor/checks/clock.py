# SPDX-License-Identifier: MIT
"""Check the wall clock: journal entries carry its time for people to read."""

from __future__ import annotations

import time
from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.languages.message import message
from hardware.clock import FIRST_YEAR, LAST_YEAR, read_wall_clock_s

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
