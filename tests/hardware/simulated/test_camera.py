# SPDX-License-Identifier: MIT
"""The simulated tray as a camera: frames in time, named faults, hands from other threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraLostError
from hardware.clock import MonotonicClock, SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pose import DieKind
from hardware.simulated.scene.optics import DEFAULT_EXPOSURE
from vision.frame import Frame

SMALL_WH = (320, 180)


def _camera(clock: SteppedClock | None = None, *, seed: int = 1) -> SimulatedCamera:
    return SimulatedCamera(clock or SteppedClock(), seed=seed, size_wh=SMALL_WH)


def _frames(camera: Camera, count: int) -> list[Frame]:
    return [camera.frame(1.0) for _ in range(count)]


def _until_at_rest(camera: SimulatedCamera) -> None:
    while camera.is_moving:
        camera.frame(1.0)


def test_on_a_running_clock_frames_are_waited_for() -> None:
    clock = MonotonicClock()
    with SimulatedCamera(clock, seed=1, size_wh=SMALL_WH, fps=100) as camera:
        frames = _frames(camera, 4)
        assert clock.now_s() >= frames[-1].at_s
    assert frames[-1].at_s - frames[0].at_s >= 0.03 - 1e-9


def test_a_frame_that_is_not_due_in_time_is_a_loss() -> None:
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=1, size_wh=SMALL_WH, fps=2) as camera:
        camera.frame(1.0)
        with pytest.raises(CameraLostError, match=r"simulated: no frame came for 0\.1 s"):
            camera.frame(0.1)
        assert camera.frame(1.0).number == 1


def test_the_same_seed_and_calls_give_the_same_frames() -> None:
    def play(seed: int) -> list[Frame]:
        with _camera(seed=seed) as camera:
            camera.throw()
            frames = _frames(camera, 45)
            camera.nudge()
            camera.tilt(1)
            return frames + _frames(camera, 20)

    one, same, other = play(1), play(1), play(2)
    pairs = zip(one, same, strict=True)
    assert all(np.array_equal(a.image_bgr, b.image_bgr) for a, b in pairs)
    assert not np.array_equal(one[-1].image_bgr, other[-1].image_bgr)


def test_a_throw_moves_what_the_camera_sees_and_ends_as_asked() -> None:
    with _camera() as camera:
        before = camera.frame(1.0)
        moving = [camera.is_moving]
        camera.throw([3, 1, 4, 1, 5])
        moving.append(camera.is_moving)
        _until_at_rest(camera)
        after = camera.frame(1.0)
    assert moving == [False, True]
    assert [die.face for die in camera.truth()] == [3, 1, 4, 1, 5]
    assert 0.7 <= after.at_s - before.at_s <= 1.9
    assert np.abs(before.image_bgr.astype(int) - after.image_bgr).max() > 100


def test_black_dice_are_drawn_dark() -> None:
    def brightest(kind: DieKind) -> float:
        camera = SimulatedCamera(SteppedClock(), seed=1, dice=[kind], size_wh=(640, 360))
        camera.throw([1])
        with camera:
            _until_at_rest(camera)
            picture = camera.frame(1.0).image_bgr
        die = camera.truth()[0]
        x_px, y_px = camera.project(die.x_mm + 2.0, die.y_mm + 2.5, 16.0)
        return float(picture[round(y_px), round(x_px)].mean())

    assert brightest(DieKind.WHITE) > 150.0
    assert brightest(DieKind.BLACK) < 90.0
    assert [kind.polarity for kind in DieKind] == ["light", "dark"]


def test_a_dark_tray_is_hardly_seen() -> None:
    with _camera() as camera:
        lit = camera.frame(1.0).image_bgr
        camera.set_fault("dark")
        dark = camera.frame(1.0).image_bgr
    assert lit.mean() > 50.0
    assert dark.mean() < 10.0


def test_a_frozen_camera_repeats_its_picture_with_new_times() -> None:
    with _camera() as camera:
        last = camera.frame(1.0)
        camera.set_fault("frozen")
        camera.throw()
        frozen = _frames(camera, 20)
        camera.set_fault(None)
        live = camera.frame(1.0)
    assert all(np.array_equal(last.image_bgr, frame.image_bgr) for frame in frozen)
    assert [frame.number for frame in frozen] == list(range(1, 21))
    assert not np.array_equal(last.image_bgr, live.image_bgr)


def test_a_blocked_camera_sees_a_dim_blur_and_no_dice() -> None:
    with _camera() as camera:
        camera.set_fault("blocked")
        one = camera.frame(1.0).image_bgr
        camera.throw()
        other = [frame.image_bgr for frame in _frames(camera, 40)]
    assert one.reshape(-1, 3).std(axis=0).max() < 8.0
    assert 30.0 < one.mean() < 120.0
    assert all(np.abs(one.astype(int) - picture).max() < 30 for picture in other)
    assert not any(np.array_equal(one, picture) for picture in other)


def detail(frame: Frame) -> float:
    grey = cv2.GaussianBlur(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    return float(cv2.Laplacian(grey, cv2.CV_32F).std())


def test_a_blurred_camera_shows_the_same_without_detail() -> None:
    with SimulatedCamera(SteppedClock(), seed=1, size_wh=(640, 360)) as camera:
        sharp = camera.frame(1.0)
        camera.set_fault("blurred")
        blurred = camera.frame(1.0)
        camera.set_fault(None)
        again = camera.frame(1.0)
    assert detail(blurred) < 0.6 * detail(sharp)
    assert detail(again) == pytest.approx(detail(sharp), rel=0.1)
    assert blurred.image_bgr.mean() == pytest.approx(sharp.image_bgr.mean(), rel=0.02)


def test_a_moved_camera_sees_the_tray_shifted_until_put_back() -> None:
    with _camera() as camera:
        before = camera.frame(1.0).image_bgr.astype(int)
        camera.set_fault("moved")
        moved = camera.frame(1.0).image_bgr
        camera.set_fault(None)
        back = camera.frame(1.0).image_bgr
    assert np.abs(moved - before).mean() > 3.0 * np.abs(back - before).mean()


def test_exposure_that_is_set_is_seen_and_told() -> None:
    with _camera() as camera:
        usual = camera.frame(1.0).image_bgr.mean(axis=(0, 1))
        twice = replace(DEFAULT_EXPOSURE, exposure_us=5_000, gain=1.0, red_gain=4.0)
        camera.set_exposure(twice)
        shown = camera.frame(1.0).image_bgr.mean(axis=(0, 1))
        assert camera.exposure() == twice
        camera.set_exposure(None)
        assert camera.exposure() == DEFAULT_EXPOSURE
    assert shown[1] == pytest.approx(usual[1] / 4, rel=0.1)
    assert shown[2] == pytest.approx(usual[2] / 2, rel=0.1)


def test_a_lens_focused_elsewhere_shows_less_detail() -> None:
    with SimulatedCamera(SteppedClock(), seed=1, size_wh=(640, 360)) as camera:
        sharp = detail(camera.frame(1.0))
        camera.set_exposure(
            replace(DEFAULT_EXPOSURE, focus_dioptre=DEFAULT_EXPOSURE.focus_dioptre + 1.0)
        )
        assert detail(camera.frame(1.0)) < 0.8 * sharp


def test_dropped_frames_are_a_loss_after_the_time_that_was_given() -> None:
    clock = SteppedClock()
    with _camera(clock) as camera:
        camera.frame(1.0)
        camera.set_fault("dropped")
        before_s = clock.now_s()
        with pytest.raises(CameraLostError, match="no frame came for 2 s"):
            camera.frame(2.0)
        assert clock.now_s() == pytest.approx(before_s + 2.0)
        camera.set_fault(None)
        assert camera.frame(1.0).number == 60


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="melted"):
        _camera().set_fault("melted")


def test_the_trays_time_waits_for_a_caller_that_is_late() -> None:
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=3, size_wh=(64, 36), longest_gap_s=0.1) as camera:
        first = camera.frame(1.0)
        camera.throw()
        clock.wait_s(30.0)
        late = camera.frame(1.0)
        assert late.at_s - first.at_s <= 0.1 + 1e-9
        is_still_moving = camera.is_moving
        assert is_still_moving, "the throw is not over before anybody could see it"
        while camera.is_moving:
            camera.frame(1.0)
        assert clock.now_s() < 40.0


def test_hands_of_other_threads_do_not_disturb_frames() -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(160, 90))
    actions: list[Callable[[], None]] = [
        camera.throw,
        camera.nudge,
        lambda: camera.turn(0, 3),
        lambda: camera.set_fault("dark"),
        lambda: camera.set_fault(None),
    ]
    failures: list[BaseException] = []

    def keep_busy(action: Callable[[], None]) -> None:
        try:
            for _ in range(15):
                action()
                camera.truth()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=keep_busy, args=[action]) for action in actions]
    with camera:
        for thread in threads:
            thread.start()
        frames = _frames(camera, 60)
        for thread in threads:
            thread.join()
        camera.set_fault(None)
        _until_at_rest(camera)
    assert failures == []
    assert [frame.number for frame in frames] == sorted({frame.number for frame in frames})
    assert all(die.is_flat for die in camera.truth())
