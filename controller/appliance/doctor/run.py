# SPDX-License-Identifier: MIT
"""All checks in order; each finding is reported at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

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
from controller.appliance.doctor.finding import DiagnosticFinding, Level, note, ok
from controller.appliance.doctor.host import DiagnosticContext
from controller.base.languages.message import message

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


USE = "use"
MEASURED = ("disk", "reading")
"""Subjects whose notes say that the machine is slow."""
NEEDED = (*MEASURED, "data", "camera", "temperature", "power")
"""Subjects that must work before people can play."""


def run_checks(
    context: DiagnosticContext, *, without: Collection[str] = ()
) -> Iterator[DiagnosticFinding]:
    """
    Run all checks; a problem of one subject does not stop the others.

    At the end it is said what the machine is good for, if everything that decides this was checked.
    """
    findings = []
    for subject, check in CHECKS.items():
        if subject not in without:
            for finding in check(context):
                findings.append(finding)
                yield finding
    if not set(NEEDED) & set(without):
        yield judge_use(findings)


def judge_use(findings: Sequence[DiagnosticFinding]) -> DiagnosticFinding:
    """Say what the machine is good for, by what was found."""
    if named := _name_subjects(findings, NEEDED, Level.WRONG):
        return note(USE, message("not good for play yet; see above: {subjects}", subjects=named))
    if named := _name_subjects(findings, MEASURED, Level.NOTE):
        what = message(
            "good for a table at home; before a tournament see above: {subjects}", subjects=named
        )
        return note(USE, what)
    return ok(USE, message("good for a table at home and in a tournament"))


def _name_subjects(
    findings: Iterable[DiagnosticFinding], subjects: Collection[str], level: Level
) -> str:
    named = (each.subject for each in findings if each.level is level and each.subject in subjects)
    return ", ".join(dict.fromkeys(named))


def find_worst(findings: Iterable[DiagnosticFinding]) -> Level:
    levels = {finding.level for finding in findings}
    return next((each for each in (Level.WRONG, Level.NOTE) if each in levels), Level.OK)
