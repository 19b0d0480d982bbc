# SPDX-License-Identifier: MIT
"""
The server that a table has joined: its address and its key, in a file of the data folder.

The key was vouched for by the code. Whoever answers at the address with another key gets no line.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from controller.base.durable_files import (
    BAD_JSON,
    PRIVATE,
    fsync_folder,
    read_regular_file,
    write_json,
)
from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.strict_json import parse_json
from controller.journal.picture_refs import is_digest

FILE_NAME = "tournament.json"
_MOST_BYTES = 10_000


@dataclass(frozen=True, slots=True)
class PinnedServer:
    """The server of a tournament as its table knows it."""

    address: str  # Where it is, such as http://192.168.0.10:8090.
    key: str  # Its key in hexadecimal.
    name: str  # The name under which it knows this table.


def load_pin(folder: Path) -> PinnedServer | None:
    """Return the server that a table has joined, None for none; InputError for a damaged file."""
    path = folder / FILE_NAME
    try:
        found = parse_json(read_regular_file(path, _MOST_BYTES))
        server = PinnedServer(str(found["address"]), str(found["key"]), str(found["name"]))
    except FileNotFoundError:
        return None
    except BAD_JSON as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else "other content"
        raise InputError(expected=_EXPECTED, found=why, where=str(path)) from error
    if not is_digest(server.key):
        raise InputError(expected=_EXPECTED, found="no key", where=str(path))
    try:
        parse_address(server.address)
    except InputError as error:
        raise error.at(str(path)) from error
    return server


def save_pin(folder: Path, server: PinnedServer) -> None:
    """Write the server to a data folder; OSError if the disk refuses."""
    write_json(folder / FILE_NAME, asdict(server), mode=PRIVATE)


def remove_pin(folder: Path) -> None:
    """Forget the server; OSError if the disk refuses."""
    (folder / FILE_NAME).unlink(missing_ok=True)
    fsync_folder(folder)


def parse_address(text: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port; InputError if it is no address, or has a path."""
    try:
        found = urlsplit(text.strip().rstrip("/"))
        parts = found.scheme, found.hostname or "", found.port
    except ValueError:
        parts = "", "", None
        found = urlsplit("")
    is_bare = not (found.path or found.query or found.fragment or found.username)
    if parts[0] not in ("http", "https") or not parts[1] or not is_bare or not text.isprintable():
        raise InputError(
            expected=message("an address such as http://192.168.0.10:8090"), found=repr(text[:200])
        )
    return parts


_EXPECTED = "a file written by dicebell; leaving the tournament on the service page removes it"
