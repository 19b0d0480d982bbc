# SPDX-License-Identifier: MIT
"""Picture and video files, whole and torn."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.drawn import draw_tray
from vision.decoding.errors import PictureError
from vision.frame import Image
from vision.image_files import encode_jpeg, is_video, list_pictures, load_picture

COARSE_COLOUR, FINE_COLOUR = (
    (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor)
    for factor in (cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
)
TURNED_LEFT = (  # An Exif segment with one entry: the orientation (0x112) is 6.
    b"\xff\xe1\x00\x22Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
)


def decode_with_opencv(data: bytes) -> Image:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, np.uint8)


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


@pytest.mark.parametrize(
    "data",
    [
        encode_jpeg(draw_tray()),
        encode_jpeg(draw_tray()) + bytes(100_000),  # A phone appends much.
        encode_jpeg(draw_tray())[:-2] + bytes(6) + b"\xff\xd9",  # A webcam puts in filler bytes.
    ],
    ids=["plain", "with more behind it", "with filler bytes"],
)
def test_a_jpeg_is_known_by_its_content_and_whole(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "photo.from.phone"
    path.write_bytes(data)
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


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp", ".tif", ".jp2"])
def test_a_torn_picture_is_no_picture(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ending: str
) -> None:
    path = tmp_path / f"torn{ending}"
    cv2.imwrite(str(path), draw_tray(noise_seed=1))
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 5])
    with pytest.raises(PictureError):
        load_picture(path)
    assert capfd.readouterr().err == "" or ending not in (".jpg", ".png")


@pytest.mark.parametrize("option", [cv2.IMWRITE_JPEG_PROGRESSIVE, cv2.IMWRITE_JPEG_RST_INTERVAL])
@pytest.mark.parametrize("share", [0.6, 0.995])
def test_a_torn_jpeg_with_an_end_mark_is_no_picture(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], option: int, share: float
) -> None:
    """Recovery programs and cameras add the mark; libjpeg fills the rest with grey."""
    path = tmp_path / "torn.jpg"
    data = cv2.imencode(".jpg", draw_tray(noise_seed=1), (option, 1))[1].tobytes()
    path.write_bytes(data[: int(len(data) * share)] + b"\xff\xd9")
    with pytest.raises(PictureError, match="expected a whole picture, found Corrupt JPEG data"):
        load_picture(path)
    assert capfd.readouterr().err == ""


def test_a_gap_in_a_jpeg_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "gap.jpg"
    data = encode_jpeg(draw_tray(noise_seed=1))
    path.write_bytes(data[: len(data) // 2] + data[len(data) // 2 + 512 :])
    with pytest.raises(PictureError, match="expected a whole picture"):
        load_picture(path)


@pytest.mark.parametrize("option", [(cv2.IMWRITE_JPEG_PROGRESSIVE, 1), COARSE_COLOUR, FINE_COLOUR])
@pytest.mark.parametrize("channels", [1, 3])
def test_a_jpeg_has_the_pixels_that_opencv_decodes(
    tmp_path: Path, option: tuple[int, int], channels: int
) -> None:
    """Readings of stored pictures must stay the same."""
    path = tmp_path / "a.jpg"
    picture = draw_tray(noise_seed=1)[:333, :517, :channels]
    path.write_bytes(cv2.imencode(".jpg", picture, option)[1].tobytes())
    assert np.array_equal(load_picture(path), decode_with_opencv(path.read_bytes()))


def test_a_jpeg_of_a_turned_phone_is_read_upright(tmp_path: Path) -> None:
    path = tmp_path / "phone.jpg"
    data = encode_jpeg(draw_tray())
    path.write_bytes(data[:2] + TURNED_LEFT + data[2:])
    assert np.array_equal(load_picture(path), np.rot90(decode_with_opencv(data), -1))


def test_a_wrong_checksum_in_a_png_is_damage(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.png"
    data = bytearray(cv2.imencode(".png", draw_tray(noise_seed=1))[1].tobytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(PictureError, match="found a wrong checksum in its part b'IDAT'"):
        load_picture(path)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("ending", [".jp2", ".avif", ".gif"])
def test_a_format_that_opencv_decodes_is_a_picture(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    if not cv2.haveImageWriter(str(path)):
        pytest.skip("this OpenCV has no such format")
    assert cv2.imwrite(str(path), draw_tray())
    assert list_pictures(tmp_path) == (path,)
    assert cv2.absdiff(load_picture(path), draw_tray()).mean() < 25


def test_a_heic_picture_is_listed_and_refused_by_name(tmp_path: Path) -> None:
    """Phones write them beside JPEGs, and they must not be missed silently."""
    path = tmp_path / "IMG_1.HEIC"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100))
    assert list_pictures(tmp_path) == (path,)
    with pytest.raises(PictureError, match="found HEIC, which cannot be read here; save it as"):
        load_picture(path)


def test_hidden_files_are_not_listed(tmp_path: Path) -> None:
    for name in ("IMG.JPG", "._IMG.JPG"):
        (tmp_path / name).write_bytes(b"x")
    assert list_pictures(tmp_path) == (tmp_path / "IMG.JPG",)


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


def test_reading_files_leaves_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), draw_tray())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        load_picture(path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_jpeg_bytes_are_a_picture_again() -> None:
    picture = decode_with_opencv(encode_jpeg(draw_tray(), quality=95))
    assert cv2.absdiff(picture, draw_tray()).mean() < 3
