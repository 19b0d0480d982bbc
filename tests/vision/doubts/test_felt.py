# SPDX-License-Identifier: MIT
"""A die over the felt's edge or the picture's border is a doubt; one beside it is none."""

from __future__ import annotations

import pytest

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.doubts.found import size_wh_of, tops_in
from tests.vision.mapped import upright_map
from vision.doubts.felt import find_off_felt
from vision.doubts.params import FeltParams


def _off(x: float, y: float, *, is_calibrated: bool) -> list[int]:
    image = drawn_tray([FaceDrawing(5, x, y, edge_px=60), FaceDrawing(4, 320, 240, edge_px=60)])
    tops = tops_in(image)
    assert len(tops) == 2
    # 3 pixels a millimetre: the felt reaches from 20 to 620 and from 15 to 465.
    tray = upright_map() if is_calibrated else None
    off = find_off_felt(size_wh_of(image), tops, FeltParams(), tray=tray)
    return [die.face.number for die in off]


@pytest.mark.parametrize(("x", "y"), [(42, 200), (600, 200), (320, 36), (320, 446)])
def test_a_corner_beyond_the_felt_is_enough(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=True) == [5]
    assert _off(x, y, is_calibrated=False) == []


@pytest.mark.parametrize(("x", "y"), [(52, 47), (588, 433)])
def test_a_die_against_the_rail_lies_on_the_felt(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=True) == []


@pytest.mark.parametrize(("x", "y"), [(24, 200), (320, 456)])
def test_a_face_that_the_picture_cuts_is_told_without_a_calibration(x: float, y: float) -> None:
    assert _off(x, y, is_calibrated=False) == [5]
