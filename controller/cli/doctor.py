# SPDX-License-Identifier: MIT
"""
`dicebell doctor`: what works on this machine and what does not, with the remedy.

Every line is understandable on its own, so that a user can read the first one marked `wrong`
aloud to somebody who can help.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from controller.appliance.doctor.checks.network import fetch_health
from controller.appliance.doctor.checks.program import report_refused_settings
from controller.appliance.doctor.finding import DiagnosticFinding, Level, note, word_times
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.appliance.doctor.prompts import Assistant, try_peripherals
from controller.appliance.doctor.run import find_worst, run_checks
from controller.base.errors import InputError
from controller.base.settings import Settings, load_settings
from controller.cli.arguments import Subparsers, parse_folder, print_line
from controller.runtime.calibration.store import load_calibration
from controller.runtime.devices.drivers import create_camera
from controller.runtime.devices.pin_drivers import PinDrivers
from controller.runtime.monitoring.health import LIVE
from hardware.camera import Exposure
from hardware.gpio.pins import SharedPins

APPLIANCE_CONFIG = "etc/dicebell/dicebell.toml"
SETTINGS_CHECKS = ("data", "disk", "port", "camera", "gpio", "speech", "mqtt")
"""Subjects that depend on the settings; they are skipped if the settings are refused."""
STOP_FIRST = "end it first: sudo systemctl stop dicebell"


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help="what works on this machine, what does not, and the remedy",
        description=(
            "Check everything that the table needs: Python and packages, settings, data"
            " folder, disk, port, camera, pins, display, broker, clock, temperature and power. Each"
            " line says ok, or what is wrong and what to do about it."
        ),
        epilog="Exit status: 0 nothing is wrong, 1 something is, 2 wrong use.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--interactive",
        action="store_true",
        help="also ask for every button, light every lamp and the light, and play the buzzer",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the settings (TOML; /{APPLIANCE_CONFIG} if it exists)",
    )
    parser.add_argument(
        "--data", type=parse_folder, metavar="DIR", help="the data folder (from the settings)"
    )


def run(args: argparse.Namespace) -> int:
    if args.interactive and not sys.stdin.isatty():
        raise InputError(expected="a terminal", found="none", where="--interactive")
    findings = []
    for finding in _findings(args, Host()):
        findings.append(finding)
        if not args.json:
            print_line(_line(finding))
    if args.json:
        lines = [{**dataclasses.asdict(each), "level": each.level.value} for each in findings]
        print_line(
            json.dumps({"level": find_worst(findings).value, "findings": lines}, ensure_ascii=False)
        )
    return int(find_worst(findings) is Level.WRONG)


def _findings(args: argparse.Namespace, host: Host) -> Iterator[DiagnosticFinding]:
    config = args.config or _appliance_config(host)
    known: tuple[str, ...] = ()
    try:
        settings = load_settings(config)
    except InputError as error:
        yield report_refused_settings(error)
        yield note("settings", f"not checked without settings: {', '.join(SETTINGS_CHECKS)}")
        settings, known = Settings(), ("settings", *SETTINGS_CHECKS)
    if args.data:
        data = dataclasses.replace(settings.data, folder=args.data)
        settings = dataclasses.replace(settings, data=data)
    health = fetch_health(settings.web)
    context = DiagnosticContext(
        host=host,
        settings=settings,
        open_camera=lambda: create_camera(settings, calibrated=_exposure(settings)),
        config=config,
        is_running=health is not None,
        peripherals=str((health or {}).get("peripherals", LIVE)),
    )
    yield from run_checks(context, without=known)
    if args.interactive:
        yield from _run_interactive(context)


def _exposure(settings: Settings) -> Exposure | None:
    """Return the calibrated exposure; a broken calibration is reported elsewhere."""
    try:
        kept = load_calibration(settings.data.folder)
    except InputError:
        return None
    return kept.exposure if kept else None


def _run_interactive(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    if context.is_running:
        yield note("panel", "a running dicebell uses the pins", STOP_FIRST)
    else:
        assistant = Assistant(show_line=_print_prompt, agrees=_ask)
        with contextlib.closing(SharedPins()) as pins:
            drivers = PinDrivers.on(pins)
            yield from try_peripherals(context.settings, assistant, context.clock, drivers=drivers)


def _appliance_config(host: Host) -> Path | None:
    path = host.path(APPLIANCE_CONFIG)
    try:
        return path if path.exists() else None
    except PermissionError:
        return path  # An unreadable file is reported like any other refused file.


def _line(finding: DiagnosticFinding) -> str:
    line = f"{finding.level.value:6}{finding.subject:13}{word_times(finding.what)}"
    return f"{line}\n{'':19}-> {finding.mend}" if finding.mend else line


def _print_prompt(line: str) -> None:
    # Questions go to standard error, so that --json stays JSON.
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _ask(question: str) -> bool:
    sys.stderr.write(f"{question} [y/n] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower().startswith(("y", "j"))
