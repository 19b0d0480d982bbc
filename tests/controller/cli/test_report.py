# SPDX-License-Identifier: MIT
"""`dicebell report`: a file, from a folder that a table may use meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.main import main
from controller.history.report.pictures import ReportPictures
from controller.journal.journal import Journal
from tests.support.proven_game import proven_game


def test_without_a_file_it_goes_to_standard_output(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    proven_game(tmp_path, names=("Jürgen", "Zoë"), events=4)
    assert main(["report", str(tmp_path)]) == 0
    assert "Jürgen · Zoë".encode() in capsysbinary.readouterr().out


def test_a_terminal_is_not_filled_with_html(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proven_game(tmp_path, events=4)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["report", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "--output: expected a file to write, or a program" in err


def test_a_report_that_had_to_complain_ends_with_status_1(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=4)
    game.evidence.picture_path(game.pictures[0]).unlink()
    assert main(["report", str(tmp_path), "--output", str(tmp_path / "game.html")]) == 1


def test_an_unfinished_game_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.append("game", {"game": "choice", "players": ["Ada"], "options": {"jokers": False}})
    journal.close()
    assert main(["report", str(tmp_path), "--output", str(tmp_path / "game.html")]) == 1
    wanted = "Signatures: the journal holds no checkpoint, so it is not signed"
    assert capsys.readouterr().err == f"dicebell report: {wanted}\n"


def test_language_is_that_of_the_settings_or_chosen(tmp_path: Path) -> None:
    proven_game(tmp_path / "data")
    config, output = tmp_path / "dicebell.toml", tmp_path / "game.html"
    config.write_text('[web]\nlanguage = "de"\n')
    command = ["report", str(tmp_path / "data"), "--config", str(config), "--output", str(output)]
    assert main(command) == 0
    assert '<html lang="de">' in output.read_text()
    assert main([*command, "--language", "en"]) == 0
    assert '<html lang="en">' in output.read_text()


def test_a_full_report_agrees_with_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it leaves out is unchanged in the folder, so neither command accuses the table."""
    game, output = proven_game(tmp_path / "data", events=4), tmp_path / "game.html"
    room = game.evidence.picture_path(game.pictures[0]).stat().st_size
    defaults = ReportPictures.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "most_bytes", room)
    assert main(["report", str(tmp_path / "data"), "--output", str(output)]) == 0
    assert main(["verify", "--no-reread", str(tmp_path / "data")]) == 0
    assert "unchanged in the data folder, not in this report" in output.read_text()
    assert "missing" not in output.read_text()
