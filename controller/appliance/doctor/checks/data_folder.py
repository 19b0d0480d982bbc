# SPDX-License-Identifier: MIT
"""
Check the data folder and its disk: permissions, journal, calibration, free space, and speed.

No roll is shown before its entry is on the disk, so a slow card slows the whole table. It is
measured in the data folder with entries of the usual size.
"""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import DiagnosticContext
from controller.base.errors import InputError
from controller.base.languages.message import Number, message
from controller.base.settings import CameraDriver
from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.runtime.calibration.store import load_calibration
from hardware.clock import Clock

DATA = "data"
CALIBRATE = message("run: dicebell calibrate, or open /calibrate on the kiosk")


def check_data(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    folder = context.settings.data.folder
    if not os.access(find_nearest_folder(folder), os.W_OK | os.X_OK):
        yield wrong(
            DATA,
            message("{folder} cannot be written", folder=folder),
            folder_remedy(find_nearest_folder(folder)),
        )
        return
    yield from _check_journal(folder)
    yield from _check_calibration(context, folder)


def folder_remedy(folder: Path) -> str:
    """Return the remedy for a folder that this user may not write."""
    owner = folder.stat().st_uid
    if owner in (0, os.geteuid()):
        return message("name a [data] folder of your own, or check how its disk is mounted")
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = f"#{owner}"
    # A table that a service runs has a user of its own; taking its folder away would end it.
    return message(
        "it belongs to the user {user}; run it as that user: sudo -u {user} dicebell doctor",
        user=name,
    )


def _check_journal(folder: Path) -> Iterator[DiagnosticFinding]:
    if not (folder / JOURNAL_FILE).exists():
        yield ok(DATA, message("{folder} can be written; it has no journal yet", folder=folder))
        return
    try:
        found = read_journal(folder)
    except InputError as error:
        mend = message("restore the last backup (dicebell restore), or name a new [data] folder")
        yield wrong(DATA, error.args[0], mend)
        return
    count = len(found.entries)
    if found.torn:
        what = message(
            "{folder} can be written, its journal has {entries} entries and a torn line, which the"
            " next start cuts off",
            folder=folder,
            entries=count,
        )
    else:
        what = message(
            "{folder} can be written, its journal has {entries} entries",
            folder=folder,
            entries=count,
        )
    yield ok(DATA, what)


def _check_calibration(context: DiagnosticContext, folder: Path) -> Iterator[DiagnosticFinding]:
    is_live = context.settings.camera.driver not in (CameraDriver.SIMULATED, CameraDriver.FILE)
    try:
        calibration = load_calibration(folder)
    except InputError as error:
        yield wrong(DATA, error.args[0], CALIBRATE)
        return
    if calibration is not None:
        yield ok(DATA, message("calibrated {when}", when=calibration.made_at))
    elif is_live:
        yield note(DATA, message("the tray is not calibrated"), CALIBRATE)


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
