# SPDX-License-Identifier: MIT
"""
What is where in the archive of an event; docs/desk.md describes it.

The folder of a table is like its data folder, so `dicebell verify` also checks an unpacked one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.base.strict_json import parse_json
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_refs import is_digest
from controller.journal.picture_store import PICTURES_FOLDER
from controller.journal.signing_key import PUBLIC_FILE

FORMAT = 1
README_NAME = "README.txt"
MANIFEST_NAME = "archive.json"
EVENT_FOLDER = "event/"
NOTE_FILE = "checkpoint.note"
SEEN_FILE = "event.note"  # The checkpoint of the event's own journal that a table cosigned last.
FORKS_FILE = "forks.jsonl"

_IN_TABLE = "|".join(
    [
        *(
            re.escape(name)
            for name in (JOURNAL_FILE, PUBLIC_FILE, NOTE_FILE, SEEN_FILE, FORKS_FILE)
        ),
        rf"{PICTURES_FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{64}}\.jpg",
    ]
)
_NAME = re.compile(
    rf"{re.escape(README_NAME)}|{re.escape(MANIFEST_NAME)}"
    rf"|{EVENT_FOLDER}({re.escape(JOURNAL_FILE)}|{PUBLIC_FILE}|{re.escape(NOTE_FILE)})"
    rf"|tables/[0-9a-f]{{64}}/({_IN_TABLE})"
)


@dataclass(frozen=True, slots=True)
class ArchivedJournal:
    """A journal in an archive: its key in hexadecimal, its name, and its number of lines."""

    key: str
    name: str
    lines: int


@dataclass(frozen=True, slots=True)
class ArchiveManifest:
    """What an archive says of itself."""

    event: ArchivedJournal  # The event's own journal; its name is empty.
    tables: tuple[ArchivedJournal, ...]  # The journals of the tables, by key.
    has_pictures: bool


def table_folder(key: str) -> str:
    return f"tables/{key}/"


def is_archive_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def encode_manifest(manifest: ArchiveManifest) -> bytes:
    """Return a manifest as it is written, in one spelling."""
    body = {
        "dicebell_archive": FORMAT,
        "event": {"key": manifest.event.key, "lines": manifest.event.lines},
        "tables": [
            {"key": table.key, "name": table.name, "lines": table.lines}
            for table in manifest.tables
        ],
        "pictures": manifest.has_pictures,
    }
    return f"{json.dumps(body, indent=1, sort_keys=True, ensure_ascii=False)}\n".encode()


def parse_manifest(content: bytes) -> ArchiveManifest:
    """Read a manifest; InputError if it is none, or of a later format."""
    try:
        body = parse_json(content)
        told = body["dicebell_archive"]
        if type(told) is int and told != FORMAT:
            expected = f"an archive in format {FORMAT}"
            raise InputError(expected=expected, found=f"format {told}", where=MANIFEST_NAME)
        tables = tuple(_parse_journal(table, str(table["name"])) for table in body["tables"])
        manifest = ArchiveManifest(_parse_journal(body["event"], ""), tables, body["pictures"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise _manifest_error("something else") from error
    keys = [table.key for table in tables]
    if type(manifest.has_pictures) is not bool or len({*keys, manifest.event.key}) <= len(keys):
        raise _manifest_error("one key twice, or no word on pictures")
    return manifest


def _parse_journal(told: dict[str, object], name: str) -> ArchivedJournal:
    key, lines = told["key"], told["lines"]
    if not is_digest(key) or type(lines) is not int or lines < 0:
        raise _manifest_error("a journal without a key or a number of lines")
    return ArchivedJournal(key, name, lines)


def _manifest_error(found: str) -> InputError:
    expected = "the list of journals in an archive of `dicebell archive`"
    return InputError(expected=expected, found=found, where=MANIFEST_NAME)
