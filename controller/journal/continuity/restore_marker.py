# SPDX-License-Identifier: MIT
"""
A note that a backup was restored, kept beside the key until the next start journals it.

So the restored journal itself stays byte for byte that of the backup, and kept checkpoints and
copies elsewhere still match it. No backup contains the note.
"""

from __future__ import annotations

import json
from pathlib import Path

from controller.base.durable_files import PRIVATE, atomic_write, open_regular_file
from controller.base.strict_json import parse_json
from controller.journal.hashchain import Body, encode_canonical

MARKER_FILE = "table.restored"
RESTORED = "restored"  # The kind of the entry about data that was restored from a backup.
_KEYS = ("made_at", "software")
_MAX_BYTES = 4096
_MAX_CHARACTERS = 200


def save_marker(folder: Path, *, made_at: str, software: str) -> None:
    """
    Note that a backup was restored to a data folder; both texts are the backup's own.

    Raises:
        OSError: The disk refuses.
    """
    said = {"made_at": made_at[:_MAX_CHARACTERS], "software": software[:_MAX_CHARACTERS]}
    atomic_write(folder / MARKER_FILE, json.dumps(said).encode() + b"\n", mode=PRIVATE)


def load_marker(folder: Path) -> Body | None:
    """Return the fields of the entry about a restore; `None` if there was no restore."""
    try:
        with open(open_regular_file(folder / MARKER_FILE), "rb") as file:
            content = file.read(_MAX_BYTES)
    except OSError:
        return None
    try:
        said = parse_json(content)
        body = {key: str(said[key])[:_MAX_CHARACTERS] for key in _KEYS}
        encode_canonical(body)
    except (ValueError, LookupError, TypeError, RecursionError):
        return dict.fromkeys(_KEYS, "")
    return body


def remove_marker(folder: Path) -> None:
    """
    Remove the note once its entry is written; otherwise the next start journals it again.

    Raises:
        OSError: The disk refuses.
    """
    (folder / MARKER_FILE).unlink(missing_ok=True)
