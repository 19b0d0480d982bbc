# SPDX-License-Identifier: MIT
"""The journal keeps what was confirmed, cuts only what was torn, and refuses the rest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.journal.checkpoint import decode_checkpoint, encode_for_signing
from controller.journal.journal import JOURNAL_FILE, LOCK_FILE, Journal, lock_folder, read_journal
from controller.journal.signing_key import TableKey, verify_signature
from tests.support.chains import compute_root
from tests.support.full_disk import no_file_larger_than


def written(folder: Path, *rolls: str) -> Path:
    journal, _ = Journal.open(folder)
    for roll in rolls:
        journal.append("roll", {"roll": roll})
    journal.close()
    return folder / JOURNAL_FILE


def rolls_in(folder: Path) -> list[object]:
    return [entry.body["roll"] for entry in read_journal(folder).entries]


def test_a_line_torn_at_any_byte_is_cut_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, "11111", "22222")
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for size in range(first + 1, len(whole)):
        path.write_bytes(whole[:size])
        journal, found = Journal.open(tmp_path)
        journal.append("roll", {"roll": "44444"})
        journal.close()
        assert found.torn == whole[first:size]
        assert rolls_in(tmp_path) == ["11111", "44444"]


def test_a_second_table_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    with pytest.raises(InputError, match="no other table"):
        Journal.open(tmp_path)
    journal.close()
    Journal.open(tmp_path)[0].close()


def test_a_refused_opening_lets_the_folder_go(tmp_path: Path) -> None:
    path = written(tmp_path, "11111")
    whole = path.read_bytes()
    path.write_bytes(b"no entry\n")
    with pytest.raises(InputError):
        Journal.open(tmp_path)
    path.write_bytes(whole)
    Journal.open(tmp_path)[0].close()


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match="expected a data folder that can be written"):
        Journal.open(tmp_path / "file" / "data")


def test_a_journal_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a journal that can be read"):
        read_journal(tmp_path)


def test_nothing_is_written_into_a_deleted_journal(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    last = journal.append("roll", {"roll": "11111"})
    (tmp_path / JOURNAL_FILE).unlink()
    with pytest.raises(FileNotFoundError, match="journal was deleted"):
        journal.append("roll", {"roll": "22222"})
    assert journal.last_entry == last
    journal.close()


def test_a_full_disk_leaves_the_journal_as_it_was(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("roll", {"roll": "11111"})
    size = (tmp_path / JOURNAL_FILE).stat().st_size
    with no_file_larger_than(size + 20), pytest.raises(OSError, match="too large"):
        journal.append("roll", {"roll": "22222"})
    assert os.path.getsize(tmp_path / JOURNAL_FILE) == size
    journal.append("roll", {"roll": "33333"})
    journal.close()
    assert rolls_in(tmp_path) == ["11111", "33333"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for somebody else")
def test_a_lock_made_by_root_belongs_to_the_folders_owner(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12345)
    os.close(lock_folder(tmp_path))
    assert (tmp_path / LOCK_FILE).stat().st_uid == 12345


def lines_of(folder: Path) -> list[bytes]:
    return (folder / JOURNAL_FILE).read_bytes().splitlines()


def test_a_checkpoint_covers_all_lines_before_it_at_its_own_time(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    journal, _ = Journal.open(tmp_path, now_ms=iter(range(100, 200)).__next__)
    for roll in ("11111", "22222"):
        journal.append("roll", {"roll": roll})
    made = journal.checkpoint(key)
    journal.append("roll", {"roll": "33333"})
    journal.close()
    entry = read_journal(tmp_path).entries[2]
    assert (entry.kind, entry.seq, entry.at_ms) == ("checkpoint", made.size, made.at_ms)
    assert decode_checkpoint(entry.body, at_ms=entry.at_ms) == (made, key.public)
    assert made.root == compute_root(lines_of(tmp_path)[:2])
    signed = encode_for_signing(size=2, root=made.root, at_ms=102)
    assert verify_signature(key.public, made.signature, signed)


def test_a_checkpoint_after_a_restart_covers_older_entries_too(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    path = written(tmp_path, "11111", "22222")
    with path.open("ab") as file:
        file.write(b"torn")
    journal, _ = Journal.open(tmp_path)
    journal.append("roll", {"roll": "33333"})
    assert journal.checkpoint(key).root == compute_root(lines_of(tmp_path)[:3])
    second = journal.checkpoint(key)
    journal.close()
    assert (second.size, second.root) == (4, compute_root(lines_of(tmp_path)[:4]))


def test_a_checkpoint_without_room_changes_nothing(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    journal, _ = Journal.open(tmp_path)
    journal.append("roll", {"roll": "11111"})
    whole = (tmp_path / JOURNAL_FILE).read_bytes()
    with no_file_larger_than(len(whole) + 150), pytest.raises(OSError, match="too large"):
        journal.checkpoint(key)
    assert (tmp_path / JOURNAL_FILE).read_bytes() == whole
    journal.append("roll", {"roll": "22222"})
    made = journal.checkpoint(key)
    journal.close()
    assert (made.size, made.root) == (2, compute_root(lines_of(tmp_path)[:2]))
    assert [entry.kind for entry in read_journal(tmp_path).entries] == [
        "roll",
        "roll",
        "checkpoint",
    ]


@pytest.mark.parametrize("later", [3, "2", None])
def test_a_journal_of_an_unknown_format_is_refused(tmp_path: Path, later: object) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": later})  # type: ignore[dict-item]
    journal.close()
    before = (tmp_path / JOURNAL_FILE).read_bytes()
    for read in (read_journal, Journal.open):
        with pytest.raises(InputError, match=r"expected a journal of format 1 or 2, found"):
            read(tmp_path)
    assert (tmp_path / JOURNAL_FILE).read_bytes() == before
