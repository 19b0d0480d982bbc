# SPDX-License-Identifier: MIT
"""What a hint says of a choice of Würfelspiel, in positions counted by hand."""

from __future__ import annotations

import pytest

from controller.games.contract import RollEvent
from controller.games.wuerfelspiel.game import WUERFELSPIEL
from controller.games.wuerfelspiel.rules import WuerfelspielState
from tests.controller.games.wuerfelspiel.test_rules import nearly_finished, played, start


@pytest.mark.parametrize(
    ("rolls", "action", "reason"),
    [
        # A 4 in 11 of 36 throws or 5 and 5 in one; 3 and 6, or 2 and 3, in 4.
        (
            ("64451",),
            "hold 445",
            "Keeps 4 4 5 and throws 2 dice. Chances of the next throw: 3 of a kind 33 %, "
            "Small straight 11 %. After it 1 throw is left.",
        ),
        # A 4 in 91 of 216 throws, or three others alike in 5.
        (
            ("64451",),
            "hold 44",
            "Keeps 4 4 and throws 3 dice. Chances of the next throw: 3 of a kind 44 %, "
            "Small straight 8 %. After it 1 throw is left.",
        ),
        (
            ("64451", "hold 445", "44526"),
            "hold 4456",
            "Keeps 4 4 5 6 and throws one die. Chances of the next throw: Small straight 17 %, "
            "3 of a kind 17 %. After it no throw is left.",
        ),
        (("64451",), "chance*3", "20 points, times 3 in this column."),
        (("64451",), "five*2", "Gives up this row of the column: it counts nothing."),
        (("22555",), "fullhouse*1", "25 points, times 1 in this column."),
        (("22225",), "four*2", "13 points, times 2 in this column."),
        (
            ("22225",),
            "twos*1",
            "8 points, times 1 in this column. "
            "The column then lacks 55 points for its bonus of 35.",
        ),
        (("22222",), "five*3", "50 points, times 3 in this column."),
    ],
)
def test_a_reason_is_what_the_rules_make_of_a_choice(
    rolls: tuple[str, ...], action: str, reason: str
) -> None:
    # No line ends between a number and its unit.
    expected = reason.replace(" %", "\u00a0%")
    assert str(WUERFELSPIEL.ui.explain_action(played(start(), *rolls), "Ada", action)) == expected


def test_the_last_points_of_the_upper_rows_win_the_bonus() -> None:
    state = WuerfelspielState(("Ada",), (nearly_finished("sixes*2", points=11),))
    state = state.apply(RollEvent("Ada", "66125"))
    assert str(WUERFELSPIEL.ui.explain_action(state, "Ada", "sixes*2")) == (
        "12 points, times 2 in this column. It wins the bonus of the column: 35 points."
    )
