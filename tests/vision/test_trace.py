# SPDX-License-Identifier: MIT
"""A trace holds pictures of the stages, and drawing them changes nothing."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from vision.pipeline import Reader
from vision.trace import Trace

_TRAY = [FaceDrawing(5, 200, 200), FaceDrawing(0, 420, 240)]


def test_stage_pictures_are_written_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "trace"
    Reader().read(drawn_tray(_TRAY), trace=Trace(folder, "tray"))
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["tray-1-spots.png", "tray-2-faces.png", "tray-3-reading.png"]
    drawn = cv2.imread(str(folder / "tray-3-reading.png"))
    assert drawn is not None
    assert drawn.shape == (480, 640, 3)


def test_reading_and_picture_stay_as_they_are_without_a_trace(tmp_path: Path) -> None:
    image = drawn_tray(_TRAY)
    before = image.copy()
    traced = Reader().read(image, trace=Trace(tmp_path))
    plain = Reader().read(image)
    assert (traced.dice, traced.doubts) == (plain.dice, plain.doubts)
    assert np.array_equal(image, before)
