# SPDX-License-Identifier: MIT
"""Pips make a face only when they lie as one number's pips lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from vision.geometry.face import Face, find_faces
from vision.geometry.pips import Floats, Pips
from vision.params import FaceParams

_LATTICE = {
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 1), (0, -1)],
}
_RADIUS_PX = 6.0
_STEP_PX = 15.0
_GREY = np.full((400, 400), 220, np.uint8)


def _pips(points: Sequence[tuple[float, float]], axes: Floats) -> Pips:
    """Dark pips at lattice places, as seen through the axes of a face in the middle."""
    n = len(points)
    seen = axes / _STEP_PX
    shape = seen @ seen.T * _RADIUS_PX**2
    return Pips(
        xy=np.array(points) @ axes.T + 200.0,
        shape=np.repeat(shape[None], n, axis=0),
        radius=np.full(n, np.linalg.det(shape) ** 0.25),
        light=np.zeros(n, bool),
        contrast=np.full(n, 150.0),
        body=np.full(n, 220.0),
        closed=np.ones(n),
        fill=np.ones(n),
    )


def _axes(angle_deg: float = 0.0, squash: float = 1.0) -> Floats:
    turn = np.deg2rad(angle_deg)
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(np.diag([1.0, squash]) @ rotate * _STEP_PX)


def _whole(faces: list[Face], pips: Pips) -> list[Face]:
    """Faces that use every pip."""
    return [face for face in faces if len(face.pips) == len(pips)]


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("angle_deg", [0, 17, 45, 80])
@pytest.mark.parametrize("squash", [1.0, 0.7])
def test_each_number_is_found_turned_and_slanted(
    number: int, angle_deg: int, squash: float
) -> None:
    pips = _pips(_LATTICE[number], _axes(angle_deg, squash))
    (face,) = _whole(find_faces(_GREY, pips, FaceParams()), pips)
    assert face.number == number
    assert face.residual < 0.02
    assert face.roundness == pytest.approx(squash, abs=0.02)
    assert face.center == pytest.approx([200.0, 200.0], abs=0.1)


@pytest.mark.parametrize("width", [0.65, 0.8, 1.0])
def test_a_six_may_have_its_rows_close_together(width: float) -> None:
    points = [(x * width, y) for x, y in ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))]
    pips = _pips(points, _axes(30))
    (face,) = _whole(find_faces(_GREY, pips, FaceParams()), pips)
    assert face.number == 6


@pytest.mark.parametrize(
    "points",
    [
        [(-1, -1), (1, 1), (-1, 1)],
        [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 1)],
        [(-1, -1), (1, 1), (0.5, 0.2)],
    ],
    ids=["a four without a corner", "a six without a pip", "a two with a spot"],
)
def test_pips_that_are_no_number_are_no_face(points: list[tuple[float, float]]) -> None:
    pips = _pips(points, _axes(10))
    assert _whole(find_faces(_GREY, pips, FaceParams()), pips) == []


def test_part_of_a_five_is_no_smaller_number() -> None:
    pips = _pips(_LATTICE[5], _axes(25))
    assert [face.number for face in find_faces(_GREY, pips, FaceParams())] == [5]


def test_pips_of_two_polarities_are_no_face() -> None:
    pips = _pips(_LATTICE[2], _axes())
    pips.light[0] = True
    assert find_faces(_GREY, pips, FaceParams()) == []


def test_no_pips_are_no_face() -> None:
    pips = _pips(_LATTICE[2], _axes()).take(np.zeros(2, bool))
    assert find_faces(_GREY, pips, FaceParams()) == []
