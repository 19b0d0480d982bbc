# SPDX-License-Identifier: MIT
"""The newest checkpoint of a table is a note with the cosignatures under it, and fits one code."""

from __future__ import annotations

from pathlib import Path

from controller.base.qr_code import render_qr_svg
from controller.journal.entry_reader import EntryReader
from controller.journal.journal import JOURNAL_FILE
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import (
    derive_origin,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.cosignature import (
    find_cosignature,
    read_newest_note,
)
from controller.journal.tlog.signed_note import encode_note, parse_note
from tests.support.painted_code import read_code
from tests.support.recorded_event import RecordedTable


def read_note_of(table: RecordedTable, folder: Path) -> str | None:
    table.write(folder)
    path = folder / JOURNAL_FILE
    note = read_newest_note(EntryReader(path, lambda: path.stat().st_size))
    return encode_note(note) if note else None


def test_the_newest_note_has_its_cosignature_and_fits_a_code(tmp_path: Path) -> None:
    (tmp_path / "event").mkdir()
    table, event = RecordedTable(tmp_path / "table"), TableKey.load_or_create(tmp_path / "event")
    assert read_note_of(table, tmp_path) is None
    table.sign()
    table.add_cosigned(event, "00" * 32)
    text = read_note_of(table, tmp_path)
    assert text is not None
    note = parse_note(text.encode())
    head = parse_tree_head(note)
    assert head.size == 2
    # The cosignature of another root does not count.
    assert len(note.signatures) == 1
    table.entries.pop()
    table.add_cosigned(event)
    table.add("pause")
    text = read_note_of(table, tmp_path)
    assert text is not None
    note = parse_note(text.encode())
    assert is_signed_by(note, derive_origin(table.key.public), table.key.public)
    found = find_cosignature(note, derive_origin(event.public), event.public)
    assert found is not None
    assert found[0] == 5
    assert read_code(render_qr_svg(text)) == text
