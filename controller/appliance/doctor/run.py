# SPDX-License-Identifier: MIT
"""All checks in order; each finding is reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from controller.appliance.doctor.checks.camera import check_camera, check_reading
from controller.appliance.doctor.checks.data_folder import check_data, check_disk
from controller.appliance.doctor.checks.gpio import check_gpio
from controller.appliance.doctor.checks.machine import (
    check_clock,
    check_display,
    check_power,
    check_speech,
    check_temperature,
)
from controller.appliance.doctor.checks.network import check_broker, check_port, check_tournament
from controller.appliance.doctor.checks.program import check_packages, check_python, check_settings
from controller.appliance.doctor.finding import DiagnosticFinding, Level
from controller.appliance.doctor.host import DiagnosticContext

Check = Callable[[DiagnosticContext], Iterable[DiagnosticFinding]]

CHECKS: Mapping[str, Check] = {
    "python": check_python,
    "packages": check_packages,
    "settings": check_settings,
    "data": check_data,
    "disk": check_disk,
    "port": check_port,
    "tournament": check_tournament,
    "camera": check_camera,
    "reading": check_reading,
    "gpio": check_gpio,
    "display": check_display,
    "speech": check_speech,
    "mqtt": check_broker,
    "clock": check_clock,
    "temperature": check_temperature,
    "power": check_power,
}
"""Every subject in the order of the report; what others depend on comes first."""


def run_checks(
    context: DiagnosticContext, *, without: Collection[str] = ()
) -> Iterator[DiagnosticFinding]:
    """Run all checks; a problem of one subject does not stop the others."""
    for subject, check in CHECKS.items():
        if subject not in without:
            yield from check(context)


def find_worst(findings: Iterable[DiagnosticFinding]) -> Level:
    levels = {finding.level for finding in findings}
    return next((each for each in (Level.WRONG, Level.NOTE) if each in levels), Level.OK)
