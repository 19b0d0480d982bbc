# SPDX-License-Identifier: MIT
"""A die leans if its foot is not where one camera sees the feet of flat dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.checks.pinhole import FIVE_MM, SIZE_WH, Lean, Pinhole, with_noise
from vision.checks.cocked import find_cocked
from vision.checks.plane_fit import fit_plane
from vision.face import Face
from vision.params.checks import DoubtParams
from vision.tray_map import TrayMap

_PARAMS = DoubtParams()
_CAMERAS = (
    Pinhole(),
    Pinhole(15.0),
    Pinhole(35.0),
    Pinhole(48.0, turn_deg=25.0),
    Pinhole(15.0, turn_deg=90.0),
    Pinhole(30.0, focal=0.8, away_mm=280.0),
    Pinhole(20.0, focal=1.9, away_mm=650.0),
)


def _find_cocked(faces: Sequence[Face], tray: TrayMap | None = None) -> list[int]:
    """The indices of the faces that lean."""
    plane = fit_plane(faces, SIZE_WH, _PARAMS.planes, tray=tray)
    leaning = find_cocked(faces, plane, _PARAMS)
    return [i for i, face in enumerate(faces) if any(face is other for other in leaning)]


@pytest.mark.parametrize("camera", _CAMERAS)
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_flat_dice_do_not_lean(camera: Pinhole, count: int) -> None:
    assert _find_cocked(camera.faces(FIVE_MM[:count])) == []


@pytest.mark.parametrize("camera", _CAMERAS)
def test_flat_dice_are_not_cocked_with_feet_off_by_their_error(camera: Pinhole) -> None:
    rng = np.random.default_rng(5)
    for _ in range(4):
        assert _find_cocked(with_noise(camera.faces(), rng)) == []


@pytest.mark.parametrize("squeeze", [0.75, 1.33])
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_oblong_pixels_make_no_die_lean(tilt_deg: float, squeeze: float) -> None:
    camera = Pinhole(tilt_deg, squeeze=squeeze)
    for count in (2, 3, 5):
        assert _find_cocked(camera.faces(FIVE_MM[:count])) == []


@pytest.mark.parametrize("camera", _CAMERAS)
@pytest.mark.parametrize("count", [3, 5])
def test_one_that_leans_among_flat_ones_is_found(camera: Pinhole, count: int) -> None:
    for which in range(count):
        for side_deg in (20.0, 140.0, 260.0):
            faces = camera.faces(FIVE_MM[:count], {which: Lean(24.0, side_deg)})
            assert _find_cocked(faces) == [which], f"die {which}, side {side_deg}"


@pytest.mark.parametrize("camera", _CAMERAS)
def test_a_cocked_die_is_found_with_feet_off_by_their_error(camera: Pinhole) -> None:
    rng = np.random.default_rng(6)
    for which, side_deg in enumerate((0.0, 72.0, 144.0, 216.0, 288.0)):
        faces = with_noise(camera.faces(leans={which: Lean(30.0, side_deg)}), rng)
        assert _find_cocked(faces) == [which], f"die {which}, side {side_deg}"


def test_a_foot_with_a_large_error_does_not_count() -> None:
    camera = Pinhole(20.0)
    faces = camera.faces()
    faces[2] = camera.face(FIVE_MM[2], Lean(32.0, 50.0), error=0.3)
    assert _find_cocked(faces) == []


def test_a_die_on_a_grain_does_not_lean() -> None:
    for side_deg in (0.0, 90.0, 180.0, 270.0):
        faces = Pinhole(20.0).faces(leans={1: Lean(5.0, side_deg)})
        assert _find_cocked(faces) == []


def test_a_single_die_needs_a_calibration() -> None:
    camera = Pinhole(20.0)
    flat, leaning = camera.face((40.0, 20.0)), camera.face((40.0, 20.0), Lean(20.0, 70.0))
    assert _find_cocked([leaning]) == []
    assert _find_cocked([leaning], camera.tray()) == [0]
    assert _find_cocked([flat], camera.tray()) == []


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0, 40.0])
def test_a_calibrated_plane_finds_smaller_leans(tilt_deg: float) -> None:
    """The limits are stricter because no leaning die has moved the plane."""
    camera = Pinhole(tilt_deg)
    for side_deg in (30.0, 120.0, 210.0, 300.0):
        faces = camera.faces(leans={4: Lean(16.0, side_deg)})
        assert _find_cocked(faces, camera.tray()) == [4]
    assert _find_cocked(camera.faces(), camera.tray()) == []


def test_a_calibrated_plane_is_not_outvoted() -> None:
    camera = Pinhole(20.0)
    faces = camera.faces(leans={0: Lean(25.0), 1: Lean(25.0, 90.0), 3: Lean(25.0, 200.0)})
    assert _find_cocked(faces, camera.tray()) == [0, 1, 3]


def test_of_two_that_contradict_each_other_none_is_believed() -> None:
    camera = Pinhole(10.0)
    assert _find_cocked(camera.faces(FIVE_MM[:2], {1: Lean(45.0, 80.0)})) == [0, 1]


def test_if_most_disagree_with_any_plane_none_is_blamed() -> None:
    leans = {i: Lean(40.0, 90.0 * i) for i in range(4)}
    assert _find_cocked(Pinhole().faces(FIVE_MM[:4], leans)) == []


def test_feet_that_share_an_error_make_no_die_lean() -> None:
    """A lens that bends lines moves the feet of all dice to the same side."""
    camera = Pinhole(20.0)
    shared = np.array([0.16, -0.1])
    faces = [replace(face, foot=face.foot + shared) for face in camera.faces()]
    assert _find_cocked(faces, camera.tray()) == []
    leaning = camera.faces(leans={1: Lean(24.0, 200.0)})
    faces = [replace(face, foot=face.foot + shared) for face in leaning]
    assert _find_cocked(faces, camera.tray()) == [1]


def test_two_dice_do_not_excuse_each_other() -> None:
    camera = Pinhole(20.0)
    faces = camera.faces(FIVE_MM[:2], {0: Lean(24.0, 90.0), 1: Lean(24.0, 90.0)})
    assert _find_cocked(faces, camera.tray()) == [0, 1]


def test_nothing_leans_on_an_empty_tray() -> None:
    assert _find_cocked([]) == []
