# SPDX-License-Identifier: MIT
"""Picture and video files, whole and torn."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.drawn import draw_tray
from vision.frame import Frame
from vision.image_files import (
    PictureError,
    TruncatedVideoError,
    encode_jpeg,
    is_video,
    list_pictures,
    load_picture,
    read_video,
)


def write_video(path: Path, count: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (640, 360))
    for n in range(count):
        writer.write(draw_tray(noise_seed=n))
    writer.release()


def truncate(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp"])
def test_a_picture_file_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"tray{ending}"
    assert cv2.imwrite(str(path), draw_tray())
    difference = cv2.absdiff(load_picture(path), draw_tray())
    assert difference.mean() < 4


def test_a_grey_picture_gets_three_channels(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), draw_tray()[:, :, 1])
    assert load_picture(path).shape == (360, 640, 3)


def test_a_picture_is_read_by_its_content_not_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "photo.from.phone"
    path.write_bytes(encode_jpeg(draw_tray()))
    assert load_picture(path).shape == (360, 640, 3)


@pytest.mark.parametrize(
    ("data", "found"),
    [(b"", "an empty file"), (b"no picture", "no picture format that is known here")],
)
def test_a_file_that_is_no_picture_fails(tmp_path: Path, data: bytes, found: str) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError) as raised:
        load_picture(path)
    assert str(raised.value) == f"{path}: expected a picture, found {found}"


def test_a_missing_file_fails(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="found no such file"):
        load_picture(tmp_path / "none.jpg")


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_torn_picture_is_no_picture(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ending: str
) -> None:
    path = tmp_path / f"torn{ending}"
    cv2.imwrite(str(path), draw_tray(noise_seed=1))
    truncate(path, 0.6)
    with pytest.raises(PictureError):
        load_picture(path)
    assert capfd.readouterr().err == ""


def test_a_folder_lists_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "c.mp4", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "d.jpg").mkdir()
    assert [path.name for path in list_pictures(tmp_path)] == ["a.png", "b.JPG", "c.mp4"]


@pytest.mark.parametrize(
    ("names", "found"),
    [((), "an empty folder"), (("a.txt", "b.txt"), "2 files and no picture among them")],
)
def test_a_folder_without_pictures_fails(
    tmp_path: Path, names: tuple[str, ...], found: str
) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(PictureError, match=found):
        list_pictures(tmp_path)


@pytest.mark.parametrize(("name", "expected"), [("a.MP4", True), ("a.avi", True), ("a.png", False)])
def test_videos_are_known_by_their_ending(name: str, expected: bool) -> None:
    assert is_video(Path(name)) is expected


def test_a_video_gives_its_frames_numbered_and_timed(tmp_path: Path) -> None:
    path = tmp_path / "throw.avi"
    write_video(path, 9)
    frames = list(read_video(path))
    assert [frame.number for frame in frames] == list(range(9))
    assert [frame.at_s for frame in frames] == pytest.approx([n / 20 for n in range(9)])
    assert frames[0].image_bgr.shape == (360, 640, 3)


def test_a_truncated_video_yields_its_frames_and_then_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "throw.avi"
    write_video(path, 20)
    truncate(path, 0.5)
    frames: list[Frame] = []
    with pytest.raises(TruncatedVideoError) as raised:
        frames.extend(read_video(path))
    assert 5 <= len(frames) <= 12
    assert raised.value.expected == "20 frames"
    assert raised.value.found == f"the end after {len(frames)}"
    assert capfd.readouterr().err == ""


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


def test_reading_files_leaves_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), draw_tray())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        load_picture(path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_jpeg_bytes_are_a_picture_again() -> None:
    data = np.frombuffer(encode_jpeg(draw_tray(), quality=95), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert picture is not None
    assert cv2.absdiff(np.asarray(picture, np.uint8), draw_tray()).mean() < 3
