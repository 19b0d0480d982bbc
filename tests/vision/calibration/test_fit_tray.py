# SPDX-License-Identifier: MIT
"""The tray is found by its cards or by given corners, and faults have messages."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from tests.vision.calibration.pictures import (
    FELT_MM,
    PICTURE_WH,
    find_tray,
    open_camera_with_cards,
    take_picture,
)
from tests.vision.mapped import SIMULATED_FOCAL_PX, simulated_map
from vision.calibration.fit_tray import (
    TrayError,
    fit_tray_to_corners,
    fit_tray_to_markers,
    measure_felt_by_dice,
    order_corners,
)
from vision.calibration.markers import Marker, find_markers
from vision.focal_length import estimate_focal, weigh_lenses
from vision.frame import Image
from vision.reading import DieReading, Point, Polarity
from vision.tray_map import HAND_ERROR_MM

CORNERS = ((150.0, 100.0), (1100.0, 110.0), (1120.0, 640.0), (140.0, 650.0))


@pytest.fixture(scope="module")
def picture() -> Image:
    return take_picture(open_camera_with_cards())


def test_the_cards_give_the_felts_position_and_size(picture: Image) -> None:
    found = find_tray(picture)
    assert found.felt_mm == pytest.approx(FELT_MM, abs=1.5)
    assert found.tray.felt_error_mm == 0.5
    truth = simulated_map(open_camera_with_cards())
    places_mm = np.array([(0.0, 0.0), (-110.0, 60.0), (120.0, -70.0)])
    seen = truth.to_px(places_mm)
    assert found.tray.to_mm(seen) == pytest.approx(places_mm, abs=1.0)
    assert found.tray.tops_to_mm(seen) == pytest.approx(truth.tops_to_mm(seen), abs=2.5)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_a_camera_that_is_turned_finds_the_same_felt(picture: Image, quarter: int) -> None:
    turned = np.ascontiguousarray(np.rot90(picture, quarter))
    found = fit_tray_to_markers(find_markers(turned), (turned.shape[1], turned.shape[0]))
    assert found.felt_mm == pytest.approx(FELT_MM, abs=1.5)


def test_another_given_size_of_the_felt_gets_a_remark(picture: Image) -> None:
    markers = find_markers(picture)
    assert fit_tray_to_markers(markers, PICTURE_WH, FELT_MM).remark == ""
    remark = fit_tray_to_markers(markers, PICTURE_WH, (300.0, 185.0)).remark
    assert re.search("as 26[01] × 160 mm, not 300 × 185", remark)
    assert "ruler" in remark


@pytest.mark.parametrize(
    ("hidden", "message"),
    [
        ((2,), r"card 2 \(back right\) is not seen"),
        ((1, 3), r"cards 1 \(back left\), 3 \(front right\) are not seen"),
        ((1, 2, 3, 4), "No card is visible. Put the four corner cards"),
    ],
)
def test_hidden_cards_are_named(picture: Image, hidden: tuple[int, ...], message: str) -> None:
    covered = picture.copy()
    for marker in find_markers(picture):
        if marker.number in hidden:
            x, y = (round(at) for at in marker.corners_px[0])
            cv2.circle(covered, (x, y), 22, (150, 170, 200), -1)
    with pytest.raises(TrayError, match=message):
        fit_tray_to_markers(find_markers(covered), PICTURE_WH)


def test_a_turned_card_is_named(picture: Image) -> None:
    one, two, three, four = find_markers(picture)
    turned = Marker(2, (*two.corners_px[1:], two.corners_px[0]))
    with pytest.raises(TrayError, match=r"Card 2 is turned or in the wrong corner: .* back right"):
        fit_tray_to_markers((one, turned, three, four), PICTURE_WH)


def test_a_card_away_from_its_corner_does_not_fit(picture: Image) -> None:
    one, two, three, four = find_markers(picture)
    first, second, third, fourth = ((x - 40.0, y - 30.0) for x, y in three.corners_px)
    away = Marker(3, (first, second, third, fourth))
    with pytest.raises(TrayError, match=r"The cards contradict each other: .* in its own corner"):
        fit_tray_to_markers((one, two, away, four), PICTURE_WH)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
def test_corners_are_put_in_order(order: tuple[int, ...]) -> None:
    given = [CORNERS[index] for index in order]
    assert order_corners(given, PICTURE_WH) == CORNERS


def test_corners_by_hand_make_a_map_of_the_felt() -> None:
    found = fit_tray_to_corners(CORNERS, PICTURE_WH, (300.0, 180.0))
    assert found.tray.to_mm(np.array(CORNERS)) == pytest.approx(
        np.array([(-150.0, 90.0), (150.0, 90.0), (150.0, -90.0), (-150.0, -90.0)]), abs=1e-6
    )
    assert found.tray.felt_error_mm == HAND_ERROR_MM


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        (CORNERS[:3], "Expected 4 corners of the felt, found 3"),
        (
            (*CORNERS[:3], (-5.0, 650.0)),
            "Corner 4 is outside of the picture \\(-5, 650 of 1280 × 720\\)",
        ),
        ((*CORNERS[:3], (1000.0, 300.0)), "One corner lies between the others"),
        (((10, 10), (90, 10), (90, 60), (10, 60)), "enclose 0.4 % of the picture, expected 4 %"),
    ],
)
def test_corners_that_cannot_be_a_felts_are_refused(
    corners: tuple[tuple[float, float], ...], message: str
) -> None:
    with pytest.raises(TrayError, match=message):
        fit_tray_to_corners(corners, PICTURE_WH, (300.0, 180.0))


def test_a_felt_of_no_size_is_refused() -> None:
    with pytest.raises(TrayError, match="80 to 1000 mm in width and depth, found 30 × 180 mm"):
        fit_tray_to_corners(CORNERS, PICTURE_WH, (30.0, 180.0))


def _die(middle: Point, angle_deg: float) -> DieReading:
    """Return a die as a felt of 4 pixels a millimetre shows it, seen from above."""
    turns = np.radians(angle_deg + 45.0 + 90.0 * np.arange(4))
    reach = 64.0 / np.sqrt(2.0)
    one, two, three, four = (
        (middle[0] + reach * float(np.cos(turn)), middle[1] + reach * float(np.sin(turn)))
        for turn in turns
    )
    corners = (one, two, three, four)
    return DieReading(1, Polarity.LIGHT, "white", middle, corners, angle_deg, 64.0, (0, 0), 1.0)


def test_one_die_is_no_measure_of_a_felt() -> None:
    corners = ((120.0, 40.0), (1160.0, 40.0), (1160.0, 680.0), (120.0, 680.0))
    askew, straight = _die((400.0, 300.0), 45.0), _die((800.0, 400.0), 5.0)
    for dice in ([], [askew]):
        with pytest.raises(TrayError, match="Lay two or more dice on the felt"):
            measure_felt_by_dice(corners, (1280, 720), dice)
    wide, deep = measure_felt_by_dice(corners, (1280, 720), [askew, straight])
    assert wide / deep == pytest.approx(1040 / 640, rel=0.01)


def _estimate(focal: float, lean_deg: float, aspect: float) -> tuple[float, float]:
    """Return the estimate and its error for such a camera; `aspect` is the width of its pixels."""
    lens = np.array([(focal, 0.0, 639.5), (0.0, focal, 359.5), (0.0, 0.0, 1.0)])
    lens = np.diag([aspect, 1.0, 1.0]) @ lens
    lean = np.radians(lean_deg)
    ways = np.array([(1.0, 0.0), (0.0, -np.cos(lean)), (0.0, np.sin(lean))])
    seen = lens @ np.column_stack([ways, (0.0, 0.0, focal / 2.0)])
    corners_mm = np.array([(-130.0, 80.0), (130.0, 80.0), (130.0, -80.0), (-130.0, -80.0)])
    return estimate_focal(weigh_lenses(seen, PICTURE_WH, corners_mm, 2.0))


@pytest.mark.parametrize("focal", [700.0, 1200.0, 2000.0])
@pytest.mark.parametrize("aspect", [0.97, 1.0, 1.03])
def test_the_focal_length_is_within_its_error(focal: float, aspect: float) -> None:
    for lean_deg in (0.0, 4.0, 10.0, 20.0, 35.0):
        found, error = _estimate(focal, lean_deg, aspect)
        assert abs(np.log(found / focal)) < 2.5 * error, lean_deg


@pytest.mark.parametrize("focal", [700.0, 1200.0, 2000.0])
@pytest.mark.parametrize("aspect", [0.78, 1.28])
def test_pixels_far_from_square_make_the_focal_length_unsure(focal: float, aspect: float) -> None:
    for lean_deg in (0.0, 4.0, 10.0):
        found, error = _estimate(focal, lean_deg, aspect)
        assert abs(np.log(found / focal)) < 4.0 * error, lean_deg


def test_a_slanted_view_determines_the_focal_length() -> None:
    slanted, error = _estimate(1200.0, 35.0, 1.0)
    assert slanted == pytest.approx(1200.0, rel=0.05)
    assert error < 0.16
    assert _estimate(1200.0, 2.0, 1.0)[1] > 0.25


def test_a_view_from_above_gives_the_usual_focal_length(picture: Image) -> None:
    focal = find_tray(picture).tray.focal_px
    assert 0.6 * SIMULATED_FOCAL_PX < focal < 1.2 * SIMULATED_FOCAL_PX
