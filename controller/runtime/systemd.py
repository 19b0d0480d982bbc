# SPDX-License-Identifier: MIT
"""
Signs of life for the service manager: ready, alive, stopping (`sd_notify` of systemd).

A program that hangs looks like one that works, so the manager is told at short intervals
that this one does, and starts it anew when that stays away. The sign is given only when
it is true: the table's thread and the camera's were heard of in time, and the page
answers a request over the network. The journal needs no sign of its own: its entries are
written in the table's thread, so a disk that hangs stops that thread, while a full disk
is told on the screen and a new start would not mend it.
"""

from __future__ import annotations

import contextlib
import http.client
import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlsplit

from controller.logs import log_event, logger

ANSWER_TIMEOUT_S = 5.0
STARTING_PAUSE_S = 0.25
LONGEST_PAUSE_S = 10.0
PINGS_PER_TIMEOUT = 3
"""So many signs fall into the time after which the manager loses its patience."""

_LOG = logger("watchdog")


@dataclass(frozen=True, slots=True)
class SystemdNotifier:
    """
    Whoever started this program and wants to hear of it.

    Attributes:
        address: Its socket; empty where nobody listens, and then nothing is told.
        patience_s: After which silence it starts the program anew; 0 where it never does.
    """

    address: str = ""
    watchdog_s: float = 0.0

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int) -> SystemdNotifier:
        """
        Return the manager that an environment names.

        Args:
            environment: The variables of this process.
            pid: The number of this process; a patience meant for another one is none.
        """
        is_meant = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        watchdog_us = environment.get("WATCHDOG_USEC", "") if is_meant else ""
        watchdog_s = int(watchdog_us) / 1e6 if watchdog_us.isdecimal() else 0.0
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s)

    def tell(self, *lines: str) -> None:
        """Tell the manager these lines at once, such as READY=1."""
        if not self.address:
            return
        # A name that begins with @ lies in the kernel and not in the file system.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
            # A manager that went away needs no sign; one that lost it acts by itself.
            with contextlib.suppress(OSError):
                line.sendto("\n".join(lines).encode(), address)


class SystemdWatchdog:
    """
    Tells a service manager how the table is, from the start of the block to its end.

    Args:
        manager: Whom to tell.
        url: Where the page is, such as http://127.0.0.1:8080/.
        stuck: Asked which threads were not heard of in time.
        answers: Whether a page answers; asks over the network unless it is given.
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._manager.tell("STOPPING=1", "STATUS=The table is being closed.")
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._answers(self._url):
            if self._ended.wait(STARTING_PAUSE_S):
                return
        self._manager.tell("READY=1", f"STATUS=The kiosk is at {self._url}")
        watchdog_s = self._manager.watchdog_s
        pause_s = min(watchdog_s / PINGS_PER_TIMEOUT, LONGEST_PAUSE_S)
        while pause_s and not self._ended.wait(pause_s):
            self._ping()

    def _ping(self) -> None:
        wrong = [f"the {name} was not heard of in time" for name in self._stuck()]
        if not wrong and not self._answers(self._url):
            wrong = ["the page does not answer"]
        if wrong:
            log_event(_LOG, logging.ERROR, "no sign of life is given", wrong=", ".join(wrong))
            return
        self._manager.tell("WATCHDOG=1")


def is_page_up(url: str) -> bool:
    """Tell whether the table's page answers anything at all within five seconds."""
    place = urlsplit(url)
    line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=ANSWER_TIMEOUT_S)
    with contextlib.closing(line):
        try:
            line.request("GET", "/healthz")
            line.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
    return True
