# SPDX-License-Identifier: MIT
"""
`dicebell doctor`: what works on this machine and what does not, with the mend.

Every line stands for itself, so that somebody who has never seen the inside of this can
read the first one marked `wrong` aloud to somebody who has.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.calibration.store import load_calibration
from controller.cli.arguments import folder
from controller.errors import InputError
from controller.maintenance.doctor.checks import examined, worst
from controller.maintenance.doctor.context import Patient
from controller.maintenance.doctor.finding import Finding, Level, note
from controller.maintenance.doctor.host import Machine
from controller.maintenance.doctor.interactive import try_fittings
from controller.maintenance.doctor.port import is_dicebell
from controller.maintenance.doctor.prompts import Person
from controller.maintenance.doctor.settings_file import refused
from controller.runtime.drivers import chosen_camera
from controller.settings import Settings, load_settings
from hardware.camera import Exposure

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

APPLIANCE_CONFIG = "etc/dicebell/dicebell.toml"
RESTING = ("data", "disk", "port", "camera", "gpio")
"""Subjects that are looked at as the settings say; with settings that are refused not at all."""
STOP_FIRST = "end it first: sudo systemctl stop dicebell"


def add_parser(subparsers: Subparsers) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "doctor",
        help="what works on this machine and what does not, with the mend",
        description=(
            "Look at everything that the table needs: Python and packages, settings, data"
            " folder, disk, port, camera, pins, display, clock, temperature and power. Each"
            " line says ok, or what is wrong and what to do about it."
        ),
        epilog="Exit status: 0 nothing is wrong, 1 something is, 2 wrong use.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="ask to press each button, and light each lamp, the light and the buzzer in turn",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the settings (TOML; /{APPLIANCE_CONFIG} where that is there)",
    )
    parser.add_argument(
        "--data",
        type=folder,
        metavar="DIR",
        help="the data folder, in place of that in the settings",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """
    Look at everything and tell; return the exit status.

    Raises:
        InputError: Somebody shall press buttons, but nobody sits at a terminal.
    """
    if args.interactive and not sys.stdin.isatty():
        raise InputError(expected="somebody at a terminal", found="none", where="--interactive")
    findings = []
    for finding in _findings(args, Machine()):
        findings.append(finding)
        if not args.json:
            _say(_line(finding))
    if args.json:
        lines = [{**dataclasses.asdict(each), "level": each.level.value} for each in findings]
        _say(json.dumps({"level": worst(findings).value, "findings": lines}, ensure_ascii=False))
    return int(worst(findings) is Level.WRONG)


def _findings(args: argparse.Namespace, machine: Machine) -> Iterator[Finding]:
    config = args.config or _appliance_config(machine)
    known: tuple[str, ...] = ()
    try:
        settings = load_settings(config) if config else Settings()
    except InputError as error:
        yield refused(error)
        yield note("settings", f"without them nobody knows which {', '.join(RESTING)} is meant")
        settings, known = Settings(), ("settings", *RESTING)
    if args.data:
        data = dataclasses.replace(settings.data, folder=args.data)
        settings = dataclasses.replace(settings, data=data)
    patient = Patient(
        machine=machine,
        settings=settings,
        open_camera=lambda: chosen_camera(settings.camera, calibrated=_exposure(settings)),
        config=config,
        is_running=is_dicebell(settings.web.host, settings.web.port),
    )
    yield from examined(patient, without=known)
    if args.interactive:
        yield from _hands_on(patient)


def _exposure(settings: Settings) -> Exposure | None:
    """Return how pictures are taken as calibrated; a broken calibration is told elsewhere."""
    try:
        kept = load_calibration(settings.data.folder)
    except InputError:
        return None
    return kept.exposure if kept else None


def _hands_on(patient: Patient) -> Iterator[Finding]:
    if patient.is_running:
        yield note("panel", "a dicebell runs and has the pins", STOP_FIRST)
    else:
        person = Person(tell=_tell, agrees=_agrees)
        yield from try_fittings(patient.settings, person, patient.clock)


def _appliance_config(machine: Machine) -> Path | None:
    path = machine.path(APPLIANCE_CONFIG)
    try:
        return path if path.exists() else None
    except PermissionError:
        return path  # what may not be read is told as any other file that is refused


def _line(finding: Finding) -> str:
    line = f"{finding.level.value:6}{finding.subject:13}{finding.what}"
    return f"{line}\n{'':19}-> {finding.mend}" if finding.mend else line


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _tell(line: str) -> None:
    # What a person is asked goes beside the findings, so that --json stays JSON.
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _agrees(question: str) -> bool:
    sys.stderr.write(f"{question} [y/n] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower().startswith(("y", "j"))
