# SPDX-License-Identifier: MIT
"""Random specs have crowds, domes and close views in their shares; clear ones have none."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scenes import SceneSpec, render_scene
from vision.training.scenes.spec import (
    CROWD,
    CROWD_SHARE,
    DOME_SHARE,
    MOST_DICE,
    decide_dome,
    draw_expect,
    draw_spec,
)
from vision.training.scenes.view import draw_view

TIMES = 3000


def test_share_of_random_scenes_has_a_dome() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw_spec(rng) for _ in range(TIMES)]
    assert np.mean([bool(spec.dome) for spec in drawn]) == pytest.approx(DOME_SHARE, abs=0.02)
    domed = [spec for spec in drawn if spec.dome]
    assert np.mean([spec.doubt == "cocked" for spec in domed]) > 0.2
    counts = [draw_expect(rng, spec) for spec in domed]
    assert 0 in counts
    assert max(counts) <= 6


def test_clear_scenes_get_a_dome_only_if_wanted() -> None:
    rng = np.random.default_rng(0)
    assert not any(decide_dome(rng, SceneSpec(clear=True)).dome for _ in range(200))
    assert decide_dome(rng, SceneSpec(clear=True, dome=True)).dome


def test_share_of_random_scenes_is_a_crowd() -> None:
    rng = np.random.default_rng(1)
    counts = np.array([draw_expect(rng, SceneSpec()) for _ in range(TIMES)])
    crowds = counts[counts > MOST_DICE]
    assert len(crowds) / TIMES == pytest.approx(CROWD_SHARE, abs=0.01)
    assert crowds.min() >= CROWD[0]
    assert crowds.max() <= CROWD[1]
    clear = [draw_expect(rng, SceneSpec(clear=True)) for _ in range(TIMES)]
    assert max(clear) <= MOST_DICE


def test_one_die_may_fill_half_of_the_short_side() -> None:
    rng = np.random.default_rng(2)
    edges = [draw_view(rng, (640, 360), 1, SceneSpec()).edge_px / 360 for _ in range(300)]
    assert 0.45 < max(edges) <= 0.55
    clear = [draw_view(rng, (640, 360), 1, SceneSpec(clear=True)).edge_px for _ in range(300)]
    assert max(clear) <= 0.43 * 360


def test_crowd_is_rendered_with_labels_for_every_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.training.scenes.render.draw_expect", lambda *_: 24)
    scene = render_scene(5, (640, 360), spec=SceneSpec(dome=False))
    assert len(scene.dice) == scene.expect == 24
    readable = [die.contrast >= 14 and die.visible >= 0.98 for die in scene.dice]
    assert sum(readable) >= 21
