# SPDX-License-Identifier: MIT
"""The tray map takes pixels to millimetres and back, on the felt and on the dice's top faces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.vision.mapped import SIMULATED_FOCAL_PX, outline_mm, simulated_map, upright_map
from vision.tray_map import HAND_ERROR_MM, TrayMap

PLACES_MM = np.array([(0.0, 0.0), (-110.0, 60.0), (120.0, -70.0), (40.0, 75.0)])


@pytest.fixture(scope="module")
def camera() -> Iterator[SimulatedCamera]:
    with SimulatedCamera(SteppedClock(), seed=1) as camera:
        yield camera


def _seen(camera: SimulatedCamera, places_mm: np.ndarray, height_mm: float) -> np.ndarray:
    return np.array([camera.project(x, y, height_mm) for x, y in places_mm])


def test_positions_on_the_felt_match_the_camera(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    seen = _seen(camera, PLACES_MM, 0.0)
    assert tray.to_mm(seen) == pytest.approx(PLACES_MM, abs=0.01)
    assert tray.to_px(PLACES_MM) == pytest.approx(seen, abs=0.01)


def test_top_faces_are_found_above_their_place_on_the_felt(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    seen = _seen(camera, PLACES_MM, 16.0)
    assert tray.tops_to_mm(seen) == pytest.approx(PLACES_MM, abs=0.05)
    assert np.abs(tray.to_mm(seen) - PLACES_MM).max() > 4.0


def test_faces_are_as_large_as_the_camera_sees_them(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    for x, y in PLACES_MM:
        along = 0.5 * np.array(
            [(0.0, 0.0), (np.cos(0.5), np.sin(0.5)), (-np.sin(0.5), np.cos(0.5))]
        )
        center, *ends = _seen(camera, np.array([x, y]) + along, 16.0)
        edge_px = 32.0 * np.sqrt(abs(np.linalg.det(ends - center)))
        assert tray.edge_px_at(center) == pytest.approx(edge_px, rel=0.005)


def test_up_is_towards_the_camera(camera: SimulatedCamera) -> None:
    tilt = np.arctan2(26.0, 450.0)
    up = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
    assert simulated_map(camera).normal() == pytest.approx(up, abs=1e-3)


def test_the_outline_bounds_the_felt() -> None:
    tray = upright_map(felt_wh_mm=(200.0, 150.0))
    places = np.array([(0.0, 0.0), (99.0, 74.0), (101.0, 0.0), (0.0, -76.0)])
    assert tray.beyond_felt_mm(places) == pytest.approx([-75.0, -1.0, 1.0, 1.0])


def test_it_survives_a_round_trip_as_json() -> None:
    tray = upright_map()
    assert TrayMap.from_json(tray.to_json()) == tray


def test_only_the_map_of_a_dome_has_its_size() -> None:
    """So maps of open trays stay as older versions wrote them, byte by byte."""
    tray = upright_map()
    dome = replace(tray, dome_mm=84.0)
    assert "dome_mm" not in tray.to_json()
    assert TrayMap.from_json(dome.to_json()) == dome
    assert dome.scaled_to((320, 240)).dome_mm == 84.0
    with pytest.raises(ValueError, match="expected 0 or more in dome_mm, found -1"):
        TrayMap.from_json(dome.to_json().replace("84.0", "-1.0"))


def test_an_older_map_gets_a_focal_length_with_its_error(camera: SimulatedCamera) -> None:
    """Older maps trusted the felt's axes so far that some have a focal length of any size."""
    fields = json.loads(simulated_map(camera).to_json())
    del fields["focal_error"], fields["felt_error_mm"]
    trays = [TrayMap.from_json(json.dumps({**fields, "focal_px": px})) for px in (600, 4000)]
    assert trays[0] == trays[1]
    assert abs(np.log(trays[0].focal_px / SIMULATED_FOCAL_PX)) < 2.0 * trays[0].focal_error
    assert TrayMap.from_json(trays[0].to_json()) == trays[0]


