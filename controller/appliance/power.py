# SPDX-License-Identifier: MIT
"""
Restart the table, or reboot or power off the machine.

systemd decides whether this account may do that. The table ends normally, with everything on
the disk.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence

from controller.appliance.views import PowerAction
from controller.base.errors import UnavailableError
from controller.base.languages.message import message
from controller.base.logs import Log

TIMEOUT_S = 20.0
COMMANDS: Mapping[PowerAction, tuple[str, ...]] = {
    "reboot": ("systemctl", "--no-ask-password", "reboot"),
    "power off": ("systemctl", "--no-ask-password", "poweroff"),
}
NO_SYSTEMD = message("This machine has no systemctl. Switch it off by hand.")
NO_MANAGER = message(
    "The table does not run as a service, so nothing would start it again. Restart it by hand."
)
INSTALL = message("the permission that install.sh gives this account (polkit)")

_LOG = Log("service")

RunCommand = Callable[[Sequence[str]], tuple[int, str]]


def run_command(command: Sequence[str]) -> tuple[int, str]:
    """Return exit status and standard error of a command; OSError if it fails to run or to end."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise OSError(f"no answer for {TIMEOUT_S:.0f} s") from error
    return done.returncode, " ".join(done.stderr.split())


class PowerControl:
    """Controls the power of table and machine; `end_table` lets a service manager restart it."""

    def __init__(
        self,
        end_table: Callable[[], None] | None,
        *,
        run: RunCommand = run_command,
        has_systemd: bool | None = None,
    ) -> None:
        self._end_table = end_table
        self._run = run
        there = shutil.which("systemctl") is not None if has_systemd is None else has_systemd
        self._missing = "" if there else NO_SYSTEMD

    def unavailable_reasons(self) -> dict[PowerAction, str]:
        """Return for each action why it is not available; empty if it is."""
        restart = "" if self._end_table else NO_MANAGER
        return {"restart table": restart, "reboot": self._missing, "power off": self._missing}

    def perform(self, act: PowerAction) -> None:
        """Perform an action; UnavailableError if it is not available or systemd refuses it."""
        _LOG.warning("asked for on the service page", act=act)
        if why := self.unavailable_reasons()[act]:
            raise UnavailableError(expected=message("a machine that can do this"), found=why)
        if act == "restart table":
            assert self._end_table is not None, "the reasons above checked it"
            self._end_table()
            return
        try:
            status, complaint = self._run(COMMANDS[act])
        except OSError as error:
            expected = message("a reply of systemctl")
            raise UnavailableError(expected=expected, found=str(error)) from error
        if status:
            found = complaint or message("exit status {status}", status=status)
            raise UnavailableError(expected=INSTALL, found=found)
