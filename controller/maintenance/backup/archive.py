# SPDX-License-Identifier: MIT
"""
The content of a backup: the data under `data/`, the settings, and a manifest of all digests.

The manifest lists every file of the archive with its size and its SHA-256, and the archive must
contain exactly these files. Names are untrusted. A name outside the data folder is refused, and so
is one that no backup contains: with a key in the archive, its maker could sign for the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from controller.access.api_tokens import FILE_NAME as TOKENS_FILE
from controller.access.box_key import FILE_NAME as BOX_KEY_FILE
from controller.access.login_memory import FILE_NAME as LOGINS_FILE
from controller.access.store import FILE_NAME as ACCESS_FILE
from controller.errors import InputError
from controller.history.index.store import INDEX_FILE
from controller.journal.continuity.restore_marker import MARKER_FILE
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.journal import LOCK_FILE
from controller.journal.signing_key import PRIVATE_FILE
from controller.mqtt.sent_marker import FILE_NAME as BROKER_FILE

FORMAT = 1
MANIFEST_NAME = "manifest.json"
SETTINGS_NAME = "settings.toml"
DATA_PREFIX = "data/"
UNFINISHED = ".part"
OF_THIS_BOX = (ACCESS_FILE, LOGINS_FILE, TOKENS_FILE, PRIVATE_FILE, MEMORY_FILE)
"""Files of the box, not of its games. A lost backup must not reveal them, a foreign backup must not
replace them, and an older one must not make the table forget what it signed."""
NEVER_ARCHIVED = frozenset(
    {
        *(*OF_THIS_BOX, BOX_KEY_FILE, LOCK_FILE, MARKER_FILE),
        *(INDEX_FILE, BROKER_FILE),
    }
)

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """
    One file of a backup.

    Attributes:
        size: Its bytes.
        sha256: Their digest.
    """

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """
    The manifest of a backup.

    Attributes:
        software: What made it, such as `dicebell 0.1.0`.
        made_at: When, as ISO 8601 in UTC.
        items: Every file except the manifest, by its name in the archive.
    """

    software: str
    made_at: str
    items: Mapping[str, ArchivedFile]


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as text for `parse_manifest`."""
    files = {name: asdict(item) for name, item in sorted(manifest.items.items())}
    body = {"dicebell_backup": FORMAT, "software": manifest.software, "made_at": manifest.made_at}
    return json.dumps({**body, "files": files}, indent=1)


def parse_manifest(text: str) -> Manifest:
    """
    Read a manifest.

    Raises:
        InputError: It is not a manifest, its format is unknown, or it names a file that a
            backup must not contain.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(expected="JSON", found=str(error), where=MANIFEST_NAME) from error
    told = body.get("dicebell_backup") if isinstance(body, dict) else None
    if told != FORMAT or isinstance(told, bool):
        found = "another" if told is None else f"format {told}"
        expected = f"a backup of dicebell in format {FORMAT}"
        raise InputError(expected=expected, found=found, where=MANIFEST_NAME)
    files = body.get("files")
    if not isinstance(files, dict):
        raise InputError(expected="its files", found="none", where=MANIFEST_NAME)
    items = {require_name(name): _parse_file(name, raw) for name, raw in files.items()}
    return Manifest(str(body.get("software")), str(body.get("made_at")), items)


def is_archived(name: str) -> bool:
    """Return whether a backup contains files with this name, in any folder."""
    is_hidden = name.startswith(".") or name.endswith(UNFINISHED)
    return not is_hidden and name not in NEVER_ARCHIVED


def require_name(name: str) -> str:
    """
    Return the name of a file in a backup, which decides where it is restored.

    Raises:
        InputError: It leaves the data folder, or no backup contains it.
    """
    parts = name.removeprefix(DATA_PREFIX).split("/")
    is_inside = name.startswith(DATA_PREFIX) and not {"", ".", ".."} & set(parts)
    if name != SETTINGS_NAME and not (is_inside and name.isprintable() and "\\" not in name):
        expected = "files that stay in the data folder"
        raise InputError(expected=expected, found=ascii(name), where=MANIFEST_NAME)
    if not (is_archived(parts[-1]) and not any(part.startswith(".") for part in parts)):
        expected = "only files of games, settings and calibration"
        raise InputError(expected=expected, found=ascii(name), where=MANIFEST_NAME)
    return name


def _parse_file(name: str, raw: object) -> ArchivedFile:
    size, sha256 = (raw.get("size"), raw.get("sha256")) if isinstance(raw, dict) else (None, None)
    is_size = isinstance(size, int) and not isinstance(size, bool) and size >= 0
    if not (is_size and isinstance(sha256, str) and _DIGEST.fullmatch(sha256)):
        expected = f"size and sha256 of {name!a}"
        raise InputError(expected=expected, found=ascii(raw)[:100], where=MANIFEST_NAME)
    assert isinstance(size, int)
    return ArchivedFile(size, sha256)
