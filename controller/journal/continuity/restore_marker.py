# SPDX-License-Identifier: MIT
"""
A note that a backup was restored, kept beside the key until the next start journals it.

So the restored journal itself stays byte for byte that of the backup, and kept checkpoints and
copies elsewhere still match it. No backup contains the note.
"""

from __future__ import annotations

import json
from pathlib import Path

from controller.base.durable_files import BAD_JSON, PRIVATE, atomic_write, read_json
from controller.journal.hashchain import Body, encode_canonical

MARKER_FILE = "table.restored"
RESTORED = "restored"  # The kind of the entry about data that was restored from a backup.
_KEYS = ("made_at", "software")
_MAX_CHARACTERS = 200


def save_marker(folder: Path, *, made_at: str, software: str) -> None:
    """Note that a backup was restored; both texts are its own. OSError if the disk refuses."""
    said = {"made_at": made_at[:_MAX_CHARACTERS], "software": software[:_MAX_CHARACTERS]}
    atomic_write(folder / MARKER_FILE, json.dumps(said).encode() + b"\n", mode=PRIVATE)


def load_marker(folder: Path) -> Body | None:
    """Return the fields of the entry about a restore; `None` if there was no restore."""
    try:
        said = read_json(folder / MARKER_FILE)
        body = {key: str(said[key])[:_MAX_CHARACTERS] for key in _KEYS}
        encode_canonical(body)
    except OSError:
        return None
    except BAD_JSON:
        return dict.fromkeys(_KEYS, "")
    return body


def remove_marker(folder: Path) -> None:
    """Remove the note once journalled, or the next start does it again; OSError if refused."""
    (folder / MARKER_FILE).unlink(missing_ok=True)
