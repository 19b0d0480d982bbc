# SPDX-License-Identifier: MIT
"""Cards may stay in the tray: they become felt, and dice stay visible."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.calibration.pictures import (
    FELT_MM,
    find_tray,
    open_camera_with_cards,
    take_picture,
)
from vision.calibration.fit_tray import is_usual_edge, measure_edge_mm
from vision.calibration.hide_cards import hide_cards
from vision.pipeline import Reader
from vision.reading import Status


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.parametrize("seed", [7, 8])
def test_dice_are_read_and_measured_between_the_cards(reader: Reader, seed: int) -> None:
    camera = open_camera_with_cards(seed)
    picture = take_picture(camera)
    found = find_tray(picture)
    picture = hide_cards(picture, found.tray, found.felt_mm)
    reading = reader.read(picture, expect=len(camera.truth()))
    assert reading.status is Status.READ
    assert reading.faces == tuple(sorted(die.face for die in camera.truth()))
    edge_mm = measure_edge_mm(reading.dice, found.tray)
    assert edge_mm == pytest.approx(16.0, abs=1.0)


def test_a_picture_without_cards_is_left_alone() -> None:
    camera = open_camera_with_cards()
    tray = find_tray(take_picture(camera)).tray
    camera.lay_cards(False)
    picture = take_picture(camera)
    assert hide_cards(picture, tray, FELT_MM) is picture


def test_a_card_with_something_on_its_edge_is_left_as_it_is() -> None:
    picture = take_picture(open_camera_with_cards())
    found = find_tray(picture)
    x, y = (round(at) for at in found.tray.to_px(np.array([[-103.5, 66.0]]))[0])
    marked = picture.copy()
    marked[y - 20 : y + 40, x - 10 : x + 60] = (30, 30, 200)
    left = hide_cards(marked, found.tray, found.felt_mm)
    assert (left[y - 10 : y + 30, x + 5 : x + 50] == (30, 30, 200)).all()


def test_no_dice_have_no_edge() -> None:
    tray = find_tray(take_picture(open_camera_with_cards())).tray
    assert measure_edge_mm((), tray) is None
    assert is_usual_edge(16.0)
    assert not is_usual_edge(40.0)
