# SPDX-License-Identifier: MIT
"""The picture agrees with a face, or says what speaks against it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.drawn_dice import BLACK, WHITE, FaceDrawing, drawn_tray
from vision.frame import Image
from vision.geometry.face import Face
from vision.geometry.pips import Floats, contrast_channel
from vision.geometry.rectify import PATCH_PX, STEPS_PER_PIXEL, build_pyramid, cut_out
from vision.geometry.segment import Body, flaw_of, see_body
from vision.params import BodyParams

_FOUR = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
_EDGE_PX = 80.0


def _face(places: list[tuple[int, int]], *, light: bool = False) -> Face:
    """A face in the middle of a drawn tray, upright."""
    radius = 0.095 * _EDGE_PX
    return Face(
        number=len(places),
        pips=tuple(range(len(places))),
        center=np.array([319.5, 239.5]),
        axes=np.eye(2) * _EDGE_PX / 4.0,
        places=np.array(places, dtype=np.float64),
        residual=0.0,
        shape=np.eye(2) * radius**2,
        light=light,
        step_radii=_EDGE_PX / 4.0 / radius,
    )


def _seen(image: Image, face: Face) -> Body:
    pyramid = build_pyramid(image, contrast_channel(image), smallest_px=42)
    return see_body(cut_out(pyramid, face.center, face.axes), face, BodyParams())


def _tray(number: int, **how: object) -> Image:
    return drawn_tray([FaceDrawing(number, 320, 240, edge_px=_EDGE_PX, **how)])  # type: ignore[arg-type]


def test_a_drawn_face_has_no_flaw_and_its_edges_are_seen() -> None:
    face = _face(_FOUR)
    body = _seen(_tray(4), face)
    assert flaw_of(face, body, BodyParams()) == ""
    assert body.edges == pytest.approx([2.0] * 4, abs=0.15)
    assert body.clearness > 0.7


def test_white_pips_on_black_are_seen_as_well() -> None:
    face = _face(_FOUR, light=True)
    body = _seen(_tray(4, body=BLACK, pip=WHITE), face)
    assert flaw_of(face, body, BodyParams()) == ""


def test_a_pip_that_the_number_does_not_have_is_a_flaw() -> None:
    face = _face(_FOUR)
    body = _seen(_tray(5), face)
    assert "no pip" in flaw_of(face, body, BodyParams())


def test_a_missing_pip_is_a_flaw() -> None:
    face = _face(_FOUR)
    body = _seen(_tray(4, left_out=(2,)), face)
    assert "fainter" in flaw_of(face, body, BodyParams())


def test_two_spots_on_the_ground_are_no_face() -> None:
    face = _face([(-1, -1), (1, 1)])
    ground = drawn_tray([FaceDrawing(2, 320, 240, edge_px=_EDGE_PX, body=(50, 110, 40))])
    assert flaw_of(face, _seen(ground, face), BodyParams()) == "no edges around it"


def test_pips_of_two_dice_are_no_face() -> None:
    face = _face([(-1, -1), (1, 1)])
    gap = drawn_tray(
        [
            FaceDrawing(1, 300, 220, edge_px=30),
            FaceDrawing(1, 340, 260, edge_px=30),
        ]
    )
    assert flaw_of(face, _seen(gap, face), BodyParams()) == "uneven body between the pips"


def test_cut_out_turns_the_face_upright() -> None:
    turn = np.deg2rad(30.0)
    axes: Floats = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * 20.0
    image = drawn_tray([FaceDrawing(0, 320, 240, edge_px=_EDGE_PX, angle_deg=30)])
    pyramid = build_pyramid(image, contrast_channel(image), smallest_px=42)
    patch = cut_out(pyramid, np.array([319.5, 239.5]), axes)
    assert patch.shape == (PATCH_PX, PATCH_PX, 4)
    white = patch[:, :, 3] > 150
    columns, rows = np.flatnonzero(white.any(axis=0)), np.flatnonzero(white.any(axis=1))
    for extent in (columns, rows):
        assert np.ptp(extent) == pytest.approx(4.0 / STEPS_PER_PIXEL, abs=2.5)
