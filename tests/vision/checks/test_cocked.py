# SPDX-License-Identifier: MIT
"""What a net says of each die counts, unless it contradicts the plane that the dice gave."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.checks.pinhole import FIVE_MM, SIZE_WH, Lean, Pinhole
from vision.checks.cocked import LEAST_ODDS, SURE_FOOT, find_cocked, measure_feet, weigh_leaning
from vision.checks.plane import Plane, fit_plane
from vision.face import Face, Floats
from vision.tray_map import TrayMap

_CAMERA = Pinhole(20.0)
_SURE = 7.0
"""Odds of a net that is sure, as a natural logarithm."""


def _find(faces: list[Face], odds: Floats, plane: Plane) -> list[Face]:
    downs = plane.downs_at(np.array([face.center for face in faces]).reshape(-1, 2))
    odds = weigh_leaning(odds, *measure_feet(faces, downs, plane, SURE_FOOT))
    return find_cocked(faces, odds, plane, LEAST_ODDS)


def _find_cocked(count: int, *leaning: int, tray: TrayMap | None = None) -> list[int]:
    """Return which of some dice are cocked if these seem to lean."""
    faces = _CAMERA.faces(FIVE_MM[:count], {which: Lean(30.0, 50.0) for which in leaning})
    odds = np.where(np.isin(np.arange(count), leaning), _SURE, -_SURE)
    plane = fit_plane(faces, SIZE_WH, tray=tray)
    cocked = _find(faces, odds, plane)
    return [i for i, face in enumerate(faces) if any(face is other for other in cocked)]


@pytest.mark.parametrize("count", range(6))
def test_dice_that_seem_flat_are_not_cocked(count: int) -> None:
    assert _find_cocked(count) == []
    assert _find_cocked(count, tray=_CAMERA.tray()) == []


@pytest.mark.parametrize("leaning", [(2,), (0, 4)])
def test_few_that_lean_among_five_are_cocked(leaning: tuple[int, ...]) -> None:
    assert _find_cocked(5, *leaning) == [*leaning]


def test_most_of_many_show_that_the_plane_is_wrong() -> None:
    assert _find_cocked(5, 0, 1, 3) == []
    assert _find_cocked(4, 0, 1) == []


@pytest.mark.parametrize("leaning", [(0,), (1,)])
def test_two_that_contradict_each_other_are_both_doubted(leaning: tuple[int, ...]) -> None:
    assert _find_cocked(2, *leaning) == [0, 1]


def test_single_die_gave_the_plane_itself() -> None:
    assert _find_cocked(1, 0) == []


@pytest.mark.parametrize("count", [1, 2, 4])
def test_calibrated_plane_is_right_against_all_dice(count: int) -> None:
    everyone = range(count)
    assert _find_cocked(count, *everyone, tray=_CAMERA.tray()) == [*everyone]


def test_net_alone_is_not_believed_against_the_feet() -> None:
    faces = _CAMERA.faces()
    plane = fit_plane(faces, SIZE_WH)
    odds = np.where(np.arange(len(faces)) == 2, _SURE, -_SURE)
    assert _find(faces, odds, plane) == []
    known = fit_plane(faces, SIZE_WH, tray=_CAMERA.tray())
    assert _find(faces, odds, known) == []


@pytest.mark.parametrize(("lean_deg", "is_cocked"), [(30.0, True), (10.0, False)])
def test_a_foot_far_away_makes_up_for_a_doubtful_net(lean_deg: float, is_cocked: bool) -> None:
    faces = _CAMERA.faces(FIVE_MM, {1: Lean(lean_deg, 50.0)})
    known = fit_plane(faces, SIZE_WH, tray=_CAMERA.tray())
    cocked = _find(faces, np.zeros(5), known)
    assert [face is faces[1] for face in cocked] == [True] * is_cocked
