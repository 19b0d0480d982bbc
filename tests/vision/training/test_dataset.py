# SPDX-License-Identifier: MIT
"""Scenes and patches come back from their files as they were drawn."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.vision.training.drawn_dice import dice, picture_of
from vision.nets.onnx_net import WEIGHTS
from vision.training.dataset import (
    Job,
    Kind,
    find_errors,
    load_patches,
    load_school,
    render,
    write_whole,
)
from vision.training.labels import SceneLabels, label_scene
from vision.training.patches import PATCH_PX, Patches, cut_face_patches
from vision.training.records import as_arrays
from vision.training.scenes import render_scene

_FIRST, _COUNT = 900_004, 4


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    return render(Job(folder / "small-0.npz", _FIRST, _COUNT, Kind.SMALL))


def _size_wh(seed: int) -> tuple[int, int]:
    return {4: (640, 360), 5: (480, 480), 6: (360, 640), 2: (640, 480)}.get(seed % 7, (640, 360))


class TestSmallScenes:
    def test_pictures_and_truths_come_back(self, path: Path) -> None:
        school = load_school([path])
        assert len(school.truths) == len(school.pictures) == len(school.owners) == _COUNT
        for i, seed in enumerate(range(_FIRST, _FIRST + _COUNT)):
            scene = render_scene(seed, _size_wh(seed))
            image = school.image(i)
            assert image.shape == scene.image_bgr.shape
            assert np.abs(image - scene.image_bgr.astype(float)).mean() < 4.0
            truth = label_scene(scene)
            for field in fields(SceneLabels):
                before, after = getattr(truth, field.name), getattr(school.truths[i], field.name)
                assert before.dtype == after.dtype
                np.testing.assert_array_equal(after, before)

    def test_owners_say_ground_die_or_object(self, path: Path) -> None:
        school = load_school([path])
        for i, seed in enumerate(range(_FIRST, _FIRST + _COUNT)):
            scene = render_scene(seed, _size_wh(seed))
            expected = np.select([scene.owner > 0, scene.owner < 0], [1, 2], 0)
            np.testing.assert_array_equal(school.owner(i), expected)

    def test_patches_of_faces_and_of_other_places_come_back(self, path: Path) -> None:
        patches = load_patches([path])
        count = len(patches.numbers)
        assert patches.images_bgr.shape == (count, PATCH_PX, PATCH_PX, 3)
        assert set(patches.numbers.tolist()) <= set(range(-1, 7))
        assert 0 < patches.has_face.sum() < count
        assert (patches.numbers[~patches.has_face] == 0).all()


def test_large_scenes_give_patches_only(tmp_path: Path) -> None:
    path = render(Job(tmp_path / "large-0.npz", 900_090, 1, Kind.LARGE))
    assert len(load_patches([path]).numbers) > 0
    with np.load(path) as file:
        assert len(file["pictures"]) == len(file["counts"]) == 0


def test_patches_survive_a_file(tmp_path: Path) -> None:
    truth = dice((150, 100), (300, 220), (480, 140), half_px=18.0)
    patches = cut_face_patches(picture_of(truth), truth)
    again = load_patches([write_whole(tmp_path / "some.npz", **as_arrays(patches))])
    for field in fields(Patches):
        before, after = getattr(patches, field.name), getattr(again, field.name)
        assert before.dtype == after.dtype
        np.testing.assert_array_equal(before, after)


def test_errors_of_the_finder_are_places_without_a_face(path: Path) -> None:
    """A second call keeps the file, so that an interrupted rebuild goes on."""
    out = find_errors(path, weights=WEIGHTS)
    assert (out.parent, out.name) == (path.parent, "errors-0.npz")
    patches = load_patches([out])
    assert not patches.has_face.any()
    assert (patches.numbers == 0).all()
    written = out.stat().st_mtime_ns
    assert find_errors(path, weights=WEIGHTS) == out
    assert out.stat().st_mtime_ns == written
