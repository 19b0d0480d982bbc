# SPDX-License-Identifier: MIT
"""A face knows its size, its corners and how far away a point is in edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_face
from vision.face import edge_of, name_colour, to_die_readings

_SLANTED = np.array([(20.0, -3.0), (8.0, 15.0)])


def test_an_edge_is_the_root_of_the_area() -> None:
    assert make_face(0, 0, edge_px=40, turn_deg=33).edge_px == pytest.approx(40.0)
    assert edge_of(_SLANTED) == pytest.approx(2.0 * np.sqrt(20.0 * 15.0 + 3.0 * 8.0))
    assert edge_of(_SLANTED[:, ::-1]) == pytest.approx(edge_of(_SLANTED))


@pytest.mark.parametrize("own", [(1.0, 0.0), (0.0, -1.0), (0.6, 0.8)])
def test_distances_are_those_seen_from_straight_above(own: tuple[float, float]) -> None:
    face = replace(make_face(300, 200), half_edges=_SLANTED)
    point = face.center + 2.0 * _SLANTED @ np.array(own)
    assert face.edges_from(point) == pytest.approx(1.0)
    assert face.edges_from(face.center) == 0.0


def test_dice_are_ordered_from_left_to_right() -> None:
    dice = to_die_readings([make_face(300, 50, number=2), make_face(100, 90, number=6)])
    assert [die.face for die in dice] == [6, 2]


def test_the_median_edge_stands_for_the_edge_in_millimetres() -> None:
    faces = [make_face(100, 100, edge_px=38), make_face(200, 100, edge_px=40), make_face(300, 100)]
    first, second, third = to_die_readings(faces)
    assert np.subtract(second.center_mm, first.center_mm) == pytest.approx((40.0, 0.0))
    assert third.edge_px == pytest.approx(60.0)


@pytest.mark.parametrize(
    ("bgr", "word"),
    [
        ((225, 230, 230), "white"),
        ((110, 112, 115), "grey"),
        ((35, 35, 35), "black"),
        ((40, 30, 190), "red"),
        ((30, 150, 240), "orange"),
        ((30, 200, 230), "yellow"),
        ((60, 160, 40), "green"),
        ((200, 90, 30), "blue"),
        ((180, 40, 130), "violet"),
    ],
)
def test_a_colour_has_its_word(bgr: tuple[int, int, int], word: str) -> None:
    assert name_colour(np.array(bgr, np.float64)) == word
