# SPDX-License-Identifier: MIT
"""The accounts of a table's games: built once, kept, and summed up for each player."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.history.analysis.account_cache import CACHE_FILE
from controller.history.analysis.analysis_view import AnalysisView
from controller.history.analysis.game_analyses import Compute, GameAnalyses, compute_apart
from controller.history.replays.parts import HistoryParts, read_journal_game
from tests.support.ended_game import EndedGame, compute_greedily, end_game


class CountedCoach:
    """Computes accounts; `records` are those that it was asked for."""

    def __init__(self) -> None:
        self.records: list[str] = []

    def __call__(self, record: str) -> str:
        self.records.append(record)
        return compute_greedily(record)


@pytest.fixture
def ended(tmp_path: Path) -> EndedGame:
    return end_game(tmp_path, "choice", "Ada", "Ben")


def open_analyses(ended: EndedGame, compute: Compute) -> GameAnalyses:
    return GameAnalyses(
        ended.folder, lambda number: read_journal_game(ended.folder, number, _first(ended)), compute
    )


def _first(ended: EndedGame) -> int:
    first = ended.history.find_first_byte(1)
    assert first is not None
    return first


def wait_for(analyses: GameAnalyses, ended: EndedGame) -> AnalysisView:
    game = ended.history.find_game(1)
    assert game is not None
    while (view := analyses.show(game))["state"] == "working":
        threading.Event().wait(0.02)
    return view


def test_an_account_is_built_once_and_kept(ended: EndedGame) -> None:
    coach = CountedCoach()
    analyses = open_analyses(ended, coach)
    first = wait_for(analyses, ended)
    again = wait_for(open_analyses(ended, coach), ended)
    assert first == again
    assert len(coach.records) == 1
    assert [player["name"] for player in first["players"]] == ["Ada", "Ben"]
    # A coach and the cache learn no names.
    assert "Ada" not in coach.records[0]
    assert b"Ada" not in (ended.folder / CACHE_FILE).read_bytes()
    (ended.folder / CACHE_FILE).unlink()
    assert wait_for(analyses, ended) == first


def replace_by_rubbish(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def cut_off_the_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


def change_a_byte(path: Path) -> None:
    """SQLite finds nothing wrong with it."""
    content = path.read_bytes()
    assert b'"luck"' in content
    path.write_bytes(content.replace(b'"luck"', b'"pluck'))


def write_another_table(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE accounts (game TEXT)")


@pytest.mark.parametrize(
    "harm", [replace_by_rubbish, cut_off_the_end, change_a_byte, write_another_table]
)
def test_a_damaged_cache_is_built_again(ended: EndedGame, harm: Callable[[Path], None]) -> None:
    before, coach = wait_for(open_analyses(ended, compute_greedily), ended), CountedCoach()
    harm(ended.folder / CACHE_FILE)
    assert wait_for_player(ended.parts(), "Ada")[1] == 0
    for _ in range(2):
        assert wait_for(open_analyses(ended, coach), ended) == before
    assert not coach.records


def test_choices_are_told_in_words(ended: EndedGame) -> None:
    view = wait_for(open_analyses(ended, CountedCoach()), ended)
    account = json.loads(compute_greedily(export(ended)))
    for seat, player in enumerate(view["players"]):
        costs = sorted((c["cost"] for c in account["choices"] if c["seat"] == seat), reverse=True)
        dearest = player["dearest"]
        assert [choice["cost"] for choice in dearest] == costs[:3]
        assert all("leave" in choice["chosen"] for choice in dearest)
        assert all(choice["best"] != choice["chosen"] for choice in dearest)
        assert all(len(choice["dice"]) == 5 for choice in dearest)
    assert len(view["values"]) == len(account["rolls"]) + 1


def export(ended: EndedGame) -> str:
    record = ended.parts().replays.export_record(1)
    assert record is not None
    return record


def test_games_of_a_player_are_summed_up(ended: EndedGame) -> None:
    parts = ended.parts()
    skills, missing = wait_for_player(parts, "Ada")
    (skill,) = skills
    ada = json.loads(compute_greedily(export(ended)))["players"][0]
    assert missing == 0
    assert (skill.game, skill.unit, skill.sums.games) == ("choice", "points", 1)
    assert skill.sums.adjusted == pytest.approx(ada["final"] - ada["luck"])
    assert skill.sums.cost == pytest.approx(-ada["play"] / ada["choices"])
    assert skill.adjusted == ((1, pytest.approx(ada["adjusted"])),)


def wait_for_player(parts: HistoryParts, name: str) -> tuple[tuple, int]:  # type: ignore[type-arg]
    while (found := parts.analyse_player(name))[1]:
        threading.Event().wait(0.02)
    return found


def test_a_process_of_its_own_says_that_no_coach_knows_a_game() -> None:
    assert compute_apart('{"record": 1, "game": "dice", "players": ["Ada"]}\n') == "null"


def test_a_game_that_cannot_be_analysed_is_unknown(ended: EndedGame) -> None:
    asked = []

    def fail(record: str) -> str:
        asked.append(record)
        raise OSError("no process")

    analyses = open_analyses(ended, fail)
    assert wait_for(analyses, ended) == {"state": "unknown"}
    assert wait_for(analyses, ended) == {"state": "unknown"}
    assert len(asked) == 1
