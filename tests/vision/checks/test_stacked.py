# SPDX-License-Identifier: MIT
"""Parts of dice that no read die explains are doubts; the sides of read dice are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.faces import make_face
from vision.checks.plane import Plane, outline_dice
from vision.checks.unread import MOST_STACKED, find_stacked
from vision.face import Face, median_edge_px
from vision.reading import Doubt, DoubtKind

_SCALE = 0.125
_FACES = [make_face(200, 200, edge_px=80), make_face(420, 240, edge_px=80)]
_LEVEL = 0.0


def _plane(tilt_deg: float) -> Plane:
    tilt = np.deg2rad(tilt_deg)
    normal = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
    return Plane(normal, np.array([319.5, 239.5]), 1e6, is_known=True)


def _make_map(*boxes: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """The likeness of a tray with dice in these boxes: left, top, right, below in pixels."""
    full = np.zeros((480, 640), np.float32)
    for left, top, right, below in ((160, 160, 240, 240), (380, 200, 460, 280), *boxes):
        full[top:below, left:right] = 1.0
    return np.asarray(cv2.resize(full, (80, 60), interpolation=cv2.INTER_AREA), np.float32)


def _find_stacked(
    die_map: NDArray[np.float32], tilt_deg: float = _LEVEL, faces: list[Face] = _FACES
) -> list[Doubt]:
    return find_stacked(die_map, _SCALE, faces, _plane(tilt_deg))


def test_dice_that_are_read_explain_themselves() -> None:
    assert _find_stacked(_make_map()) == []


def test_a_part_beside_a_read_die_is_a_die_below_or_behind_it() -> None:
    (doubt,) = _find_stacked(_make_map((240, 180, 285, 260)))
    assert doubt.kind is DoubtKind.STACKED
    assert doubt.center_px == pytest.approx((266, 220), abs=8)
    assert doubt.radius_px == pytest.approx(60.0)


def test_a_part_that_hangs_on_no_read_die_is_left_to_the_judge() -> None:
    assert _find_stacked(_make_map((500, 380, 580, 460))) == []


def test_sides_count_as_far_as_the_plane_shows_them() -> None:
    below = _make_map((160, 240, 240, 282), (380, 280, 460, 322))
    assert _find_stacked(below, 30.0) == []
    assert [doubt.kind for doubt in _find_stacked(below)] == [DoubtKind.STACKED] * 2


def test_sides_beyond_the_plane_are_doubts() -> None:
    above = _make_map((160, 110, 240, 160))
    assert [doubt.kind for doubt in _find_stacked(above, 30.0)] == [DoubtKind.STACKED]


def test_slivers_are_errors_of_the_map() -> None:
    assert _find_stacked(_make_map((246, 160, 256, 240))) == []


def test_a_faint_likeness_is_no_die() -> None:
    full = _make_map((240, 180, 285, 260))
    assert _find_stacked(np.minimum(full, np.float32(0.5))) == []


def test_only_a_few_doubts_are_given() -> None:
    faces = [make_face(80 + 100 * i, 240, edge_px=50) for i in range(6)]
    boxes = [(80 + 100 * i - 25, 150, 80 + 100 * i + 25, 265) for i in range(6)]
    full = np.zeros((480, 640), np.float32)
    for left, top, right, below in boxes:
        full[top:below, left:right] = 1.0
    small = np.asarray(cv2.resize(full, (80, 60), interpolation=cv2.INTER_AREA), np.float32)
    assert len(_find_stacked(small, faces=faces)) == MOST_STACKED


def test_without_dice_no_size_is_known() -> None:
    assert _find_stacked(_make_map(), faces=[]) == []


class TestOutlines:
    def test_from_above_an_outline_is_the_face(self) -> None:
        (outline,) = outline_dice([_FACES[0]], _plane(0.0))
        assert cv2.contourArea(outline.astype(np.float32)) == pytest.approx(80.0**2, rel=0.01)

    def test_a_slanted_plane_shows_the_sides_below(self) -> None:
        """At 30 degrees a side is seen half as high as an edge is long, less foreshortening."""
        (outline,) = outline_dice([_FACES[0]], _plane(30.0))
        below = float(outline[:, 1].max()) - 240.0
        assert below == pytest.approx(80.0 * 0.5 / np.sqrt(np.cos(np.deg2rad(30.0))), rel=0.01)
        assert float(outline[:, 1].min()) == pytest.approx(160.0, abs=0.1)

    def test_the_median_edge_ignores_one_wrong_size(self) -> None:
        assert median_edge_px([*_FACES, make_face(0, 0, edge_px=300)]) == pytest.approx(80.0)
