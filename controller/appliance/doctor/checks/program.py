# SPDX-License-Identifier: MIT
"""Check Python, its packages, and the settings file."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, metadata, requires

from controller.appliance.doctor.checks.gpio import list_configured_pins
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.settings import CameraDriver
from hardware.gpio.pins import UPGRADE, find_misfit

PYTHON, PACKAGES = "python", "packages"
REPAIR = message("run install.sh again, or: pip install -c constraints.txt .")
FROM_APT = {
    "picamera2": "sudo apt install python3-picamera2",
    "gpiozero": "sudo apt install python3-gpiozero",
    "lgpio": "sudo apt install python3-lgpio",
}
"""Packages that come with the system of the Pi, and how."""


@dataclass(frozen=True, slots=True)
class PackageRequirement:
    """A package and the range its version has to be in, such as `>=3.0`; empty for any."""

    name: str
    span: str = ""


def check_python(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    found = ".".join(str(part) for part in sys.version_info[:3])
    span = metadata("dicebell")["Requires-Python"] or ""
    if is_within(found, span):
        yield ok(PYTHON, f"{found}, {sys.executable}")
    else:
        yield wrong(
            PYTHON,
            message("{found}, expected {expected}", found=found, expected=span),
            message("use the Python of Debian 12 or newer"),
        )


def check_packages(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Look at the packages that every table needs, and at those of the Pi."""
    host, fine = context.host, []
    for requirement in list_requirements():
        found = find_installed(host, requirement.name)
        if found and is_within(found, requirement.span):
            fine.append(f"{requirement.name} {found}")
        else:
            expected = f"{requirement.name} {requirement.span}".strip()
            yield wrong(
                PACKAGES,
                message(
                    "expected {expected}, found {found}",
                    expected=expected,
                    found=found or message("none"),
                ),
                REPAIR,
            )
    if fine:
        yield ok(PACKAGES, ", ".join(fine))
    yield from _check_pi_packages(context)


def _check_pi_packages(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    needed = set()
    if context.settings.camera.driver is CameraDriver.PI:
        needed.add("picamera2")
    if list_configured_pins(context.settings):
        needed |= {"gpiozero", "lgpio"}
    spans = {each.name: each.span for each in list_requirements("pi")}
    for name, mend in FROM_APT.items():
        found = find_installed(context.host, name)
        state = f"{name} {found}" if found else message("{package} is missing", package=name)
        misfit = find_misfit() if name == "gpiozero" and name in needed else ""
        if misfit:
            yield wrong(PACKAGES, misfit, UPGRADE)
        elif found and is_within(found, spans.get(name, "")):
            yield ok(PACKAGES, f"{name} {found}")
        elif name in needed:
            what = message("{package}, and the settings need it", package=state)
            remedy = message(
                "run: {command}; the virtual environment has to see it (python3 -m venv"
                " --system-site-packages)",
                command=mend,
            )
            yield wrong(PACKAGES, what, UPGRADE if found and name == "gpiozero" else remedy)
        elif context.host.is_pi:
            what = message("{package}; the settings do not need it", package=state)
            yield note(PACKAGES, what, mend)


def list_requirements(extra: str = "") -> list[PackageRequirement]:
    """Return what the program asks for, by itself or for one of its extras."""
    found = []
    for line in requires("dicebell") or []:
        text, _, condition = line.partition(";")
        wanted = re.search(r"extra == ['\"]([\w-]+)['\"]", condition)
        if (wanted[1] if wanted else "") == extra:
            name = re.match(r"[\w.-]+", text.strip())
            assert name, f"a requirement has a name: {line}"
            found.append(PackageRequirement(name[0], text.strip()[len(name[0]) :].strip()))
    return sorted(found, key=lambda each: each.name)


def find_installed(host: Host, name: str) -> str:
    """Return the version of a package that this Python sees; empty if it sees none."""
    for found in Distribution.discover(name=name, path=list(host.packages)):
        return found.version
    return ""


def is_within(version: str, span: str) -> bool:
    """Return whether a version is within a range such as `>=1.26,<3`."""
    for clause in filter(None, (part.strip() for part in span.split(","))):
        parts = re.match(r"(>=|<=|==|!=|<|>)\s*(.+)", clause)
        if parts is None:
            raise ValueError(f"expected a range such as >=1.2, found {clause!r}")
        order = (_numbers(version) > _numbers(parts[2])) - (_numbers(version) < _numbers(parts[2]))
        allowed = {">=": (0, 1), "<=": (-1, 0), "==": (0,), "!=": (-1, 1), "<": (-1,), ">": (1,)}
        if order not in allowed[parts[1]]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version's numbers, as many as count, so that 2.0 and 2 are the same."""
    numbers = [int(part) for part in re.findall(r"\d+", version)[:3]]
    return tuple(numbers + [0] * (3 - len(numbers)))


SETTINGS = "settings"
PRINT = message("begin with: dicebell run --print-config > dicebell.toml")


def check_settings(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    if context.config is None:
        yield note(SETTINGS, message("there is no file, so every setting has its default"), PRINT)
    else:
        camera, panel = context.settings.camera.driver, context.settings.panel.driver
        what = message(
            "{file}: camera {camera}, panel {panel}",
            file=context.config,
            camera=camera.value,
            panel=panel.value,
        )
        yield ok(SETTINGS, what)


def report_refused_settings(error: InputError) -> DiagnosticFinding:
    mend = message(
        "correct it, or run this as a user who may read it; otherwise the table does not start"
    )
    return wrong(SETTINGS, error.args[0], mend)
