# SPDX-License-Identifier: MIT
"""
Shared by `demo`, `run` and `desk`: tighten secrets, print and log the start, serve the kiosk.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
from importlib.metadata import version
from pathlib import Path

from controller.base.durable_files import tighten
from controller.base.logs import Log
from controller.cli.arguments import print_line
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
from vision.image_files import limit_to_one_thread
from webui.server import KioskServer

_LOG = Log("app")


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_LARGE_BYTES = 8 * 1024 * 1024  # A picture of 1920x1080 has 6.2 MB.
_LARGEST_BYTES = 32 * 1024 * 1024  # The C library takes no larger ones; one of 3840x2160 has 25 MB.
_BESIDES_BYTES = 64 * 1024  # What a block of memory has besides its picture, amply.
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


def spare_the_machine(picture_bytes: int = 0) -> None:
    """
    Let this process keep little memory that is free, and few threads; call it before threads start.

    It keeps the memory of pictures too, if a picture has `picture_bytes`.

    By default the C library keeps blocks as large as the largest one that was ever freed, in an
    arena for each of many threads: 65 MB of a table's memory that hold nothing. If it returned
    every picture, half of an idle table's time went into new pages. OpenCV's threads spin before
    they sleep, at every picture.
    """
    limit_to_one_thread()
    with contextlib.suppress(OSError, AttributeError):  # no mallopt: not a glibc
        set_option = ctypes.CDLL(None).mallopt
        large = min(max(picture_bytes + _BESIDES_BYTES, _LARGE_BYTES), _LARGEST_BYTES)
        set_option(_M_TRIM_THRESHOLD, 2 * large)
        set_option(_M_MMAP_THRESHOLD, large)
        set_option(_M_ARENA_MAX, _ARENAS)


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
    _LOG.info(
        "start",
        version=version("dicebell"),
        settings=digest if settings else "none",
        data=str(folder),
        entries=opened.entries,
        torn_bytes=len(opened.torn),
    )


def log_stop() -> None:
    _LOG.info("stop")


def serve_kiosk(kiosk: KioskServer, runtime: TableRuntime, closing: contextlib.ExitStack) -> str:
    """
    Serve the kiosk until `closing` closes, the journal first; return a line with its address.

    InputError if the port is in use.
    """
    kiosk.start()
    closing.callback(kiosk.close)
    closing.callback(runtime.close_journal)
    public = f" Others use port {kiosk.port}." if kiosk.has_public_port else ""
    return f"The kiosk is at {kiosk.url} (Ctrl-C ends).{public}"
