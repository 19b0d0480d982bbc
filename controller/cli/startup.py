# SPDX-License-Identifier: MIT
"""
Shared by `demo`, `run` and `desk`: tighten secrets, print and log the start, serve the kiosk,
handle signals.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import logging
import queue
import signal
import sys
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from controller.base.durable_files import tighten
from controller.base.logs import log_event, logger
from controller.journal.continuity.restore_marker import MARKER_FILE
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.signing_key import PRIVATE_FILE
from controller.runtime.access.api_tokens import FILE_NAME as TOKENS_FILE
from controller.runtime.access.box_key import FILE_NAME as BOX_KEY_FILE
from controller.runtime.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.runtime.access.seats import FILE_NAME as SEATS_FILE
from controller.runtime.access.store import FILE_NAME as ACCESS_FILE
from controller.runtime.table import StartSummary, TableRuntime
from controller.tournament.sending.event_witness import FILE_NAME as SEEN_FILE
from controller.tournament.sending.server_pin import FILE_NAME as TOURNAMENT_FILE
from webui.server import KioskServer

_LOG = logger("app")


_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_LARGE_BYTES = 512 * 1024
_ARENAS = 2


SECRET_FILES = (
    *(ACCESS_FILE, BOX_KEY_FILE, LOGINS_FILE, PRIVATE_FILE, SEATS_FILE, TOKENS_FILE),
    *(MARKER_FILE, MEMORY_FILE, SEEN_FILE, TOURNAMENT_FILE),
)
"""The files of a data folder that are written for its owner alone."""


def tighten_secrets(folder: Path) -> None:
    """Let only the owner read secrets; they may have been copied here, or unpacked."""
    for name in SECRET_FILES:
        tighten(folder / name)


def return_freed_memory() -> None:
    """
    Let the C library return freed pictures to the system; call it before threads start.

    By default it keeps blocks as large as the largest one that was ever freed, and in an arena for
    each of many threads: 65 MB of a table's memory that hold nothing.
    """
    with contextlib.suppress(OSError, AttributeError):  # no mallopt: not a glibc
        set_option = ctypes.CDLL(None).mallopt
        set_option(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        set_option(_M_ARENA_MAX, _ARENAS)


def print_line(line: str) -> None:
    """Print a line at once, also without a terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_startup(folder: Path, opened: StartSummary) -> None:
    """Print the number of entries in the journal, and a torn line."""
    if opened.torn:
        print_line(
            f"The last line of the journal in {folder} was torn ({len(opened.torn)} bytes) and"
            " has been cut off; nobody had seen it confirmed."
        )
    if opened.entries:
        print_line(f"Entries found in the journal in {folder}: {opened.entries}.")


def log_start(folder: Path, opened: StartSummary, *, settings: str = "") -> None:
    """Log the start with program version, settings and the state of the journal."""
    digest = hashlib.sha256(settings.encode()).hexdigest()[:12]
    log_event(
        _LOG,
        logging.INFO,
        "start",
        version=version("dicebell"),
        settings=digest if settings else "none",
        data=str(folder),
        entries=opened.entries,
        torn_bytes=len(opened.torn),
    )


def log_stop() -> None:
    log_event(_LOG, logging.INFO, "stop")


def serve_kiosk(kiosk: KioskServer, runtime: TableRuntime, closing: contextlib.ExitStack) -> str:
    """
    Serve the kiosk until `closing` closes; the table ends first, and its streams with it.

    Returns:
        A line with its address.

    Raises:
        InputError: The port is in use.
    """
    kiosk.start()
    closing.callback(kiosk.close)
    closing.callback(runtime.loop.close)
    public = f" Others use port {kiosk.port}." if kiosk.has_public_port else ""
    return f"The kiosk is at {kiosk.url} (Ctrl-C ends).{public}"


class StopRequest:
    """
    A request to end the program.

    Unlike an `Event`, a signal handler may set it at any moment. An `Event` deadlocks if it is set
    while the same thread holds its lock, in `wait` or in `set`.
    """

    def __init__(self) -> None:
        self._is_set = False
        self._requests: queue.SimpleQueue[None] = queue.SimpleQueue()

    def set(self) -> None:
        """Request the end; safe to repeat."""
        self._is_set = True
        self._requests.put(None)

    def is_set(self) -> bool:
        return self._is_set

    def wait(self) -> None:
        """Wait for the request; one thread may call it, once."""
        self._requests.get()


def install_stop_handler() -> StopRequest:
    """
    Return a request to end that Ctrl-C or a service manager sets.

    Call it before anything is opened, so that everything is closed in order.
    """
    stop = StopRequest()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    return stop
