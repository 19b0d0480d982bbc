# SPDX-License-Identifier: MIT
"""Choice by the booklet: its worked examples, its fifth die, its turns and its end."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest

from controller.base.errors import IllegalActionError, InputError
from controller.games.choice.game import CHOICE
from controller.games.choice.notation import TOTALS
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceScore, ChoiceSheet, FifthDieRow, count_points
from controller.games.contract import ActionEvent, GameOutcome, RollEvent
from controller.games.dice import parse_roll
from tests.controller.games.choice.positions import sheet_of


def rolled(state: ChoiceState, roll: str) -> ChoiceState:
    (roller,) = state.expects().roll
    return state.apply(RollEvent(roller, roll))


def solo(sheet: ChoiceSheet, roll: str) -> ChoiceState:
    return rolled(ChoiceState(("Ada",), (sheet,)), roll)


def fifths(actions: tuple[str, ...]) -> set[str]:
    return {action.partition("/")[2] for action in actions}


ENDING = sheet_of({}, {1: 7})
"""One mark on the fifth die before the end: a 1 left out ends the game."""


class TestWorkedExamples:
    """The booklet's first four rolls and its finished sheet."""

    def test_first_roll(self) -> None:
        state = solo(ChoiceSheet(), "13446").apply(ActionEvent("Ada", "4+10/4"))
        assert state.sheets == (sheet_of({4: 1, 10: 1}, {4: 1}),)

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

    def test_equal_splits_are_one_choice(self) -> None:
        assert solo(ChoiceSheet(), "33333").legal_actions("Ada") == ("6+6/3",)

    def test_five_different_faces_offer_fifteen_choices(self) -> None:
        assert len(solo(ChoiceSheet(), "12346").legal_actions("Ada")) == 15

    def test_all_252_rolls_offer_what_every_order_of_the_dice_offers(self) -> None:
        counted = 0
        for faces in itertools.combinations_with_replacement("123456", 5):
            roll = "".join(faces)
            offered = solo(ChoiceSheet(), roll).legal_actions("Ada")
            twin = set()
            for a, b, c, d, fifth in itertools.permutations(map(int, roll)):
                low, high = min(a + b, c + d), max(a + b, c + d)
                twin.add(f"{low}+{high}/{fifth}")
            assert set(offered) == twin
            assert len(offered) == len(twin)
            counted += len(offered)
        # By hand: 6 fifth faces, each with every four dice: abcd 15 x 3 splits, aabc 60 x 2,
        # aabb 15 x 2, aaab 30 x 1, aaaa 6 x 1.
        assert counted == 6 * (15 * 3 + 60 * 2 + 15 * 2 + 30 + 6) == 1386


