# SPDX-License-Identifier: MIT
"""A patch shows a face upright in the middle, and its labels are in edges of that face."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.vision.training.drawn_dice import FOOT, dice, owner_of, picture_of
from vision.training.cuts import Cuts
from vision.training.labels import NO_FACE, NOT_TAUGHT, label_scene
from vision.training.patches import (
    PATCH_FACE_PX,
    PATCH_PX,
    Patches,
    cut_empty_patches,
    cut_face_patches,
    draw_patches,
    join_patches,
)
from vision.training.scenes import DieState, SceneSpec, render_scene

_SLANTED = np.array([(16.0, -7.0), (5.0, 12.0)])
_MIDDLE = (PATCH_PX - 1) / 2.0


def test_labels_match_the_patch() -> None:
    truth = dice((200, 150), (400, 200), faces=(6, 5), half_edges=_SLANTED)
    patches = cut_face_patches(picture_of(truth), truth)
    assert patches.images_bgr.shape == (2, PATCH_PX, PATCH_PX, 3)
    for image, pips, foot in zip(patches.images_bgr, patches.pips, patches.feet, strict=True):
        np.testing.assert_allclose(foot, FOOT, atol=1e-6)
        places = np.vstack([pips[np.isfinite(pips).all(axis=1)], foot]) * PATCH_FACE_PX + _MIDDLE
        for x, y in np.rint(places).astype(int):
            assert image[y, x].max() < 60
        light = image[:, :, 0] > 180
        assert light.sum() == pytest.approx(PATCH_FACE_PX**2 * 0.85, rel=0.15)
        rows, columns = np.nonzero(light)
        assert (rows.mean(), columns.mean()) == pytest.approx((_MIDDLE, _MIDDLE), abs=0.6)


def test_pips_of_a_scene_match_its_numbers() -> None:
    scene = render_scene(900_021, (640, 360), spec=SceneSpec(clear=True, expect=5, clutter=False))
    truth = label_scene(scene)
    patches = cut_face_patches(scene.image_bgr, truth)
    assert patches.numbers.tolist() == truth.faces.tolist()
    for number, pips in zip(patches.numbers, patches.pips, strict=True):
        known = pips[np.isfinite(pips).all(axis=1)]
        assert len(known) == number
        np.testing.assert_allclose(known.mean(axis=0), 0.0, atol=0.02)
        assert np.abs(known).max() < 0.4


@pytest.mark.parametrize(
    ("change", "number", "odd"),
    [
        ({}, 3, 0.0),
        ({"state": DieState.STACKED}, 3, 1.0),
        ({"state": DieState.COCKED}, NOT_TAUGHT, 1.0),
        ({"contrast": 6.0}, NOT_TAUGHT, 0.0),
        ({"visible": 0.9}, NOT_TAUGHT, 0.0),
        ({"visible": 0.8}, NO_FACE, 1.0),
    ],
)
def test_only_visible_numbers_are_targets(
    change: dict[str, float | DieState], number: int, odd: float
) -> None:
    truth = dice((200, 150), faces=(3,), half_px=20.0, **change)  # type: ignore[arg-type]
    patches = cut_face_patches(picture_of(truth), truth)
    assert patches.numbers.tolist() == [number]
    assert (patches.odd.tolist(), patches.has_face.tolist()) == ([odd], [True])


def test_a_patch_without_a_face_has_only_its_class() -> None:
    truth = dice((200, 150), half_px=20.0)
    cuts = Cuts(np.array([(500.0, 80.0)]), np.eye(2)[None] * 20.0)
    patches = cut_empty_patches(picture_of(truth), cuts)
    assert (patches.numbers.tolist(), patches.has_face.tolist()) == ([NO_FACE], [False])
    for unknown in (patches.odd, patches.light, patches.feet, patches.pips):
        assert np.isnan(unknown).all()


def test_a_scene_gives_every_face_and_about_as_many_other_places() -> None:
    truth = dice((150, 100), (300, 220), (480, 140), half_px=18.0)
    patches = draw_patches(picture_of(truth), truth, owner_of(truth), np.random.default_rng(3))
    assert patches.numbers[:3].tolist() == [1, 2, 3]
    empty = ~patches.has_face
    assert 1 <= empty.sum() <= 5
    assert (patches.numbers[empty] == NO_FACE).all()


def test_parts_are_joined_in_their_order() -> None:
    truth = dice((150, 100), (300, 220), half_px=18.0)
    one = cut_face_patches(picture_of(truth), truth)
    other = replace(one, numbers=one.numbers + 3)
    joined = join_patches([one, other])
    assert joined.numbers.tolist() == [1, 2, 4, 5]
    for field in fields(Patches):
        part, whole = getattr(one, field.name), getattr(joined, field.name)
        assert whole.dtype == part.dtype
        np.testing.assert_array_equal(whole[:2], part)
