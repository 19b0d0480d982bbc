# SPDX-License-Identifier: MIT
"""Random specs have crowds, domes and close views in their shares; clear ones have none."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.scenes import SceneSpec, render_scene
from vision.training.scenes.view import draw_view


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
