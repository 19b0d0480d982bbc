# SPDX-License-Identifier: MIT
"""
Check the disk: free space, and how long an entry takes.

No roll is shown before its entry is on the disk, so a slow card slows the whole table. It is
measured in the data folder with entries of the usual size.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.languages.message import Number, message
from hardware.clock import Clock

DISK = "disk"
PICTURE_BYTES = 250_000  # The usual size of a roll's picture; its entry is tiny.
LEAST_BYTES = 200_000_000
FEW_BYTES = 1_000_000_000
WRITES = 20
ENTRY_BYTES = 2048
SLOW_MS, TOO_SLOW_MS = 100.0, 500.0
MAKE_ROOM = message("take a backup and delete old data folders, or use a larger card")
OTHER_CARD = message("use a card of class A1 or A2 from a known maker, or an SSD")


def check_disk(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Check the disk of the data folder, also before that folder exists."""
    folder = find_nearest_folder(context.settings.data.folder)
    try:
        yield check_space(folder, shutil.disk_usage(folder).free)
        yield check_speed(measure_writes_ms(folder, context.clock))
    except OSError as error:
        mend = message("check the permissions of {folder} and the card", folder=folder)
        reason = error.strerror or str(error)
        what = message("cannot write in {folder}: {reason}", folder=folder, reason=reason)
        yield wrong(DISK, what, mend)


def find_nearest_folder(folder: Path) -> Path:
    """Return the folder, or its nearest existing parent."""
    whole = folder.absolute()
    return next((each for each in (whole, *whole.parents) if os.path.isdir(each)), Path("/"))


def check_space(folder: Path, free_bytes: int) -> DiagnosticFinding:
    """Report whether this much space is enough."""
    rolls = free_bytes // PICTURE_BYTES
    what = message(
        "{size} GB free at {folder}, about {rolls} rolls",
        size=Number(free_bytes / 1e9, ".1f"),
        folder=folder,
        rolls=Number(rolls, ","),
    )
    if free_bytes < LEAST_BYTES:
        return wrong(DISK, what, MAKE_ROOM)
    return note(DISK, what, MAKE_ROOM) if free_bytes < FEW_BYTES else ok(DISK, what)


def check_speed(times_ms: list[float]) -> DiagnosticFinding:
    """Report whether entries are written fast enough."""
    usual_ms, worst_ms = median(times_ms), max(times_ms)
    what = message(
        "an entry reaches the disk in {usual} ms, at worst {worst} ms",
        usual=Number(usual_ms, ".1f"),
        worst=f"{worst_ms:.0f}",
    )
    if usual_ms > TOO_SLOW_MS:
        return wrong(DISK, what, OTHER_CARD)
    return note(DISK, what, OTHER_CARD) if worst_ms > SLOW_MS else ok(DISK, what)


def measure_writes_ms(folder: Path, clock: Clock) -> list[float]:
    """Return the duration of each of some synchronized writes; OSError if none is possible."""
    times_ms = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(WRITES):
            began_s = clock.now_s()
            file.write(bytes(ENTRY_BYTES))
            os.fsync(file.fileno())
            times_ms.append((clock.now_s() - began_s) * 1000)
    return times_ms
