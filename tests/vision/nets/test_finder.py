# SPDX-License-Identifier: MIT
"""The finder with the weights that come with the project, on scenes that nobody learnt from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.nets.finder import Finder, Sighting
from vision.nets.onnx_net import WEIGHTS
from vision.training.scenes import RenderedScene


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


def found(scene: RenderedScene, sighting: Sighting, *, least: float) -> NDArray[np.bool_]:
    """Which dice of a scene have a proposal of at least that likeness within a quarter edge."""
    centers = np.array([p.center for p in sighting.proposals if p.likeness >= least])
    near = []
    for die in scene.dice:
        edge_px = np.linalg.norm(np.roll(die.quad_px, 1, axis=0) - die.quad_px, axis=1).mean()
        away = np.linalg.norm(centers.reshape(-1, 2) - die.quad_px.mean(axis=0), axis=1)
        near.append(bool((away < edge_px / 4).any()))
    return np.array(near, bool)


def test_clear_dice_are_found(finder: Finder, clear_scenes: tuple[RenderedScene, ...]) -> None:
    seen = np.concatenate([found(s, finder.find(s.image_bgr), least=0.3) for s in clear_scenes])
    assert seen.mean() > 0.8


def test_half_edges_reach_the_sides(
    finder: Finder, clear_scenes: tuple[RenderedScene, ...]
) -> None:
    errors = []
    for scene in clear_scenes:
        for proposal in finder.find(scene.image_bgr).proposals:
            middles = [(np.roll(d.quad_px, 1, axis=0) + d.quad_px) / 2 for d in scene.dice]
            nearest = min(
                middles, key=lambda sides: np.linalg.norm(sides.mean(axis=0) - proposal.center)
            )
            half_px = float(np.sqrt(abs(np.linalg.det(proposal.half_edges))))
            side = proposal.center + proposal.half_edges[:, 0]
            if np.linalg.norm(nearest.mean(axis=0) - proposal.center) < half_px / 2:
                errors.append(np.linalg.norm(nearest - side, axis=1).min() / half_px)
    assert np.median(errors) < 0.2


def test_a_known_size_finds_the_same_dice_in_one_look(
    finder: Finder, clear_scenes: tuple[RenderedScene, ...]
) -> None:
    seen = []
    for scene in clear_scenes:
        quads = np.array([die.quad_px for die in scene.dice])
        edge_px = float(np.linalg.norm(np.roll(quads, 1, axis=1) - quads, axis=2).mean())
        seen.append(found(scene, finder.find(scene.image_bgr, edge_px=edge_px), least=0.3))
    assert np.concatenate(seen).mean() > 0.85


def test_the_die_map_covers_the_dice(
    finder: Finder, clear_scenes: tuple[RenderedScene, ...]
) -> None:
    inside, outside = [], []
    for scene in clear_scenes:
        sighting = finder.find(scene.image_bgr)
        rows, columns = sighting.die_map.shape
        at_rows = np.minimum(((np.arange(rows) + 0.5) / sighting.scale).astype(int), 539)
        at_columns = np.minimum(((np.arange(columns) + 0.5) / sighting.scale).astype(int), 959)
        owner = scene.owner[np.ix_(at_rows, at_columns)]
        inside.append(sighting.die_map[owner > 0])
        outside.append(sighting.die_map[owner <= 0])
    assert np.concatenate(inside).mean() > 0.7
    assert np.concatenate(outside).mean() < 0.1


def test_an_even_ground_holds_nothing(finder: Finder) -> None:
    ground = np.full((720, 1280, 3), (60, 90, 40), np.uint8)
    assert not [p for p in finder.find(ground).proposals if p.likeness > 0.5]


@pytest.mark.parametrize("size_hw", [(720, 1280), (1280, 720), (33, 57), (5, 400), (1, 1)])
def test_maps_and_scale_fit_pictures_of_any_shape(finder: Finder, size_hw: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*size_hw, 3)).astype(np.uint8)
    sighting = finder.find(noise)
    assert sighting.die_map.shape == sighting.thing_map.shape
    for cells, pixels in zip(sighting.die_map.shape, size_hw, strict=True):
        assert abs(cells - pixels * sighting.scale) <= 1.5


def test_a_gray_picture_and_an_edge_of_nothing_are_refused(finder: Finder) -> None:
    with pytest.raises(ValueError, match="colour picture"):
        finder.find(np.zeros((10, 10), np.uint8))
    with pytest.raises(ValueError, match="edge"):
        finder.find(np.zeros((10, 10, 3), np.uint8), edge_px=0.0)


def test_missing_weights_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make train"):
        Finder(tmp_path / "finder.onnx")


def test_all_weights_are_small() -> None:
    files = list(WEIGHTS.glob("*.onnx"))
    names = {"finder.onnx", "flatness.onnx", "opinion.onnx", "tile.onnx"}
    assert {file.name for file in files} == names
    assert sum(file.stat().st_size for file in files) < 4_000_000
