# SPDX-License-Identifier: MIT
"""A face knows its size, its corners and how far away a point is in edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_face
from vision.face import edge_of

_SLANTED = np.array([(20.0, -3.0), (8.0, 15.0)])


def test_an_edge_is_the_root_of_the_area() -> None:
    assert make_face(0, 0, edge_px=40, turn_deg=33).edge_px == pytest.approx(40.0)
    assert edge_of(_SLANTED) == pytest.approx(2.0 * np.sqrt(20.0 * 15.0 + 3.0 * 8.0))
    assert edge_of(_SLANTED[:, ::-1]) == pytest.approx(edge_of(_SLANTED))


def test_corners_are_clockwise_around_the_center() -> None:
    corners = make_face(100, 50, edge_px=20).corners
    np.testing.assert_allclose(corners, [(90, 40), (110, 40), (110, 60), (90, 60)])


@pytest.mark.parametrize("own", [(1.0, 0.0), (0.0, -1.0), (0.6, 0.8)])
def test_distances_are_those_seen_from_straight_above(own: tuple[float, float]) -> None:
    face = replace(make_face(300, 200), half_edges=_SLANTED)
    point = face.center + 2.0 * _SLANTED @ np.array(own)
    assert face.edges_from(point) == pytest.approx(1.0)
    assert face.edges_from(face.center) == 0.0
