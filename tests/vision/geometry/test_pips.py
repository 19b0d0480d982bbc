# SPDX-License-Identifier: MIT
"""Spots that may be pips are found, measured and told from what is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import BLACK, ORANGE, RED, WHITE, FaceDrawing, drawn_tray
from vision.frame import Image
from vision.geometry.pips import Pips, contrast_channel, find_pips
from vision.geometry.rectify import build_pyramid
from vision.params import PipParams


def _pips(image: Image) -> Pips:
    pyramid = build_pyramid(image, contrast_channel(image), smallest_px=42)
    return find_pips(pyramid.greys, PipParams())


def _at(pips: Pips, x: float, y: float) -> int:
    """The spot at a place, as its index; a whole die is a spot too, but a large one."""
    away = np.where(pips.radius < 15.0, np.linalg.norm(pips.xy - (x, y), axis=1), np.inf)
    assert away.min() < 1.5, f"no spot at {x}, {y}"
    return int(away.argmin())


def test_centre_and_size_of_a_pip_are_measured() -> None:
    pips = _pips(drawn_tray([FaceDrawing(1, 200.0, 150.0, edge_px=100, pip_share=0.2)]))
    spot = _at(pips, 199.5, 149.5)
    assert pips.radius[spot] == pytest.approx(10.0, abs=1.0)
    assert pips.roundness[spot] > 0.93
    assert pips.closed[spot] == 1.0


@pytest.mark.parametrize("edge_px", [25, 40, 80, 160, 300])
def test_every_pip_is_found_once_at_any_size(edge_px: int) -> None:
    face = FaceDrawing(6, 320, 240, edge_px=edge_px, angle_deg=20)
    pips = _pips(drawn_tray([face]))
    dark = pips.take(~pips.light & (pips.radius < edge_px / 6))
    assert len(dark) == 6


@pytest.mark.parametrize(
    ("body", "pip"), [(WHITE, BLACK), (ORANGE, RED), (WHITE, RED), (RED, WHITE), (BLACK, WHITE)]
)
def test_coloured_pips_are_found_like_black_ones(
    body: tuple[int, int, int], pip: tuple[int, int, int]
) -> None:
    pips = _pips(drawn_tray([FaceDrawing(1, 200, 150, body=body, pip=pip)]))
    assert pips.light[_at(pips, 200, 150)] == (pip == WHITE)


def test_slanted_pip_is_flat_along_the_slant() -> None:
    pips = _pips(drawn_tray([FaceDrawing(1, 200, 150, edge_px=120, squash=0.6)]))
    spot = _at(pips, 200, 150)
    assert pips.roundness[spot] == pytest.approx(0.6, abs=0.06)
    assert pips.shape[spot][0, 0] > pips.shape[spot][1, 1]


def test_a_stroke_is_no_pip() -> None:
    image = drawn_tray([])
    cv2.line(image, (100, 100), (160, 130), WHITE, 3)
    assert len(_pips(image)) == 0


def test_plain_ground_has_no_pips() -> None:
    assert len(_pips(drawn_tray([]))) == 0


def test_pips_at_the_picture_edge_do_no_harm() -> None:
    faces = [FaceDrawing(5, x, y) for x in (0, 640) for y in (0, 240, 480)]
    assert np.isfinite(_pips(drawn_tray(faces)).xy).all()
