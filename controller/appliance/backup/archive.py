# SPDX-License-Identifier: MIT
"""
The content of a backup: the data under `data/`, the settings, and a manifest of all digests.

The manifest lists every file of the archive with its size and its SHA-256, and the archive must
contain exactly these files. Names are untrusted. A name outside the data folder is refused, and so
is one that no backup contains: with a key in the archive, its maker could sign for the table.
The table's key signs the manifest, so a machine knows its own backups.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from controller.appliance.backup.data_files import SETTINGS_NAME, was_archived
from controller.base.errors import InputError
from controller.base.strict_json import parse_json
from controller.journal.hashchain import encode_canonical
from controller.journal.signing_key import TableKey, verify_signature

FORMAT = 1
MANIFEST_NAME = "manifest.json"
DATA_PREFIX = "data/"

_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    size: int  # Its bytes.
    sha256: str  # Their digest.


@dataclass(frozen=True, slots=True)
class Manifest:
    software: str  # What made it, such as `dicebell 0.1.0`.
    made_at: str  # When, as ISO 8601 in UTC.
    items: Mapping[str, ArchivedFile]  # Every file except the manifest, by its name in the archive.
    # By the key of the table, in hexadecimal; empty if it had none, and in backups of earlier
    # versions.
    signature: str = ""

    def sign(self, key: TableKey) -> Manifest:
        return replace(self, signature=key.sign(self._encode_signed()).hex())

    def is_signed_by(self, key: TableKey) -> bool:
        try:
            signature, signed = bytes.fromhex(self.signature), self._encode_signed()
        except (ValueError, TypeError):
            return False
        return verify_signature(key.public, signature, signed)

    def _encode_signed(self) -> bytes:
        files = {name: asdict(item) for name, item in self.items.items()}
        head = {"what": "dicebell backup", "software": self.software, "made_at": self.made_at}
        return encode_canonical({**head, "files": files})


def manifest_text(manifest: Manifest) -> str:
    files = {name: asdict(item) for name, item in sorted(manifest.items.items())}
    body = {"dicebell_backup": FORMAT, "software": manifest.software, "made_at": manifest.made_at}
    signed = {"signature": manifest.signature} if manifest.signature else {}
    return json.dumps({**body, **signed, "files": files}, indent=1)


def parse_manifest(text: str) -> Manifest:
    """Read a manifest; InputError if it is none, or names a file that no backup may contain."""
    try:
        body = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise InputError(expected="JSON", found=str(error), where=MANIFEST_NAME) from error
    version = body.get("dicebell_backup") if isinstance(body, dict) else None
    if version != FORMAT or isinstance(version, bool):
        found = "another" if version is None else f"format {version}"
        expected = f"a backup of dicebell in format {FORMAT}"
        raise InputError(expected=expected, found=found, where=MANIFEST_NAME)
    files = body.get("files")
    if not isinstance(files, dict):
        raise InputError(expected="its files", found="none", where=MANIFEST_NAME)
    items = {require_name(name): _parse_file(name, raw) for name, raw in files.items()}
    signature = str(body.get("signature", ""))
    return Manifest(str(body.get("software")), str(body.get("made_at")), items, signature)


def require_name(name: str) -> str:
    """Return a name, which decides where the file is restored; InputError if none may have it."""
    path = name.removeprefix(DATA_PREFIX)
    is_inside = name.startswith(DATA_PREFIX) and not {"", ".", ".."} & set(path.split("/"))
    if name != SETTINGS_NAME and not (is_inside and name.isprintable() and "\\" not in name):
        expected = "files that stay in the data folder"
        raise InputError(expected=expected, found=ascii(name), where=MANIFEST_NAME)
    if not was_archived(path):
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
