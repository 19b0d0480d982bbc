# SPDX-License-Identifier: MIT
"""What choices cost over several events, from the archives alone."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.cli.main import main
from controller.journal.journal import JOURNAL_FILE
from controller.tournament.results.play_costs.season import PlayedGame, sum_season
from controller.tournament.results.season_places import EventShare, sum_shares
from tests.controller.tournament.archive.cups import play_duplicate_cup, play_tables_cup


def archive(folder: Path, name: str) -> str:
    play = {"duplicate": play_duplicate_cup, "tables": play_tables_cup}[name]
    data, out = folder / name / "cup", folder / f"{name}.zip"
    data.parent.mkdir()
    play(data)
    assert main(["archive", "--data", str(data), "--out", str(out)]) == 0
    return str(out)


def test_games_of_all_events_are_summed_by_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada and Ben play duplicate, eight others at two tables."""
    files = [archive(tmp_path, name) for name in ("duplicate", "tables")]
    capsys.readouterr()
    assert main(["season", "--json", files[0], *files]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["events"] == 3
    rows = {row["name"]: row for row in found["rows"]}
    assert set(rows) == {"Ada", "Ben", *(f"Player {n}" for n in range(1, 9))}
    assert (rows["Ada"]["events"], rows["Ada"]["games"]) == (2, 2)
    assert rows["Ada"]["error"] == pytest.approx(0, abs=1e-9)
    assert rows["Player 1"]["error"] is None
    assert [row["cost"] for row in found["rows"]] == sorted(row["cost"] for row in found["rows"])
    least = max(rows[name]["choices"] for name in rows if name.startswith("Player"))
    assert main(["season", "--choices", str(least), *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "choice: mean cost of a choice"
    apart = lines.index(f"  fewer than {least} choices:")
    assert any("Ada: " in line for line in lines[apart:])
    assert 1 < apart < len(lines) - 2


def test_a_mean_weighs_games_by_their_choices() -> None:
    games = [
        PlayedGame("Ada", "", "choice", "points", 10, 5, 100.0),
        PlayedGame(" ADA", "", "choice", "points", 30, 30, 0.0),
        PlayedGame("Ben", "", "choice", "points", 0, 0, 0.0),
    ]
    (row,) = sum_season([games[:1], games[1:]])
    assert (row.events, row.games, row.choices, row.cost, row.best) == (2, 2, 40, 2.5, 35 / 40)
    assert row.error == pytest.approx((2 * (75.0**2 + 75.0**2)) ** 0.5 / 40)


@pytest.mark.parametrize("folder", ["event/", "tables/"])
def test_a_damaged_line_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    whole, broken = archive(tmp_path, "tables"), tmp_path / "broken.zip"
    with zipfile.ZipFile(whole) as archived, zipfile.ZipFile(broken, "w") as copy:
        names = archived.namelist()
        damaged = next(n for n in names if n.startswith(folder) and n.endswith(JOURNAL_FILE))
        for name in names:
            content = archived.read(name)
            copy.writestr(name, b"dice\n" + content if name == damaged else content)
    capsys.readouterr()
    assert main(["season", whole, str(broken)]) == 2
    said = capsys.readouterr().err
    assert f"{broken}, {damaged}, line 1: expected an entry" in said
    assert said.count(str(broken)) == 1


def test_what_is_no_archive_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.zip"
    path.write_text("dice")
    assert main(["season", str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def give_keys(data: Path, *rows: str) -> None:
    path = data.parent / "keys.csv"
    path.write_text("\n".join(["player,name,key", *rows]))
    enter = ["lists", "players", "--data", str(data), "--enter", str(path), "--by", "Olga"]
    assert main(enter) == 0


def test_a_season_knows_people_by_their_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada has married, and her old name is that of somebody else now."""
    files = []
    for year, rows in (("1", ["1,Ada,DE-1", "2,Ben,DE-2"]), ("2", ["1,Ben,DE-3", "2,Eva,de-1"])):
        data = tmp_path / year / "cup"
        data.parent.mkdir()
        play_duplicate_cup(data)
        if year == "2":
            give_keys(data, "2,Cleo,")
        give_keys(data, *rows)
        files.append(str(tmp_path / f"{year}.zip"))
        assert main(["archive", "--data", str(data), "--out", files[-1]]) == 0
        assert main(["verify", files[-1], "--jobs", "1"]) == 0
    capsys.readouterr()
    assert main(["season", "--json", *files]) == 0
    rows_of = {row["key"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert {key: (row["name"], row["events"]) for key, row in rows_of.items()} == {
        "de-1": ("Eva", 2), "DE-2": ("Ben", 1), "DE-3": ("Ben", 1)
    }  # fmt: skip
    assert main(["season", "--places", "--json", *files]) == 0
    found = json.loads(capsys.readouterr().out)
    shares = {row["key"]: row["shares"] for row in found["rows"]}
    assert shares["de-1"] == [100 - share for share in (*shares["DE-2"], *shares["DE-3"])]
    assert [row["score"] for row in found["rows"]] == sorted(
        (row["score"] for row in found["rows"]), reverse=True
    )
    assert main(["season", "--places", "--best", "1", *files]) == 0
    assert "Eva (de-1): " in capsys.readouterr().out
    assert main(["season", "--best", "1", *files]) == 2


def test_a_season_needs_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out = tmp_path / "cup", str(tmp_path / "cup.zip")
    play_tables_cup(data, played=1)
    assert main(["archive", "--data", str(data), "--out", out]) == 0
    assert main(["season", "--places", out]) == 2
    assert f"{out}: expected an event with its result, found none" in capsys.readouterr().err


def test_ties_are_half_a_win_and_share_the_place() -> None:
    first = [EventShare("Ada", "", 50.0), EventShare("Ben", "", 50.0), EventShare("Cleo", "", 20.0)]
    second = [EventShare("ada", "", 0.0), EventShare("Cleo", "", 30.0)]
    rows = sum_shares([first, second], best=0)
    assert [(row.place, row.name, row.score) for row in rows] == [
        (1, "Ben", 50.0), (1, "Cleo", 50.0), (1, "ada", 50.0)
    ]  # fmt: skip
    best = sum_shares([first, second], best=1)
    assert [(row.place, row.name) for row in best] == [(1, "Ben"), (1, "ada"), (3, "Cleo")]
