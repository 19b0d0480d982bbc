# SPDX-License-Identifier: MIT
"""
Keep the index of a running table up to date, in a thread of its own.

A few new entries are read at once. A long journal without an index is read by another process
of low priority: in this one it would take the interpreter from the thread that follows
the camera. If that process cannot run, the thread does its work, with pauses.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from controller.base.logs import Log
from controller.history.analysis.apart import find_environment
from controller.history.history import NEAR_BYTES, TableHistory

POLL_S = 2.0
RETRY_S = 60.0
_CHILD_POLL_S = 0.2
_WORK_S, _REST_S = 0.005, 0.005

_LOG = Log("history")


class HistoryFollower:
    """Follows the journal until `wait` returns true; it waits this many seconds."""

    def __init__(self, folder: Path, history: TableHistory, wait: Callable[[float], bool]) -> None:
        self._folder = folder
        self._history = history
        self._wait = wait

    def start(self) -> None:
        """Start the thread; it ends when the table closes."""
        threading.Thread(target=self.run, name="history", daemon=True).start()

    def run(self) -> None:
        """Follow the journal until the table closes, then close the history."""
        pause_s = 0.0
        while not self._wait(pause_s):
            try:
                self._catch_up()
                pause_s = POLL_S
            except Exception as error:  # A history is never worth the end of the table.
                _LOG.warning("history not updated", error=repr(error))
                pause_s = RETRY_S
        self._history.index.close()

    def _catch_up(self) -> None:
        index = self._history.index
        if index.bytes_left > NEAR_BYTES and not index.problem and index.store.path:
            index.refresh()
            if index.bytes_left > NEAR_BYTES and self._build_apart():
                index.refresh()
        rest = _Rests(self._wait)
        index.catch_up(until=rest.is_closing)

    def _build_apart(self) -> bool:
        """Build the index in another process; return whether it ended well."""
        began_s = time.monotonic()
        child = subprocess.Popen(
            [sys.executable, "-m", "controller.history.index", str(self._folder)],
            env=find_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            while child.poll() is None:
                if self._wait(_CHILD_POLL_S):
                    break
        finally:
            child.terminate()
            status = child.wait()
        elapsed_s = round(time.monotonic() - began_s, 1)
        _LOG.info("history built", status=status, seconds=elapsed_s)
        return status == 0


class _Rests:
    """Lets other threads work after every few milliseconds."""

    def __init__(self, wait: Callable[[float], bool]) -> None:
        self._wait = wait
        self._since_s = time.monotonic()

    def is_closing(self) -> bool:
        """Rest if it is time; return whether the table closes."""
        if time.monotonic() - self._since_s < _WORK_S:
            return False
        is_closing = self._wait(_REST_S)
        self._since_s = time.monotonic()
        return is_closing
