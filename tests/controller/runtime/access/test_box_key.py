# SPDX-License-Identifier: MIT
"""The key of the box's own screen reaches a file, at once or when there is room."""

from __future__ import annotations

import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.runtime.access.box_key import FILE_NAME, BoxKeyFile


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow: the writes really fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_key_is_written_as_soon_as_there_is_room(tmp_path: Path) -> None:
    file, path = BoxKeyFile(tmp_path, {}), tmp_path / FILE_NAME
    with full_disk():
        file.write("secret")
        file.on_idle()
        assert not path.exists()
    file.on_idle()
    assert path.read_text() == "secret\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    file.on_idle()
    assert not path.exists(), "it is written once"


def test_the_service_hands_the_key_to_its_group(tmp_path: Path) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    BoxKeyFile(tmp_path, {"RUNTIME_DIRECTORY": f"{runtime}:/run/other"}).write("secret")
    assert stat.S_IMODE((runtime / FILE_NAME).stat().st_mode) == 0o640
    assert not (tmp_path / FILE_NAME).exists()


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(InputError, match="expected room for the kiosk's key"):
        BoxKeyFile(tmp_path / "data", {}).write("secret")
