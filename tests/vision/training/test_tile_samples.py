# SPDX-License-Identifier: MIT
"""The targets of a tile match its picture for every cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

from tests.vision.training.drawn_dice import dice, picture_of
from vision.frame import Image
from vision.nets.face_encoding import UNIT_PX, decode_half_edges
from vision.nets.tile_net import HEAT_CELLS
from vision.tiles import FACE_PX, TILE_PX
from vision.training.cuts import Cuts
from vision.training.labels import NO_FACE, NOT_TAUGHT, label_scene
from vision.training.patches import Patches, cut_empty_patches, cut_face_patches
from vision.training.scenes import SceneSpec, render_scene
from vision.training.tile_samples import TileBatch, draw_batch, join_batches

_Floats = NDArray[np.float64]

_SLANTED = np.array([(21.0, -7.0), (5.0, 17.0)])
_MANY = 240


@pytest.fixture(scope="module")
def patches() -> Patches:
    """One light face of each number with dark pips and a dark spot on its foot."""
    centers = [(100 + 200 * (i % 3), 90 + 170 * (i // 3)) for i in range(6)]
    truth = dice(*centers, half_edges=_SLANTED)
    return cut_face_patches(picture_of(truth), truth)


@pytest.fixture(scope="module")
def batch(patches: Patches) -> TileBatch:
    return draw_batch(patches, np.arange(_MANY) % 6, np.random.default_rng(11))


def _half_edges(batch: TileBatch) -> _Floats:
    """The half edges of the true faces in their tiles, in edges, (n, 2, 2)."""
    code = np.asarray(batch.box[:, 2:].numpy(), np.float64)
    return np.asarray(decode_half_edges(code) / (2.0 * UNIT_PX))


def _centers(batch: TileBatch) -> _Floats:
    return np.asarray(batch.box[:, :2].numpy(), np.float64)


def _pips(batch: TileBatch, i: int) -> _Floats:
    """The pips that a tile's targets show, in edges from the tile's middle."""
    rows, columns = np.nonzero(batch.heat[i].numpy() == 1.0)
    cells = np.column_stack([columns, rows]) + batch.offsets[i].numpy()[:, rows, columns].T
    return np.asarray((cells - (HEAT_CELLS - 1) / 2.0) * 2.0 / FACE_PX)


def _tile(batch: TileBatch, i: int) -> Image:
    gray = batch.tiles[i].numpy().mean(axis=0)
    return np.asarray(gray, np.uint8)


def _cut_exactly(batch: TileBatch) -> list[int]:
    """Tiles whose face and foot are wholly in them."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
    reach = np.abs(_centers(batch)[:, None] + corners @ _half_edges(batch).transpose(0, 2, 1))
    return np.flatnonzero((reach.max(axis=(1, 2)) < 0.95) & (batch.numbers.numpy() > 0)).tolist()


def _symmetries() -> Iterator[_Floats]:
    for quarter in range(4):
        turn = np.linalg.matrix_power(np.array([(0, -1), (1, 0)]), quarter)
        yield turn
        yield turn @ np.diag([1, -1])


def _distance(found: _Floats, expected: _Floats) -> float:
    apart = np.linalg.norm(found[:, None] - expected, axis=2)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


class TestTargetsFitEachOther:
    def test_a_scene_s_pips_survive_the_random_cut(self) -> None:
        shot = render_scene(
            900_031, (480, 270), spec=SceneSpec(clear=True, expect=3, clutter=False)
        )
        scene = cut_face_patches(shot.image_bgr, label_scene(shot))
        which = np.arange(60) % len(scene.numbers)
        drawn = draw_batch(scene, which, np.random.default_rng(2))
        for i in _cut_exactly(drawn):
            pips = scene.pips[which[i]]
            known = pips[np.isfinite(pips).all(axis=1)].astype(np.float64)
            own = (_pips(drawn, i) - _centers(drawn)[i]) @ np.linalg.inv(
                2 * _half_edges(drawn)[i]
            ).T
            assert min(_distance(own, known @ way.T) for way in _symmetries()) < 1e-3


