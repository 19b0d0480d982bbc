# SPDX-License-Identifier: MIT
"""Lists of an event by command: out while its desk runs, and in while it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.cli.main import main
from tests.controller.tournament.archive.cups import play_duplicate_cup, play_tables_cup
from tests.support.running_event import run_event

Captured = pytest.CaptureFixture[str]


def lists(*arguments: str | Path) -> int:
    return main(["lists", *map(str, arguments)])


def test_players_are_entered_before_the_desk_starts(tmp_path: Path, capsys: Captured) -> None:
    with run_event(tmp_path) as event:
        event.begin(games=1)
    path = tmp_path / "club.csv"
    path.write_text("name,key\nAda,DE-1\nBen,DE-2\n")
    assert lists("players", "--data", tmp_path, "--enter", path, "--by", "Olga") == 0
    assert capsys.readouterr().out == "The list counts: 4 changes.\n"
    assert lists("players", "--data", tmp_path) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == ["\ufeffplayer,name,key", "1,Ada,DE-1", "2,Ben,DE-2"]
    path.write_text("player,name,key\n1,Ada,DE-2\n2,Ben,DE-1\n")
    assert lists("players", "--data", tmp_path, "--enter", path, "--by", "Olga") == 0
    assert capsys.readouterr().out == "The list counts: 4 changes.\n"
    assert lists("players", "--data", tmp_path) == 0
    swapped = capsys.readouterr().out
    assert swapped.splitlines()[1:] == ["1,Ada,DE-2", "2,Ben,DE-1"]
    path.write_text("player,name,key\n,Cleo,de-1\n2,Ben,de-2\n1,Ada,DE-3\n")
    assert lists("players", "--data", tmp_path, "--enter", path, "--by", "Olga") == 0
    capsys.readouterr()
    assert lists("players", "--data", tmp_path) == 0
    moved = capsys.readouterr().out
    assert moved.splitlines()[1:] == ["1,Ada,DE-3", "2,Ben,de-2", "3,Cleo,de-1"]
    path.write_text(f"{swapped}3,Cleo,DE-2\n")
    assert lists("players", "--data", tmp_path, "--enter", path, "--by", "Olga") == 2
    said = capsys.readouterr().err
    assert f"{path}, line 4: expected a key that nobody has, found DE-2" in said
    assert lists("players", "--data", tmp_path, "--enter", path) == 2
    assert "expected the name of the official, found none" in capsys.readouterr().err


def test_results_of_an_archived_event_verify(tmp_path: Path, capsys: Captured) -> None:
    """One of two tables has no result; it comes from a list, and the archive says so."""
    data = tmp_path / "cup"
    play_tables_cup(data, played=1)
    assert lists("results", "--data", data, "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [row["points"] is None for row in listed["rows"]] == [False] * 4 + [True] * 4
    for points, row in enumerate(listed["rows"][4:]):
        row.update(points=points, reason="its table broke down")
    path = tmp_path / "results.json"
    path.write_text(json.dumps(listed))
    enter = ("results", "--data", data, "--enter", path, "--by", "Olga")
    assert lists(*enter) == 0
    assert lists(*enter) == 0
    said = capsys.readouterr().out
    assert said == (
        "The list counts: 1 change.\nThe list is as the event is: nothing has changed.\n"
    )
    out = tmp_path / "cup.zip"
    assert main(["archive", "--data", str(data), "--out", str(out)]) == 0
    assert main(["verify", str(out), "--jobs", "1"]) == 0
    assert "its table broke down" in capsys.readouterr().out


def test_what_cannot_be_listed_is_refused(tmp_path: Path, capsys: Captured) -> None:
    assert lists("players", "--data", tmp_path) == 2
    assert "expected the data folder of `dicebell desk`" in capsys.readouterr().err
    path = tmp_path / "results.csv"
    path.write_text("round,table,player,points\n1,1,1,5\n")
    data = tmp_path / "cup"
    play_duplicate_cup(data)
    assert lists("results", "--data", data, "--enter", path, "--by", "Olga") == 2
    said = capsys.readouterr().err
    assert f"{path}: expected an event with draws, found a duplicate event" in said
    assert lists("players", "--data", data, "--json") == 2
    with pytest.raises(SystemExit):
        lists("results", "--data", data, "--json", "--enter", path)
    assert lists("players", "--data", data, "--enter", tmp_path / "none.csv", "--by", "Olga") == 2
    assert not (tmp_path / "event.sqlite").exists()
