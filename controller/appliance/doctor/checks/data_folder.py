# SPDX-License-Identifier: MIT
"""Check the data folder: its permissions, its journal, and the calibration."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from controller.appliance.doctor.checks.disk import find_nearest_folder
from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.settings import CameraDriver
from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.runtime.calibration.store import load_calibration

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
