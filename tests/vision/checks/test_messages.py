# SPDX-License-Identifier: MIT
"""A doubt has a remedy and its die's position, and is not repeated."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.faces import make_face
from vision.checks.messages import deduplicate, doubt_about, doubt_at
from vision.reading import Doubt, DoubtKind

_OF_THE_WHOLE_TRAY = {DoubtKind.COUNT, DoubtKind.NO_DOME, DoubtKind.PLACED, DoubtKind.TOUCHING}


@pytest.mark.parametrize("kind", sorted(set(DoubtKind) - _OF_THE_WHOLE_TRAY, key=str))
def test_every_kind_has_a_text_with_a_remedy(kind: DoubtKind) -> None:
    sentences = doubt_about(kind, make_face(10, 20)).text.rstrip(".").split(". ")
    assert len(sentences) == 2


def test_the_ring_holds_the_whole_face() -> None:
    face = make_face(100, 50, edge_px=40, turn_deg=45)
    doubt = doubt_about(DoubtKind.COCKED, face)
    assert doubt.center_px == (100.0, 50.0)
    assert np.linalg.norm(face.corners - face.center, axis=1).max() <= doubt.radius_px


def test_the_same_doubt_is_given_once_in_one_position() -> None:
    one = doubt_at(DoubtKind.UNSURE, np.array([10.0, 10.0]), 20.0)
    near = doubt_at(DoubtKind.UNSURE, np.array([25.0, 10.0]), 5.0)
    other = doubt_at(DoubtKind.COCKED, np.array([10.0, 10.0]), 20.0)
    far = doubt_at(DoubtKind.UNSURE, np.array([60.0, 10.0]), 20.0)
    count = Doubt(DoubtKind.COUNT, "4 of 5 dice are read.")
    assert deduplicate([one, near, other, far, count]) == [one, other, far, count]
