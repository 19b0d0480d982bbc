# SPDX-License-Identifier: MIT
"""Choice by the booklet: its worked examples, its fifth die, its turns and its end."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.games.choice.game import CHOICE
from controller.games.choice.notation import TOTALS
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceScore, ChoiceSheet, count_points
from controller.games.contract import ActionEvent, GameOutcome, RollEvent
from controller.games.dice import parse_roll
from tests.controller.games.choice.positions import sheet_of


def rolled(state: ChoiceState, roll: str) -> ChoiceState:
    (roller,) = state.expects().roll
    return state.apply(RollEvent(roller, roll))


def solo(sheet: ChoiceSheet, roll: str) -> ChoiceState:
    return rolled(ChoiceState(("Ada",), (sheet,)), roll)


class TestWorkedExamples:
    """The booklet's first four rolls and its finished sheet."""

    def test_first_four_rolls(self) -> None:
        state = CHOICE.start(["Ada"], {})
        # The booklet does not tell the second roll; 24456 makes its totals.
        plays = (("13446", "4+10/4"), ("24456", "9+10/2"), ("12245", "4+5/5"), ("13366", "4+9/6"))
        for roll, action in plays:
            state = rolled(state, roll).apply(ActionEvent("Ada", action))
        assert state.sheets == (sheet_of({4: 3, 5: 1, 9: 2, 10: 2}, {4: 1, 2: 1, 5: 1}),)

    def test_third_sheet(self) -> None:
        before = sheet_of({4: 1, 9: 1, 10: 2}, {4: 1, 2: 1})
        state = solo(before, "12245").apply(ActionEvent("Ada", "4+5/5"))
        assert state.sheets == (sheet_of({4: 2, 5: 1, 9: 1, 10: 2}, {4: 1, 2: 1, 5: 1}),)

    def test_finished_sheet_scores_400(self) -> None:
        sums = {2: 4, 4: 6, 5: 5, 6: 6, 8: 9, 9: 7, 10: 9}
        sheet = sheet_of(sums, {4: 8, 2: 7, 5: 7})
        assert [count_points(total, marks) for total, marks in sums.items()] == [
            -200, 60, 0, 40, 160, 100, 240,
        ]  # fmt: skip
        assert sheet.score() == ChoiceScore(plus=600, minus=200)
        assert sheet.score().total == 400
        assert sheet.is_finished


class TestLegalChoices:
    def test_choices_of_the_first_roll_are_these(self) -> None:
        # 4 left out: 1+3 4+6, 1+4 3+6, 1+6 3+4; the other faces likewise, by hand.
        assert solo(ChoiceSheet(), "13446").legal_actions("Ada") == (
            "4+8/6", "4+10/4", "5+7/6", "5+9/4", "5+10/3", "7+7/4", "7+8/3", "7+10/1", "8+9/1",
        )  # fmt: skip


class TestFifthDie:
    def test_rows_keep_the_order_in_which_they_were_entered(self) -> None:
        sheet = sheet_of({}, {6: 1, 1: 2})
        assert list(fifth_shown(sheet)) == ["6", "1"]


def fifth_shown(sheet: ChoiceSheet) -> Mapping[str, int]:
    fifth = ChoiceState(("Ada",), (sheet,)).sheet("Ada")["fifth"]
    assert isinstance(fifth, dict)
    return fifth


class TestScore:
    @pytest.mark.parametrize(
        ("marks", "counted"),
        [(0, 0), (1, -200), (4, -200), (5, 0), (6, 60), (9, 240), (10, 300), (11, 300), (23, 300)],
    )
    def test_points_of_total_ten(self, marks: int, counted: int) -> None:
        assert count_points(10, marks) == counted

    def test_ten_marks_count_five_times_the_value_of_each_total(self) -> None:
        values = [count_points(total, 10) // 5 for total in TOTALS]
        assert values == [100, 70, 60, 50, 40, 30, 40, 50, 60, 70, 100]

    def test_a_sheet_is_shown_in_full_with_its_empty_totals(self) -> None:
        state = ChoiceState(("Ada",), (sheet_of({4: 1}, {4: 1}),))
        sums = {str(total): 0 for total in TOTALS} | {"4": 1}
        assert state.sheet("Ada") == {"sums": sums, "fifth": {"4": 1}, "jokers": []}


class TestTurns:
    def test_players_act_in_any_order(self) -> None:
        start = ChoiceState(("Ada", "Ben", "Cleo"), (ChoiceSheet(),) * 3, roller=1)
        state = rolled(start, "33333")
        assert tuple(state.expects().do) == ("Ben", "Cleo", "Ada")
        state = state.apply(ActionEvent("Ada", "6+6/3"))
        assert state.acted == ("Ada",)
        assert tuple(state.expects().do) == ("Ben", "Cleo")
        state = state.apply(ActionEvent("Cleo", "6+6/3")).apply(ActionEvent("Ben", "6+6/3"))
        assert state.expects().roll == ("Cleo",)
        assert state.acted == ()

    def test_the_order_of_the_digits_means_nothing(self) -> None:
        state = CHOICE.start(["Ada"], {})
        assert rolled(state, "64134") == rolled(state, "13446")
        assert rolled(state, "64134").faces == parse_roll("13446", count=5)


class TestEnd:
    def test_equal_results_share_the_win(self) -> None:
        low, high = sheet_of({2: 1, 3: 1}, {1: 8}), sheet_of({2: 1}, {1: 8})
        state = ChoiceState(("Ada", "Ben", "Cleo"), (high, low, high))
        assert state.outcome() == GameOutcome(winners=("Ada", "Cleo"), losers=("Ben",))

    def test_alone_a_negative_result_is_a_defeat(self) -> None:
        state = ChoiceState(("Ada",), (sheet_of({2: 1}, {1: 8}),))
        assert state.outcome() == GameOutcome(winners=(), losers=("Ada",))


class TestOptions:
    def test_jokers_are_off_unless_asked_for(self) -> None:
        assert CHOICE.start(["Ada"], {}).options == {"jokers": False}
        assert CHOICE.start(["Ada"], {"jokers": True}).options == {"jokers": True}
