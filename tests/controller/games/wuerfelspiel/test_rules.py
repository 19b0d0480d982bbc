# SPDX-License-Identifier: MIT
"""Würfelspiel by its page: throws and kept dice, cells, turns and the end."""

from __future__ import annotations

import copy

import pytest

from controller.base.errors import IllegalActionError, InputError
from controller.games.contract import ActionEvent, GameOutcome, RollEvent
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.notation import CELLS
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import ROWS, WuerfelspielSheet, score_row


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

    def test_a_fourth_throw_is_refused(self) -> None:
        state = played(start(), *THIRD)
        for hold in ("hold", "hold 445", "hold 33445"):
            assert refusal(state, hold).expected == tuple(CELLS)
        assert refusal(state, "44566").expected == ("an action by Ada",)

    def test_a_hold_is_derived_even_if_it_is_not_legal(self) -> None:
        state = played(start("Ada", "Ben"), *THIRD)
        assert state.hold_action("Ada", ["5", "4", "4"]) == "hold 445"
        assert state.hold_action("Ben", ["6"]) == "hold 6"
        assert state.hold_action("Ada", []) == "hold"
        assert state.hold_action("Ada", ["4", "4", "5", "3", "3"]) is None


class TestCells:
    def test_the_sheet_is_shown_without_its_empty_cells(self) -> None:
        state = played(start(), "66653", "sixes*3", "23456", "large*1")
        assert state.sheet("Ada") == {
            "columns": [{"large": 40}, {}, {"sixes": 18}],
            "bonus": [0, 0, 0],
        }
        assert state.totals() == {"Ada": 40 + 3 * 18}


class TestTurns:
    def test_a_refusal_tells_the_position(self) -> None:
        assert str(refusal(played(start(), "64451"), "64451")) == (
            "expected an action by Ada, found 'roll 64451' by Ada,"
            " in wuerfelspiel, turn 1, throw 1, roll 14456"
        )


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


class TestSlips:
    def test_a_filled_cell_stays_as_it_is(self) -> None:
        with pytest.raises(ValueError, match="chance in column 3 is filled already"):
            WuerfelspielSheet().fill("chance", 3, 0).fill("chance", 3, 20)

    @pytest.mark.parametrize("column", [-1, 0, 4])
    def test_a_row_or_column_that_is_not_there_is_refused(self, column: int) -> None:
        sheet = WuerfelspielSheet()
        with pytest.raises(ValueError, match="no row 'sevens'"):
            score_row("sevens", (1, 2, 3, 4, 5))
        for ask in (sheet.upper, sheet.bonus, sheet.column_total):
            with pytest.raises(ValueError, match=f"no column {column}"):
                ask(column)
        with pytest.raises(ValueError, match=f"no column {column}"):
            sheet.points("chance", column)
