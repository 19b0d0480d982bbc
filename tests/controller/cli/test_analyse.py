# SPDX-License-Identifier: MIT
"""`dicebell analyse` on records and data folders: accounts, messages and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import main
from tests.support.ended_game import end_game

GOLDEN = Path(__file__).parents[2] / "records"


def test_a_broken_record_is_reported_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_text('{"record": 1, "game": "choice", "players": ["Ada"]}\n{"by": "Ada", "ro')
    assert main(["analyse", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"dicebell analyse: {path}, line 2: expected a JSON object")


def test_a_game_without_a_coach_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dice.jsonl"
    path.write_text('{"record": 1, "game": "dice", "players": ["Ada"]}\n')
    assert main(["analyse", str(path), str(tmp_path / "none.jsonl")]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors == [
        f"dicebell analyse: {path}: expected a game that a coach knows, found dice",
        f"dicebell analyse: {tmp_path / 'none.jsonl'}: expected a readable file,"
        " found No such file or directory",
    ]


def test_each_game_is_an_object_whose_parts_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        str(GOLDEN / name) for name in ("black-n-white-three-players.jsonl", "choice-alone.jsonl")
    ]
    assert main(["analyse", "--json", *files]) == 0
    *games, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["file"] for game in games] == files
    assert [game["unit"] for game in games] == ["chance", "points"]
    for game in games:
        for seat, one in enumerate(game["players"]):
            parts = one["start"] + one["luck"] - one["cost"] + one["others"] + one["drift"]
            assert parts == pytest.approx(one["final"], abs=0.01)
            own = [choice for choice in game["choices"] if choice["seat"] == seat]
            assert one["cost"] == pytest.approx(sum(choice["cost"] for choice in own), abs=0.01)
            dearest = [game["choices"][index]["cost"] for index in one["dearest"]]
            assert dearest == sorted((choice["cost"] for choice in own), reverse=True)[:3]
            assert one["luck"] == pytest.approx(
                sum(roll["luck"][seat] for roll in game["rolls"]), abs=0.01
            )
    assert main(["analyse", "--json", "--quick", files[1]]) == 0
    quick = json.loads(capsys.readouterr().out)
    assert quick["rolls"][0]["luck"] == games[1]["rolls"][0]["luck"]
    assert quick["choices"] != games[1]["choices"]
    exact = games[0]
    assert exact["equal_below"] == 0
    assert all(abs(one["drift"]) < 1e-6 for one in exact["players"])
    assert [one["final"] for one in exact["players"]] == [1, 0, 1]
    assert [row["game"] for row in summary["summary"]] == ["black-n-white"] * 3 + ["choice"]


def test_a_data_folder_gives_its_finished_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end_game(tmp_path, "black-n-white", "Ada", "Ben")
    assert main(["analyse", str(tmp_path)]) == 0
    head, table, *lines = capsys.readouterr().out.splitlines()
    assert head == f"{tmp_path}, game 1: black-n-white, finished; exact"
    assert table.split()[:3] == ["player", "start", "luck"]
    assert {line.split()[0] for line in lines} == {"Ada", "Ben", "roll"}
    assert main(["analyse", str(tmp_path), "--game", "2"]) == 2
    assert "a game from 1 to 1" in capsys.readouterr().err
