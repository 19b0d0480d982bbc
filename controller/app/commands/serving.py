# SPDX-License-Identifier: MIT
"""What `demo` and `run` share: telling what was found, serving the kiosk, and when to end."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from controller.app.house import House, Opened
from webui.server import KioskServer


def say(line: str) -> None:
    """Tell a line at once, also when nobody sits at a terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell_begun(folder: Path, opened: Opened) -> None:
    """Tell what stood in the data folder, above all a line that had been torn."""
    if opened.torn:
        say(
            f"The last line of the journal in {folder} was torn ({len(opened.torn)} bytes) and"
            " has been cut; it had been confirmed to nobody."
        )
    if opened.entries:
        say(f"Entries found in the journal in {folder}: {opened.entries}.")


def serve_kiosk(kiosk: KioskServer, house: House, closing: contextlib.ExitStack) -> str:
    """
    Serve the kiosk until `closing` closes; streams end first, because the table does.

    Returns:
        A line that says where it is.

    Raises:
        InputError: The port is in use.
    """
    kiosk.start()
    closing.callback(kiosk.close)
    closing.callback(house.loop.close)
    return f"The kiosk is at {kiosk.url} (Ctrl-C ends)."


def stop_asked() -> threading.Event:
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
