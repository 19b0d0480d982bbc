# SPDX-License-Identifier: MIT
"""
What is checked: a table on its host, with its files, its commands, and the rights of this user.

Linux reports almost everything in `/sys`, `/proc` and `/dev`. All paths start at one root, so
tests can check the files of another machine.
"""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controller.base.languages.message import message
from controller.base.settings import Settings
from controller.runtime.monitoring.health import LIVE
from hardware.camera import Camera
from hardware.clock import Clock, MonotonicClock

COMMAND_TIMEOUT_S = 5.0
NOT_A_PI = message("not a Raspberry Pi")


def _own_groups() -> frozenset[str]:
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    return frozenset(names.get(number, str(number)) for number in {*os.getgroups(), os.getegid()})


@dataclass(frozen=True, slots=True)
class Host:
    root: Path = Path("/")  # The root of its files.
    # The environment variables; commands are searched on their PATH.
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    groups: frozenset[str] = field(default_factory=_own_groups)
    # The folders that are searched for Python packages.
    packages: Sequence[str] = field(default_factory=lambda: tuple(sys.path))

    @property
    def model(self) -> str:
        """The model of the board; empty if unknown."""
        return self.text("proc/device-tree/model")

    @property
    def is_pi(self) -> bool:
        return self.model.startswith("Raspberry Pi")

    def path(self, name: str) -> Path:
        """Return the path of a file such as `/dev/gpiochip0`; the first slash is optional."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """Return the text of a file without padding; empty if it cannot be read."""
        try:
            return self.path(name).read_text(errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def files(self, folder: str, pattern: str) -> list[Path]:
        """Return the files of a folder that fit a pattern, in order; `None` if it is not there."""
        return sorted(self.path(folder).glob(pattern))

    def output(self, command: str, *arguments: str) -> str | None:
        """Return the output of a command; `None` if it is missing, fails or takes too long."""
        found = shutil.which(command, path=self.environment.get("PATH"))
        if found is None:
            return None
        try:
            done = subprocess.run(
                [found, *arguments],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMMAND_TIMEOUT_S,
                env=dict(self.environment),
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None


def permission_remedy(host: Host, group: str) -> str:
    """Return the remedy for files that only a group may use."""
    if group in host.groups:
        return message(
            "the group {group} has no permission: log in again, or check the udev rules",
            group=group,
        )
    return message("run: sudo usermod -aG {group} $USER, then log in again", group=group)


@dataclass(frozen=True, slots=True)
class DiagnosticContext:
    host: Host
    settings: Settings  # Its settings; the defaults without a file.
    open_camera: Callable[[], Camera]  # Creates the camera of the settings; may raise `InputError`.
    config: Path | None = None
    # Whether a dicebell serves on the port of the settings; then its camera and its pins are not
    # touched.
    is_running: bool = False
    peripherals: str = LIVE  # What of its peripherals that dicebell cannot use, as in `/healthz`.
    clock: Clock = field(default_factory=MonotonicClock)
