# SPDX-License-Identifier: MIT
"""All checks in order; each finding is reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from controller.maintenance.doctor.camera import check_camera
from controller.maintenance.doctor.clock import check_clock
from controller.maintenance.doctor.context import DiagnosticContext
from controller.maintenance.doctor.data_folder import check_data
from controller.maintenance.doctor.disk import check_disk
from controller.maintenance.doctor.display import check_display
from controller.maintenance.doctor.finding import DiagnosticFinding, Level
from controller.maintenance.doctor.gpio import check_gpio
from controller.maintenance.doctor.port import check_port
from controller.maintenance.doctor.power import check_power, check_temperature
from controller.maintenance.doctor.python import check_packages, check_python
from controller.maintenance.doctor.settings_file import check_settings

Check = Callable[[DiagnosticContext], Iterable[DiagnosticFinding]]

CHECKS: Mapping[str, Check] = {
    "python": check_python,
    "packages": check_packages,
    "settings": check_settings,
    "data": check_data,
    "disk": check_disk,
    "port": check_port,
    "camera": check_camera,
    "gpio": check_gpio,
    "display": check_display,
    "clock": check_clock,
    "temperature": check_temperature,
    "power": check_power,
}
"""Every subject in the order of the report; what others depend on comes first."""


def run_checks(
    context: DiagnosticContext, *, without: Collection[str] = ()
) -> Iterator[DiagnosticFinding]:
    """
    Run all checks; a problem of one subject does not stop the others.

    Args:
        patient: The table on its machine.
        without: Subjects to skip.
    """
    for subject, check in CHECKS.items():
        if subject not in without:
            yield from check(context)


def find_worst(findings: Iterable[DiagnosticFinding]) -> Level:
    """Return the worst level of the findings."""
    levels = {finding.level for finding in findings}
    return next((each for each in (Level.WRONG, Level.NOTE) if each in levels), Level.OK)
