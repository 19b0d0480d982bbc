# SPDX-License-Identifier: MIT
"""A die over the felt's edge or the picture's border is a doubt; one beside it is none."""

from __future__ import annotations

import pytest

from tests.vision.faces import make_face
from tests.vision.mapped import upright_map
from vision.checks.off_felt import find_off_felt
from vision.params.checks import FeltParams

_SIZE_WH = (640, 480)


def _off(x: float, y: float, *, is_calibrated: bool, turn_deg: float = 0.0) -> list[int]:
    faces = [make_face(x, y, number=5, turn_deg=turn_deg), make_face(320, 240, number=4)]
    # 3 pixels a millimetre: the felt reaches from 20 to 620 and from 15 to 465.
    tray = upright_map() if is_calibrated else None
    return [face.number for face in find_off_felt(_SIZE_WH, faces, FeltParams(), tray=tray)]


@pytest.mark.parametrize(("x", "y"), [(42, 200), (598, 200), (320, 36), (320, 444)])
def test_a_corner_beyond_the_felt_is_enough(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=True) == [5]
    assert _off(x, y, is_calibrated=False) == []


@pytest.mark.parametrize(("x", "y"), [(52, 47), (588, 433)])
def test_a_die_against_the_rail_is_on_the_felt(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=True) == []


def test_a_turned_die_reaches_farther() -> None:
    assert _off(47, 200, is_calibrated=True) == []
    assert _off(47, 200, is_calibrated=True, turn_deg=45.0) == [5]


@pytest.mark.parametrize(("x", "y"), [(23, 200), (617, 200), (320, 23), (320, 457)])
def test_a_face_that_the_picture_cuts_needs_no_calibration(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=False) == [5]


def test_a_rounded_rim_may_reach_the_border() -> None:
    """Real corners are round, and an edge is known to a pixel or two."""
    assert _off(26, 200, is_calibrated=False) == []


def test_no_faces_are_off_no_felt() -> None:
    assert find_off_felt(_SIZE_WH, [], FeltParams()) == []
