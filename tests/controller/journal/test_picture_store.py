# SPDX-License-Identifier: MIT
"""Pictures lie whole under their own digest, or not at all."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from controller.journal.picture_store import ROLL_BYTES, PictureStore
from tests.support.full_disk import no_file_larger_than


def test_a_picture_lies_under_its_digest(tmp_path: Path) -> None:
    digest = PictureStore(tmp_path).store(b"picture")
    assert digest == hashlib.sha256(b"picture").hexdigest()
    assert PictureStore(tmp_path).picture_path(digest).read_bytes() == b"picture"


def test_the_same_picture_is_kept_once(tmp_path: Path) -> None:
    evidence = PictureStore(tmp_path)
    assert evidence.store(b"picture") == evidence.store(b"picture")
    assert len(list(tmp_path.rglob("*.jpg"))) == 1


def test_a_clip_lies_beside_the_pictures_under_its_own_digest(tmp_path: Path) -> None:
    evidence = PictureStore(tmp_path)
    digest = evidence.store_clip(b"clip")
    path = evidence.clip_path(digest)
    assert (path.name, path.read_bytes()) == (f"{digest}.avi", b"clip")
    assert evidence.stored_size(digest) == 4
    assert [(file.digest, file.is_whole) for file in evidence.files()] == [(digest, True)]
    evidence.delete(digest)
    assert (evidence.stored_size(digest), list(evidence.files())) == (0, [])


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    evidence = PictureStore(tmp_path)
    blocked = evidence.picture_path(hashlib.sha256(b"picture").hexdigest())
    blocked.with_suffix(".part").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        evidence.store(b"picture")
    assert not blocked.exists()


def test_the_room_check_writes_a_rolls_size_and_removes_it(tmp_path: Path) -> None:
    evidence = PictureStore(tmp_path)
    evidence.check_free_space()
    with no_file_larger_than(ROLL_BYTES - 1), pytest.raises(OSError, match="large"):
        evidence.check_free_space()
    assert list((tmp_path / "pictures").iterdir()) == []


@pytest.mark.parametrize("name", ["", "ab", "/home/eva/holiday", "../../table", "\0", "AB" * 32])
def test_what_is_no_digest_has_no_place(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="digest"):
        PictureStore(tmp_path).picture_path(name)
    with pytest.raises(ValueError, match="digest"):
        PictureStore(tmp_path).clip_path(name)


class Folders:
    """The folders that are synced; the disk refuses one of them until it is repaired."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.synced: list[Path] = []
        self.refused: Path | None = None
        self._fsync = os.fsync
        monkeypatch.setattr(os, "fsync", self.sync)

    def sync(self, file_fd: int) -> None:
        folder = Path(f"/proc/self/fd/{file_fd}").resolve()
        if folder == self.refused:
            raise OSError(5, "Input/output error")
        if stat.S_ISDIR(os.fstat(file_fd).st_mode):
            self.synced.append(folder)
        self._fsync(file_fd)


@pytest.mark.parametrize("above", [0, 1, 2])
def test_an_unsynced_picture_folder_is_synced_on_the_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: int
) -> None:
    folders, evidence = Folders(monkeypatch), PictureStore(tmp_path)
    path = evidence.picture_path(hashlib.sha256(b"picture").hexdigest())
    folders.refused = path.parents[above]
    with pytest.raises(OSError, match="Input/output"):
        evidence.store(b"picture")
    refused, folders.refused = folders.refused, None
    evidence.store(b"picture")
    assert path.read_bytes() == b"picture"
    assert refused in folders.synced
