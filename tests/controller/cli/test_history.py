# SPDX-License-Identifier: MIT
"""`dicebell history`: games, players and dice, for people and as the documents say."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.history.history import TableHistory
from controller.history.index.store import INDEX_FILE
from controller.history.views import (
    DiceStatistics,
    GameRoll,
    GameRolls,
    GameSummary,
    HeadToHead,
    PlayerEntry,
    PlayerStatistics,
    RollChoice,
    SeatResult,
    TableStatistics,
    VariantRecord,
    VariantStatistics,
)
from controller.journal.journal import JOURNAL_FILE, Journal
from tests.controller.history.written_games import add_finished, begin_journal

PAGE = (Path(__file__).parents[3] / "docs" / "history.md").read_text()
DOCUMENTED = (
    *(DiceStatistics, HeadToHead, PlayerEntry, PlayerStatistics, TableStatistics, VariantRecord),
    *(VariantStatistics, GameRoll, GameRolls, GameSummary, RollChoice, SeatResult),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    journal = begin_journal()
    add_finished(journal, ("Ada", "Jürgen"), seed=1)
    add_finished(journal, ("Jürgen", "Ada"), "black-n-white", seed=2)
    journal.write(tmp_path / "data")
    return tmp_path / "data"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["history", *arguments]) == 0
    return capsys.readouterr().out


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    found = json.loads(printed(capsys, *arguments, "--json"))
    assert isinstance(found, dict)
    return found


def test_the_list_names_games_players_and_dice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, str(folder))
    first, second, *_ = text.splitlines()
    assert re.match(r"2 +2026-\d\d-\d\d \d\d:\d\d +Black'n'White \(Chips per player: 2\) ", first)
    assert re.search(r"Choice .* Ada -?\d+.*, Jürgen -?\d+", second)
    assert re.search(r"^Jürgen +2 +2 +\d ", text, re.MULTILINE)
    assert re.search(r"^face +1 +2 +3 +4 +5 +6$", text, re.MULTILINE)


def test_a_game_and_a_player_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = printed(capsys, str(folder), "--game", "1")
    rolls = as_json(capsys, str(folder), "--game", "1")["game"]["rolls"]
    assert len(game.splitlines()) == len(rolls) + 2
    assert "".join(rolls[0]["dice"]) in game
    player = printed(capsys, str(folder), "--player", "JÜRGEN")
    assert player.startswith("Jürgen: 2 games, 2 finished")
    assert re.search(r"^Ada +2 +\d +\d +\d$", player, re.MULTILINE)


def test_the_object_is_the_documented_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything = as_json(capsys, str(folder))
    assert list(everything) == ["data", "games", "players", "table"]
    assert [game["number"] for game in everything["games"]] == [2, 1]
    assert as_json(capsys, str(folder), "--player", "Ada")["player"]["entry"]["games"] == 2
    for value in DOCUMENTED:
        for field in fields(value):
            assert f"`{field.name}`" in PAGE, f"{value.__name__}.{field.name}"


def test_nothing_is_written_while_a_table_has_the_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = Journal.open(folder)
    before = sorted(path.name for path in folder.iterdir())
    printed(capsys, str(folder))
    journal.close()
    assert sorted(path.name for path in folder.iterdir()) == before
    assert INDEX_FILE not in before


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--game", "3"), "expected a game from 1 to 2, found 3"),
        (("--player", "Zoe"), "expected one of Ada, Jürgen, found 'Zoe'"),
    ],
)
def test_what_is_not_there_is_refused_in_a_line(
    arguments: tuple[str, ...], found: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", str(folder), *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(found) or "Jürgen, Ada" in line


def test_a_folder_without_a_journal_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", str(tmp_path)]) == 2
    assert main(["history", str(tmp_path / "none")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_broken_journal_is_named_and_not_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / JOURNAL_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join((*lines[:9], *lines[10:])))
    assert main(["history", str(folder)]) == 1
    found = capsys.readouterr()
    assert found.out == ""
    assert "is not counted. Line 10 of the journal is broken" in found.err


@pytest.mark.parametrize("kept", [50, 4096, 12288])
def test_a_damaged_index_changes_no_answer(
    kept: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = printed(capsys, str(folder)), printed(capsys, str(folder), "--game", "1")
    history = TableHistory(folder)
    history.index.catch_up()
    history.index.close()
    path = folder / INDEX_FILE
    damaged = path.read_bytes()[:kept] + b"rubbish"
    path.write_bytes(damaged)
    assert (printed(capsys, str(folder)), printed(capsys, str(folder), "--game", "1")) == before
    assert main(["fairness", str(folder)]) == 0
    assert path.read_bytes() == damaged


def test_a_journal_that_cannot_be_read_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / JOURNAL_FILE).unlink()
    (folder / JOURNAL_FILE).mkdir()
    assert main(["history", str(folder)]) == 2
    assert "expected a journal that can be read, found " in capsys.readouterr().err