class TestFifthDie:
    def test_any_die_may_be_fifth_below_three_faces(self) -> None:
        sheet = sheet_of({}, {4: 7, 2: 1})
        assert fifths(solo(sheet, "24561").legal_actions("Ada")) == set("12456")

    def test_no_free_roll_before_three_faces_stand(self) -> None:
        sheet = sheet_of({}, {4: 1, 2: 1})
        state = solo(sheet, "11366").apply(ActionEvent("Ada", "4+12/1"))
        assert state.sheets[0].fifth == (FifthDieRow(4, 1), FifthDieRow(2, 1), FifthDieRow(1, 1))

    def test_fifth_die_must_be_the_listed_face_that_is_shown(self) -> None:
        sheet = sheet_of({}, {4: 1, 2: 1, 5: 1})
        assert fifths(solo(sheet, "13346").legal_actions("Ada")) == {"4"}

    def test_player_picks_among_several_listed_faces(self) -> None:
        sheet = sheet_of({}, {4: 1, 2: 1, 5: 1})
        state = solo(sheet, "12245")
        assert fifths(state.legal_actions("Ada")) == {"2", "4", "5"}
        with pytest.raises(IllegalActionError):
            state.apply(ActionEvent("Ada", "6+7/1"))

    def test_free_roll_marks_totals_but_no_fifth_die(self) -> None:
        sheet = sheet_of({}, {4: 1, 2: 1, 5: 1})
        state = solo(sheet, "13366")
        assert fifths(state.legal_actions("Ada")) == {"1", "3", "6"}
        after = state.apply(ActionEvent("Ada", "4+9/6")).sheets[0]
        assert after == sheet_of({4: 1, 9: 1}, {4: 1, 2: 1, 5: 1})

    def test_rows_keep_the_order_in_which_they_were_entered(self) -> None:
        sheet = sheet_of({}, {6: 1, 1: 2})
        assert list(fifth_shown(sheet)) == ["6", "1"]

    def test_the_same_total_twice_gets_two_marks(self) -> None:
        state = solo(ChoiceSheet(), "13446").apply(ActionEvent("Ada", "7+7/4"))
        assert state.sheets[0] == sheet_of({7: 2}, {4: 1})


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

    def test_marks_beyond_ten_are_still_allowed_and_kept(self) -> None:
        sheet = sheet_of({7: 10}, {4: 1})
        after = solo(sheet, "13446").apply(ActionEvent("Ada", "7+7/4")).sheets[0]
        assert after.marks_on(7) == 12
        assert after.score() == ChoiceScore(plus=150, minus=0)

    def test_totals_count_as_they_stand_in_the_middle_of_a_game(self) -> None:
        state = rolled(CHOICE.start(["Ada", "Ben"], {}), "13446")
        assert state.apply(ActionEvent("Ada", "4+10/4")).totals() == {"Ada": -400, "Ben": 0}

    def test_a_sheet_is_shown_in_full_with_its_empty_totals(self) -> None:
        state = ChoiceState(("Ada",), (sheet_of({4: 1}, {4: 1}),))
        sums = {str(total): 0 for total in TOTALS} | {"4": 1}
        assert state.sheet("Ada") == {"sums": sums, "fifth": {"4": 1}, "jokers": []}


class TestTurns:
    def test_the_first_player_listed_rolls_first(self) -> None:
        state = CHOICE.start(["Ada", "Ben"], {})
        assert state.expects().roll == ("Ada",)
        with pytest.raises(IllegalActionError, match="expected a roll by Ada, found"):
            state.apply(RollEvent("Ben", "13446"))

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

    def test_a_player_acts_once_on_a_roll(self) -> None:
        state = rolled(CHOICE.start(["Ada", "Ben"], {}), "33333")
        state = state.apply(ActionEvent("Ada", "6+6/3"))
        with pytest.raises(IllegalActionError, match="expected an action by Ben, found"):
            state.apply(ActionEvent("Ada", "6+6/3"))

    def test_no_new_roll_before_everybody_has_acted(self) -> None:
        state = rolled(CHOICE.start(["Ada", "Ben"], {}), "33333")
        state = state.apply(ActionEvent("Ada", "6+6/3"))
        for name in ("Ada", "Ben"):
            with pytest.raises(IllegalActionError, match="expected an action by Ben, found"):
                state.apply(RollEvent(name, "12345"))

    def test_no_action_before_a_roll(self) -> None:
        with pytest.raises(IllegalActionError, match="expected a roll by Ada, found '6\\+6/3'"):
            CHOICE.start(["Ada"], {}).apply(ActionEvent("Ada", "6+6/3"))

    @pytest.mark.parametrize("roll", ["1344", "134466", "13407", "13448", "", "w4 b6", "１3446"])
    def test_a_roll_is_five_faces_from_1_to_6(self, roll: str) -> None:
        with pytest.raises(IllegalActionError, match="expected 5 digits from 1 to 6"):
            CHOICE.start(["Ada"], {}).apply(RollEvent("Ada", roll))

    def test_the_order_of_the_digits_means_nothing(self) -> None:
        state = CHOICE.start(["Ada"], {})
        assert rolled(state, "64134") == rolled(state, "13446")
        assert rolled(state, "64134").faces == parse_roll("13446", count=5)

    @pytest.mark.parametrize(
        "action", ["10+4/4", "4+10", "04+10/4", " 4+10/4", "4+10/4\n", "6+6/6"]
    )
    def test_a_choice_that_is_not_offered_is_refused(self, action: str) -> None:
        state = solo(ChoiceSheet(), "13446")
        with pytest.raises(IllegalActionError) as refused:
            state.apply(ActionEvent("Ada", action))
        assert refused.value.expected == state.legal_actions("Ada")


