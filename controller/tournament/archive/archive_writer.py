# SPDX-License-Identifier: MIT
"""
Write the archive of an event: a zip file that is the same to the byte for the same event.

So it holds neither the time at which it was made nor anything of the machine. Files are in a fixed
order: first the event's own journal, then the tables by their keys.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from controller.base.durable_files import create_file
from controller.base.errors import InputError
from controller.journal.hashchain import Entry, decode_checked
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_refs import list_references
from controller.journal.picture_store import PICTURE, PICTURES_FOLDER
from controller.journal.signing_key import PUBLIC_FILE, encode_public_key
from controller.journal.tlog.checkpoint_note import encode_tree_head, read_entry_note
from controller.journal.tlog.cosignature import attach_cosignature
from controller.journal.tlog.signed_note import SignedNote, encode_note
from controller.tournament.archive.event_source import EventSource, SourceJournal
from controller.tournament.archive.layout import (
    EVENT_FOLDER,
    FORKS_FILE,
    MANIFEST_NAME,
    NOTE_FILE,
    README_NAME,
    SEEN_FILE,
    ArchivedJournal,
    ArchiveManifest,
    encode_manifest,
    table_folder,
)
from controller.tournament.server.store.box_queries import StoredCosignature, read_picture

_EPOCH = (1980, 1, 1, 0, 0, 0)  # The earliest time that a zip file can name.
_README = """\
The archive of an event of dicebell. Check it:

    dicebell verify ARCHIVE

archive.json: the journals in it.
event: the event's own journal (who joined, which roll was opened, who chose what, rulings, the
result), its public key, and its newest checkpoint as a signed note.
tables/KEY: the journal of each table, byte for byte, its public key and its newest checkpoint.
event.note is the checkpoint of the event's journal that the table saw and cosigned last.
forks.jsonl holds other lines that it sent. pictures holds what its rolls were read from, by their
SHA-256.
"""


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    """What is in an archive: tables, lines of all journals, pictures, and its size in bytes."""

    tables: int
    lines: int
    pictures: int
    size_bytes: int


def make_archive(source: EventSource, target: Path, *, with_pictures: bool) -> ArchiveSummary:
    """Write a new file, complete or missing; InputError if the disk or the event refuses."""
    with create_file(target, "room for the archive") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = _ArchiveWriter(source, archive, with_pictures=with_pictures)
            writer.write_all()
    return replace(writer.summary, size_bytes=target.stat().st_size)


class _ArchiveWriter:
    def __init__(
        self, source: EventSource, archive: zipfile.ZipFile, *, with_pictures: bool
    ) -> None:
        self._source = source
        self._archive = archive
        self._with_pictures = with_pictures
        self._cosignatures = {each.box: each for each in source.list_cosignatures()}
        self._notes: dict[int, SignedNote] = {}
        self.summary = ArchiveSummary(0, 0, 0, 0)

    def write_all(self) -> None:
        journals = self._source.list_journals()
        own = next((each for each in journals if each.is_own), None)
        if own is None:
            raise InputError(expected="an event with a journal", found="none in its database")
        tables = [each for each in journals if not each.is_own]
        event = ArchivedJournal(own.key, "", own.lines)
        listed = tuple(ArchivedJournal(each.key, each.name, each.lines) for each in tables)
        manifest = ArchiveManifest(event, listed, self._with_pictures)
        self._write(README_NAME, _README.encode())
        self._write(MANIFEST_NAME, encode_manifest(manifest))
        self._write_event(own)
        for table in tables:
            self._write_table(table, own.key)
        lines = sum(each.lines for each in journals)
        self.summary = replace(self.summary, tables=len(tables), lines=lines)

    def _write_event(self, own: SourceJournal) -> None:
        sizes = {each.size for each in self._cosignatures.values()}
        for entry in self._write_journal(EVENT_FOLDER, own):
            note = read_entry_note(entry) if entry.seq in sizes else None
            if note is not None:
                self._notes[entry.seq] = note
        if own.note:
            self._write(EVENT_FOLDER + NOTE_FILE, own.note.encode())

    def _write_table(self, table: SourceJournal, own_key: str) -> None:
        folder = table_folder(table.key)
        digests: dict[str, None] = {}
        for entry in self._write_journal(folder, table):
            if self._with_pictures:
                digests |= dict.fromkeys(list_references(entry.body))
        if table.note:
            self._write(folder + NOTE_FILE, table.note.encode())
        if made := self._cosignatures.get(table.key):
            self._write(folder + SEEN_FILE, self._encode_seen(made, own_key))
        if forks := self._source.list_forks(table):
            self._write(folder + FORKS_FILE, b"".join(line + b"\n" for line in forks))
        for digest in digests:
            content = read_picture(self._source.connection, digest)
            if content is not None:
                name = f"{folder}{PICTURES_FOLDER}/{digest[:2]}/{digest}{PICTURE}"
                self._write(name, content, zipfile.ZIP_STORED)
                self.summary = replace(self.summary, pictures=self.summary.pictures + 1)

    def _write_journal(self, folder: str, journal: SourceJournal) -> Iterator[Entry]:
        """Yield the entries of a journal, each as soon as it is written."""
        self._write(folder + PUBLIC_FILE, encode_public_key(bytes.fromhex(journal.key)))
        with self._archive.open(_entry(folder + JOURNAL_FILE), "w", force_zip64=True) as file:
            for line in self._source.iter_lines(journal):
                file.write(line + b"\n")
                yield decode_checked(line)

    def _encode_seen(self, made: StoredCosignature, own_key: str) -> bytes:
        """Return the event's checkpoint that a table cosigned, as far as the event still has it."""
        text = encode_tree_head(bytes.fromhex(own_key), made.size, made.root)
        note = self._notes.get(made.size)
        if note is None or note.text != text:
            note = SignedNote(text, ())
        public = bytes.fromhex(made.box)
        return encode_note(attach_cosignature(note, public, made.cosignature)).encode()

    def _write(self, name: str, content: bytes, packing: int = zipfile.ZIP_DEFLATED) -> None:
        self._archive.writestr(_entry(name, packing), content)


def _entry(name: str, packing: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = packing
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
