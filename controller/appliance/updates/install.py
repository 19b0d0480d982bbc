# SPDX-License-Identifier: MIT
"""Activate a version, and go back at once if the table does not start with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from controller.appliance.updates.build import build_version, smoke_test
from controller.appliance.updates.subprocesses import CommandRunner
from controller.appliance.updates.systemd_service import TableService
from controller.appliance.updates.versions import InstalledVersions
from controller.base.errors import InputError

ReportLine = Callable[[str], None]


def build_and_test(
    versions: InstalledVersions, source: Path, config: Path, commands: CommandRunner
) -> Path:
    """Build and test a version, and return its folder; InputError if it is unfit, or OSError."""
    versions.prune()
    release = build_version(versions, source, commands)
    try:
        smoke_test(release, config, commands)
    except InputError:
        versions.prune()
        raise
    return release


def activate(
    versions: InstalledVersions, release: Path, service: TableService, report: ReportLine
) -> bool:
    """
    Activate a version; return whether it stays active.

    If the table does not start with it, the previous version is activated again. Without a service
    manager nothing is started, and the version stays. OSError if the links cannot be written.
    """
    before, older = versions.current(), versions.previous()
    versions.switch(release)
    if not service.is_managed():
        report("No service manager runs here, so the table was not started.")
    elif not service.restart():
        report("The table does not start. Run: journalctl -u dicebell -n 50")
        if before is None:
            report("There is no previous version to return to.")
            return False
        versions.restore_links(before, older)
        again = (
            "is in use again" if service.restart() else "is in use again, and does not start either"
        )
        report(f"The previous version {again}.")
    versions.prune()
    return versions.current() == release
