# SPDX-License-Identifier: MIT
"""Props are inside their mask, and outside the dice."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.training.scene_grounds.prop import Prop
from vision.training.scene_grounds.props import PROPS
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


def test_prints_and_shadows_are_ground() -> None:
    results = [scatter(seed) for seed in range(40)]
    changed = [(np.abs(albedo - 0.3).max(2) > 0.02) & ~mask for albedo, mask in results]
    assert any(c.any() and not mask.any() for c, (_, mask) in zip(changed, results, strict=True))


def test_many_grounds_have_no_prop_and_some_have_several() -> None:
    shares = [float(scatter(seed)[1].mean()) for seed in range(60)]
    assert 5 <= shares.count(0.0) <= 40
    assert max(shares) > 0.1


def test_the_same_seed_places_the_same_props() -> None:
    for seed in range(6):
        (one, one_mask), (other, other_mask) = scatter(seed), scatter(seed)
        assert np.array_equal(one, other)
        assert np.array_equal(one_mask, other_mask)


def test_no_room_is_no_error() -> None:
    albedo, mask = scatter(3, np.array([(120, 120, 400)], np.float64))
    assert not mask.any()
    assert (albedo == np.float32(0.3)).all()


def test_no_circles_at_all_are_fine() -> None:
    albedo, _ = scatter(5, np.zeros((0, 3)))
    assert albedo.min() >= 0
    assert albedo.max() <= 1


@pytest.mark.parametrize(("draw", "weight"), PROPS, ids=[draw.__name__ for draw, _ in PROPS])
def test_every_kind_can_be_drawn_in_any_size(
    draw: Callable[[np.random.Generator, float], Prop], weight: float
) -> None:
    assert weight > 0
    for seed, edge_px in enumerate((6.0, 24.0, 61.5)):
        prop = draw(np.random.default_rng(seed), edge_px)
        assert prop.cover.max() == 255
        assert prop.picture.shape[:2] == prop.cover.shape
        assert prop.thick > 0
