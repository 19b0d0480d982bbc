# SPDX-License-Identifier: MIT
"""What is particular to a USB camera: its thread, its size, damaged pictures, its loss."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from hardware.camera import CameraLostError, Exposure
from hardware.cameras.usb import UsbCamera
from hardware.clock import SteppedClock
from tests.support.recorded import FPS, SIZE_WH, TappedCapture, number_of, write_video
from vision.decoding.jpeg import decode_jpeg
from vision.frame import Image


@pytest.fixture
def capture(tmp_path: Path) -> TappedCapture:
    """A device that gives a picture when it is told to."""
    return TappedCapture(write_video(tmp_path / "recording.avi", 9))


def camera_of(capture: TappedCapture, size_wh: tuple[int, int] = SIZE_WH) -> UsbCamera:
    return UsbCamera(
        2, size_wh=size_wh, fps=FPS, clock=SteppedClock(10.0), open_capture=lambda _source: capture
    )


@pytest.fixture
def camera(capture: TappedCapture) -> Iterator[UsbCamera]:
    """That device as an open camera."""
    camera = camera_of(capture)
    camera.open()
    yield camera
    capture.flow()
    camera.close()


def test_newest_picture_wins(camera: UsbCamera, capture: TappedCapture) -> None:
    capture.let_out(5)
    frame = camera.frame(60.0)
    assert (frame.number, number_of(frame.image_bgr)) == (4, 4)


def test_same_picture_is_not_given_twice(camera: UsbCamera, capture: TappedCapture) -> None:
    capture.let_out(1)
    camera.frame(60.0)
    with pytest.raises(CameraLostError, match=r"no picture came for 0\.01 s"):
        camera.frame(0.01)


def test_camera_goes_on_after_a_pause(camera: UsbCamera, capture: TappedCapture) -> None:
    with pytest.raises(CameraLostError):
        camera.frame(0.01)
    capture.let_out(1)
    assert camera.frame(60.0).number == 0


def test_time_is_a_picture_before_its_arrival(camera: UsbCamera, capture: TappedCapture) -> None:
    capture.let_out(1)
    assert camera.frame(60.0).at_s == pytest.approx(10.0 - 1 / FPS)


def test_damaged_picture_is_a_gap_and_no_loss(camera: UsbCamera, capture: TappedCapture) -> None:
    capture.damaged = 2
    capture.let_out(3)
    assert camera.frame(60.0).number == 2


def test_torn_jpeg_is_a_gap_and_no_picture(camera: UsbCamera, capture: TappedCapture) -> None:
    """Its end mark is there, so OpenCV would fill its lower part with grey."""
    capture.let_out(1)
    assert camera.frame(60.0).number == 0
    capture.torn = 2
    capture.let_out(2)
    with pytest.raises(CameraLostError, match=r"arrive damaged \(.*premature end") as told:
        camera.frame(0.01)
    assert "cable" in told.value.mend
    capture.let_out(1)
    assert camera.frame(60.0).number == 3


def test_only_the_picture_that_is_used_is_decoded(
    camera: UsbCamera, capture: TappedCapture, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []

    def decode(data: bytes) -> Image:
        decoded.append(data)
        return decode_jpeg(data)

    monkeypatch.setattr("hardware.cameras.usb.decode_jpeg", decode)
    capture.let_out(5)
    assert camera.frame(60.0).number == 4
    assert len(decoded) == 1


def test_filler_bytes_of_a_webcam_are_no_damage(camera: UsbCamera, capture: TappedCapture) -> None:
    """Many webcams write some before the restart markers of every picture."""
    capture.filler = b"\0\0\0"
    capture.let_out(1)
    assert number_of(camera.frame(60.0).image_bgr) == 0
    capture.torn = 1
    capture.let_out(1)
    with pytest.raises(CameraLostError, match="arrive damaged"):
        camera.frame(0.01)


def test_pulled_cable_ends_the_wait_and_frees_the_device(
    camera: UsbCamera, capture: TappedCapture
) -> None:
    threading.Timer(0.0, capture.unplug).start()
    with pytest.raises(CameraLostError, match="usb 2: it stopped delivering"):
        camera.frame(60.0)
    camera.close()
    assert capture.is_released


def test_closing_wakes_whoever_waits(camera: UsbCamera, capture: TappedCapture) -> None:

    def close() -> None:
        capture.unplug()
        camera.close()

    closer = threading.Timer(0.0, close)
    closer.start()
    with pytest.raises(CameraLostError):
        camera.frame(60.0)
    closer.join()


def test_camera_that_was_found_delivers_its_own_size(capture: TappedCapture) -> None:
    camera = UsbCamera(2, any_size=True, fps=FPS, open_capture=lambda _source: capture)
    with camera:
        capture.let_out(1)
        assert camera.frame(60.0).image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
        capture.flow()


def test_the_wanted_size_is_asked_for_at_each_opening(tmp_path: Path) -> None:
    video = write_video(tmp_path / "small.avi", 9)
    asked: list[float] = []

    class Small(TappedCapture):
        def set(self, propId: int, value: float, /) -> bool:
            if propId == cv2.CAP_PROP_FRAME_WIDTH:
                asked.append(value)
            return super().set(propId, value)

    camera = UsbCamera(
        2,
        size_wh=(1280, 720),
        any_size=True,
        fps=FPS,
        open_capture=lambda _source: Small(video, is_flowing=True),
    )
    for _ in range(2):
        with camera:
            assert camera.frame(60.0).image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert asked == [1280.0, 1280.0]


def test_other_size_is_refused_with_the_settings_that_would_do(capture: TappedCapture) -> None:
    with pytest.raises(CameraLostError, match="160x120 instead of 1280x720") as told:
        camera_of(capture, (1280, 720)).open()
    assert "width = 160 and height = 120" in told.value.mend
    assert capture.is_released


def test_device_that_is_not_there_is_told_by_name() -> None:
    camera = UsbCamera("/dev/v4l/by-id/no-such-camera")
    with pytest.raises(CameraLostError, match="no-such-camera: it cannot be opened"):
        camera.open()


def test_left_to_itself_it_keeps_its_automatics(capture: TappedCapture) -> None:
    camera = camera_of(capture)
    camera.open()
    capture.let_out(1)
    assert capture.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert capture.controls[cv2.CAP_PROP_AUTO_WB] == capture.controls[cv2.CAP_PROP_AUTOFOCUS] == 1.0
    assert capture.has_autogain
    told = camera.exposure()
    assert told is not None
    assert told.exposure_us == 15_600  # told in hundreds of microseconds
    capture.flow()
    camera.close()


def test_every_automatic_is_off_once_it_is_exposed_by_hand(
    camera: UsbCamera, capture: TappedCapture
) -> None:
    camera.set_exposure(Exposure(14_000, 20.0, 0.0, 0.0, 120.0))
    capture.let_out(2)
    assert not capture.has_autogain
    assert capture.controls == {
        cv2.CAP_PROP_AUTO_EXPOSURE: 1.0,
        cv2.CAP_PROP_EXPOSURE: 100.0,  # 10 ms, whole pulses at 50 Hz
        cv2.CAP_PROP_GAIN: 20.0,
        cv2.CAP_PROP_AUTO_WB: 0.0,
        cv2.CAP_PROP_AUTOFOCUS: 0.0,
        cv2.CAP_PROP_FOCUS: 120.0,
    }


def test_device_that_tells_nothing_of_its_exposure(
    camera: UsbCamera, capture: TappedCapture
) -> None:
    capture.controls[cv2.CAP_PROP_EXPOSURE] = -1.0
    camera.set_exposure(Exposure(0, 0.0, 0.0, 0.0, 0.0))
    capture.let_out(2)
    assert camera.exposure() is None
