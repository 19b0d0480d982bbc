# SPDX-License-Identifier: MIT
"""
Notify systemd (`sd_notify`): ready, alive, stopping.

systemd restarts the program if pings stop. A ping is sent only if the heartbeats of the table's
and the camera's threads are in time and the page answers at the box's own port. The public port
does not count: strangers may keep it busy. The journal needs no check of its own: a disk that
hangs stops the table's thread, and a full disk is shown on the screen, where a restart would not
help.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from controller.base.logs import Log

ANSWER_TIMEOUT_S = 5.0
STARTING_PAUSE_S = 0.25
LONGEST_PAUSE_S = 10.0
PINGS_PER_TIMEOUT = 3  # More than one, so a single late ping does not restart the program.

_LOG = Log("watchdog")


@dataclass(frozen=True, slots=True)
class SystemdNotifier:
    """Sends notifications to the service manager."""

    address: str = ""  # Its socket; empty sends nothing.
    watchdog_s: float = 0.0  # The silence after which it restarts the program; 0 if it never does.

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], pid: int) -> SystemdNotifier:
        """Return what an environment describes; a watchdog for another `pid` is ignored."""
        is_meant = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        watchdog_us = environment.get("WATCHDOG_USEC", "") if is_meant else ""
        watchdog_s = int(watchdog_us) / 1e6 if watchdog_us.isdecimal() else 0.0
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def notify(self, *lines: str) -> None:
        """Send lines at once, such as READY=1."""
        if not self.address:
            return
        # A name that begins with @ is in the abstract namespace, not in the file system.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            # A manager that has ended needs no ping; one that missed a ping acts by itself.
            with contextlib.suppress(OSError):
                line.sendto("\n".join(lines).encode(), address)


class SystemdWatchdog:
    """
    Notifies a service manager during a `with` block.

    `stuck` returns the threads whose heartbeat is overdue, `answers` whether the page answers;
    by default it asks over the network.
    """

    def __init__(
        self,
        manager: SystemdNotifier,
        url: str,
        *,
        stuck: Callable[[], Sequence[str]],
        answers: Callable[[str], bool] | None = None,
    ) -> None:
        self._manager = manager
        self._url = url
        self._stuck = stuck
        self._answers = answers or is_page_up
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)

    def __enter__(self) -> SystemdWatchdog:
        if self._manager.address:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._manager.notify("STOPPING=1", "STATUS=The table is shutting down.")
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._answers(self._url):
            if self._ended.wait(STARTING_PAUSE_S):
                return
        self._manager.notify("READY=1", f"STATUS=The kiosk is at {self._url}")
        watchdog_s = self._manager.watchdog_s
        pause_s = min(watchdog_s / PINGS_PER_TIMEOUT, LONGEST_PAUSE_S)
        while pause_s and not self._ended.wait(pause_s):
            self._ping()

    def _ping(self) -> None:
        wrong = [f"the {name} gave no heartbeat in time" for name in self._stuck()]
        if not wrong and not self._answers(self._url):
            wrong = ["the page does not answer"]
        if wrong:
            _LOG.error("no sign of life is given", wrong=", ".join(wrong))
            return
        self._manager.notify("WATCHDOG=1")


def is_page_up(url: str) -> bool:
    """Return whether the page answers at all within five seconds."""
    place = urlsplit(url)
    line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=ANSWER_TIMEOUT_S)
    with contextlib.closing(line):
        try:
            line.request("GET", "/healthz")
            line.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
    return True
