# SPDX-License-Identifier: MIT
"""Run the checks of `dicebell doctor` for the service page, one diagnosis at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from controller.appliance.doctor.finding import DiagnosticFinding, word_times
from controller.appliance.views import DoctorView
from controller.base.errors import BusyError
from controller.base.languages.message import message


class DiagnosisRun:
    """
    Runs all checks in a thread and collects their findings.

    Args:
        is_closing: Returns whether the table is being shut down; this ends the diagnosis.
    """

    def __init__(
        self, examine: Callable[[], Iterator[DiagnosticFinding]], is_closing: Callable[[], bool]
    ) -> None:
        self._examine = examine
        self._is_closing = is_closing
        self._is_running = threading.Lock()
        self._findings: list[DiagnosticFinding] = []

    def start(self) -> None:
        """Start a diagnosis and return at once; BusyError if one is in progress."""
        if not self._is_running.acquire(blocking=False):
            raise BusyError(
                expected=message("one diagnosis at a time"),
                found=message("one in progress. Wait for it."),
            )
        self._findings = []
        threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def view(self) -> DoctorView:
        return {
            "running": self._is_running.locked(),
            "findings": [
                {
                    "subject": each.subject,
                    "level": each.level.value,
                    "what": word_times(each.what),
                    "mend": each.mend,
                }
                for each in tuple(self._findings)
            ],
        }

    def _run(self) -> None:
        try:
            for finding in self._examine():
                self._findings.append(finding)
                if self._is_closing():
                    return
        finally:
            self._is_running.release()
