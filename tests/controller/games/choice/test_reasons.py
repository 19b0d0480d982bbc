# SPDX-License-Identifier: MIT
"""What a hint says of a choice of Choice, in positions counted by hand."""

from __future__ import annotations

import pytest

from controller.games.choice.game import CHOICE
from tests.controller.games.choice.positions import played, sheet_of, table

USED = "The joker is used up: unused it counts 100 points at the end."


@pytest.mark.parametrize(
    ("sums", "fifth", "action", "reason"),
    [
        (
            {},
            {},
            "7+7/4",
            "Begins the 7 with 2 crosses: minus 200 until it has 5. "
            "Makes 4 fifth die number 1 of 3. "
            "In 40 of 100 rolls there is no 4: then number 2 begins.",
        ),
        (
            {5: 1},
            {3: 1, 4: 1, 6: 1},
            "5+9/4",
            "Brings the 5 to 2 of 5 crosses. Begins the 9 with 1 cross: minus 200 until it has 5. "
            "The fifth die 4 has 2 of 8 crosses.",
        ),
        (
            {4: 4, 10: 1},
            {4: 2},
            "4+10/4",
            "Completes 5 crosses on the 4: plus 200 points. Brings the 10 to 2 of 5 crosses. "
            "The fifth die 4 has 3 of 8 crosses.",
        ),
        (
            {7: 4},
            {4: 6},
            "7+7/4",
            "Completes 5 crosses on the 7: plus 230 points. One more fifth die 4 ends the game.",
        ),
        (
            {4: 5, 10: 10},
            {4: 7},
            "4+10/4",
            "Plus 60 points on the 4. The 10 is full: its cross counts nothing. "
            "The fifth die 4 is full: the game ends here.",
        ),
        (
            {7: 9},
            {2: 1, 5: 1},
            "7+7/4",
            "Plus 30 points on the 7. "
            "Makes 4 the last fifth die: from now on it is 2, 4 or 5, if the roll has one.",
        ),
        (
            {7: 5, 12: 1},
            {1: 1},
            "3:1 11+4/3",
            "Begins the 4 with 1 cross: minus 200 until it has 5. "
            "Begins the 11 with 1 cross: minus 200 until it has 5. "
            "Makes 3 fifth die number 2 of 3. In 13 of 100 rolls there is no 1 or 3: "
            f"then number 3 begins. {USED}",
        ),
        (
            {total: 5 for total in range(2, 13) if total not in (8, 12)},
            {1: 1, 4: 6, 6: 2},
            "7+7/4",
            "Plus 60 points on the 7. Keeps 8 and 12 open. One more fifth die 4 ends the game.",
        ),
        ({}, {}, "terminator", f"Throws five new dice. {USED}"),
        ({}, {}, "corrector 1>2", f"Makes the 1 a 2. {USED}"),
    ],
)
def test_a_reason_is_what_the_rules_make_of_a_choice(
    sums: dict[int, int], fifth: dict[int, int], action: str, reason: str
) -> None:
    state = played(table(sheet_of(sums, fifth)), "Ada 13446")
    assert str(CHOICE.ui.explain_action(state, "Ada", action)) == reason


def test_a_free_roll_crosses_off_no_fifth_die() -> None:
    state = played(table(sheet_of({8: 2, 10: 2}, {1: 1, 2: 1, 3: 1})), "Ada 44466")
    assert str(CHOICE.ui.explain_action(state, "Ada", "8+10/6")) == (
        "Brings the 8 to 3 of 5 crosses. Brings the 10 to 3 of 5 crosses. "
        "A free roll: no fifth die is crossed off."
    )
