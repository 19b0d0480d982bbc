# SPDX-License-Identifier: MIT
"""A spec without clutter shows dice on a plain ground and nothing else."""

from __future__ import annotations

import pytest

from vision.training.scene_grounds.kinds import (
    PLAIN_KINDS,
    draw_game_board,
    draw_paper,
    draw_printed_cloth,
)
from vision.training.scenes import DieState, SceneSpec, render_scene

SIZE_WH = (240, 160)


@pytest.mark.parametrize("doubt", [None, "cocked", "stacked", "count"])
def test_a_clean_tray_has_no_pixel_of_another_object(doubt: str | None) -> None:
    for seed in range(6):
        scene = render_scene(seed, SIZE_WH, spec=SceneSpec(doubt=doubt, expect=2, clutter=False))
        assert scene.owner.min() >= 0


def test_clutter_shows_other_objects() -> None:
    scenes = [render_scene(seed, SIZE_WH, spec=SceneSpec(expect=1)) for seed in range(15)]
    assert any(scene.owner.min() < 0 for scene in scenes)


def test_a_single_die_leans_in_a_clean_tray_too() -> None:
    spec = SceneSpec(doubt="cocked", expect=1, clutter=False)
    for seed in range(4):
        (die,) = render_scene(seed, SIZE_WH, spec=spec).dice
        assert die.state is DieState.COCKED


def test_plain_grounds_carry_no_prints() -> None:
    drawn = {draw for draw, _ in PLAIN_KINDS}
    assert not drawn & {draw_paper, draw_printed_cloth, draw_game_board}
    assert len(drawn) >= 8
