# SPDX-License-Identifier: MIT
"""The finder's targets, decoded like its maps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.training.drawn_dice import dice
from vision.nets.heatmaps import Channel, Faces, read_maps
from vision.training.finder_samples import FinderTarget, build_target
from vision.training.labels import SceneLabels, transform_labels
from vision.training.scenes import DieState

_SIZE_WH = (256, 192)


def make_perfect_maps(target: FinderTarget) -> NDArray[np.float32]:
    """Return the maps of a perfect finder."""
    rows, columns = target.weight.shape
    heat = np.clip(target.heat, 1e-5, 1 - 1e-5)
    maps = np.zeros((Channel.END, rows, columns), np.float32)
    maps[: Channel.DIE] = np.log(heat / (1 - heat))
    maps[Channel.OFFSET :] = target.shape
    return maps


def decode_targets(truth: SceneLabels) -> Faces:
    maps = make_perfect_maps(build_target(truth, _SIZE_WH))
    return read_maps(maps, least_likeness=0.3, least_apart=1.0)


def test_decoded_targets_give_the_dice() -> None:
    slanted = np.array([[0.9, -0.3], [0.2, 0.7]])
    truth = transform_labels(
        dice((40.3, 50.8), (120.0, 77.7), (61.9, 52.2)), slanted, np.array([30.0, 25.0])
    )
    faces = decode_targets(truth)
    order = np.argsort(faces.centers[:, 0])
    expected = np.argsort(truth.centers[:, 0])
    np.testing.assert_allclose(faces.centers[order], truth.centers[expected], atol=1e-3)
    ellipses = faces.half_edges @ faces.half_edges.transpose(0, 2, 1)
    known = truth.half_edges @ truth.half_edges.transpose(0, 2, 1)
    np.testing.assert_allclose(ellipses[order], known[expected], rtol=1e-3, atol=1e-2)
    assert (faces.odd < 0.1).all()


@pytest.mark.parametrize("state", [DieState.COCKED, DieState.STACKED, DieState.UNDER])
def test_dice_that_are_not_flat_are_odd(state: DieState) -> None:
    assert decode_targets(dice((100, 90), state=state)).odd[0] > 0.9


def test_a_face_that_the_crop_cuts_is_odd() -> None:
    assert decode_targets(dice((4, 90))).odd[0] > 0.9
    assert decode_targets(dice((14, 90))).odd[0] < 0.1
