# SPDX-License-Identifier: MIT
"""A bit that flips anywhere in a journal is found, and told as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal.journal import JOURNAL_FILE
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.verify import verify_journal
from tests.controller.verify.journals import SignedJournal, breaks_of, played


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SignedJournal]:
    """A journal of a few entries of all lengths: a game, a roll, an action, checkpoints."""
    folder = tmp_path_factory.mktemp("small")
    journal = played(folder, events=2)
    journal.write(folder)
    return folder, journal


def assert_told(folder: Path, content: bytes, place: int, bit: int) -> None:
    with flipped(folder, content, place, bit):
        found = breaks_of(verify_journal(folder, rereads=False))
    flips = [finding for finding in found if finding.kind is FindingKind.FLIPPED_BIT]
    assert [flip.line for flip in flips] == [content.count(b"\n", 0, place) + 1], f"byte {place}"
    at = place - (content.rfind(b"\n", 0, place) + 1)
    assert flips[0].found.startswith(f"byte {at} is 0x"), f"byte {place}"


@contextmanager
def flipped(folder: Path, content: bytes, place: int, bit: int) -> Iterator[None]:
    """Have one bit of the journal flipped for a while."""
    with open(folder / JOURNAL_FILE, "r+b", buffering=0) as file:
        for byte in (content[place] ^ (1 << bit), content[place]):
            file.seek(place)
            file.write(bytes([byte]))
            if byte != content[place]:
                yield


@pytest.mark.long
def test_a_bit_flipped_in_any_byte_is_found_and_told(small: tuple[Path, SignedJournal]) -> None:
    folder, journal = small
    content = journal.text()
    for place in range(len(content)):
        assert_told(folder, content, place, place % 8)


@pytest.mark.parametrize("bit", range(8))
def test_every_bit_of_a_byte_counts(small: tuple[Path, SignedJournal], bit: int) -> None:
    folder, journal = small
    content = journal.text()
    for place in range(bit, len(content), 61):
        assert_told(folder, content, place, bit)


def test_a_letter_that_became_a_line_end_is_told(tmp_path: Path) -> None:
    journal = SignedJournal(TableKey.load_or_create(tmp_path), name="J")
    journal.write(tmp_path)
    content = journal.text()
    assert_told(tmp_path, content, content.index(b'"J"') + 1, 6)


def test_what_was_written_is_told(small: tuple[Path, SignedJournal]) -> None:
    folder, journal = small
    content = journal.text()
    place = content.index(b'"kind":"roll"') + len(b'"kind":"r')
    with flipped(folder, content, place, 0):
        (flip, *_) = breaks_of(verify_journal(folder, rereads=False))
    assert "0x6e ('n')" in flip.found
    assert flip.expected == "0x6f ('o')"
    assert "By their numbers one entry belongs between them." in flip.neighbours
