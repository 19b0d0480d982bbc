# SPDX-License-Identifier: MIT
"""A backup goes to a browser as it is made; the doctor looks at everything in its own thread."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.appliance.backup.create import backup_bytes
from controller.appliance.doctor.finding import DiagnosticFinding, ok, wrong
from controller.appliance.service_page import DiagnosisRun
from controller.base.errors import BusyError, InputError
from controller.journal.journal import Journal
from controller.journal.picture_store import PictureStore

NOW = datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
TIMEOUT_S = 60.0


def threads(name: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == name]


def played_table(folder: Path) -> Path:
    journal, _ = Journal.open(folder)
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.close()
    for number in range(3):
        PictureStore(folder).store(bytes([number]) * 400_000)
    return folder


@pytest.mark.parametrize(("with_pictures", "pictures"), [(True, 3), (False, 0)])
def test_what_arrives_is_a_whole_backup(tmp_path: Path, with_pictures: bool, pictures: int) -> None:
    data, config = played_table(tmp_path / "data"), tmp_path / "dicebell.toml"
    config.write_text("# mine\n")
    made = b"".join(backup_bytes(data, config, now=NOW, with_pictures=with_pictures))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert archive.read("settings.toml") == b"# mine\n"
    assert sum("pictures" in name for name in names) == pictures
    assert threads("backup") == []


def test_a_browser_that_goes_away_ends_the_making(tmp_path: Path) -> None:
    made = backup_bytes(played_table(tmp_path), None, now=NOW, with_pictures=True)
    assert isinstance(made, Generator)
    next(made)
    made.close()
    assert threads("backup") == []


def test_a_failed_backup_does_not_end_like_a_whole_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a complete backup, found .*a data folder"):
        b"".join(backup_bytes(tmp_path / "none", None, now=NOW, with_pictures=True))


class Patience:
    """An examination that goes on when the test says so."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.is_closing = False
        self.examination = DiagnosisRun(self._examine, lambda: self.is_closing)

    def end(self) -> None:
        self.go_on.set()
        for thread in threads("doctor"):
            thread.join(TIMEOUT_S)

    def _examine(self) -> Iterator[DiagnosticFinding]:
        yield ok("python", "3.11")
        assert self.go_on.wait(TIMEOUT_S)
        yield wrong("disk", "full", "make room")
        yield ok("clock", "right")


def test_findings_come_in_order_from_one_diagnosis_at_a_time() -> None:
    patience = Patience()
    patience.examination.start()
    assert patience.examination.view()["running"]
    with pytest.raises(BusyError, match="one diagnosis at a time"):
        patience.examination.start()
    patience.end()
    told = patience.examination.view()
    assert not told["running"]
    assert [(each["level"], each["mend"]) for each in told["findings"]] == [
        ("ok", ""),
        ("wrong", "make room"),
        ("ok", ""),
    ]


def test_a_table_that_is_shut_down_is_not_examined_to_the_end() -> None:
    patience = Patience()
    patience.is_closing = True
    patience.examination.start()
    patience.end()
    assert len(patience.examination.view()["findings"]) == 1
