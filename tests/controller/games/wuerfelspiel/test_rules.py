# SPDX-License-Identifier: MIT
"""Würfelspiel: the order of its actions, ties, and refusals in words."""

from __future__ import annotations

import pytest

from controller.games.contract import GameOutcome
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.notation import CELLS
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import ROWS, WuerfelspielSheet, score_row
from tests.controller.games.playing import played, refused


def start(*players: str) -> WuerfelspielState:
    return WUERFELSPIEL.start(players or ("Ada",), {})


def nearly_finished(*cells: str, points: int = 0) -> WuerfelspielSheet:
    """A sheet with these points in every cell but those named."""
    return WuerfelspielSheet(tuple(None if text in cells else points for text in CELLS))


class TestLegalActions:
    def test_a_first_roll_offers_every_cell_and_then_every_hold(self) -> None:
        actions = played(start(), "54444").legal_actions("Ada")
        assert actions == (
            *(f"{row}*{column}" for row in ROWS for column in (1, 2, 3)),
            "hold 4444", "hold 4445", "hold 444", "hold 445", "hold 44", "hold 45",
            "hold 4", "hold 5", "hold",
        )  # fmt: skip


class TestTurns:
    def test_a_refusal_tells_the_position(self) -> None:
        assert str(refused(played(start(), "64451"), "64451")) == (
            "expected an action by Ada, found 'roll 64451' by Ada,"
            " in wuerfelspiel, turn 1, throw 1, roll 14456"
        )


class TestEnd:
    def test_equal_results_share_the_win_and_all_others_lose(self) -> None:
        full = [nearly_finished(points=points) for points in (5, 7, 7, 6)]
        state = WuerfelspielState(("Ada", "Ben", "Cleo", "Dora"), tuple(full))
        assert state.outcome() == GameOutcome(winners=("Ben", "Cleo"), losers=("Ada", "Dora"))


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
