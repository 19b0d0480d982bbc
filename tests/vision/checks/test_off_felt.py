# SPDX-License-Identifier: MIT
"""A die over the felt's edge or the picture's border is a doubt; one beside it is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.checks.pinhole import SIZE_WH as PICTURE_WH
from tests.vision.checks.pinhole import Pinhole
from tests.vision.faces import make_face
from tests.vision.mapped import upright_map
from vision.calibration.fit_tray import fit_tray_to_corners
from vision.checks.off_felt import find_off_felt
from vision.tray_map import HAND_ERROR_MM

_SIZE_WH = (640, 480)


def _off(x: float, y: float, *, is_calibrated: bool, turn_deg: float = 0.0) -> list[int]:
    faces = [make_face(x, y, number=5, turn_deg=turn_deg), make_face(320, 240, number=4)]
    # 3 pixels a millimetre: the felt reaches from 20 to 620 and from 15 to 465.
    tray = upright_map() if is_calibrated else None
    return [face.number for face in find_off_felt(_SIZE_WH, faces, tray=tray)]


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
    assert find_off_felt(_SIZE_WH, []) == []


def test_an_outline_is_no_better_known_than_it_was_marked() -> None:
    """A corner 1.5 mm beyond is doubted on an exact outline, not on one set by hand."""
    # What counts of its corners is 15 pixels from the picture's border, 5 before the felt's.
    face = make_face(45, 200, edge_px=75.0)
    for error_mm, is_off in ((0.0, True), (1.0, True), (2.0, False)):
        tray = replace(upright_map(), felt_error_mm=error_mm)
        off = find_off_felt(_SIZE_WH, [face], tray=tray)
        assert off == ([face] if is_off else [])


def test_dice_against_the_rail_are_on_a_felt_that_a_hand_marked() -> None:
    """And a die whose middle is well beyond the felt never is."""
    at_walls = [(-122.0, 0.0), (122.0, 30.0), (-60.0, 72.0), (10.0, -72.0), (122.0, 72.0)]
    beyond = [(-134.0, 0.0), (134.0, 30.0), (-60.0, 84.0), (10.0, -84.0), (134.0, 60.0)]
    rng = np.random.default_rng(7_000_001)
    by_exact = by_marked = 0
    for _ in range(60):
        tilt_deg, focal = rng.uniform(0.0, 30.0), rng.uniform(0.8, 1.4)
        camera = Pinhole(tilt_deg=tilt_deg, focal=focal, away_mm=500.0)
        corners_mm = np.array(camera.tray().felt_mm) + rng.normal(0.0, HAND_ERROR_MM, (4, 2))
        points = [(float(x), float(y)) for x, y in camera.project_felt(corners_mm)]
        tray = fit_tray_to_corners(points, PICTURE_WH, (260.0, 160.0)).tray
        exact = replace(tray, focal_error=0.0, felt_error_mm=0.0)
        faces, others = camera.faces(at_walls), camera.faces(beyond)
        by_exact += len(find_off_felt(PICTURE_WH, faces, tray=exact))
        by_marked += len(find_off_felt(PICTURE_WH, faces, tray=tray))
        assert find_off_felt(PICTURE_WH, others, tray=tray) == others
    assert by_exact > 20
    assert by_marked < by_exact / 5
