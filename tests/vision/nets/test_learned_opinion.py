# SPDX-License-Identifier: MIT
"""The second opinion with the weights that come with the project."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Image
from vision.nets.onnx_net import WEIGHTS, WeightsError
from vision.nets.tile_net import LearnedOpinion
from vision.tiles import cut_tiles
from vision.training.scenes import RenderedScene


@pytest.fixture(scope="module")
def opinion() -> LearnedOpinion:
    return LearnedOpinion()


@pytest.fixture(scope="module")
def faces(clear_scenes: tuple[RenderedScene, ...]) -> tuple[Image, NDArray[np.int64]]:
    """Tiles of clear faces, cut where they truly lie, and their numbers."""
    tiles, numbers = [], []
    for scene in clear_scenes:
        quads = np.array([die.quad_px for die in scene.dice])
        first = (quads[:, 1] + quads[:, 2] - quads[:, 3] - quads[:, 0]) / 4
        second = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 4
        halves = np.stack([first, second], axis=2)
        tiles.append(cut_tiles(scene.image_bgr, quads.mean(axis=1), halves))
        numbers += [die.face for die in scene.dice]
    return np.concatenate(tiles), np.array(numbers)


def test_clear_faces_are_called_by_their_number(
    opinion: LearnedOpinion, faces: tuple[Image, NDArray[np.int64]]
) -> None:
    tiles, numbers = faces
    assert (opinion.judge(tiles).argmax(axis=1) == numbers).mean() > 0.93


def test_a_quarter_turn_changes_no_number(
    opinion: LearnedOpinion, faces: tuple[Image, NDArray[np.int64]]
) -> None:
    tiles, numbers = faces
    turned = np.ascontiguousarray(np.rot90(tiles, axes=(1, 2)))
    assert (opinion.judge(turned).argmax(axis=1) == numbers).mean() > 0.93


def test_ground_is_no_face(opinion: LearnedOpinion) -> None:
    rng = np.random.default_rng(3)
    felt = rng.normal(90, 6, (20, 64, 64, 3)).clip(0, 255).astype(np.uint8)
    assert (opinion.judge(felt).argmax(axis=1) == 0).all()


def test_a_quarter_of_a_four_is_no_one(
    opinion: LearnedOpinion, faces: tuple[Image, NDArray[np.int64]]
) -> None:
    tiles, numbers = faces
    fours = tiles[numbers == 4]
    quarters = np.repeat(np.repeat(fours[:, 17:33, 17:33], 4, axis=1), 4, axis=2)
    assert (opinion.judge(quarters)[:, 1] < 0.5).mean() > 0.8


def test_tiles_are_judged_one_by_one_as_all_together(
    opinion: LearnedOpinion, faces: tuple[Image, NDArray[np.int64]]
) -> None:
    tiles = faces[0][:5]
    alone = np.concatenate([opinion.judge(tile[None]) for tile in tiles])
    np.testing.assert_allclose(opinion.judge(tiles), alone, atol=1e-4)


def test_tiles_of_another_size_are_refused(opinion: LearnedOpinion) -> None:
    with pytest.raises(ValueError, match="64, 64"):
        opinion.judge(np.zeros((1, 80, 80, 3), np.uint8))


def test_missing_weights_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make train"):
        LearnedOpinion(tmp_path / "opinion.onnx")


def test_torn_weights_are_told_with_their_place(tmp_path: Path) -> None:
    torn = tmp_path / "torn.onnx"
    torn.write_bytes((WEIGHTS / "opinion.onnx").read_bytes()[:1000])
    with pytest.raises(WeightsError, match=r"torn\.onnx: expected the weights of a net"):
        LearnedOpinion(torn)
