# SPDX-License-Identifier: MIT
"""`dicebell backup` and `dicebell restore`, as they are typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.journal import JOURNAL_FILE, Journal, read_journal
from controller.journal.signing_key import PRIVATE_FILE, TableKey
from controller.runtime.calibration.store import FILE as CALIBRATION_FILE


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "dicebell.toml"
    path.write_text(f'[data]\nfolder = "{tmp_path / "data"}"\n')
    journal, _ = Journal.open(tmp_path / "data")
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.close()
    return path


def test_there_and_back(tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stick").mkdir()
    assert main(["backup", str(tmp_path / "stick"), "--config", str(config)]) == 0
    (saved,) = (tmp_path / "stick").glob("dicebell-*.zip")
    assert str(saved) in capsys.readouterr().out
    (tmp_path / "data" / JOURNAL_FILE).write_text("scribble\n")
    assert main(["restore", str(saved), "--config", str(config), "--force"]) == 0
    assert "The previous data is in" in capsys.readouterr().out
    assert len(read_journal(tmp_path / "data").entries) == 1


def test_a_missing_stick_is_refused_and_no_file_takes_its_place(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = tmp_path / "stick"
    assert main(["backup", str(stick), "--config", str(config)]) == 2
    assert "expected an existing folder, or a new file .zip" in capsys.readouterr().err
    assert not stick.exists()


def test_the_settings_of_this_machine_can_stay(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved.zip"
    assert main(["backup", str(saved), "--config", str(config)]) == 0
    changed = config.read_text() + "# changed since\n"
    config.write_text(changed)
    command = ["restore", str(saved), "--config", str(config), "--force", "--data-only"]
    assert main(command) == 0
    assert "The settings stay as they are" in capsys.readouterr().out
    assert config.read_text() == changed


def test_settings_that_lead_elsewhere_are_told(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, other = tmp_path / "saved.zip", tmp_path / "other"
    assert main(["backup", str(saved), "--config", str(config)]) == 0
    command = ["restore", str(saved), "--config", str(config), "--data", str(other), "--trust"]
    assert main(command) == 0
    assert f"Note: these settings name {tmp_path / 'data'}" in capsys.readouterr().out
    assert len(read_journal(other).entries) == 1


def test_what_a_foreign_backup_does_not_bring_is_told(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, data, before = tmp_path / "saved.zip", tmp_path / "data", config.read_text()
    TableKey.load_or_create(data)
    (data / CALIBRATION_FILE).write_text("{}")
    config.write_text(before + '[tournament]\naddress = "http://192.168.0.66:8090"\n')
    assert main(["backup", str(saved), "--config", str(config)]) == 0
    config.write_text(before)
    command = ["restore", str(saved), "--config", str(config), "--force"]
    (data / PRIVATE_FILE).unlink()
    capsys.readouterr()
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "1 of 3 files" in told
    assert "another machine may have made this backup" in told
    assert f"  {CALIBRATION_FILE}: camera, tray and dice of that machine" in told
    assert "  settings.toml: where to send, whom to trust and who may enter" in told
    assert "--trust" in told
    assert config.read_text() == before
    assert main([*command, "--trust"]) == 0
    told = capsys.readouterr().out
    assert '  tournament.address = "http://192.168.0.66:8090" (was "")' in told
    assert "Left out" not in told
    assert "192.168.0.66" in config.read_text()


def test_an_own_backup_comes_back_whole(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    TableKey.load_or_create(tmp_path / "data")
    saved = tmp_path / "saved.zip"
    assert main(["backup", str(saved), "--config", str(config)]) == 0
    before = config.read_text()
    config.write_text(before + "[web]\nport = 9000\n")
    capsys.readouterr()
    assert main(["restore", str(saved), "--config", str(config), "--force"]) == 0
    told = capsys.readouterr().out
    assert "Left out" not in told
    assert "  web.port = 8080 (was 9000)" in told
    assert config.read_text() == before