def test_an_older_map_has_an_outline_with_the_error_of_a_hand(camera: SimulatedCamera) -> None:
    fields = json.loads(simulated_map(camera).to_json())
    del fields["felt_error_mm"]
    tray = TrayMap.from_json(json.dumps(fields))
    assert tray == replace(simulated_map(camera), felt_error_mm=HAND_ERROR_MM)


def test_an_unsure_lens_moves_the_dice_at_the_border() -> None:
    """From 600 mm above, a top 16 mm above the felt is seen farther out than its die."""
    lens = np.array([[1000.0, 0.0, 639.5], [0.0, 1000.0, 359.5], [0.0, 0.0, 1.0]])
    first, second, third = (tuple(row) for row in np.linalg.inv(lens * (1, 1, 600)).tolist())
    tray = TrayMap((1280, 720), (first, second, third), 1000.0, outline_mm(), 16.0, 0.2, 0.3)
    places = tray.tops_to_px(np.array([(0.0, 0.0), (130.0, 0.0)]))
    # Known to a fifth, the camera may be as low as 491 mm: 16 mm look 4.2 mm wide, not 3.5.
    assert tray.top_errors_mm(places) == pytest.approx([0.3, np.hypot(0.3, 0.8)], abs=0.1)


def test_a_picture_of_another_size_is_scaled(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    half = tray.scaled_to((640, 360))
    seen = _seen(camera, PLACES_MM, 0.0)
    assert half.to_mm((seen + 0.5) / 2.0 - 0.5) == pytest.approx(PLACES_MM, abs=0.01)
    assert half.edge_px_at((seen[0] + 0.5) / 2.0 - 0.5) == pytest.approx(
        tray.edge_px_at(seen[0]) / 2.0, rel=1e-3
    )
    assert tray.scaled_to((1280, 720)) is tray


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("picture_wh", [640], r"expected 2 numbers in picture_wh, found \[640\]"),
        ("picture_wh", [0, 480], r"above 0 in picture_wh, found \(0, 480\)"),
        ("felt_from_px", [[1, 0, 0], [0, 1, 0]], "expected 3 rows in felt_from_px, found 2"),
        ("felt_from_px", [[1, 0, 0], [0, 1, True], [0, 0, 1]], r"in felt_from_px\[1\], found"),
        ("felt_from_px", [[1, 0, 0], [1, 0, 0], [0, 0, 1]], "a homography in felt_from_px"),
        ("focal_px", "long", "expected a number in focal_px, found"),
        ("felt_mm", [[0, 0], [1, 1]], "3 to 1000 corners in felt_mm, found 2"),
        ("die_edge_mm", -16, "above 0 in die_edge_mm, found -16"),
        ("felt_error_mm", -1, "0 or more in felt_error_mm, found -1"),
        ("focal_error", 1e3, "0 to 1 in focal_error, found 1000"),
        ("focal_error", -0.1, "0 to 1 in focal_error, found -0.1"),
    ],
)
def test_a_wrong_field_is_named_with_the_expected_value(
    name: str, value: object, message: str
) -> None:
    fields = json.loads(upright_map().to_json())
    with pytest.raises(ValueError, match=message):
        TrayMap.from_json(json.dumps({**fields, name: value}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected JSON, found .* at line 1, column 2"),
        pytest.param("[" * 100_000, "found brackets nested too deep", id="deep"),
        ("[]", r"expected picture_wh, .* in its fields, found \[\]"),
        ('{"focal_px": 3}', r"in its fields, found \['focal_px'\]"),
    ],
)
def test_invalid_maps_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrayMap.from_json(text)


def test_an_older_map_whose_felt_is_one_far_point_is_refused() -> None:
    """Which of its numbers is refused first depends on the version of NumPy."""
    fields = {
        "picture_wh": [835, 1640],
        "felt_from_px": [[4e5, -3.0, 9.0], [-1e-6, -5e7, 3e3], [-1e3, 0.03, -6.0]],
        "focal_px": 900.0,
        "felt_mm": [[3e6, 6e6]] * 3,
        "die_edge_mm": 16.0,
    }
    with pytest.raises(ValueError, match=r"tray map: expected .* in (felt_mm|focal_px)"):
        TrayMap.from_json(json.dumps(fields))
