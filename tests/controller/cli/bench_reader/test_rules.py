# SPDX-License-Identifier: MIT
"""The bench replays whole games of every kind, and says how fast."""

from __future__ import annotations

import json
import random

import pytest

from controller.cli.bench_reader import rules
from controller.cli.main import main
from controller.games import GAMES
from controller.journal.records.replay import replay

SECRET = "secret"
"""The option that hides choices until all have confirmed; the rules are the same with it."""


def test_every_game_is_measured_with_each_of_its_flags() -> None:
    played = [(key, options) for key, options in rules.TABLES.values()]
    for key, game in GAMES.items():
        assert key in [name for name, _ in played]
        flags = [name for name, rule in game.options.items() if isinstance(rule.default, bool)]
        flags = [name for name in flags if name != SECRET]
        for flag in flags:
            assert {options[flag] for name, options in played if name == key} == {True, False}


@pytest.mark.parametrize("table", rules.TABLES)
def test_the_records_are_whole_games_and_the_same_every_time(table: str) -> None:
    key, options = rules.TABLES[table]
    records = [rules.random_record(GAMES[key], options, random.Random(3)) for _ in range(2)]
    assert records[0] == records[1]
    assert replay(records[0]).state.outcome() is not None


def test_the_ratio_is_that_of_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "rules", "--games", "10", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    for table in rules.TABLES:
        replayed = figures[f"{table}, replayed a second"]
        parsed = figures[f"{table}, parsed a second"]
        assert figures[f"{table}, events"] >= 10
        assert figures[f"{table}, parsed / replayed"] == pytest.approx(parsed / replayed, rel=0.01)
