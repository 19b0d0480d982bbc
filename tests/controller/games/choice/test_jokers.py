# SPDX-License-Identifier: MIT
"""The jokers of Choice: what each does to one player's dice, and what it counts."""

from __future__ import annotations

import pytest

from controller.games.choice.game import CHOICE
from controller.games.choice.sheet import ChoiceSheet
from tests.controller.games.choice.positions import played, refused, sheet_of, table


class TestTerminator:
    """All five dice are rolled again, for this player only."""

    def test_a_waiting_player_has_no_action(self) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ben terminator")
        assert state.expects().roll == ("Ben",)
        assert tuple(state.expects().do) == ("Ada",)
        assert state.legal_actions("Ben") == ()
        assert state.player_dice("Ben") == ()
        assert state.dice_to_leave("Ben") == state.required_dice("Ben") == ()
        assert state.hold_action("Ben", ("4",)) is None


class TestCorrector:
    """One die is turned to a face of the player's choice, for this player only."""

    def test_the_player_waits_for_their_dice_with_that_one_turned(self) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 12246", "Ada corrector 2>6")
        assert state.expects().roll == ("Ada",)
        assert state.required_dice("Ada") == ("1", "2", "4", "6", "6")
        assert state.required_dice("Ben") == ()
        assert state.player_dice("Ada") == ()
        assert state.dice_to_leave("Ada") == ()
        assert tuple(state.expects().do) == ("Ben",)

    @pytest.mark.parametrize("roll", ["12246", "14666", "12266", "66666", "13466", "12346"])
    def test_other_dice_are_refused_with_those_expected(self, roll: str) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 12246", "Ada corrector 2>6")
        refusal = refused(state, f"Ada {roll}")
        assert str(refusal) == (
            f"expected a roll by Ada showing 12466, found 'roll {roll}' by Ada,"
            " in choice, roll 12246"
        )


class TestThree:
    """The choice is one triple and one single die instead of two pairs."""

    def test_both_totals_and_the_fifth_die_get_a_mark(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 23344", "Ada 3:1 11+2/3")
        assert state.sheets == (sheet_of({11: 1, 2: 1}, {3: 1}),)
        assert state.jokers_of("Ada") == ("terminator", "corrector")

    def test_a_total_that_is_not_on_the_sheet_is_not_offered(self) -> None:
        # By hand: 5+5+5 and 5+5+6 are above 12, and 5+5+1 leaves a 5 or 6 alone.
        state = played(table(ChoiceSheet()), "Ada 15556")
        assert [text for text in state.legal_actions("Ada") if text.startswith("3:1")] == [
            "3:1 11+5/6", "3:1 11+6/5", "3:1 12+5/5",
        ]  # fmt: skip
        for action in ("3:1 15+6/1", "3:1 15+1/6", "3:1 16+5/1"):
            assert refused(state, f"Ada {action}").expected == state.legal_actions("Ada")


class TestLegalActions:
    def test_actions_come_in_a_fixed_order(self) -> None:
        assert played(table(ChoiceSheet()), "Ada 11112").legal_actions("Ada") == (
            "2+2/2", "2+3/1", "3:1 3+2/1",
            "terminator",
            "corrector 1>2", "corrector 1>3", "corrector 1>4", "corrector 1>5", "corrector 1>6",
            "corrector 2>1", "corrector 2>3", "corrector 2>4", "corrector 2>5", "corrector 2>6",
        )  # fmt: skip

    def test_threes_stand_smallest_triple_single_and_fifth_first(self) -> None:
        actions = played(table(ChoiceSheet()), "Ada 12345").legal_actions("Ada")
        threes = [text for text in actions if text.startswith("3:1")]
        numbers = [tuple(map(int, t[4:].replace("/", "+").split("+"))) for t in threes]
        # By hand: 20 ways less the four that leave the 1 alone; 3+4+5 = 12 is still on.
        assert len(numbers) == 16
        assert numbers == sorted(numbers)


class TestScore:
    def test_the_sheet_lists_the_unused_in_their_order(self) -> None:
        state = CHOICE.start(["Ada"], {"jokers": True})
        assert state.sheet("Ada")["jokers"] == ["terminator", "corrector", "3:1"]
        state = played(state, "Ada 12246", "Ada corrector 2>6")
        assert state.sheet("Ada")["jokers"] == ["terminator", "3:1"]
