# SPDX-License-Identifier: MIT
"""Faces become dice with millimetres, a turn and the word for their colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_face
from vision.die_readings import name_colour, to_die_readings
from vision.reading import Polarity


def test_dice_are_ordered_from_left_to_right() -> None:
    dice = to_die_readings([make_face(300, 50, number=2), make_face(100, 90, number=6)], 16.0)
    assert [die.face for die in dice] == [6, 2]


def test_the_median_edge_stands_for_the_edge_in_millimetres() -> None:
    faces = [make_face(100, 100, edge_px=38), make_face(200, 100, edge_px=40), make_face(300, 100)]
    first, second, third = to_die_readings(faces, 20.0)
    assert np.subtract(second.center_mm, first.center_mm) == pytest.approx((50.0, 0.0))
    assert third.edge_px == pytest.approx(60.0)


@pytest.mark.parametrize(("turn_deg", "expected"), [(20, 20), (110, 20), (-30, 60), (200, 20)])
def test_a_turn_is_known_up_to_quarter_turns(turn_deg: float, expected: float) -> None:
    (die,) = to_die_readings([make_face(100, 100, turn_deg=turn_deg)], 16.0)
    assert die.angle_deg == pytest.approx(expected)


def test_polarity_and_confidence_are_those_of_the_face() -> None:
    face = make_face(100, 100, confidence=0.97)
    light, dark = to_die_readings([face, replace(face, is_light=False)], 16.0)
    assert (light.polarity, dark.polarity) == (Polarity.LIGHT, Polarity.DARK)
    assert light.confidence == 0.97


def test_no_faces_are_no_dice() -> None:
    assert to_die_readings([], 16.0) == ()


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
