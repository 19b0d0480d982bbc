# SPDX-License-Identifier: MIT
"""Würfelspiel by its page: throws and kept dice, cells, turns and the end."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter

import pytest

from controller.base.errors import IllegalActionError, InputError
from controller.games.contract import ActionEvent, GameOutcome, RollEvent
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.notation import CELLS, list_holds
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import ROWS, WuerfelspielSheet


def start(*players: str) -> WuerfelspielState:
    return WUERFELSPIEL.start(players or ("Ada",), {})


def played(state: WuerfelspielState, *events: str) -> WuerfelspielState:
    """Let whoever is on roll (digits) and act (all else)."""
    for event in events:
        name = state.players[state.roller]
        is_roll = event.isdigit()
        state = state.apply(RollEvent(name, event) if is_roll else ActionEvent(name, event))
    return state


def nearly_finished(*cells: str, points: int = 0) -> WuerfelspielSheet:
    """A sheet with these points in every cell but those named."""
    return WuerfelspielSheet(tuple(None if text in cells else points for text in CELLS))


def refusal(state: WuerfelspielState, event: str, by: str = "") -> IllegalActionError:
    """Return how the event is refused, having seen that the state stayed as it was."""
    before = copy.deepcopy(state)
    name = by or state.players[state.roller]
    with pytest.raises(IllegalActionError) as refused:
        state.apply(RollEvent(name, event) if event.isdigit() else ActionEvent(name, event))
    assert state == before
    return refused.value


THIRD = ("64451", "hold 445", "44526", "hold 445", "44533")


class TestLegalActions:
    def test_a_first_roll_offers_every_cell_and_then_every_hold(self) -> None:
        actions = played(start(), "54444").legal_actions("Ada")
        assert actions == (
            *(f"{row}*{column}" for row in ROWS for column in (1, 2, 3)),
            "hold 4444", "hold 4445", "hold 444", "hold 445", "hold 44", "hold 45",
            "hold 4", "hold 5", "hold",
        )  # fmt: skip

    def test_all_252_rolls_offer_their_cells_and_holds(self) -> None:
        counted = 0
        for faces in itertools.combinations_with_replacement("123456", 5):
            state = played(start(), "".join(faces))
            actions = state.legal_actions("Ada")
            assert actions == (*CELLS, *list_holds(state.faces))
            counted += len(actions)
        assert counted == 252 * 39 + 4116

    def test_a_second_roll_still_offers_holds(self) -> None:
        actions = played(start(), "64451", "hold 445", "44526").legal_actions("Ada")
        assert actions == (*CELLS, *list_holds((2, 4, 4, 5, 6)))

    def test_after_the_third_throw_only_cells_are_left(self) -> None:
        assert played(start(), *THIRD).legal_actions("Ada") == tuple(CELLS)

    def test_a_filled_cell_is_not_offered_again(self) -> None:
        state = played(start(), "64451", "chance*2", "64451")
        assert "chance*2" not in state.legal_actions("Ada")
        assert {"chance*1", "chance*3"} <= {*state.legal_actions("Ada")}
        assert "chance*2" not in refusal(state, "chance*2").expected

    def test_what_is_expected_is_what_the_player_on_may_do(self) -> None:
        state = start("Ada", "Ben")
        assert state.expects().roll == ("Ada",)
        assert state.expects().do == {}
        state = played(state, "64451")
        assert state.expects().roll == ()
        assert state.expects().do == {"Ada": state.legal_actions("Ada")}
        assert state.legal_actions("Ben") == ()


class TestHeldDice:
    def test_kept_dice_lie_on_while_the_others_are_thrown(self) -> None:
        state = played(start("Ada", "Ben"), "64451")
        assert state.player_dice("Ada") == ("1", "4", "4", "5", "6")
        assert state.dice_to_leave("Ada") == ()
        state = played(state, "hold 445")
        assert state.faces == ()
        assert state.player_dice("Ada") == ()
        assert state.dice_to_leave("Ada") == ("4", "4", "5")
        assert state.expects().roll == ("Ada",)
        state = played(state, "52464")
        assert state.faces == (2, 4, 4, 5, 6)
        assert state.dice_to_leave("Ada") == ()
        assert state.throws == 2

    def test_other_players_have_no_dice(self) -> None:
        state = played(start("Ada", "Ben"), "64451")
        assert state.player_dice("Ben") == ()
        assert played(state, "hold 44").dice_to_leave("Ben") == ()
        assert state.required_dice("Ada") == state.required_dice("Ben") == ()
        assert state.acted == ()

    def test_hold_alone_throws_all_five(self) -> None:
        state = played(start(), "11111", "hold")
        assert state.dice_to_leave("Ada") == ()
        assert played(state, "23456").faces == (2, 3, 4, 5, 6)

    @pytest.mark.parametrize("roll", ["44666", "45666", "41566", "66666", "55466"])
    def test_a_roll_without_the_kept_faces_is_refused(self, roll: str) -> None:
        state = played(start(), "64451", "hold 445")
        assert refusal(state, roll).expected == ("a roll with 445",)

    @pytest.mark.parametrize("roll", ["11", "445666", "44578", "445ab"])
    def test_what_is_no_roll_of_five_dice_is_refused(self, roll: str) -> None:
        state = played(start(), "64451", "hold 445")
        with pytest.raises(IllegalActionError, match="expected 5 digits from 1 to 6"):
            state.apply(RollEvent("Ada", roll))

    def test_kept_dice_may_be_thrown_at_the_next_throw(self) -> None:
        state = played(start(), "64451", "hold 445", "44566", "hold 66", "66123")
        assert state.faces == (1, 2, 3, 6, 6)

    def test_all_five_kept_is_no_action(self) -> None:
        assert refusal(played(start(), "64451"), "hold 14456").expected[0] == "ones*1"

    def test_a_fourth_throw_is_refused(self) -> None:
        state = played(start(), *THIRD)
        for hold in ("hold", "hold 445", "hold 33445"):
            assert refusal(state, hold).expected == tuple(CELLS)
        assert refusal(state, "44566").expected == ("an action by Ada",)

    @pytest.mark.parametrize("text", ["hold 544", "hold ", "hold 4 4 5", "hold 6666", "hold 2"])
    def test_a_hold_of_other_dice_or_in_another_form_is_refused(self, text: str) -> None:
        state = played(start(), "64451")
        assert refusal(state, text).expected == state.legal_actions("Ada")

    def test_a_hold_is_derived_even_if_it_is_not_legal(self) -> None:
        state = played(start("Ada", "Ben"), *THIRD)
        assert state.hold_action("Ada", ["5", "4", "4"]) == "hold 445"
        assert state.hold_action("Ben", ["6"]) == "hold 6"
        assert state.hold_action("Ada", []) == "hold"
        assert state.hold_action("Ada", ["4", "4", "5", "3", "3"]) is None

    def test_any_kept_dice_are_legal_while_throws_are_left(self) -> None:
        state = played(start(), "64451")
        for count in range(5):
            for kept in itertools.combinations(state.player_dice("Ada"), count):
                assert state.hold_action("Ada", kept) in state.legal_actions("Ada")


class TestCells:
    def test_a_cell_may_be_filled_after_any_throw(self) -> None:
        for throws in (1, 3, 5):
            state = played(start(), *THIRD[:throws])
            assert played(state, "chance*3").sheet_of("Ada").points("chance", 3) == sum(state.faces)

    def test_a_roll_that_does_not_fit_is_entered_as_nothing(self) -> None:
        state = played(start(), "12346", "five*1")
        assert state.sheet_of("Ada").points("five", 1) == 0
        assert state.totals() == {"Ada": 0}
        assert state.sheet("Ada") == {"columns": [{"five": 0}, {}, {}], "bonus": [0, 0, 0]}

    def test_further_fives_of_a_kind_are_no_jokers(self) -> None:
        state = played(start(), "55555", "five*3", "55555", "five*2", "55555", "fullhouse*1")
        state = played(state, "55555", "large*1")
        assert state.totals() == {"Ada": 3 * 50 + 2 * 50}

    @pytest.mark.parametrize("text", ["", "bonus*1", "chance*0", "chance*4", "chance", "Ones*1"])
    def test_what_is_no_cell_is_refused(self, text: str) -> None:
        state = played(start(), "64451")
        assert refusal(state, text).expected == state.legal_actions("Ada")

    def test_the_bonus_stands_on_the_sheet_from_63_on(self) -> None:
        # 62 in column 2, the ones still empty.
        sheet = WuerfelspielSheet()
        for row, points in zip(ROWS[1:6], (6, 6, 12, 20, 18), strict=True):
            sheet = sheet.fill(row, 2, points)
        state = WuerfelspielState(("Ada",), (sheet,))
        assert state.totals() == {"Ada": 2 * 62}
        assert played(state, "22222", "ones*2").totals() == {"Ada": 2 * 62}
        after = played(state, "12222", "ones*2")
        assert after.totals() == {"Ada": 2 * (63 + 35)}
        assert after.sheet("Ada")["bonus"] == [0, 35, 0]

    def test_the_sheet_is_shown_without_its_empty_cells(self) -> None:
        state = played(start(), "66653", "sixes*3", "23456", "large*1")
        assert state.sheet("Ada") == {
            "columns": [{"large": 40}, {}, {"sixes": 18}],
            "bonus": [0, 0, 0],
        }
        assert state.totals() == {"Ada": 40 + 3 * 18}


class TestTurns:
    def test_the_bell_goes_clockwise_after_each_cell(self) -> None:
        state = start("Ada", "Ben", "Cleo")
        order = []
        for column in ("1", "2"):
            for _ in state.players:
                order.append((state.players[state.roller], state.turn, state.throws))
                state = played(state, "64451", f"chance*{column}")
        assert order == [
            ("Ada", 1, 0), ("Ben", 1, 0), ("Cleo", 1, 0),
            ("Ada", 2, 0), ("Ben", 2, 0), ("Cleo", 2, 0),
        ]  # fmt: skip

    def test_kept_dice_are_forgotten_with_the_turn(self) -> None:
        state = played(start("Ada", "Ben"), *THIRD, "chance*1")
        assert (state.throws, state.held, state.faces) == (0, (), ())
        assert played(state, "11111").faces == (1, 1, 1, 1, 1)

    def test_rolls_and_actions_alternate(self) -> None:
        state = start("Ada", "Ben")
        assert refusal(state, "chance*1").expected == ("a roll by Ada",)
        assert refusal(state, "hold").expected == ("a roll by Ada",)
        state = played(state, "64451")
        assert refusal(state, "64451").expected == ("an action by Ada",)
        assert refusal(played(state, "hold 4"), "chance*1").expected == ("a roll by Ada",)

    @pytest.mark.parametrize("name", ["Ben", "Zoe"])
    def test_who_is_not_on_is_refused(self, name: str) -> None:
        state = start("Ada", "Ben")
        assert refusal(state, "64451", by=name).expected == ("a roll by Ada",)
        assert refusal(played(state, "64451"), "chance*1", by=name).player == name

    def test_a_refusal_tells_the_position(self) -> None:
        assert str(refusal(played(start(), "64451"), "64451")) == (
            "expected an action by Ada, found 'roll 64451' by Ada,"
            " in wuerfelspiel, turn 1, throw 1, roll 14456"
        )

    @pytest.mark.parametrize(
        "ask",
        [
            "is_finished",
            "legal_actions",
            "player_dice",
            "dice_to_leave",
            "required_dice",
            "sheet",
            "sheet_of",
        ],
    )
    def test_a_name_that_is_not_at_the_table_is_a_slip(self, ask: str) -> None:
        with pytest.raises(ValueError, match="tuple"):
            getattr(start(), ask)("Zoe")
        with pytest.raises(ValueError, match="tuple"):
            start().hold_action("Zoe", ["4"])

    def test_a_whole_game_of_two_has_78_turns(self) -> None:
        chance = random.Random(3)
        state = start("Ada", "Ben")
        turns: Counter[str] = Counter()
        while state.outcome() is None:
            (name,) = state.expects().roll
            assert name == ("Ada", "Ben")[turns.total() % 2]
            assert state.turn == turns[name] + 1
            for throw in (1, 2, 3):
                thrown = chance.choices("123456", k=5 - len(state.held))
                state = state.apply(RollEvent(name, "".join((*thrown, *map(str, state.held)))))
                assert state.throws == throw
                actions = state.legal_actions(name)
                action = chance.choice(actions)
                state = state.apply(ActionEvent(name, action))
                if "*" in action:
                    break
            turns[name] += 1
        assert turns == {"Ada": 39, "Ben": 39}
        assert state.turn == 39


class TestEnd:
    def test_the_game_ends_with_the_last_cell_of_the_last_player(self) -> None:
        sheets = (nearly_finished("five*3"), nearly_finished("chance*1"))
        state = WuerfelspielState(("Ada", "Ben"), sheets)
        state = played(state, "66666", "five*3")
        assert state.is_finished("Ada")
        assert not state.is_finished("Ben")
        assert state.outcome() is None
        assert state.expects().roll == ("Ben",)
        state = played(state, "66666", "chance*1")
        assert state.outcome() == GameOutcome(winners=("Ada",), losers=("Ben",))
        assert state.totals() == {"Ada": 150, "Ben": 30}
        assert state.expects().roll == ()
        assert state.expects().do == {}
        assert refusal(state, "66666").expected == ()
        assert "in wuerfelspiel, finished" in str(refusal(state, "chance*1"))

    def test_equal_results_share_the_win_and_all_others_lose(self) -> None:
        full = [nearly_finished(points=points) for points in (5, 7, 7, 6)]
        state = WuerfelspielState(("Ada", "Ben", "Cleo", "Dora"), tuple(full))
        assert state.outcome() == GameOutcome(winners=("Ben", "Cleo"), losers=("Ada", "Dora"))

    def test_alone_the_player_wins_whatever_the_result(self) -> None:
        state = WuerfelspielState(("Ada",), (nearly_finished(),))
        assert state.totals() == {"Ada": 0}
        assert state.outcome() == GameOutcome(winners=("Ada",))


class TestGame:
    def test_one_to_six_players_sit_down(self) -> None:
        names = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gerd"]
        for count in range(1, 7):
            assert WUERFELSPIEL.start(names[:count], {}).players == tuple(names[:count])
        for wrong in ([], names):
            with pytest.raises(InputError, match=f"expected 1 to 6 players, found {len(wrong)}"):
                WUERFELSPIEL.start(wrong, {})

    def test_there_are_no_options(self) -> None:
        assert WUERFELSPIEL.options == {}
        assert start().options == {}
        with pytest.raises(InputError, match=r"options: expected no option.*, found 'jokers'"):
            WUERFELSPIEL.start(["Ada"], {"jokers": False})

    def test_rolls_are_five_digits_in_any_order(self) -> None:
        assert WUERFELSPIEL.polarities == ("",) * 5
        assert WUERFELSPIEL.parse_roll("64451") == ("1", "4", "4", "5", "6")
        assert WUERFELSPIEL.roll_text((6, 4, 4, 5, 1), ("light",) * 5) == "14456"
        assert WUERFELSPIEL.die_text(4, "dark") == "4"
        with pytest.raises(InputError, match="5 digits"):
            WUERFELSPIEL.parse_roll("6445")
