# SPDX-License-Identifier: MIT
"""The finder's samples: labels are transformed with the picture."""

from __future__ import annotations

import numpy as np

from tests.vision.training.drawn_dice import dice
from vision.training.finder_samples import CROP_WH, FinderSample, Shown, draw_sample


def make_sample(seed: int) -> FinderSample:
    """Return a sample of a picture with a square die and another object."""
    image = np.full((360, 640, 3), 60, np.uint8)
    owner = np.zeros((360, 640), np.uint8)
    image[160:201, 280:321] = 220
    owner[160:201, 280:321] = 1
    owner[40:80, 40:80] = 2
    return draw_sample(image, owner, dice((300, 180), half_px=20.5), np.random.default_rng(seed))


def test_the_middle_stays_in_the_middle_of_the_die() -> None:
    seen = 0
    for seed in range(40):
        sample = make_sample(seed)
        rows, columns = np.nonzero(sample.target.heat.max(axis=0) == 1.0)
        if len(rows) == 1 and sample.target.heat[0].max() == 1.0:
            seen += 1
            weights = sample.masks[0]
            grid = np.indices(weights.shape)
            middle = (grid * weights).sum(axis=(1, 2)) / weights.sum()
            assert np.abs(middle - (rows[0], columns[0])).max() < 1.0
    assert seen > 15


def test_what_is_not_known_of_a_photograph_does_not_count() -> None:
    """Left nothing is known, in the middle no die may have its center, right there is none."""
    image = np.full((CROP_WH[1], 3 * CROP_WH[0], 3), 60, np.uint8)
    owner = np.empty(image.shape[:2], np.uint8)
    shown = (Shown.UNKNOWN, Shown.NO_CENTER, Shown.NO_DIE)
    for k, one in enumerate(shown):
        owner[:, k * CROP_WH[0] : (k + 1) * CROP_WH[0]] = one
    expected = {Shown.UNKNOWN: (0, 0, 0), Shown.NO_CENTER: (1, 0, 0), Shown.NO_DIE: (1, 1, 0)}
    found = set()
    for seed in range(30):
        sample = draw_sample(image, owner, dice(), np.random.default_rng(seed))
        counts = np.stack([sample.target.counts, *sample.masks_count])
        assert not sample.masks.any()
        found |= {tuple(cell) for cell in counts.reshape(3, -1).T.astype(int).tolist()}
    # Beyond the picture's border there is ground for sure.
    assert found == {*expected.values(), (1, 1, 1)}


def test_a_large_picture_is_shrunk_as_for_the_finder() -> None:
    image, owner = np.full((1024, 1024, 3), 60, np.uint8), np.zeros((1024, 1024), np.uint8)
    truth = dice((500, 500), half_px=30.0)
    samples = [draw_sample(image, owner, truth, np.random.default_rng(seed)) for seed in range(40)]
    edges = [
        2 * 8 * np.exp(one.target.shape[2][one.target.weight == 1.0])
        for one in samples
        if (one.target.weight == 1.0).any()
    ]
    assert min(edge.min() for edge in edges) < 60.0 * 0.27
