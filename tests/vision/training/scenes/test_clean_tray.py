# SPDX-License-Identifier: MIT
"""A plan without clutter shows dice on a plain ground and nothing else."""

from __future__ import annotations

import pytest

from vision.training.scenes import DieState, Plan, draw_shot
from vision.training.scenes.cloths import printed_cloth
from vision.training.scenes.grounds import PLAIN_KINDS
from vision.training.scenes.sheets import game_board, paper

SIZE_WH = (240, 160)


@pytest.mark.parametrize("doubt", [None, "cocked", "stacked", "count"])
def test_a_clean_tray_has_no_pixel_of_another_object(doubt: str | None) -> None:
    for seed in range(6):
        shot = draw_shot(seed, SIZE_WH, plan=Plan(doubt=doubt, expect=2, clutter=False))
        assert shot.owner.min() >= 0


def test_clutter_shows_other_objects() -> None:
    shots = [draw_shot(seed, SIZE_WH, plan=Plan(expect=1)) for seed in range(15)]
    assert any(shot.owner.min() < 0 for shot in shots)


def test_a_single_die_leans_in_a_clean_tray_too() -> None:
    plan = Plan(doubt="cocked", expect=1, clutter=False)
    for seed in range(4):
        (die,) = draw_shot(seed, SIZE_WH, plan=plan).dice
        assert die.state is DieState.COCKED


def test_plain_grounds_carry_no_prints() -> None:
    drawn = {draw for draw, _ in PLAIN_KINDS}
    assert not drawn & {paper, printed_cloth, game_board}
    assert len(drawn) >= 8
