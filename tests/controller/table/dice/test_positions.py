# SPDX-License-Identifier: MIT
"""When a die lies as it lay before."""

from __future__ import annotations

import pytest

from controller.table.dice.positions import list_unmoved, merge_dice
from controller.table.events import TrayDie
from tests.support.table import die

OLD = die(4, 100.0, angle_deg=3.0)


@pytest.mark.parametrize(
    ("now", "has_stayed"),
    [
        (die(4, 100.0, angle_deg=3.0), True),
        (die(4, 107.0, angle_deg=3.0), True),
        (die(4, 109.0, angle_deg=3.0), False),
        (die(4, 100.0, angle_deg=12.0), True),
        (die(4, 100.0, angle_deg=14.0), False),
        (die(4, 100.0, angle_deg=88.0), True),
        (die(5, 100.0, angle_deg=3.0), False),
    ],
)
def test_a_die_stays_at_its_place_with_its_angle_and_face(now: TrayDie, has_stayed: bool) -> None:
    assert (list_unmoved((OLD,), (now,)) == (now,)) is has_stayed


def test_a_black_die_is_not_the_white_one_that_lay_there() -> None:
    black = type(OLD)(4, "dark", "black", OLD.center_px, OLD.angle_deg, OLD.edge_px)
    assert list_unmoved((OLD,), (black,)) == ()


def test_dice_that_stayed_are_kept_in_mind_only_once() -> None:
    jittered, other = die(4, 101.0, angle_deg=3.0), die(2, 300.0)
    assert merge_dice((OLD,), (jittered, other)) == (OLD, other)
