# SPDX-License-Identifier: MIT
"""Jokers at a table: several on one roll, several players at once, whole games with them."""

from __future__ import annotations

import json
from pathlib import Path

from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet
from controller.journal.records.replay import build_result, replay
from tests.controller.games.choice.positions import played, refused, table
from tests.controller.games.playing import NAMES

GOLDEN = Path(__file__).parents[3] / "records"


class TestSeveralJokersOnOneRoll:
    def test_a_wrong_turn_is_told_with_the_players_own_dice(self) -> None:
        texts = ("Ada 13446", "Ada terminator", "Ada 22555", "Ada corrector 5>2")
        state = played(table(ChoiceSheet(), ChoiceSheet()), *texts)
        assert str(refused(state, "Ada 22555")) == (
            "expected a roll by Ada showing 22255, found 'roll 22555' by Ada,"
            " in choice, roll 13446, own dice 22555"
        )


class TestTheOthers:
    def test_they_choose_and_use_jokers_while_somebody_waits(self) -> None:
        state = played(
            table(ChoiceSheet(), ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada terminator"
        )
        state = played(state, "Ben 4+10/4", "Cleo corrector 1>2")
        assert state.expects().roll == ("Ada", "Cleo")
        assert state.expects().do == {}
        state = played(state, "Cleo 23446", "Cleo 5+10/4")
        assert state.expects().roll == ("Ada",)
        assert state.acted == ("Ben", "Cleo")

    def test_those_who_wait_stand_clockwise_from_the_roller(self) -> None:
        state = ChoiceState(NAMES[:4], (ChoiceSheet(),) * 4, roller=2, jokers=(Jokers(JOKERS),) * 4)
        texts = ("Cleo 13446", "Ben terminator", "Dora corrector 1>2", "Cleo terminator")
        state = played(state, *texts)
        assert state.expects().roll == ("Cleo", "Dora", "Ben")
        assert tuple(state.expects().do) == ("Ada",)

    def test_a_roll_by_somebody_who_does_not_wait_is_refused(self) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada corrector 1>2")
        for name in ("Ben", "Zoe"):
            refusal = refused(state, f"{name} 23446")
            assert refusal.expected == ("a roll by Ada showing 23446", "an action by Ben")


class TestGoldenRecords:
    def test_several_wait_at_once_on_one_roll(self) -> None:
        with (GOLDEN / "choice-jokers-waiting.jsonl").open("rb") as lines:
            found = json.loads(json.dumps(build_result("waiting", replay(lines))))
        sums = {name: sheet["sums"] for name, sheet in found["sheets"].items()}
        marks = {name: {k: n for k, n in counts.items() if n} for name, counts in sums.items()}
        assert marks == {"Ada": {"4": 1, "8": 1}, "Ben": {"6": 2}, "Cleo": {"5": 1, "11": 1}}
        assert [sheet["jokers"] for sheet in found["sheets"].values()] == [
            ["terminator", "corrector", "3:1"], ["terminator"], [],
        ]  # fmt: skip
        assert found["totals"] == {"Ada": -100, "Ben": -100, "Cleo": -400}
        correctors = [f"corrector 3>{new}" for new in (1, 2, 4, 5, 6)]
        assert found["expects"] == {
            "roll": [],
            "do": {
                "Ben": ["6+6/3", "terminator"],
                "Cleo": ["6+6/3"],
                "Ada": ["6+6/3", "3:1 9+3/3", "terminator", *correctors],
            },
        }

    def test_three_players_play_to_the_end_with_some_jokers_left(self) -> None:
        with (GOLDEN / "choice-jokers-three-players.jsonl").open("rb") as lines:
            found = build_result("three", replay(lines))
        assert found["finished"] is True
        assert found["totals"] == {"Ada": -380, "Ben": -660, "Cleo": -130}
        assert (found["winners"], found["losers"]) == (("Cleo",), ("Ada", "Ben"))