class TestEnd:
    def test_the_eighth_mark_ends_that_players_game_at_once(self) -> None:
        start = ChoiceState(("Ada", "Ben"), (ENDING, ChoiceSheet()))
        state = rolled(start, "13446").apply(ActionEvent("Ada", "7+10/1"))
        assert state.is_finished("Ada")
        assert state.outcome() is None
        assert tuple(state.expects().do) == ("Ben",)

    def test_the_bell_passes_on_from_a_finished_roller(self) -> None:
        start = ChoiceState(("Ada", "Ben", "Cleo"), (ENDING, ChoiceSheet(), ChoiceSheet()))
        state = rolled(start, "13446")
        for name in start.players:
            state = state.apply(ActionEvent(name, "7+10/1"))
        assert state.expects().roll == ("Ben",)

    def test_a_finished_player_neither_rolls_nor_acts(self) -> None:
        done = sheet_of({}, {1: 8})
        state = rolled(
            ChoiceState(("Ada", "Ben", "Cleo"), (ChoiceSheet(), done, ChoiceSheet())), "13446"
        )
        assert tuple(state.expects().do) == ("Ada", "Cleo")
        assert state.legal_actions("Ben") == ()
        state = state.apply(ActionEvent("Ada", "7+10/1")).apply(ActionEvent("Cleo", "7+10/1"))
        assert state.expects().roll == ("Cleo",)
        state = rolled(state, "13446")
        assert tuple(state.expects().do) == ("Cleo", "Ada")

    def test_the_last_player_left_rolls_for_themselves_alone(self) -> None:
        done = sheet_of({}, {1: 8})
        state = rolled(ChoiceState(("Ada", "Ben"), (done, ChoiceSheet()), roller=1), "13446")
        assert state.apply(ActionEvent("Ben", "7+10/1")).expects().roll == ("Ben",)

    def test_the_highest_result_wins_even_if_it_is_negative(self) -> None:
        low, high = sheet_of({2: 1, 3: 1}, {1: 8}), sheet_of({2: 1}, {1: 8})
        state = ChoiceState(("Ada", "Ben"), (low, high))
        assert state.outcome() == GameOutcome(winners=("Ben",), losers=("Ada",))

    def test_equal_results_share_the_win(self) -> None:
        low, high = sheet_of({2: 1, 3: 1}, {1: 8}), sheet_of({2: 1}, {1: 8})
        state = ChoiceState(("Ada", "Ben", "Cleo"), (high, low, high))
        assert state.outcome() == GameOutcome(winners=("Ada", "Cleo"), losers=("Ben",))

    def test_alone_a_negative_result_is_a_defeat(self) -> None:
        state = ChoiceState(("Ada",), (sheet_of({2: 1}, {1: 8}),))
        assert state.outcome() == GameOutcome(winners=(), losers=("Ada",))

    def test_alone_a_result_that_is_not_negative_is_a_win(self) -> None:
        state = ChoiceState(("Ada",), (sheet_of({2: 5}, {1: 8}),))
        assert state.outcome() == GameOutcome(winners=("Ada",))


class TestOptions:
    def test_jokers_false_is_the_game_without_options(self) -> None:
        assert CHOICE.start(["Ada"], {"jokers": False}) == CHOICE.start(["Ada"], {})

    def test_jokers_are_off_unless_asked_for(self) -> None:
        assert CHOICE.start(["Ada"], {}).options == {"jokers": False}
        assert CHOICE.start(["Ada"], {"jokers": True}).options == {"jokers": True}

    @pytest.mark.parametrize(("value", "shown"), [(0, "0"), (1, "1")])
    def test_a_number_is_no_flag(self, value: int, shown: str) -> None:
        with pytest.raises(InputError) as refused:
            CHOICE.start(["Ada"], {"jokers": value})
        assert str(refused.value) == f"jokers: expected true or false, found {shown}"
