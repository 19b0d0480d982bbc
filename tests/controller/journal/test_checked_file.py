# SPDX-License-Identifier: MIT
"""What a start checks of a journal, and what of it the table signed before."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.journal import hashchain
from controller.journal.continuity import checked_file
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.journal.signing_key import TableKey


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A journal of ten rolls, of which the first eight are signed."""
    journal, _ = Journal.open(tmp_path)
    for number in range(10):
        if number == 8:
            journal.checkpoint(TableKey.load_or_create(tmp_path))
        journal.append("roll", {"number": number})
    journal.close()
    return tmp_path


def flip(data: Path, line: int) -> None:
    """Change one digit of a line, counted from 0."""
    path = data / JOURNAL_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"kind":"roll"', b'"kind":"rolL"')
    path.write_bytes(b"".join(lines))


def read_numbers(data: Path) -> list[object]:
    journal, found = Journal.open(data)
    journal.close()
    assert len(found.entries) == len(list(found.entries))
    return [entry.body["number"] for entry in found.entries if entry.kind == "roll"]


def test_only_lines_after_the_signed_ones_are_checked_one_by_one(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[bytes] = []

    def parse(line: bytes, before: hashchain.Entry | None) -> hashchain.Entry:
        checked.append(line)
        return hashchain.parse_entry(line, before)

    monkeypatch.setattr(checked_file, "parse_entry", parse)
    assert read_numbers(data) == list(range(10))
    assert checked == (data / JOURNAL_FILE).read_bytes().splitlines()[8:]
    checked.clear()
    (data / MEMORY_FILE).unlink()
    assert read_numbers(data) == list(range(10))
    assert checked == (data / JOURNAL_FILE).read_bytes().splitlines()


@pytest.mark.parametrize("line", [0, 4, 7, 9, 10])
def test_a_changed_byte_is_found_wherever_it_stands(data: Path, line: int) -> None:
    flip(data, line)
    broken = (data / JOURNAL_FILE).read_bytes()
    with pytest.raises(InputError, match=rf"line {line + 1}: expected an unbroken journal"):
        Journal.open(data)
    assert (data / JOURNAL_FILE).read_bytes() == broken


def test_a_chain_continues_from_the_signed_entries(data: Path) -> None:
    before = (data / JOURNAL_FILE).read_bytes()
    journal, _ = Journal.open(data)
    entry = journal.append("roll", {"number": 10})
    made = journal.checkpoint(TableKey.load_or_create(data))
    journal.close()
    assert entry.seq == 11
    assert (data / JOURNAL_FILE).read_bytes().startswith(before)
    (data / MEMORY_FILE).unlink()
    again, found = Journal.open(data)
    again.close()
    assert (made.size, len(found.entries), found.entries.signed) == (12, 13, 0)


def test_a_torn_line_after_signed_ones_is_cut_off(data: Path) -> None:
    path = data / JOURNAL_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"at_ms":')
    journal, found = Journal.open(data)
    journal.close()
    assert (found.torn, path.read_bytes()) == (b'{"at_ms":', whole)
