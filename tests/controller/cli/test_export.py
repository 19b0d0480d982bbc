# SPDX-License-Identifier: MIT
"""`dicebell export`: a record for `dicebell replay`, taken from a folder that a table may use."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.games.contract import GameState
from controller.journal.journal import JOURNAL_FILE, Journal
from tests.support.random_journal import RandomGame, WrittenJournal


@pytest.fixture
def two_games(tmp_path: Path) -> tuple[Path, list[GameState]]:
    journal = WrittenJournal()
    journal.add("genesis", {"format": 2})
    names = ("Ada", "Jürgen")
    ends = [
        RandomGame(journal, "choice", names=names, seed=1).play(),
        RandomGame(journal, "wuerfelspiel", names=names, seed=2).play(20),
    ]
    folder = tmp_path / "data"
    journal.write(folder)
    return folder, ends


def replayed(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["replay", "--json", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_the_record_of_a_game_replays_to_its_end(
    two_games: tuple[Path, list[GameState]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, ends = two_games
    record = tmp_path / "game.jsonl"
    assert main(["export", str(folder), "--game", "1", "--output", str(record)]) == 0
    found = replayed(record, capsys)
    assert found["totals"] == ends[0].totals()
    assert found["finished"] is True


def test_without_a_number_the_last_game_goes_to_standard_output(
    two_games: tuple[Path, list[GameState]],
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    folder, ends = two_games
    assert main(["export", str(folder)]) == 0
    written = capsysbinary.readouterr().out
    assert "Jürgen".encode() in written
    record = tmp_path / "game.jsonl"
    record.write_bytes(written)
    assert main(["replay", "--json", str(record)]) == 0
    assert json.loads(capsysbinary.readouterr().out)["totals"] == ends[1].totals()


def test_a_running_table_is_read_and_left_as_it_is(
    two_games: tuple[Path, list[GameState]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = two_games
    running, _ = Journal.open(folder)
    with open(folder / JOURNAL_FILE, "ab") as file:
        file.write(b'{"at_ms":17950')  # it is about to write its next entry
    before = {path: path.read_bytes() for path in folder.rglob("*")}
    for command in ("export", "report"):
        main([command, str(folder)])
        unsigned = "dicebell report: Signatures: the journal holds no checkpoint"
        said = capsys.readouterr().err
        assert said.startswith(unsigned) if command == "report" else not said
        assert {path: path.read_bytes() for path in folder.rglob("*")} == before
    running.close()


def test_a_wrong_number_lists_the_games(
    two_games: tuple[Path, list[GameState]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(two_games[0]), "--game", "3"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("dicebell export: --game: expected a game from 1 to 2 (1: choice of")
    assert "2: wuerfelspiel of Ada, Jürgen, unfinished" in told


@pytest.mark.parametrize("command", ["export", "report", "verify"])
@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("nowhere", "no such folder"),
        ("journal.jsonl", "a file"),
        ("journal.jsonl/data", "Not a directory"),
    ],
)
def test_what_is_no_data_folder_is_told(
    two_games: tuple[Path, list[GameState]],
    capsys: pytest.CaptureFixture[str],
    command: str,
    data: str,
    found: str,
) -> None:
    path = two_games[0] / data
    assert main([command, str(path)]) == 2
    expected = "expected the data folder of a table"
    if (command, found) == ("verify", "a file"):
        expected, found = (
            f"{expected}, or an archive of `dicebell archive`",
            "a file that is torn, or no zip file (File is not a zip file)",
        )
    assert capsys.readouterr().err == f"dicebell {command}: {path}: {expected}, found {found}\n"


@pytest.mark.parametrize("command", ["export", "report", "verify"])
def test_a_pipe_in_place_of_the_journal_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    os.mkfifo(tmp_path / JOURNAL_FILE)
    assert main([command, str(tmp_path)]) == 2
    assert "found Not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["export", "report"])
def test_a_journal_without_a_game_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    journal = WrittenJournal()
    journal.add("genesis", {"format": 2})
    journal.write(tmp_path)
    assert main([command, str(tmp_path)]) == 2
    told = f"dicebell {command}: expected a journal with a game, found one without\n"
    assert capsys.readouterr().err == told


def test_a_broken_journal_gives_no_record(
    two_games: tuple[Path, list[GameState]], capsys: pytest.CaptureFixture[str]
) -> None:
    path = two_games[0] / JOURNAL_FILE
    path.write_bytes(path.read_bytes().replace(b'"seq":5', b'"seq":6', 1))
    assert main(["export", str(two_games[0])]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "expected an unbroken journal" in captured.err


def test_a_file_that_cannot_be_written_is_told(
    two_games: tuple[Path, list[GameState]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "nowhere" / "game.jsonl"
    assert main(["export", str(two_games[0]), "--output", str(output)]) == 2
    assert f"{output}: expected a writable file" in capsys.readouterr().err
