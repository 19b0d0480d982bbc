# SPDX-License-Identifier: MIT
"""
What Choice says in an order and in words, of pairs and of jokers.

What it makes of every event is held by its twin and by golden records.
"""

from __future__ import annotations

import json
from pathlib import Path

from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet
from controller.journal.records.replay import build_result, replay
from tests.controller.games.choice.positions import sheet_of, table_of
from tests.controller.games.playing import NAMES, played, refused

GOLDEN = Path(__file__).parents[3] / "records"


def rolled(roll: str) -> ChoiceState:
    """Return the first roll of Ada alone, without jokers."""
    return played(ChoiceState(("Ada",), (ChoiceSheet(),)), f"Ada {roll}")


class TestOrder:
    def test_choices_of_the_first_roll_are_these(self) -> None:
        # 4 left out: 1+3 4+6, 1+4 3+6, 1+6 3+4; the other faces likewise, by hand.
        assert rolled("13446").legal_actions("Ada") == (
            "4+8/6", "4+10/4", "5+7/6", "5+9/4", "5+10/3", "7+7/4", "7+8/3", "7+10/1", "8+9/1",
        )  # fmt: skip

    def test_jokers_follow_the_choices(self) -> None:
        assert played(table_of(ChoiceSheet()), "Ada 11112").legal_actions("Ada") == (
            "2+2/2", "2+3/1", "3:1 3+2/1",
            "terminator",
            "corrector 1>2", "corrector 1>3", "corrector 1>4", "corrector 1>5", "corrector 1>6",
            "corrector 2>1", "corrector 2>3", "corrector 2>4", "corrector 2>5", "corrector 2>6",
        )  # fmt: skip

    def test_threes_stand_smallest_triple_single_and_fifth_first(self) -> None:
        actions = played(table_of(ChoiceSheet()), "Ada 12345").legal_actions("Ada")
        threes = [text for text in actions if text.startswith("3:1")]
        numbers = [tuple(map(int, t[4:].replace("/", "+").split("+"))) for t in threes]
        # By hand: 20 ways less the four that leave the 1 alone; 3+4+5 = 12 is still on.
        assert len(numbers) == 16
        assert numbers == sorted(numbers)

    def test_rows_keep_the_order_in_which_they_were_entered(self) -> None:
        fifth = ChoiceState(("Ada",), (sheet_of({}, {6: 1, 1: 2}),)).sheet("Ada")["fifth"]
        assert isinstance(fifth, dict)
        assert list(fifth) == ["6", "1"]

    def test_players_act_clockwise_from_the_roller(self) -> None:
        state = ChoiceState(("Ada", "Ben", "Cleo"), (ChoiceSheet(),) * 3, roller=1)
        state = played(state, "Ben 33333")
        assert tuple(state.expects().do) == ("Ben", "Cleo", "Ada")
        state = played(state, "Ada 6+6/3")
        assert state.acted == ("Ada",)
        assert tuple(state.expects().do) == ("Ben", "Cleo")

    def test_those_who_wait_stand_clockwise_from_the_roller(self) -> None:
        state = ChoiceState(NAMES[:4], (ChoiceSheet(),) * 4, roller=2, jokers=(Jokers(JOKERS),) * 4)
        texts = ("Cleo 13446", "Ben terminator", "Dora corrector 1>2", "Cleo terminator")
        state = played(state, *texts)
        assert state.expects().roll == ("Cleo", "Dora", "Ben")
        assert tuple(state.expects().do) == ("Ada",)


class TestRefusals:
    def test_a_wrong_turn_is_told_with_the_players_own_dice(self) -> None:
        texts = ("Ada 13446", "Ada terminator", "Ada 22555", "Ada corrector 5>2")
        state = played(table_of(ChoiceSheet(), ChoiceSheet()), *texts)
        assert str(refused(state, "Ada 22555")) == (
            "expected a roll by Ada showing 22255, found 'roll 22555' by Ada,"
            " in choice, roll 13446, own dice 22555"
        )

    def test_a_roll_by_somebody_who_does_not_wait_is_refused(self) -> None:
        state = played(table_of(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada corrector 1>2")
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
