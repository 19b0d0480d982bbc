# SPDX-License-Identifier: MIT
"""The tile net with the weights that come with the project, and what is done with its outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.onnx_net import WEIGHTS, WeightsError
from vision.nets.pip_count import count_pips
from vision.nets.tile_net import HEAT_CELLS, HEAT_MAPS, TileNet, TileOutputs
from vision.tiles import TILE_PX, cut_tiles
from vision.training.labels import SceneLabels, label_scene
from vision.training.scenes import SceneSpec, render_scene

# Training ends below these seeds.
_SEEDS = range(7_200_000, 7_200_008)
_PLAN = SceneSpec(clear=True, expect=4, clutter=False)


@pytest.fixture(scope="module")
def net() -> TileNet:
    return TileNet()


@pytest.fixture(scope="module")
def scenes() -> list[tuple[Image, SceneLabels]]:
    shots = [render_scene(seed, (640, 360), spec=_PLAN) for seed in _SEEDS]
    return [(shot.image_bgr, label_scene(shot)) for shot in shots]


def _outputs(net: TileNet, scenes: list[tuple[Image, SceneLabels]]) -> list[TileOutputs]:
    """What the net says of faces that are cut where they truly are."""
    return [
        net.estimate(cut_tiles(image, truth.centers, truth.half_edges)) for image, truth in scenes
    ]


def _noise(count: int) -> Image:
    rng = np.random.default_rng(4)
    return rng.integers(0, 256, (count, TILE_PX, TILE_PX, 3)).astype(np.uint8)


class TestShapes:
    @pytest.mark.parametrize("count", [0, 1, 3])
    def test_every_output_has_one_row_a_tile(self, net: TileNet, count: int) -> None:
        outputs = net.estimate(_noise(count))
        assert outputs.shares.shape == (count, 7)
        assert outputs.centers.shape == outputs.feet.shape == (count, 2)
        assert outputs.half_edges.shape == (count, 2, 2)
        assert outputs.foot_errors.shape == outputs.odd.shape == outputs.light.shape == (count,)
        assert outputs.maps.shape == (count, HEAT_MAPS, HEAT_CELLS, HEAT_CELLS)

    @pytest.mark.parametrize("shape", [(1, 80, 80, 3), (64, 64, 3), (1, 64, 64)])
    def test_tiles_of_another_shape_are_refused(self, net: TileNet, shape: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match=r"expected tiles \(n, 64, 64, 3\)"):
            net.estimate(np.zeros(shape, np.uint8))

    def test_missing_weights_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(WeightsError, match=r"tile\.onnx"):
            TileNet(tmp_path / "tile.onnx")

    def test_weights_of_another_net_are_refused(self) -> None:
        with pytest.raises(ValueError, match="reshape"):
            TileNet(WEIGHTS / "opinion.onnx").estimate(_noise(1))


class TestOutputs:
    def test_tiles_are_judged_one_by_one_as_all_together(self, net: TileNet) -> None:
        tiles = _noise(3)
        alone = np.concatenate([net.estimate(tile[None]).shares for tile in tiles])
        np.testing.assert_allclose(net.estimate(tiles).shares, alone, atol=1e-5)


class TestAccuracy:
    def test_clear_faces_are_called_by_their_number(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        said = np.concatenate([o.shares.argmax(axis=1) for o in _outputs(net, scenes)])
        true = np.concatenate([truth.faces for _, truth in scenes])
        assert (said == true).mean() > 0.93

    def test_pips_make_the_same_number(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        right = []
        for image, truth in scenes:
            tiles = cut_tiles(image, truth.centers, truth.half_edges)
            o = net.estimate(tiles)
            for i, face in enumerate(truth.faces):
                count = count_pips(o.maps[i], o.centers[i], o.half_edges[i], tile=tiles[i])
                right.append((count.number, count.has_glare) == (face, False))
        assert np.mean(right) > 0.9

    def test_feet_are_seen_where_they_are(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        off, reach = [], []
        for outputs, (_, truth) in zip(_outputs(net, scenes), scenes, strict=True):
            true = _in_cuts(truth, truth.feet - truth.centers)
            off.append(np.linalg.norm(outputs.feet - true, axis=1))
            reach.append(np.linalg.norm(true, axis=1))
        assert np.median(np.concatenate(off)) < 0.14
        assert np.median(np.concatenate(reach)) > 0.2, "or to say nothing would be as good"

    def test_errors_are_claimed_where_nothing_is_seen(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        clear = np.concatenate([o.foot_errors for o in _outputs(net, scenes)])
        blank = net.estimate(np.full((1, TILE_PX, TILE_PX, 3), 90, np.uint8)).foot_errors
        assert blank[0] > 2.0 * np.median(clear)

    def test_a_bad_cut_shows_where_the_true_face_is(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        off = []
        for image, truth in scenes:
            shift = truth.half_edges @ np.array([0.3, -0.2])
            cuts = cut_tiles(image, truth.centers + shift, 1.1 * truth.half_edges)
            true = np.array([-0.15, 0.1]) / 1.1
            off.append(np.linalg.norm(net.estimate(cuts).centers - true, axis=1))
        assert np.median(np.concatenate(off)) < 0.05

    def test_light_bodies_are_told_from_dark_ones(
        self, net: TileNet, scenes: list[tuple[Image, SceneLabels]]
    ) -> None:
        said = np.concatenate([o.light > 0.5 for o in _outputs(net, scenes)])
        assert (said == np.concatenate([truth.is_light for _, truth in scenes])).mean() > 0.93


def _in_cuts(truth: SceneLabels, ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ways in the picture (n, 2) in edges of each face, along its own axes."""
    own = np.linalg.inv(2.0 * truth.half_edges)
    return np.asarray(np.einsum("nij,nj->ni", own, ways))
