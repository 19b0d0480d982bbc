# SPDX-License-Identifier: MIT
"""Props are inside their mask, and outside the dice."""

import numpy as np
from numpy.typing import NDArray

from vision.training.scene_grounds.scatter import scatter_props

SIDE_PX, EDGE_PX = 240, 24.0
KEEP_OUT = np.array([(120, 120, 40), (60, 170, 30)], np.float64)


def scatter(
    seed: int, keep_out: NDArray[np.float64] = KEEP_OUT
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return a grey ground with props, and their mask."""
    albedo = np.full((SIDE_PX, SIDE_PX, 3), 0.3, np.float32)
    mask = scatter_props(np.random.default_rng(seed), albedo, EDGE_PX, keep_out)
    return albedo, mask


def test_nothing_changes_inside_keep_out() -> None:
    row, column = np.mgrid[:SIDE_PX, :SIDE_PX]
    for seed in range(40):
        albedo, mask = scatter(seed)
        for x, y, radius in KEEP_OUT:
            inside = np.hypot(column - x, row - y) <= radius
            assert (albedo[inside] == np.float32(0.3)).all()
            assert not mask[inside].any()


def test_props_cover_the_changed_ground() -> None:
    changed_share = []
    for seed in range(40):
        albedo, mask = scatter(seed)
        assert mask.shape == (SIDE_PX, SIDE_PX)
        if mask.any():
            changed = np.abs(albedo - np.float32(0.3)).max(2) > 0.001
            changed_share.append(float(changed[mask].mean()))
    assert len(changed_share) > 15
    assert min(changed_share) > 0.8


def test_the_same_seed_places_the_same_props() -> None:
    for seed in range(6):
        (one, one_mask), (other, other_mask) = scatter(seed), scatter(seed)
        assert np.array_equal(one, other)
        assert np.array_equal(one_mask, other_mask)
