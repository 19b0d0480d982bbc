# SPDX-License-Identifier: MIT
"""Another thread reads entries of a journal that grows, wherever they are in the file."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Entry
from controller.journal.journal import JOURNAL_FILE, Journal

COUNT = 400


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    monkeypatch.setattr(os, "fsync", lambda file: None)
    journal, _ = Journal.open(tmp_path)
    yield journal
    journal.close()


def reader_of(journal: Journal) -> EntryReader:
    return EntryReader(journal.folder / JOURNAL_FILE, lambda: journal.size_bytes)


def write(journal: Journal, count: int = COUNT) -> list[Entry]:
    """Write entries of all lengths, some longer than two blocks."""
    chance = random.Random(1)
    lengths = (chance.choice((1, 10, 300)) if number % 97 else 150_000 for number in range(count))
    return [journal.append("x", {"text": "a" * length}) for length in lengths]


def test_every_entry_is_found_by_its_number(journal: Journal) -> None:
    reader = reader_of(journal)
    assert (reader.newest(), reader.read(0)) == (None, None)
    entries = write(journal)
    assert [reader.read(number) for number in range(COUNT)] == entries
    assert (reader.read(COUNT), reader.read(-1)) == (None, None)
    assert list(reader.read_from(COUNT - 9)) == entries[-9:]
    assert list(reader.read_back()) == entries[::-1]
    assert list(reader.read_back(70)) == entries[69::-1]


def test_a_cursor_misses_nothing_and_reads_no_unfinished_line(journal: Journal) -> None:
    entries = write(journal, 5)
    reader = reader_of(journal)
    cursor, behind = reader.follow(5), reader.follow(3)
    assert cursor.read_more(9) == ()
    with (journal.folder / JOURNAL_FILE).open("ab") as file:
        file.write(b'{"half')
    assert cursor.read_more(9) == ()
    assert behind.read_more(1) == (entries[3],)
    after = journal.append("x", {})
    assert cursor.read_more(9) == (after,)
    assert behind.read_more(9) == (entries[4], after)


def test_batches_have_a_size_and_miss_nothing(journal: Journal) -> None:
    write(journal, 100)
    reader, offset, batches = reader_of(journal), 0, []
    while reader.has_more(offset):
        lines, offset = reader.read_lines(offset, most_bytes=2000)
        batches.append(lines)
    written = (journal.folder / JOURNAL_FILE).read_bytes().splitlines()
    assert [line for lines in batches for line in lines] == written
    sizes = [sum(len(line) + 1 for line in lines) for lines in batches]
    assert all(size <= 2000 or len(lines) == 1 for size, lines in zip(sizes, batches, strict=True))
    assert max(map(len, batches)) > 1
    assert reader.read_lines(reader.find_offset(100), most_bytes=2000) == ([], offset)
