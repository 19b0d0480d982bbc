# SPDX-License-Identifier: MIT
"""Videos: whole, torn and damaged, with their time stamps."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.support.videos import write_h264, write_mjpeg, write_webm
from tests.vision.drawn import draw_tray
from vision.clips import encode_motion_jpeg
from vision.decoding.errors import PictureError, TornVideoError
from vision.decoding.jpeg import decode_jpeg
from vision.decoding.videos import measure_video, read_video
from vision.frame import Frame
from vision.image_files import encode_jpeg


def write_video(path: Path, count: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (640, 360))
    for n in range(count):
        writer.write(draw_tray(noise_seed=n))
    writer.release()


def test_a_video_gives_its_frames_numbered_and_timed(tmp_path: Path) -> None:
    path = tmp_path / "throw.avi"
    write_video(path, 9)
    frames = list(read_video(path))
    assert [frame.number for frame in frames] == list(range(9))
    assert [frame.at_s for frame in frames] == pytest.approx([n / 20 for n in range(9)])
    assert frames[0].image_bgr.shape == (360, 640, 3)


def test_a_torn_video_yields_its_whole_frames_and_then_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "throw.avi"
    write_video(path, 20)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    frames: list[Frame] = []
    with pytest.raises(TornVideoError) as raised:
        frames.extend(read_video(path))
    assert 5 <= len(frames) <= 12
    assert raised.value.expected in ("20 frames", f"a whole frame {len(frames)}")
    assert all(cv2.absdiff(f.image_bgr, draw_tray(noise_seed=f.number)).mean() < 4 for f in frames)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("damage", ["torn", "gap"])
def test_a_damaged_frame_ends_a_motion_jpeg(tmp_path: Path, damage: str) -> None:
    jpegs = [encode_jpeg(draw_tray(noise_seed=n)) for n in range(6)]
    whole = jpegs[3]
    middle = len(whole) // 2
    torn, gap = whole[:middle] + b"\xff\xd9", whole[:middle] + whole[middle + 512 :]
    jpegs[3] = torn if damage == "torn" else gap
    path = tmp_path / "throw.avi"
    path.write_bytes(encode_motion_jpeg(jpegs, (640, 360), frame_us=50_000))
    frames: list[Frame] = []
    with pytest.raises(TornVideoError, match="expected a whole frame 3, found Corrupt JPEG data"):
        frames.extend(read_video(path))
    assert len(frames) == 3


def test_a_motion_jpeg_shows_the_pictures_of_its_jpegs(tmp_path: Path) -> None:
    jpegs = [encode_jpeg(draw_tray(noise_seed=n)) for n in range(3)]
    path = tmp_path / "throw.avi"
    path.write_bytes(encode_motion_jpeg(jpegs, (640, 360), frame_us=50_000))
    shown = [frame.image_bgr for frame in read_video(path)]
    assert all(map(np.array_equal, shown, map(decode_jpeg, jpegs)))


def test_a_motion_jpeg_of_two_fields_shows_both(tmp_path: Path) -> None:
    images = [draw_tray(noise_seed=n) for n in range(3)]
    jpegs = [encode_jpeg(image[1::2]) + encode_jpeg(image[0::2]) for image in images]
    path = tmp_path / "throw.avi"
    path.write_bytes(encode_motion_jpeg(jpegs, (640, 360), frame_us=50_000))
    shown = [frame.image_bgr for frame in read_video(path)]
    assert len(shown) == 3
    assert all(cv2.absdiff(one, other).mean() < 4 for one, other in zip(shown, images, strict=True))


def test_a_motion_jpeg_of_video_levels_is_shown_with_all(tmp_path: Path) -> None:
    """Black is stored as 16 and white as 235; FFmpeg marks such a JPEG with a comment."""
    image = draw_tray()
    jpeg = encode_jpeg(np.round(16 + image * (219 / 255)).astype(np.uint8))
    comment = b"CS=ITU601\0"
    marker = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
    path = tmp_path / "throw.avi"
    marked = jpeg[:2] + marker + jpeg[2:]
    path.write_bytes(encode_motion_jpeg([marked] * 2, (640, 360), frame_us=50_000))
    shown = [frame.image_bgr for frame in read_video(path)]
    assert len(shown) == 2
    assert all(cv2.absdiff(one, image).mean() < 4 for one in shown)


def test_a_damaged_frame_ends_a_compressed_video(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "throw.mp4"
    write_h264(path, [draw_tray(noise_seed=n) for n in range(20)], times_ms=range(0, 660, 33))
    with av.open(str(path)) as video:
        packet = list(video.demux(video=0))[10]
    data = bytearray(path.read_bytes())
    assert packet.pos is not None
    place = packet.pos + packet.size // 2
    data[place : place + 200] = bytes(200)
    path.write_bytes(data)
    frames: list[Frame] = []
    with pytest.raises(TornVideoError, match=r"expected a whole frame \d+, found .") as raised:
        frames.extend(read_video(path))
    assert 5 <= len(frames) <= 12
    assert raised.value.expected == f"a whole frame {len(frames)}"
    assert capfd.readouterr().err == ""


def test_an_interlaced_video_shows_its_own_frames(tmp_path: Path) -> None:
    """OpenCV 5 reports success for such a frame, and returns memory of an earlier one."""
    progressive, interlaced = tmp_path / "a.mp4", tmp_path / "b.mp4"
    images = [draw_tray(noise_seed=n) for n in range(5)]
    write_h264(progressive, [255 - image for image in images], times_ms=range(0, 165, 33))
    write_h264(interlaced, images, times_ms=range(0, 165, 33), is_interlaced=True)
    list(read_video(progressive))
    shown = [frame.image_bgr for frame in read_video(interlaced)]
    assert len(shown) == 5
    assert all(cv2.absdiff(one, other).mean() < 6 for one, other in zip(shown, images, strict=True))


def test_times_are_those_of_the_stamps(tmp_path: Path) -> None:
    times_ms = [100, 137, 166, 1300, 1333]
    for write, name in ((write_webm, "a.webm"), (write_h264, "a.mp4")):
        write(tmp_path / name, [draw_tray(noise_seed=n) for n in range(5)], times_ms=times_ms)
        found = [frame.at_s for frame in read_video(tmp_path / name)]
        assert found == pytest.approx([(time - 100) / 1000 for time in times_ms], abs=0.001)
        assert measure_video(tmp_path / name).frames == 5


@pytest.mark.parametrize("write", [write_h264, write_mjpeg])
@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_phone_video_is_upright(tmp_path: Path, write: Callable[..., None], degrees: int) -> None:
    """OpenCV turns such a video too."""
    path = tmp_path / "phone.mov"
    write(path, [draw_tray()] * 3, times_ms=[0, 33, 66], degrees=degrees)
    capture = cv2.VideoCapture(str(path))
    expected = np.asarray(capture.read()[1], np.uint8)
    capture.release()
    shown = next(read_video(path)).image_bgr
    assert shown.shape == expected.shape
    assert cv2.absdiff(shown, expected).mean() < 2


def test_a_file_of_sound_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "sound.avi"
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(8000))
    with pytest.raises(PictureError, match="expected a video, found a file without pictures"):
        list(read_video(path))


@pytest.mark.parametrize("data", [b"", b"this is no video" * 100])
def test_a_file_that_is_no_video_fails_with_one_message(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], data: bytes
) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(data)
    with pytest.raises(PictureError, match="expected a video"):
        list(read_video(path))
    assert capfd.readouterr().err == ""


def test_a_missing_video_fails(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="found no such file"):
        list(read_video(tmp_path / "none.mp4"))
