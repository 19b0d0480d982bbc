# SPDX-License-Identifier: MIT
"""
Journals, backups and settings of an earlier version stay readable, replayable and unbroken.

Commit 3996521 wrote everything in this folder: its simulated table played a finished game and
one that was broken off, for each game and for Choice with jokers. `dicebell backup` packed each
data folder with the settings. `expected.json` holds what `verify --json --no-reread` and `export`
of that version printed; `words` depend on every byte of a journal. Since then `verify` notes that
the camera was simulated.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.appliance.backup.restore import restore_backup
from controller.base.settings import load_settings
from controller.cli.main import main
from controller.journal.journal import read_journal
from controller.runtime.table import TableRuntime
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader

HERE = Path(__file__).parent
EXPECTED: dict[str, Any] = json.loads((HERE / "expected.json").read_text())
ENDS = ("broken-off", "finished")
NOW = datetime(2026, 12, 1, tzinfo=UTC)

Output = pytest.CaptureFixture[str]


@pytest.fixture(params=EXPECTED)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def data(name: str, tmp_path: Path) -> Path:
    """A data folder that was restored from the backup of the earlier version."""
    restore_backup(HERE / f"{name}.zip", tmp_path / "data", None, now=NOW)
    return tmp_path / "data"


def verify(data: Path, capsys: Output, *options: str) -> dict[str, Any]:
    main(["verify", "--json", *options, str(data)])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_game_has_two_journals() -> None:
    games = ("black-n-white", "choice", "choice-jokers", "wuerfelspiel")
    assert sorted(EXPECTED) == [f"{game}-{end}" for game in games for end in ENDS]


def test_the_journal_verifies_as_before(name: str, data: Path, capsys: Output) -> None:
    found = verify(data, capsys, "--no-reread")
    expected = dict(EXPECTED[name])
    del expected["record"]
    kinds = [note["kind"] for note in found["notes"]]
    assert kinds.count("simulated camera") == 1
    found["notes"] = [kind for kind in kinds if kind != "simulated camera"]
    assert {key: found[key] for key in expected} == expected


def test_the_record_is_exported_as_before(
    name: str, data: Path, tmp_path: Path, capsys: Output
) -> None:
    assert main(["export", str(data)]) == 0
    record = capsys.readouterr().out
    assert hashlib.sha256(record.encode()).hexdigest() == EXPECTED[name]["record"]
    (tmp_path / "record.jsonl").write_text(record)
    assert main(["replay", str(tmp_path / "record.jsonl")]) == 0


def test_the_report_finds_nothing_wrong(data: Path, tmp_path: Path) -> None:
    assert main(["report", str(data), "--output", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_a_table_continues_the_journal(name: str, data: Path, capsys: Output) -> None:
    before = tuple(read_journal(data).entries)
    reader = TruthfulReader(SimulatedCamera(SteppedClock(), seed=1, size_wh=(64, 36)))
    runtime = TableRuntime.open(data, reader)
    runtime.begin()
    is_on = runtime.loop.state.play.position is not None
    runtime.close()
    assert is_on == (before[-1].kind == "restart")
    assert read_journal(data).entries[: len(before)] == before
    found = verify(data, capsys, "--no-reread")
    assert (found["status"], found["rolls"]) == ("fine", EXPECTED[name]["rolls"])


@pytest.mark.parametrize("name", ["black-n-white-broken-off", "choice-broken-off"], indirect=True)
def test_its_pictures_are_read_again(data: Path, capsys: Output) -> None:
    """The reader may read an old picture otherwise, and `verify` says so; nothing else breaks."""
    found = verify(data, capsys)
    assert sum(found["reread"].values()) == 1
    assert found["pictures"]["unchanged"] == 2
    assert {each["kind"] for each in found["breaks"]} <= {"read otherwise"}


def test_the_settings_file_and_the_backed_up_one_load(tmp_path: Path) -> None:
    config = tmp_path / "dicebell.toml"
    backup = HERE / "choice-finished.zip"
    restore_backup(backup, tmp_path / "data", config, now=NOW, is_trusted=True)
    settings = load_settings(HERE / "dicebell.toml")
    assert (settings.camera.fps, settings.camera.mains_hz) == (20, 60)
    assert (settings.evidence.keep_days, settings.evidence.picture_quality) == (30, 95)
    assert load_settings(config) == settings
