# SPDX-License-Identifier: MIT
"""Sessions are summarized by kind of throw, with every wrong reading by table and throw."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest

from controller.cli.bench_reader.scene_accuracy import SceneOutcome, SceneResult
from controller.cli.bench_reader.sessions.examine import CLUTTERED, TIDY, SessionResult, ThrowResult
from controller.cli.bench_reader.sessions.summary import is_any_wrong, to_json, to_text
from controller.cli.main import main

FIVE_AND_SIX, TWO_FIVES = (0, 0, 0, 0, 1, 1), (0, 0, 0, 0, 2, 0)


def throw(number: int, kind: str, outcome: SceneOutcome, *doubts: str) -> ThrowResult:
    graded = SceneResult(7, kind, outcome, doubts, dice=FIVE_AND_SIX, believed=TWO_FIVES)
    return ThrowResult(number, graded, elapsed_ms=10.0 * number)


GOOD = SessionResult(
    7,
    (
        throw(1, TIDY, SceneOutcome.EXACT),
        throw(2, TIDY, SceneOutcome.DOUBTED, "glare"),
        throw(3, "cocked", SceneOutcome.TOLD, "cocked"),
        throw(4, "stacked", SceneOutcome.ELSEWHERE, "count"),
    ),
    prepared_ms=4.0,
)
BAD = SessionResult(
    8, (throw(1, CLUTTERED, SceneOutcome.MISREAD), throw(9, "cocked", SceneOutcome.BELIEVED))
)
LEFT_OUT = SessionResult(9, problem="seed 9 shows no table")
RESULTS = (GOOD, BAD, LEFT_OUT)


def test_json_counts_fair_throws_and_each_fault() -> None:
    told = json.loads(json.dumps(to_json(RESULTS)))
    kinds = told["kinds"]
    assert list(kinds) == ["fair", "fair, tidy", "fair, cluttered", "cocked", "stacked"]
    assert kinds["fair"]["outcomes"] == {"exact": 1, "misread": 1, "doubted": 1}
    assert kinds["fair"]["silently_wrong_at_most"] == pytest.approx(0.8647, abs=1e-4)
    assert kinds["fair"]["doubts"] == {"glare": 1}
    assert kinds["cocked"]["outcomes"] == {"told": 1, "believed": 1}
    assert kinds["stacked"]["outcomes"] == {"told elsewhere": 1}
    assert told["sessions"] == 3
    assert told["not_held"] == {"9": "seed 9 shows no table"}
    assert told["times_ms"]["reading, longest"] == 90.0


def test_wrong_readings_come_first_with_their_faces() -> None:
    reviews = json.loads(json.dumps(to_json(RESULTS)))["review"]
    assert [(one["throw"], one["outcome"]) for one in reviews] == [
        (1, "misread"),
        (9, "believed"),
        (2, "doubted"),
        (4, "told elsewhere"),
    ]
    assert (reviews[0]["dice"], reviews[0]["read"]) == ([5, 6], [5, 5])


def test_people_get_a_row_a_kind_and_a_line_a_review() -> None:
    lines = to_text(RESULTS).splitlines()
    assert lines[0].split()[:5] == ["throws", "exact", "misread", "doubted", "told"]
    row = ["fair", "3", "1", "33.3%", "1", "33.3%", "1", "33.3%", "-", "-", "-", "86.46%"]
    assert lines[1].split() == row
    assert "tables with a wrong reading: 1 of 2, at most 97.5%" in lines
    assert "doubts, fair: glare 1" in lines
    assert "table 9 was left out: seed 9 shows no table" in lines
    assert "table 7, throw 4, stacked: told elsewhere (count)" in lines
    assert "table 8, throw 1, fair, cluttered: misread, 5 6 read as 5 5" in lines
    assert to_text(()) == "no table was examined\n"


def test_only_what_was_believed_is_wrong() -> None:
    assert not is_any_wrong((GOOD, LEFT_OUT))
    assert is_any_wrong((GOOD, BAD))


def test_the_command_prints_the_sessions_of_a_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[int, int, int]] = []
    taught: list[tuple[int, bool]] = []

    def examine(
        first: int, count: int, one: partial[SessionResult], *, jobs: int
    ) -> list[SessionResult]:
        asked.append((first, count, jobs))
        taught.append((one.keywords["confirmed"], one.keywords["under_dome"]))
        return [replace(GOOD, seed=first), BAD]

    monkeypatch.setattr("controller.cli.bench_reader.accuracy.examine_tables", examine)
    command = ["bench", "accuracy", "--sessions", "2", "--seed", "1000007", "--jobs", "1"]
    assert main([*command, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sessions"] == 2
    assert main([*command, "--confirmed", "30", "--dome"]) == 1
    assert "tables with a wrong reading: 1 of 2" in capsys.readouterr().out
    assert asked == [(1_000_007, 2, 1)] * 2
    assert taught == [(5, False), (30, True)]


@pytest.mark.parametrize("option", [["--dome"], ["--confirmed", "30"]])
def test_options_of_sessions_are_refused_without(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "accuracy", *option]) == 2
    assert f"{option[0]}: expected --sessions N beside it" in capsys.readouterr().err
