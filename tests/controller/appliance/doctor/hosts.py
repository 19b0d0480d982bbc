# SPDX-License-Identifier: MIT
"""Machines made of real files in a folder, with commands of their own on the PATH."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

from controller.appliance.doctor.finding import DiagnosticFinding
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.settings import Settings, parse_settings
from controller.runtime.monitoring.health import LIVE
from hardware.camera import Camera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera

PI_5 = "proc/device-tree/model"
MODEL = "Raspberry Pi 5 Model B Rev 1.0\0"


def machine_at(
    root: Path,
    *,
    files: Mapping[str, str] | None = None,
    commands: Mapping[str, str] | None = None,
    is_pi: bool = True,
    groups: frozenset[str] = frozenset(),
    environment: Mapping[str, str] | None = None,
) -> Host:
    """Return a machine whose files and commands are these; a Raspberry Pi 5 if it `is_pi`."""
    for name, text in {**({PI_5: MODEL} if is_pi else {}), **(files or {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    programs = root / "programs"
    programs.mkdir(exist_ok=True)
    for name, text in (commands or {}).items():
        (programs / name).write_text(f"#!/bin/sh\nprintf '%s\\n' {shlex.quote(text)}\n")
        (programs / name).chmod(0o755)
    return Host(
        root=root,
        environment={**(environment or {}), "PATH": str(programs)},
        groups=groups,
        packages=(str(root / "packages"),),
    )


def small_camera() -> Camera:
    """Return a camera that delivers 30 pictures a second without spending time."""
    return SimulatedCamera(SteppedClock(), seed=1, size_wh=(320, 180))


def patient_with(
    host: Host,
    settings: str = "",
    *,
    open_camera: Callable[[], Camera] = small_camera,
    clock: SteppedClock | None = None,
    is_running: bool = False,
    peripherals: str = LIVE,
    config: Path | None = None,
) -> DiagnosticContext:
    """Return a table on a machine; the settings are TOML."""
    return DiagnosticContext(
        host=host,
        settings=parse_settings(settings) if settings else Settings(),
        open_camera=open_camera,
        config=config,
        is_running=is_running,
        peripherals=peripherals,
        clock=clock or SteppedClock(),
    )


def told(findings: list[DiagnosticFinding]) -> list[str]:
    return [f"{finding.level.value}: {finding.what}" for finding in findings]


def is_root() -> bool:
    """Tell whether these tests run as somebody to whom no file is closed."""
    return os.geteuid() == 0
