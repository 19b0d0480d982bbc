# SPDX-License-Identifier: MIT
"""Photographs become files like those of scenes, and what is not known is marked in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.training.photographs.folders import LINE, loose_boxes, render_dice, write_folder
from vision.nets.onnx_net import WEIGHTS
from vision.pyramid import Pyramid
from vision.training.cuts import Cuts
from vision.training.dataset import find_errors, load_patches, load_school, select_empty
from vision.training.finder_samples import Shown
from vision.training.labels import SceneLabels
from vision.training.photographs.faces import FaceFinder
from vision.training.photographs.lessons import Tally, write_photo_files
from vision.training.photographs.manifest import Box, BoxKind, load_photographs

_SEED = 900_005


@dataclass(frozen=True)
class Written:
    """Files of two photographs of dice and one of coins, and the truth of the first."""

    files: list[Path]
    tally: Tally
    truth: SceneLabels


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("photographs")
    image, truth = render_dice(_SEED)
    cv2.imwrite(str(folder / "right.png"), image)
    cv2.imwrite(str(folder / "wrong.png"), image)
    # Nobody finds a face with this number in the boxes of the second picture.
    wrong = [number % 6 + 1 for number in truth.faces.tolist()]
    coins = {**LINE, "source": "coins", "file": "c.png", "is_negative": True, "neg_kind": "coins"}
    lines = [
        {**LINE, "file": "right.png", "boxes": loose_boxes(truth)},
        {**LINE, "file": "wrong.png", "boxes": loose_boxes(truth, wrong)},
        coins,
    ]
    photographs = load_photographs(write_folder(folder, lines))
    files, tally = write_photo_files(photographs, folder / "out", weights=WEIGHTS, cores=1)
    return Written(files, tally, truth)


class TestFaceFinder:
    def test_an_upper_face_is_found_in_a_loose_box(self) -> None:
        image, truth = render_dice(_SEED)
        faces, pyramid = FaceFinder(WEIGHTS), Pyramid(image)
        for die, given in enumerate(loose_boxes(truth)):
            x, y, size = (float(str(given[name])) for name in ("x", "y", "w"))
            box = Box(x, y, size, size, int(truth.faces[die]), BoxKind.WHOLE, "red")
            found = faces.find(pyramid, box)
            assert found is not None
            edge = truth.edges_px[die]
            assert np.linalg.norm(found.center - truth.centers[die]) < 0.1 * edge
            own = np.sqrt(np.abs(np.linalg.det(found.half_edges))) * 2.0
            assert abs(own / edge - 1.0) < 0.15
            pips = truth.pips[die, : box.number]
            off = np.linalg.norm(found.pips[: box.number, None] - pips[None], axis=2).min(axis=1)
            assert off.max() < 0.1 * edge
            assert found.is_light in (
                float(truth.is_light[die]),
                pytest.approx(np.nan, nan_ok=True),
            )

    def test_no_face_is_found_where_there_is_none(self) -> None:
        plain = Pyramid(np.full((200, 200, 3), 128, np.uint8))
        box = Box(60.0, 60.0, 60.0, 60.0, 3, BoxKind.WHOLE, "red")
        assert FaceFinder(WEIGHTS).find(plain, box) is None


class TestFiles:
    def test_each_source_has_its_own_files(self, written: Written) -> None:
        names = [path.name for path in written.files]
        assert names == ["photo-a-table-0.npz", "photo-a-table-1.npz", "photo-coins-0.npz"]
        count = len(written.truth.faces)
        assert written.tally == {("a table", "red", True): count, ("a table", "red", False): count}

    def test_found_faces_are_taught(self, written: Written) -> None:
        school, patches = load_school(written.files[:1]), load_patches(written.files[:1])
        numbers = sorted(written.truth.faces.tolist())
        assert sorted(school.truths[0].faces.tolist()) == numbers
        assert school.truths[0].proper.all()
        assert sorted(patches.numbers[patches.has_face].tolist()) == numbers
        assert patches.knows_pips[patches.has_face].all()
        assert (patches.odd[patches.has_face] == 0.0).all()
        assert np.isnan(patches.feet).all()

    def test_pixels_of_faces_are_dice_and_others_are_not(self, written: Written) -> None:
        owner = load_school(written.files[:1]).owner(0)
        columns, rows = np.rint(written.truth.centers).astype(int).T
        assert (owner[rows, columns] == Shown.DIE).all()
        assert owner[0, 0] == Shown.NO_DIE
        assert set(np.unique(owner)) == {Shown.DIE, Shown.NO_CENTER, Shown.NO_DIE}

    def test_of_a_die_that_was_not_found_nothing_is_known(self, written: Written) -> None:
        school, patches = load_school(written.files[1:2]), load_patches(written.files[1:2])
        assert len(school.truths[0].faces) == 0
        columns, rows = np.rint(written.truth.centers).astype(int).T
        assert (school.owner(0)[rows, columns] == Shown.UNKNOWN).all()
        assert not patches.has_face.any()
        # Neither here nor where a finder takes it for a face it is called empty.
        cuts = Cuts(written.truth.centers, written.truth.half_edges)
        empty = select_empty(cuts, school.truths[0], school.owner(0))
        assert len(empty.centers) == 0
        errors = load_patches([find_errors(written.files[1], weights=WEIGHTS)])
        right = load_patches([find_errors(written.files[0], weights=WEIGHTS)])
        assert len(errors.numbers) <= len(right.numbers)

    def test_a_picture_without_dice_has_no_die_anywhere(self, written: Written) -> None:
        school, patches = load_school(written.files[2:]), load_patches(written.files[2:])
        assert (school.owner(0) == Shown.NO_DIE).all()
        assert len(school.truths[0].faces) == 0
        assert len(patches.numbers) > 0
        assert (patches.numbers == 0).all()

    def test_what_is_written_is_kept(self, written: Written) -> None:
        before = written.files[0].stat().st_mtime_ns
        photographs = load_photographs(written.files[0].parent.parent)
        _, tally = write_photo_files(photographs, written.files[0].parent, weights=WEIGHTS, cores=1)
        assert not tally
        assert written.files[0].stat().st_mtime_ns == before


def test_crops_and_heaps_teach_no_finder(tmp_path: Path) -> None:
    """Dice at the border of a heap have no box; around a crop there is nothing to see."""
    image, truth = render_dice(_SEED)
    cv2.imwrite(str(tmp_path / "heap.png"), image)
    boxes = [{**box, "kind": "top face"} for box in loose_boxes(truth)] * 8
    crop = {**LINE, "file": "c.png", "crop": True, "is_negative": True, "neg_kind": "cards"}
    lines = [{**LINE, "file": "heap.png", "boxes": boxes[:8]}, crop]
    photographs = load_photographs(write_folder(tmp_path, lines))
    files, _ = write_photo_files(photographs, tmp_path / "out", weights=WEIGHTS, cores=1)
    assert load_school(files).truths == ()
    patches = load_patches(files)
    assert (patches.numbers == 0).sum() == 2
    assert np.isnan(patches.odd).all()
    assert len(load_patches([find_errors(files[0], weights=WEIGHTS)]).numbers) == 0
