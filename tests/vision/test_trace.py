# SPDX-License-Identifier: MIT
"""A trace holds pictures of the stages, and drawing them changes nothing."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.faces import make_proposal
from vision.frame import Image
from vision.nets.finder import Proposal, Sighting
from vision.pipeline import Reader
from vision.reading import Doubt, DoubtKind, Rejected, TrayReading
from vision.trace import Trace

_TRAY = [FaceDrawing(5, 200, 200), FaceDrawing(0, 420, 240)]
_GREY = np.full((120, 200, 3), 100, np.uint8)
_NOTHING = np.zeros((30, 50), np.float32)


def picture_in(folder: Path, name: str) -> NDArray[np.int64]:
    drawn = cv2.imread(str(folder / name))
    assert drawn is not None
    return drawn.astype(np.int64)


def _make_proposal(x: float, y: float, *, likeness: float = 0.9, odd: float = 0.0) -> Proposal:
    return make_proposal((x, y), 12.0 * np.eye(2), likeness=likeness, odd=odd)


def test_pictures_of_the_stages_are_written_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "trace"
    Reader().read(drawn_tray(_TRAY), trace=Trace(folder, "tray"))
    names = sorted(path.name for path in folder.iterdir())
    stages = ["tray-1-finder.png", "tray-2-tiles.png", "tray-3-reading.png"]
    assert names == stages
    assert picture_in(folder, "tray-3-reading.png").shape == (480, 640, 3)


def test_reading_and_picture_stay_as_they_are_without_a_trace(tmp_path: Path) -> None:
    image = drawn_tray(_TRAY)
    before = image.copy()
    traced = Reader().read(image, trace=Trace(tmp_path))
    plain = Reader().read(image)
    assert (traced.dice, traced.doubts) == (plain.dice, plain.doubts)
    assert np.array_equal(image, before)


def test_doubts_and_rejected_candidates_have_rings(tmp_path: Path) -> None:
    doubt = Doubt(DoubtKind.GLARE, "Shine may hide pips.", (50.0, 40.0), 20.0)
    reading = TrayReading((), (doubt,), (Rejected("a coin", (150.0, 60.0), 20.0),))
    Trace(tmp_path).write_reading(_GREY, reading)
    drawn = picture_in(tmp_path, "picture-3-reading.png")
    blue, green, red = drawn[40, 70]
    assert red > max(blue, green) + 50
    assert drawn[60, 170].min() > 120
    assert drawn[60, 150].tolist() == [100, 100, 100]


def test_a_picture_without_proposals_has_no_sheet_of_tiles(tmp_path: Path) -> None:
    Reader().read(np.full((64, 64, 3), 90, np.uint8), trace=Trace(tmp_path))
    names = {path.name for path in tmp_path.iterdir()}
    assert {"picture-1-finder.png", "picture-3-reading.png"} <= names


class TestProposals:
    def test_each_proposal_has_its_frame(self, tmp_path: Path) -> None:
        odd = _make_proposal(150.0, 40.0, odd=0.8)
        sighting = Sighting((_make_proposal(50.0, 40.0), odd), _NOTHING, _NOTHING, 0.25)
        Trace(tmp_path).write_proposals(_GREY, sighting)
        drawn = picture_in(tmp_path, "picture-1-finder.png")
        blue, green, red = drawn[40, 62]
        assert green > max(blue, red) + 50
        blue, green, red = drawn[40, 162]
        assert red > max(blue, green) + 50
        assert drawn[40, 100].tolist() == [100, 100, 100]

    def test_the_maps_tint_the_places_they_speak_of(self, tmp_path: Path) -> None:
        die_map, thing_map = _NOTHING.copy(), _NOTHING.copy()
        die_map[10:15, 20:25] = 1.0
        thing_map[10:15, 40:45] = 1.0
        Trace(tmp_path).write_proposals(_GREY, Sighting((), die_map, thing_map, 0.25))
        drawn = picture_in(tmp_path, "picture-1-finder.png")
        greener = drawn[:, :, 1] > drawn[:, :, 2] + 20
        redder = drawn[:, :, 2] > drawn[:, :, 1] + 20
        for tinted, left in ((greener, 80), (redder, 160)):
            y, x = np.argwhere(tinted).mean(axis=0)
            assert (x, y) == pytest.approx((left + 9.5, 49.5), abs=0.6)


class TestTiles:
    def tiles(self, count: int) -> Image:
        """Tiles of which each is brighter than the one before."""
        shades = np.arange(1, count + 1, dtype=np.uint8) * 10
        return np.broadcast_to(shades[:, None, None, None], (count, 64, 64, 3)).copy()

    def test_every_tile_is_on_the_sheet_in_its_order(self, tmp_path: Path) -> None:
        Trace(tmp_path).write_tiles(self.tiles(10), [""] * 10)
        sheet = picture_in(tmp_path, "picture-2-tiles.png")[:, :, 0]
        seen = [int(shade) for row in sheet for shade in np.unique(row) if shade]
        assert list(dict.fromkeys(sorted(seen))) == [10 * number for number in range(1, 11)]
        # Eight are in the first row.
        assert set(np.unique(sheet[40])) == {0, *range(10, 90, 10)}

    def test_the_text_is_below_its_tile(self, tmp_path: Path) -> None:
        trace = Trace(tmp_path)
        trace.write_tiles(self.tiles(2), ["", "pips 5 0.98\ndie 0.99"])
        sheet = picture_in(tmp_path, "picture-2-tiles.png")
        words = np.argwhere(sheet[:, :, 2] > 100)
        middle = sheet.shape[1] / 2
        assert words[:, 1].min() >= middle
        assert words[:, 0].min() >= 128
