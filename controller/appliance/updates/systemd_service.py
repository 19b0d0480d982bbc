# SPDX-License-Identifier: MIT
"""The service of the table: restart it and check that it stays up."""

from __future__ import annotations

from pathlib import Path

from controller.appliance.updates.subprocesses import CommandRunner
from hardware.clock import Clock

SERVICE = "dicebell.service"
SYSTEMD_RUNS = Path("/run/systemd/system")
PROOF_S = 10.0  # How long the same process has to run until the table counts as started.


class TableService:
    """The service on this machine; the folder `runs` exists while systemd runs."""

    def __init__(self, commands: CommandRunner, clock: Clock, *, runs: Path = SYSTEMD_RUNS) -> None:
        self._commands = commands
        self._clock = clock
        self._runs = runs

    def is_managed(self) -> bool:
        """Return whether systemd runs; in a chroot it does not."""
        return self._runs.is_dir()

    def restart(self) -> bool:
        """Restart the table; return whether it answers and keeps running."""
        if self._ask("daemon-reload") is None or self._ask("restart", SERVICE) is None:
            return False
        process = self._process()
        self._clock.wait_s(PROOF_S)
        return process not in (None, "0") and self._process() == process

    def _process(self) -> str | None:
        return self._ask("show", "--property=MainPID", "--value", SERVICE)

    def _ask(self, *words: str) -> str | None:
        return self._commands.ask(["systemctl", *words])
