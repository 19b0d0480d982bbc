# SPDX-License-Identifier: MIT
"""Parts of dice that no read die explains are told; the sides of read dice are not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.doubts.found import tops_in
from vision.doubts.params import StackParams
from vision.doubts.plane import Plane
from vision.doubts.stacked import find_stacked
from vision.reading import DoubtKind

SCALE = 0.125
DICE = [FaceDrawing(5, 200, 200, edge_px=80), FaceDrawing(3, 420, 240, edge_px=80)]
TOPS = tops_in(drawn_tray(DICE))


def _plane(tilt_deg: float) -> Plane:
    tilt = np.deg2rad(tilt_deg)
    normal = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
    return Plane(normal, np.array([319.5, 239.5]), 1e6, is_known=True)


def _map(*boxes: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """The likeness of a tray with dice in these boxes: left, top, right, below in pixels."""
    full = np.zeros((480, 640), np.float32)
    for left, top, right, below in ((160, 160, 240, 240), (380, 200, 460, 280), *boxes):
        full[top:below, left:right] = 1.0
    return np.asarray(cv2.resize(full, (80, 60), interpolation=cv2.INTER_AREA), np.float32)


def test_dice_that_are_read_explain_themselves() -> None:
    assert find_stacked(_map(), SCALE, TOPS, _plane(0.0), StackParams()) == []


def test_a_part_beside_a_read_die_is_a_die_below_or_behind_it() -> None:
    (doubt,) = find_stacked(_map((240, 180, 285, 260)), SCALE, TOPS, _plane(0.0), StackParams())
    assert doubt.kind is DoubtKind.STACKED
    assert doubt.center_px is not None
    assert np.hypot(doubt.center_px[0] - 266, doubt.center_px[1] - 220) < 12


def test_a_die_that_lies_by_itself_unread_is_unsure() -> None:
    (doubt,) = find_stacked(_map((500, 380, 580, 460)), SCALE, TOPS, _plane(0.0), StackParams())
    assert doubt.kind is DoubtKind.UNSURE


def test_sides_count_as_far_as_the_plane_lets_them_show() -> None:
    below = _map((160, 240, 240, 282), (380, 280, 460, 322))
    assert find_stacked(below, SCALE, TOPS, _plane(30.0), StackParams()) == []
    told = find_stacked(below, SCALE, TOPS, _plane(0.0), StackParams())
    assert [doubt.kind for doubt in told] == [DoubtKind.STACKED] * 2


def test_slivers_are_errors_of_the_map() -> None:
    assert find_stacked(_map((246, 160, 256, 240)), SCALE, TOPS, _plane(0.0), StackParams()) == []


def test_without_dice_nothing_tells_the_size() -> None:
    assert find_stacked(_map(), SCALE, [], _plane(0.0), StackParams()) == []
