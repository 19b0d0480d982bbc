# SPDX-License-Identifier: MIT
"""The jokers of Choice: what each does to one player's dice, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.base.errors import IllegalActionError
from controller.games.choice.game import CHOICE
from controller.games.choice.jokers import JOKERS, Jokers
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet
from controller.games.contract import GameOutcome, RollEvent
from tests.controller.games.choice.positions import played, refused, sheet_of, table

LISTED = sheet_of({}, {4: 1, 2: 1, 5: 1})
"""Three faces stand, so the fifth die is forced wherever one of them shows."""


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

    @pytest.mark.parametrize("roll", ["65432", "13446", "11111"])
    def test_any_five_dice_are_the_new_ones_the_old_faces_too(self, roll: str) -> None:
        state = played(table(ChoiceSheet()), "Ada 13446", "Ada terminator", f"Ada {roll}")
        assert state.player_dice("Ada") == tuple(sorted(roll))

    def test_choices_count_with_the_new_dice(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 13446", "Ada terminator", "Ada 22222")
        assert state.legal_actions("Ada")[:2] == ("4+4/2", "3:1 6+2/2")
        assert refused(state, "Ada 4+10/4").expected == state.legal_actions("Ada")
        after = played(state, "Ada 4+4/2")
        assert after.sheets == (sheet_of({4: 2}, {2: 1}),)

    def test_the_new_dice_may_make_a_free_roll_of_a_forced_one(self) -> None:
        state = played(table(LISTED), "Ada 13346", "Ada terminator", "Ada 13366")
        assert played(state, "Ada 4+9/6").sheets == (sheet_of({4: 1, 9: 1}, {4: 1, 2: 1, 5: 1}),)

    @pytest.mark.parametrize("roll", ["1344", "134466", "13407", ""])
    def test_the_new_roll_has_five_dice(self, roll: str) -> None:
        state = played(table(ChoiceSheet()), "Ada 13446", "Ada terminator")
        with pytest.raises(IllegalActionError) as refusal:
            state.apply(RollEvent("Ada", roll))
        assert refusal.value.expected == ("5 digits from 1 to 6, such as 13446",)


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

    def test_turned_dice_come_in_any_order(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 12246", "Ada corrector 2>6", "Ada 66421")
        assert state.player_dice("Ada") == ("1", "2", "4", "6", "6")
        assert state.required_dice("Ada") == ()
        assert "8+10/1" in state.legal_actions("Ada")
        assert "4+7/2" not in state.legal_actions("Ada")

    @pytest.mark.parametrize("roll", ["12246", "14666", "12266", "66666", "13466", "12346"])
    def test_other_dice_are_refused_with_those_expected(self, roll: str) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 12246", "Ada corrector 2>6")
        refusal = refused(state, f"Ada {roll}")
        assert str(refusal) == (
            f"expected a roll by Ada showing 12466, found 'roll {roll}' by Ada,"
            " in choice, roll 12246"
        )

    def test_a_wrong_number_of_dice_is_refused(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 12246", "Ada corrector 2>6")
        assert refused(state, "Ada 1246").expected == ("5 digits from 1 to 6, such as 13446",)

    @pytest.mark.parametrize(
        "action",
        [
            "corrector 2>2", "corrector 3>6", "corrector 2>7", "corrector 2>0", "corrector 2 > 6",
            "corrector 2", "corrector", "corrector  2>6", "corrector 2>6 ", "Corrector 2>6",
        ],
    )  # fmt: skip
    def test_a_die_that_is_not_there_or_not_turned_is_refused(self, action: str) -> None:
        state = played(table(ChoiceSheet()), "Ada 12246")
        assert refused(state, f"Ada {action}").expected == state.legal_actions("Ada")

    def test_a_turned_die_may_force_the_fifth(self) -> None:
        state = played(table(LISTED), "Ada 13366", "Ada corrector 6>4", "Ada 13346")
        assert {text.partition("/")[2] for text in state.legal_actions("Ada")[:2]} == {"4"}
        assert "4+9/6" not in state.legal_actions("Ada")

    def test_a_turned_die_may_make_a_free_roll(self) -> None:
        state = played(table(LISTED), "Ada 13346", "Ada corrector 4>6", "Ada 13366")
        assert played(state, "Ada 4+9/6").sheets == (sheet_of({4: 1, 9: 1}, {4: 1, 2: 1, 5: 1}),)


class TestThree:
    """The choice is one triple and one single die instead of two pairs."""

    def test_both_totals_and_the_fifth_die_get_a_mark(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 23344", "Ada 3:1 11+2/3")
        assert state.sheets == (sheet_of({11: 1, 2: 1}, {3: 1}),)
        assert state.jokers_of("Ada") == ("terminator", "corrector")

    def test_equal_totals_get_two_marks(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 11244", "Ada 3:1 4+4/4")
        assert state.sheets == (sheet_of({4: 2}, {4: 1}),)

    def test_a_total_that_is_not_on_the_sheet_is_not_offered(self) -> None:
        # By hand: 5+5+5 and 5+5+6 are above 12, and 5+5+1 leaves a 5 or 6 alone.
        state = played(table(ChoiceSheet()), "Ada 15556")
        assert [text for text in state.legal_actions("Ada") if text.startswith("3:1")] == [
            "3:1 11+5/6", "3:1 11+6/5", "3:1 12+5/5",
        ]  # fmt: skip
        for action in ("3:1 15+6/1", "3:1 15+1/6", "3:1 16+5/1"):
            assert refused(state, f"Ada {action}").expected == state.legal_actions("Ada")

    def test_there_may_be_none(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 66666")
        assert state.legal_actions("Ada")[:2] == ("12+12/6", "terminator")

    def test_the_fifth_die_is_forced_as_with_pairs(self) -> None:
        state = played(table(LISTED), "Ada 13346")
        threes = [text for text in state.legal_actions("Ada") if text.startswith("3:1")]
        assert threes == ["3:1 7+6/4", "3:1 10+3/4"]
        refused(state, "Ada 3:1 8+3/6")

    def test_a_free_roll_leaves_any_die_and_marks_no_fifth(self) -> None:
        state = played(table(LISTED), "Ada 13366", "Ada 3:1 7+6/6")
        assert state.sheets == (sheet_of({7: 1, 6: 1}, {4: 1, 2: 1, 5: 1}),)

    def test_the_eighth_mark_ends_the_game_like_any_other(self) -> None:
        state = played(table(sheet_of({}, {3: 7})), "Ada 23344", "Ada 3:1 11+2/3")
        assert state.is_finished("Ada")
        assert state.outcome() is not None


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

    @pytest.mark.parametrize("sheet", [ChoiceSheet(), LISTED, sheet_of({}, {6: 2, 1: 7})])
    def test_all_252_rolls_offer_what_every_order_of_the_dice_offers(
        self, sheet: ChoiceSheet
    ) -> None:
        for roll in all_rolls():
            offered = played(table(sheet), f"Ada {roll}").legal_actions("Ada")
            assert len(set(offered)) == len(offered)
            assert set(offered) == twin_actions([row.face for row in sheet.fifth], roll)

    def test_there_are_as_many_as_counted_by_hand(self) -> None:
        counted = {"3:1": 0, "terminator": 0, "corrector": 0}
        for roll in all_rolls():
            for text in played(table(ChoiceSheet()), f"Ada {roll}").legal_actions("Ada"):
                kind = text.partition(" ")[0]
                if kind in counted:
                    counted[kind] += 1
        # 40 of the 56 threes of faces total at most 12, each with a single from 2 to 6 and any
        # fifth; each face shows on 126 rolls (any other four dice) and turns to five others.
        assert counted == {"3:1": 40 * 5 * 6, "terminator": 252, "corrector": 6 * 126 * 5}

    @pytest.mark.parametrize("joker", JOKERS)
    def test_a_used_joker_is_offered_no_more(self, joker: str) -> None:
        left = tuple(other for other in JOKERS if other != joker)
        state = played(table(ChoiceSheet(), left=left), "Ada 12246")
        kinds = {text.partition(" ")[0] for text in state.legal_actions("Ada")}
        assert kinds & set(JOKERS) == set(left)
        action = {"terminator": joker, "corrector": "corrector 2>6", "3:1": "3:1 5+6/4"}[joker]
        assert refused(state, f"Ada {action}").expected == state.legal_actions("Ada")

    @pytest.mark.parametrize("action", ["terminator", "corrector 1>2", "3:1 8+4/4"])
    def test_without_the_option_there_are_no_jokers(self, action: str) -> None:
        state = played(CHOICE.start(["Ada"], {}), "Ada 13446")
        assert refused(state, f"Ada {action}").expected == state.legal_actions("Ada")
        assert all(text[0].isdigit() and "3:1" not in text for text in state.legal_actions("Ada"))
        assert state.jokers_of("Ada") == ()
        assert state.totals() == {"Ada": 0}


def all_rolls() -> Iterator[str]:
    digits = "123456"
    for a in digits:
        for b in digits[digits.index(a) :]:
            for c in digits[digits.index(b) :]:
                for d in digits[digits.index(c) :]:
                    yield from (a + b + c + d + e for e in digits[digits.index(d) :])


def twin_actions(listed: list[int], roll: str) -> set[str]:
    """Return all actions with all jokers, by trying every die in every place."""
    dice = [int(digit) for digit in roll]
    forced = {face for face in dice if face in listed} if len(listed) == 3 else set()
    found = {"terminator"}
    found |= {f"corrector {a}>{b}" for a in dice for b in range(1, 7) if a != b}
    for fifth in range(5):
        if forced and dice[fifth] not in forced:
            continue
        for single in set(range(5)) - {fifth}:
            triple = sum(dice) - dice[fifth] - dice[single]
            if dice[single] >= 2 and triple <= 12:
                found.add(f"3:1 {triple}+{dice[single]}/{dice[fifth]}")
            for other in set(range(5)) - {fifth, single}:
                pair = dice[single] + dice[other]
                rest = sum(dice) - dice[fifth] - pair
                found.add(f"{min(pair, rest)}+{max(pair, rest)}/{dice[fifth]}")
    return found


class TestScore:
    def test_each_unused_joker_counts_a_hundred_at_any_time(self) -> None:
        state = CHOICE.start(["Ada", "Ben"], {"jokers": True})
        assert state.totals() == {"Ada": 300, "Ben": 300}
        state = played(state, "Ada 12246", "Ada terminator")
        assert state.totals() == {"Ada": 200, "Ben": 300}
        state = played(state, "Ada 12246", "Ada corrector 2>6", "Ada 12466")
        assert state.totals() == {"Ada": 100, "Ben": 300}
        assert played(state, "Ada 3:1 11+6/2").totals() == {"Ada": -400, "Ben": 300}

    def test_the_sheet_lists_the_unused_in_their_order(self) -> None:
        state = CHOICE.start(["Ada"], {"jokers": True})
        assert state.sheet("Ada")["jokers"] == ["terminator", "corrector", "3:1"]
        state = played(state, "Ada 12246", "Ada corrector 2>6")
        assert state.sheet("Ada")["jokers"] == ["terminator", "3:1"]

    def test_unused_jokers_decide_who_wins(self) -> None:
        done = sheet_of({2: 5}, {1: 8})
        left = (Jokers(("3:1",)), Jokers(("corrector", "3:1")))
        state = ChoiceState(("Ada", "Ben"), (done, done), jokers=left)
        assert state.outcome() == GameOutcome(winners=("Ben",), losers=("Ada",))

    def test_alone_unused_jokers_make_a_defeat_good(self) -> None:
        done = sheet_of({2: 1, 3: 1}, {1: 8})
        assert table(done).outcome() == GameOutcome(winners=(), losers=("Ada",))
        assert table(sheet_of({2: 1}, {1: 8})).outcome() == GameOutcome(winners=("Ada",))
