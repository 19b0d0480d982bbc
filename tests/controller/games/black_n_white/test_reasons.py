# SPDX-License-Identifier: MIT
"""What a hint says of a choice of Black'n'White, in positions counted by hand."""

from __future__ import annotations

import pytest

from controller.games.black_n_white.game import BLACK_N_WHITE
from tests.controller.games.black_n_white.playing import play, start


@pytest.mark.parametrize(
    ("roll", "action", "reason"),
    [
        # Who stops with 6 and 1 says white tens, and then 10 throws are higher than 61.
        ("w6 b1", "stop", "10 of 36 throws of both dice are higher."),
        # While the tens are open, every throw may be read in both ways.
        ("w6 b1", "throw black", "Of 6 throws 5 are higher and 0 lower."),
        ("w6 b1", "throw white", "Of 6 throws 1 are higher and 4 lower."),
        ("w6 b1", "throw both", "Of 36 throws 14 are higher and 20 lower."),
        ("w6 b6", "stop", "0 of 36 throws of both dice are higher."),
        ("w1 b1", "stop", "5 of 36 throws of both dice are higher."),
        ("w1 b2", "throw white", "Of 6 throws 5 are higher and 0 lower."),
        ("w1 b2", "throw both", "Of 36 throws 34 are higher and 0 lower."),
    ],
)
def test_a_reason_counts_the_throws_that_change_a_result(
    roll: str, action: str, reason: str
) -> None:
    state = play(start(), f"Ada {roll}")
    assert str(BLACK_N_WHITE.ui.explain_action(state, "Ada", action)) == reason


@pytest.mark.parametrize(("tens", "higher"), [("tens white", 31), ("tens black", 10)])
def test_the_tens_decide_how_many_throws_are_higher(tens: str, higher: int) -> None:
    state = play(start(), "Ada w1 b6", "Ada stop")
    reason = f"{higher} of 36 throws of both dice are higher."
    assert str(BLACK_N_WHITE.ui.explain_action(state, "Ada", tens)) == reason
