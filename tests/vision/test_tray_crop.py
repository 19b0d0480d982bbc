# SPDX-License-Identifier: MIT
"""The crop of a frame has the complete tray, nothing beside it, and can be read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.vision.mapped import outline_mm, simulated_map, upright_map
from vision.frame import Image
from vision.image_files import encode_jpeg
from vision.pipeline import Reader
from vision.tray_crop import TrayCrop, crop_to_tray, keep_whole_frame, paste_into_frame
from vision.tray_map import TrayMap

SKIN_BGR = (130, 150, 210)
LEAST_QUALITY = 85


@pytest.fixture(scope="module")
def camera() -> Iterator[SimulatedCamera]:
    camera = SimulatedCamera(SteppedClock(), seed=77, fps=6)
    with camera:
        yield camera


def grey(wh: tuple[int, int]) -> Image:
    return np.full((wh[1], wh[0], 3), 90, np.uint8)


def decode(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def is_kept(crop: TrayCrop, x_px: float, y_px: float) -> bool:
    """Return whether a position of the frame is in the crop."""
    x, y, width, height = crop.rectangle_px
    column, row = round(x_px) - x, round(y_px) - y
    if not (0 <= column < width and 0 <= row < height):
        return False
    return crop.mask is None or crop.mask[row, column] == 255


def test_the_crop_has_a_rim_wide_enough_for_a_die_at_the_wall() -> None:
    tray = upright_map()  # 3 px a millimetre: a felt of 600 x 450 px, dice of 60 px
    x, y, width, height = crop_to_tray(tray).rectangle_px
    assert (x, y) == (0, 0)  # the rim of 75 px is wider than what is left beside the felt
    assert (width, height) == (640, 480)
    small = upright_map(px_per_mm=1.5)
    x, y, width, height = crop_to_tray(small).rectangle_px
    assert (x, y) == pytest.approx((320 - 150 - 37.5, 240 - 112.5 - 37.5), abs=2)
    assert (width, height) == pytest.approx((375, 300), abs=4)


def test_a_hand_beside_the_tray_is_not_kept(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    turned = np.deg2rad(20.0)
    turn = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    corners = np.array(tray.felt_mm) @ turn.T * 0.5
    slanted = replace(tray, felt_mm=tuple((x, y) for x, y in corners.tolist()))
    crop = crop_to_tray(slanted)
    hand = grey(tray.picture_wh)
    hand[:] = SKIN_BGR
    felt_px = np.round(slanted.to_px(corners)).astype(np.int32)
    cv2.fillPoly(hand, [felt_px], (0, 120, 0))
    kept = crop.apply(hand)[::4, ::4]
    x, y, width, height = crop.rectangle_px
    ys, xs = np.mgrid[y : y + height : 4, x : x + width : 4]
    places = np.stack([xs.ravel(), ys.ravel()], axis=1).astype(float)
    beside_mm = slanted.beyond_felt_mm(slanted.to_mm(places)).reshape(kept.shape[:2])
    assert (kept[beside_mm > 45.0] == 0).all()
    assert (kept[beside_mm <= 0.0] > 0).any(axis=1).all()
    assert (beside_mm > 45.0).mean() > 0.05


def test_a_smaller_one_shows_nothing_beside_the_tray_either(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    crop = crop_to_tray(tray)
    frame = np.full((720, 1280, 3), 255, np.uint8)
    large, small = crop.apply(frame), crop.shrink(320).apply(frame)
    assert max(small.shape[:2]) == 320
    black = (small == 0).all(axis=2)
    wanted = cv2.resize(
        (large == 0).all(axis=2).astype(np.float32), black.shape[::-1], interpolation=cv2.INTER_AREA
    )
    assert black[wanted > 0.01].all()
    assert not black[wanted == 0].any()


def test_without_a_map_all_is_kept() -> None:
    frame = grey((64, 48))
    crop = keep_whole_frame((64, 48))
    assert crop.rectangle_px == (0, 0, 64, 48)
    assert (crop.apply(frame) == frame).all()


def test_a_map_that_shows_no_tray_keeps_all() -> None:
    tray = upright_map()
    away = replace(tray, felt_mm=tuple((x + 5000.0, y) for x, y in tray.felt_mm))
    assert crop_to_tray(away).rectangle_px == (0, 0, 640, 480)


def test_pasting_restores_every_pixel_of_the_tray(camera: SimulatedCamera) -> None:
    crop = crop_to_tray(simulated_map(camera))
    frame = camera.frame(1.0).image_bgr
    back = paste_into_frame(crop.apply(frame), crop.rectangle_px, crop.frame_wh)
    is_kept = back.any(axis=2)
    assert is_kept.mean() > 0.7
    assert (back[is_kept] == frame[is_kept]).all()


@pytest.mark.parametrize(("place", "said"), [((0, 0, 9, 9), "of 9 x 9"), ((60, 0, 8, 8), "within")])
def test_a_picture_that_does_not_fit_is_refused(place: tuple[int, ...], said: str) -> None:
    x, y, width, height = place
    with pytest.raises(ValueError, match=said):
        paste_into_frame(grey((8, 8)), (x, y, width, height), (64, 48))


def test_kept_pictures_are_read_as_the_frames_were(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    crop, reader = crop_to_tray(tray), Reader(tray=tray)
    for _ in range(4):
        camera.throw()
        while camera.is_moving:
            frame = camera.frame(2.0).image_bgr
        first = reader.read(frame, expect=5)
        jpeg = encode_jpeg(crop.apply(frame), quality=LEAST_QUALITY)
        again = reader.read(
            paste_into_frame(decode(jpeg), crop.rectangle_px, crop.frame_wh), expect=5
        )
        assert first.faces == again.faces
        assert len(first.faces) == 5
        for one, other in zip(first.dice, again.dice, strict=True):
            assert one.center_px == pytest.approx(other.center_px, abs=2.0)


def test_a_slanted_view_keeps_dice_at_the_far_wall_complete() -> None:
    lens = np.array([[900.0, 0.0, 639.5], [0.0, 900.0, 359.5], [0.0, 0.0, 1.0]])
    tilt = np.deg2rad(60.0)
    # The felt's axes and its middle as the camera sees them: right, down, ahead.
    right, back = (1.0, 0.0, 0.0), (0.0, np.cos(tilt), -np.sin(tilt))
    up = np.array((0.0, -np.sin(tilt), -np.cos(tilt)))
    pose = np.array([right, back, (0.0, 0.0, 500.0)]).T
    matrix = np.linalg.inv(lens @ pose)
    first, second, third = (tuple(row) for row in matrix.tolist())
    tray = TrayMap((1280, 720), (first, second, third), 900.0, outline_mm(), 16.0)
    crop = crop_to_tray(tray)
    for wall_x in (-130.0, 0.0, 130.0):
        for up_mm in (0.0, 16.0, 22.0):
            seen = lens @ (pose @ (wall_x, -80.0, 1.0) + up * up_mm)
            px, py = seen[:2] / seen[2]
            assert is_kept(crop, px, py)


def test_dice_against_the_wall_are_kept_whole(camera: SimulatedCamera) -> None:
    tray = simulated_map(camera)
    crop = crop_to_tray(tray)
    for wall_x, wall_y in ((-130, 0), (130, 0), (0, -80), (0, 80), (130, 80), (-130, 80)):
        for up_mm in (0.0, 16.0, 22.0):  # 22: one that leans there
            px, py = camera.project(wall_x, wall_y, up_mm)
            assert is_kept(crop, px, py)
