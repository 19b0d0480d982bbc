# SPDX-License-Identifier: MIT
"""What is particular to a recording: its pace, its order, what is no recording."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera import CameraLostError
from hardware.cameras.recording import FileCamera
from hardware.clock import SteppedClock
from tests.support.recorded import FPS, number_of, picture, write_pictures, write_video
from tests.support.videos import write_webm
from vision.decoding import videos
from vision.decoding.jpeg import decode_jpeg
from vision.decoding.videos import StoredFrame
from vision.frame import Frame, Image


@pytest.fixture(params=["pictures", "video"])
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Six pictures, one way or the other."""
    if request.param == "video":
        return write_video(tmp_path / "recording.avi", 6)
    return write_pictures(tmp_path / "recording", 6)


def seen(camera: FileCamera, count: int) -> list[int]:
    return [number_of(camera.frame(2.0).image_bgr) for _ in range(count)]


def test_every_picture_is_shown_in_order_and_then_anew(recording: Path) -> None:
    with FileCamera(recording, clock=SteppedClock()) as camera:
        assert seen(camera, 14) == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1]


def test_looped_recording_is_where_the_clock_says(recording: Path) -> None:
    clock = SteppedClock()
    with FileCamera(recording, fps=10, clock=clock) as camera:
        assert seen(camera, 1) == [0]
        clock.wait_s(6 * 1000 * 0.1 + 0.25)
        frame = camera.frame(2.0)
        assert (frame.number, number_of(frame.image_bgr)) == (6002, 2)


def test_skipped_frames_of_a_video_are_not_converted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted: list[int] = []
    convert = StoredFrame.convert

    def count(frame: StoredFrame) -> Frame:
        converted.append(frame.number)
        return convert(frame)

    monkeypatch.setattr(StoredFrame, "convert", count)
    clock = SteppedClock()
    with FileCamera(write_video(tmp_path / "film.avi", 6), fps=10, clock=clock) as camera:
        assert seen(camera, 1) == [0]
        clock.wait_s(0.45)
        assert seen(camera, 1) == [4]
    assert converted == [0, 4]


def test_skipped_pictures_of_a_motion_jpeg_are_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []

    def count(data: bytes) -> Image:
        decoded.append(data)
        return decode_jpeg(data)

    monkeypatch.setattr(videos, "decode_jpeg", count)
    clock = SteppedClock()
    with FileCamera(write_video(tmp_path / "film.avi", 6), fps=10, clock=clock) as camera:
        assert seen(camera, 1) == [0]
        clock.wait_s(0.45)
        assert seen(camera, 1) == [4]
    assert len(decoded) == 2


def test_pace_is_the_one_asked_for(recording: Path) -> None:
    clock = SteppedClock(100.0)
    with FileCamera(recording, fps=4, clock=clock) as camera:
        assert [camera.frame(2.0).at_s for _ in range(3)] == [100.0, 100.25, 100.5]
        assert clock.now_s() == 100.5


def test_video_has_a_pace_of_its_own(tmp_path: Path) -> None:
    with FileCamera(write_video(tmp_path / "a.avi", 3), clock=SteppedClock()) as camera:
        camera.frame(2.0)
        assert camera.frame(2.0).at_s == pytest.approx(1 / FPS)


def test_picture_that_is_due_too_late_is_not_waited_for(recording: Path) -> None:
    clock = SteppedClock()
    with FileCamera(recording, fps=0.1, clock=clock) as camera:
        camera.frame(0.5)
        with pytest.raises(CameraLostError, match="no picture is due for 10 s"):
            camera.frame(0.5)
        assert clock.now_s() == 0.5


def test_single_picture_is_a_camera_too(tmp_path: Path) -> None:
    path = write_pictures(tmp_path / "recording", 4) / "003.png"
    with FileCamera(path, clock=SteppedClock()) as camera:
        assert camera.name == "003.png"
        assert seen(camera, 3) == [3, 3, 3]


def test_video_that_ends_early_is_told_where_it_ends(tmp_path: Path) -> None:
    path = write_video(tmp_path / "torn.avi", 12)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 4 // 5])
    numbers: list[int] = []

    def play() -> None:
        while len(numbers) < 12:
            numbers.extend(seen(camera, 1))

    with FileCamera(path, clock=SteppedClock()) as camera:
        with pytest.raises(CameraLostError, match=r"torn\.avi: expected "):
            play()
    assert 3 < len(numbers) < 12
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("share", [0.6, 0.99])
@pytest.mark.parametrize("end", [b"", b"\xff\xd9"])
def test_damaged_picture_of_a_folder_is_told(tmp_path: Path, share: float, end: bytes) -> None:
    folder = tmp_path / "recording"
    folder.mkdir()
    for name in ("0.jpg", "1.jpg"):
        cv2.imwrite(str(folder / name), picture(3))
    whole = (folder / "1.jpg").read_bytes()
    (folder / "1.jpg").write_bytes(whole[: int(len(whole) * share)] + end)
    with FileCamera(folder, clock=SteppedClock()) as camera:
        camera.frame(2.0)
        with pytest.raises(CameraLostError, match=r"1\.jpg: expected a whole picture, found "):
            camera.frame(2.0)


def test_video_without_a_length_is_played_in_a_loop(tmp_path: Path) -> None:
    """A browser's recorder writes no length and irregular times."""
    path = tmp_path / "recorder.webm"
    write_webm(path, [picture(number) for number in range(5)], times_ms=[0, 37, 66, 96, 135])
    with FileCamera(path, clock=SteppedClock()) as camera:
        assert seen(camera, 7) == [0, 1, 2, 3, 4, 0, 1]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("none.avi", "none.avi: expected a video, found no such file"),
        ("none.jpg", "none.jpg: expected a picture, found no such file"),
        ("notes.jpg", "notes.jpg: expected a picture, found no picture format"),
        ("notes.avi", "notes.avi: expected a video, found none"),
        ("empty", "empty: expected a folder with pictures, found an empty folder"),
    ],
)
def test_what_is_no_recording_is_told(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "notes.jpg").write_text("no picture")
    (tmp_path / "notes.avi").write_text("no video")
    (tmp_path / "empty").mkdir()
    camera = FileCamera(tmp_path / name)
    with pytest.raises(CameraLostError, match=what) as told:
        camera.open()
    assert told.value.camera == name


def test_pictures_of_several_sizes_are_refused_where_they_come(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path / "recording", 2)
    cv2.imwrite(str(folder / "999.png"), np.ascontiguousarray(picture(1)[:50]))
    with FileCamera(folder, clock=SteppedClock()) as camera:
        seen(camera, 2)
        with pytest.raises(CameraLostError, match="different sizes"):
            camera.frame(2.0)
