# SPDX-License-Identifier: MIT
"""Where a die's foot is, with the weights that come with the project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.simulated.studio import Plan, Shot, draw_shot
from vision.frame import Image
from vision.learned.net import WeightsError
from vision.learned.stance import Stances, StanceTeller
from vision.training.truth import truth_of

_SEEDS = range(7_200_000, 7_200_008)


@pytest.fixture(scope="module")
def shots() -> list[Shot]:
    plan = Plan(clear=True, expect=4, clutter=False)
    return [draw_shot(seed, (960, 540), plan=plan) for seed in _SEEDS]


def _true_downs(shot: Shot) -> NDArray[np.float64]:
    truth = truth_of(shot)
    feet = np.array([die.foot_px for die in shot.dice])
    return np.asarray((feet - truth.centers) / truth.edges_px[:, None])


def _told(image: Image, shot: Shot) -> Stances:
    truth = truth_of(shot)
    return StanceTeller().tell(image, truth.centers, truth.half_edges)


def test_feet_are_seen_where_they_are(shots: list[Shot]) -> None:
    off = [
        np.linalg.norm(_told(shot.image_bgr, shot).downs - _true_downs(shot), axis=1)
        for shot in shots
    ]
    reach = [np.linalg.norm(_true_downs(shot), axis=1) for shot in shots]
    assert np.median(np.concatenate(off)) < 0.08
    assert np.median(np.concatenate(reach)) > 0.2, "or to say nothing would be as good"


def test_where_it_errs_more_it_claims_more(shots: list[Shot]) -> None:
    clear = np.concatenate([_told(shot.image_bgr, shot).errors for shot in shots])
    blank = np.concatenate([_told(np.full_like(s.image_bgr, 90), s).errors for s in shots])
    assert np.median(blank) > 3.0 * np.median(clear)


def test_the_way_to_the_foot_does_not_depend_on_which_side_is_named_first(
    shots: list[Shot],
) -> None:
    shot = shots[0]
    centers, halves = truth_of(shot).centers, truth_of(shot).half_edges
    told = StanceTeller().tell(shot.image_bgr, centers, halves)
    turned = StanceTeller().tell(
        shot.image_bgr, centers, np.stack([halves[:, :, 1], -halves[:, :, 0]], axis=2)
    )
    assert np.median(np.linalg.norm(told.downs - turned.downs, axis=1)) < 0.08


def test_no_dice_have_no_feet() -> None:
    told = StanceTeller().tell(
        np.zeros((90, 160, 3), np.uint8), np.empty((0, 2)), np.empty((0, 2, 2))
    )
    assert told.downs.shape == (0, 2)
    assert told.errors.shape == (0,)


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"stance\.onnx"):
        StanceTeller(tmp_path / "stance.onnx")
