# SPDX-License-Identifier: MIT
"""What `demo` and `run` share: telling what was found, serving the kiosk, and when to end."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import signal
import sys
import threading
from importlib.metadata import version
from pathlib import Path
from types import FrameType

from controller.logs import log_event, logger
from controller.runtime.table import StartSummary, TableRuntime
from webui.server import KioskServer

_LOG = logger("app")


def print_line(line: str) -> None:
    """Tell a line at once, also when nobody sits at a terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_startup(folder: Path, opened: StartSummary) -> None:
    """Tell what stood in the data folder, above all a line that had been torn."""
    if opened.torn:
        print_line(
            f"The last line of the journal in {folder} was torn ({len(opened.torn)} bytes) and"
            " has been cut; it had been confirmed to nobody."
        )
    if opened.entries:
        print_line(f"Entries found in the journal in {folder}: {opened.entries}.")


def log_start(folder: Path, opened: StartSummary, *, settings: str = "") -> None:
    """Log that the table starts: with which program and settings, and what it found."""
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
    """Log that the table ends because it was asked to."""
    log_event(_LOG, logging.INFO, "stop")


def serve_kiosk(kiosk: KioskServer, runtime: TableRuntime, closing: contextlib.ExitStack) -> str:
    """
    Serve the kiosk until `closing` closes; streams end first, because the table does.

    Returns:
        A line that says where it is.

    Raises:
        InputError: The port is in use.
    """
    kiosk.start()
    closing.callback(kiosk.close)
    closing.callback(runtime.loop.close)
    return f"The kiosk is at {kiosk.url} (Ctrl-C ends)."


def install_stop_handler() -> threading.Event:
    """
    Return what is set once the process is asked to end, by Ctrl-C or by a service manager.

    Ask for it before anything is opened: from then on everything is closed in good order.
    """
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
    return stop