class TestTargetsFitTheTile:
    def test_the_box_covers_the_face(self, batch: TileBatch) -> None:
        shares = []
        for i in _cut_exactly(batch):
            tile = _tile(batch, i)
            level, _ = cv2.threshold(tile, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
            light = (tile > level).astype(np.uint8)
            square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ _half_edges(batch)[i].T
            corners = (_centers(batch)[i] + square) * FACE_PX + (TILE_PX - 1) / 2.0
            box = np.zeros_like(tile)
            cv2.fillConvexPoly(box, np.rint(corners * 16).astype(np.int32), 1, shift=4)
            # Another light may have made a negative of it.
            shares.append(max(_agreement(_close_mask(mask), box) for mask in (light, 1 - light)))
        assert np.median(shares) > 0.93
        assert np.quantile(shares, 0.1) > 0.8

    def test_pips_and_foot_are_on_spots_of_the_tile(self, batch: TileBatch) -> None:
        """Each spot differs from the face in the same sense, and clearly."""
        clear = []
        for i in _cut_exactly(batch):
            tile = cv2.GaussianBlur(_tile(batch, i), (0, 0), 0.7).astype(float)
            center, halves = _centers(batch)[i], _half_edges(batch)[i]
            free = [center + 2.0 * halves @ np.array(own) for own in _FREE[int(batch.numbers[i])]]
            body = np.median([_level(tile, place) for place in free])
            spots = [_level(tile, place) for place in _pips(batch, i)]
            senses = np.sign(np.array(spots) - body)
            clear.append(abs(senses.sum()) == len(spots) and np.abs(spots - body).min() > 12.0)
        assert np.mean(clear) > 0.93

    def test_the_foot_is_on_its_spot(self, batch: TileBatch) -> None:
        clear = []
        for i in _cut_exactly(batch):
            foot = _centers(batch)[i] + batch.feet[i].numpy()
            if np.abs(foot).max() > 0.85:
                continue
            tile = cv2.GaussianBlur(_tile(batch, i), (0, 0), 0.7).astype(float)
            around = 0.17 * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
            ring = [_level(tile, foot + way) for way in around]
            clear.append(abs(_level(tile, foot) - np.median(ring)) > 8.0)
        assert len(clear) > 40
        assert np.mean(clear) > 0.9


_FREE = {
    1: [(0.3, 0.3), (-0.3, 0.3), (0.3, -0.3), (-0.3, -0.3)],
    2: [(0.0, 0.3), (0.0, -0.3), (0.3, 0.0), (-0.3, 0.0)],
    3: [(0.0, 0.3), (0.0, -0.3), (0.3, 0.0), (-0.3, 0.0)],
    4: [(0.0, 0.0), (0.0, 0.05), (0.05, 0.0)],
    5: [(0.0, 0.3), (0.0, -0.3), (0.3, 0.0), (-0.3, 0.0)],
    6: [(0.0, 0.0), (0.0, 0.05), (0.05, 0.0)],
}
"""Points of a face, in its own edges, that no pip of the number is near in any turn."""


def _level(tile: NDArray[np.floating], place: _Floats) -> float:
    column, row = np.rint(place * FACE_PX + (TILE_PX - 1) / 2.0).astype(int)
    return float(tile[row, column])


def _close_mask(mask: Image) -> Image:
    """A face without the holes that its pips make."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7))), np.uint8)


def _agreement(one: Image, other: Image) -> float:
    common = float(((one > 0) & (other > 0)).sum())
    return common / float(((one > 0) | (other > 0)).sum())


class TestNumbers:
    def test_a_good_cut_keeps_the_number_and_a_bad_one_has_none(self, batch: TileBatch) -> None:
        numbers = batch.numbers.numpy()
        off = np.linalg.norm(_off(batch), axis=1)
        size = 1.0 / (2.0 * np.sqrt(np.abs(np.linalg.det(_half_edges(batch)))))
        far = (off > 0.31) | (size > 1.61) | (size < 0.6)
        near = (off < 0.12) & (size > 0.85) & (size < 1.2)
        assert (numbers[far] == NO_FACE).all()
        assert far.sum() >= 8
        expected = np.arange(_MANY) % 6 + 1
        assert ((numbers == expected) | (numbers == NOT_TAUGHT))[near].all()
        assert (numbers[near] == expected[near]).mean() > 0.9
        assert (numbers == NOT_TAUGHT).any()

    def test_odd_and_light_are_targets_of_good_cuts(
        self, patches: Patches, batch: TileBatch
    ) -> None:
        known = np.isfinite(batch.odd.numpy())
        assert 0.6 < known.mean() < 1.0
        assert (batch.odd.numpy()[known] == 0.0).all()
        assert (batch.light.numpy()[known] == 1.0).all()
        odd = replace(patches, odd=np.ones(6, np.float32))
        drawn = draw_batch(odd, np.arange(_MANY) % 6, np.random.default_rng(11))
        assert (drawn.odd.numpy()[known] == 1.0).all()

    def test_a_tile_without_a_face_has_no_pips(self) -> None:
        cuts = Cuts(np.array([(100.0, 100.0)]), np.eye(2)[None] * 20.0)
        nothing = cut_empty_patches(np.full((200, 200, 3), 90, np.uint8), cuts)
        drawn = draw_batch(nothing, np.zeros(30, np.int64), np.random.default_rng(1))
        assert (drawn.numbers.numpy() == NO_FACE).all()
        assert (drawn.heat_counts.numpy() == 1.0).all()
        assert float(drawn.heat.max()) == 0.0
        for part in (drawn.box_counts, drawn.feet_count):
            assert float(part.max()) == 0.0
        assert np.isnan(drawn.odd.numpy()).all()
        assert np.isfinite(drawn.box.numpy()).all()


def _off(batch: TileBatch) -> _Floats:
    """How far each cut is off its face, in edges of the face."""
    own = np.linalg.inv(2.0 * _half_edges(batch))
    return np.asarray(np.einsum("nij,nj->ni", own, _centers(batch)))


def test_pips_that_are_not_known_are_not_taught() -> None:
    truth = dice((100, 100), (300, 100), half_edges=_SLANTED)
    patches = cut_face_patches(picture_of(truth), truth)
    pips = patches.pips.copy()
    pips[1] = np.nan
    patches = replace(patches, pips=pips)
    batch = draw_batch(patches, np.arange(40) % 2, np.random.default_rng(1))
    taught = batch.heat_counts.numpy() > 0
    assert taught[0::2].any()
    assert not taught[1::2].any()
    assert (batch.numbers.numpy()[1::2] == 2).any()


def test_batches_are_joined_even_if_one_is_empty() -> None:
    truth = dice((100, 100), (300, 100), half_edges=_SLANTED)
    patches = cut_face_patches(picture_of(truth), truth)
    rng = np.random.default_rng(1)
    parts = [draw_batch(patches, np.arange(count) % 2, rng) for count in (3, 0, 2)]
    joined = join_batches(parts)
    assert len(joined.tiles) == len(joined.numbers) == 5
    np.testing.assert_array_equal(joined.tiles[3:], parts[2].tiles)
