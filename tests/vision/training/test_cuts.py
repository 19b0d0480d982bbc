# SPDX-License-Identifier: MIT
"""What a cut of a scene is called."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.training.drawn_dice import dice
from vision.training.cuts import Cuts, classify_cuts, draw_cuts
from vision.training.labels import NO_FACE, NOT_TAUGHT, SceneLabels, label_scene
from vision.training.scenes import DieState, render_scene

_TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


def classify(truth: SceneLabels, *, off: tuple[float, float] = (0, 0), size: float = 1.0) -> int:
    """Return the class of a cut of the first die, with an offset in half edges and a scale."""
    halves = truth.half_edges[:1] * size @ _TURN
    cut = Cuts(truth.centers[:1] + truth.half_edges[0] @ np.array(off), halves)
    return int(classify_cuts(cut, truth)[0])


def test_a_good_cut_in_any_quarter_turn_is_called_by_the_number() -> None:
    assert classify(dice((100, 100), faces=(4,))) == 4
    assert classify(dice((100, 100), faces=(4,)), off=(0.15, -0.1), size=1.15) == 4


@pytest.mark.parametrize(
    ("off", "size"), [((0.7, 0.0), 1.0), ((0.0, 0.0), 0.5), ((0.0, 0.0), 1.7), ((0.5, 0.5), 0.4)]
)
def test_a_bad_cut_is_no_face(off: tuple[float, float], size: float) -> None:
    assert classify(dice((100, 100), faces=(4,)), off=off, size=size) == NO_FACE


def test_a_hidden_face_is_no_face_and_a_cocked_one_not_taught() -> None:
    assert classify(dice((100, 100), visible=0.6)) == NO_FACE
    assert classify(dice((100, 100), state=DieState.COCKED)) == NOT_TAUGHT


def test_drawn_cuts_hold_every_face_and_as_much_that_is_none() -> None:
    scene = render_scene(900_001)
    truth = label_scene(scene)
    cuts = draw_cuts(truth, scene.owner, np.random.default_rng(1), times=6)
    names = classify_cuts(cuts, truth)
    proper = set(truth.faces[truth.proper & (truth.contrast > 20) & (truth.edges_px > 10)])
    assert proper <= set(names[names > NO_FACE])
    assert (names == NO_FACE).sum() >= 6
