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
        PlayedGame("Ada", "choice", "points", 10, 5, 100.0),
        PlayedGame(" ADA", "choice", "points", 30, 30, 0.0),
        PlayedGame("Ben", "choice", "points", 0, 0, 0.0),
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
