# SPDX-License-Identifier: MIT
"""A folder that was made to take long, or to fill all memory, is told and comes to an end."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.journal.hashchain import build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.verify.bit_flips import (
    MAX_BYTES,
    find_bit_flip,
    find_lost_newline,
    find_spurious_newline,
)
from controller.verify.findings import FindingKind
from controller.verify.untrusted_files import (
    MAX_FILE_BYTES,
    MAX_LINE_BYTES,
    iter_lines_limited,
    read_limited,
)
from controller.verify.verify import verify_journal
from tests.controller.verify.journals import (
    SignedJournal,
    breaks_of,
    checked,
    laid,
    places_of,
    played,
)
from tests.support.random_journal import RandomGame

TOUCHING = b'{"a":1}x'
LINKS = b'"link":"' + b"0" * 64 + b'",'


@pytest.mark.parametrize("line", [TOUCHING * 100_000, TOUCHING * 2_000, b'{"a":"' + b'}x{"' * 900])
def test_a_line_of_nothing_but_entries_that_touch_is_no_lost_end(line: bytes) -> None:
    assert find_lost_newline(line) is None


def test_lines_too_long_for_one_entry_are_not_put_together() -> None:
    assert find_spurious_newline(TOUCHING * 100_000, TOUCHING * 100_000) is None


def test_a_line_of_nothing_but_links_has_no_flipped_bit() -> None:
    assert find_bit_flip(LINKS * (MAX_BYTES // len(LINKS))) is None


def test_a_line_longer_than_any_entry_does_not_stop_the_check(tmp_path: Path) -> None:
    lines = played(tmp_path).lines()
    # What it begins with is the entry that belongs there: it must not pass for it.
    lines[5] += b" " * (3 * MAX_LINE_BYTES)
    examined = checked(tmp_path, lines)
    assert places_of(examined)[0] == (FindingKind.NO_ENTRY, 6)
    assert breaks_of(examined)[0].found.startswith(f"more than {MAX_LINE_BYTES} bytes: ")
    assert examined.entries == len(lines)


def test_two_entries_that_begin_a_longer_line_are_not_found(tmp_path: Path) -> None:
    """What is kept of a line is one byte too long to be searched for a lost newline."""
    bare = len(encode_entry(build_next_entry(None, at_ms=0, kind="pause", body={"why": ""})))
    one, other = (
        encode_entry(build_next_entry(None, at_ms=0, kind="pause", body={"why": "x" * more}))
        for more in (MAX_BYTES - bare, MAX_BYTES - bare - 1)
    )
    parted = one + b"\x0b" + other
    assert len(parted) == 2 * MAX_BYTES
    for line, kind in ((parted, FindingKind.FLIPPED_BIT), (parted + b"x", FindingKind.NO_ENTRY)):
        assert places_of(checked(tmp_path, [line])) == [(kind, 1)]


def test_a_last_line_longer_than_any_entry_is_no_torn_one(tmp_path: Path) -> None:
    lines = played(tmp_path).lines()
    examined = checked(tmp_path, lines, tail=b"x" * (2 * MAX_LINE_BYTES))
    assert places_of(examined) == [(FindingKind.NO_ENTRY, len(lines) + 1)]


@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_line_is_read_whole_up_to_the_most_that_an_entry_has(more: int) -> None:
    line = b"x" * (MAX_LINE_BYTES - 1 + more)
    first, second = iter_lines_limited(io.BytesIO(line + b"\nshort"))
    assert first == line[: MAX_LINE_BYTES + 1] + b"\n"
    assert second == b"short"


def test_a_journal_that_is_a_device_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    for make in (os.mkfifo, lambda path: path.symlink_to("/dev/zero")):
        path = laid(tmp_path, []) / JOURNAL_FILE
        path.unlink()
        make(path)
        with pytest.raises(InputError, match="found Not a regular file"):
            verify_journal(tmp_path)


def rolled(folder: Path) -> tuple[Path, int]:
    """Return where the picture of a roll lies, and the line that names it."""
    journal, digest = (
        SignedJournal(TableKey.load_or_create(folder)),
        PictureStore(folder).store(b""),
    )
    RandomGame(journal, "wuerfelspiel", seed=3, mischief=0.0, picture=lambda: digest).play(1)
    journal.write(folder)
    place = next(i for i, entry in enumerate(journal.entries) if entry.kind == "roll")
    path = PictureStore(folder).picture_path(digest)
    path.unlink()
    return path, place + 1


@pytest.mark.parametrize("target", ["a pipe", "/dev/zero", "/"])
def test_a_picture_that_is_no_file_is_told_and_not_read(tmp_path: Path, target: str) -> None:
    path, line = rolled(tmp_path)
    os.mkfifo(path) if target == "a pipe" else path.symlink_to(target)
    examined = verify_journal(tmp_path)
    assert places_of(examined) == [(FindingKind.PICTURE_MISSING, line)]
    assert breaks_of(examined)[0].found == "not a regular file"


def test_a_picture_larger_than_any_is_told_and_not_read(tmp_path: Path) -> None:
    path, line = rolled(tmp_path)
    with open(path, "wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    examined = verify_journal(tmp_path)
    assert places_of(examined) == [(FindingKind.PICTURE_MISSING, line)]
    assert breaks_of(examined)[0].found == "file too large"


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "whole").write_bytes(b"picture" * 1000)
    assert read_limited(tmp_path / "whole") == b"picture" * 1000


def header(width_px: int, height_px: int) -> bytes:
    """Return how a JPEG of this size begins."""
    return b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height_px, width_px, 3) + bytes(9)


def test_a_picture_that_asks_for_all_memory_is_not_decoded(tmp_path: Path) -> None:
    journal = SignedJournal(TableKey.load_or_create(tmp_path))
    digest = PictureStore(tmp_path).store(b"\xff\xd8" + header(30_000, 30_000) + b"\xff\xd9")
    RandomGame(journal, "wuerfelspiel", seed=3, mischief=0.0, picture=lambda: digest).play(1)
    journal.write(tmp_path)
    (found,) = breaks_of(verify_journal(tmp_path))
    assert found.kind is FindingKind.READ_OTHERWISE
    assert found.found == "30000 x 30000 where at most 100 million pixels belongs"
