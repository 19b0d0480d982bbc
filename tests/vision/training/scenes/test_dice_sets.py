# SPDX-License-Identifier: MIT
"""Lamps mirrored in dice lie between the pips, and rows of dice lie along the rail."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scenes import SceneSpec
from vision.training.scenes.dice_sets import draw_dice
from vision.training.scenes.layout import Layout, NoRoomError, place_dice
from vision.training.scenes.poses import make_flat_pose
from vision.training.scenes.tray import draw_tray
from vision.training.scenes.view import draw_view

POSE = make_flat_pose(np.zeros(2), 0.3)


def test_lamp_images_lie_between_dark_pips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.training.scenes.dice_sets.LAMP_SHARE", 1.0)
    rng, middles = np.random.default_rng(0), []
    for _ in range(60):
        (die,) = draw_dice(rng, [POSE], SceneSpec())
        if die.image is None:
            continue
        assert die.material.is_light
        face = die.pose.upper_face()
        apart = np.linalg.norm(die.pips.places[face] - die.image.at, axis=1)
        assert (apart > die.pips.radii[face] + die.image.radius).all()
        if die.pips.numbers[face] == 2:
            middles.append(np.hypot(*die.image.at) < 0.1)
    assert any(middles)


def test_clear_dice_mirror_no_lamp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.training.scenes.dice_sets.LAMP_SHARE", 1.0)
    rng = np.random.default_rng(0)
    assert all(die.image is None for die in draw_dice(rng, [POSE] * 40, SceneSpec(clear=True)))


def test_rows_of_dice_touch_the_rail_and_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.training.scenes.layout.ROW_SHARE", 1.0)
    gaps = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        view = draw_view(rng, (640, 360), 4, SceneSpec(tilt_deg=10.0))
        tray = draw_tray(rng, view)
        if tray is None:
            continue
        layout = Layout(view, tray)
        try:
            place_dice(rng, layout, 4, SceneSpec())
        except NoRoomError:
            continue
        for pose in layout.poses[1:]:
            apart = [np.linalg.norm(pose.center - one.center) for one in layout.poses]
            assert sorted(apart)[1] == pytest.approx(1.0, abs=0.1)
        foot = layout.poses[0].corners()[:2].astype(np.float32)
        gaps.append(-float(tray.outside(foot).max()))
    assert len(gaps) >= 4
    assert max(gaps) < 0.05
