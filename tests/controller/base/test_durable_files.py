# SPDX-License-Identifier: MIT
"""A file is replaced whole or not at all, and stays its owner's."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from controller.base.durable_files import PRIVATE, atomic_write


def test_a_new_file_holds_everything_and_nothing_lies_beside_it(tmp_path: Path) -> None:
    atomic_write(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a"]


def test_a_reader_of_a_replaced_file_sees_the_old_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        atomic_write(path, b"new")
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"


def test_who_may_read_it_is_said(tmp_path: Path) -> None:
    atomic_write(tmp_path / "a", b"", mode=PRIVATE)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_what_cannot_be_written_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        atomic_write(path, b"new")
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_written_by_root_belong_to_the_former_owner(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 1234, 1235)
    path = folder / "a"
    atomic_write(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)
    os.chown(path, 4321, 4322)
    atomic_write(path, b"newer")
    assert (path.stat().st_uid, path.stat().st_gid) == (4321, 4322)
