# SPDX-License-Identifier: MIT
"""
Read, list and write picture files, with plain errors.

OpenCV's decoders fill a damaged picture with grey, and decode a picture of any size. Here a damaged
file is an error with the decoder's words, and what is too large is refused before it is decoded.
Only regular files are opened: a pipe or a device may have no end.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.decoding.errors import DamagedError, PictureError, describe_error, require_few_pixels
from vision.decoding.jpeg import decode_jpeg
from vision.frame import Image
from vision.picture_headers import PNG_BEGIN, is_heic, read_picture_size

PICTURE_ENDINGS = frozenset(
    {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".webp", ".tif", ".tiff"}
    | {".avif", ".gif", ".jp2", ".j2k"}
)
VIDEO_ENDINGS = frozenset(
    {".mp4", ".m4v", ".mov", ".3gp", ".mkv", ".webm", ".avi", ".mjpeg", ".mjpg"}
    | {".ts", ".mts", ".m2ts", ".mpg", ".mpeg", ".ogv", ".wmv", ".flv"}
)
# Pictures that cannot be read; a folder lists them, so that they are not missed silently.
_REPORTED_ENDINGS = frozenset({".heic", ".heif", ".jxl"})

MAX_PICTURE_BYTES = 1 << 28
"""No picture file is larger; an uncompressed one of `MOST_PIXELS` may be a little."""

# OpenCV prints its own account of a broken file; the errors here say what is wrong.
# The function moved in OpenCV 5.
_set_log_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
_set_log_level(0)


def load_picture(path: Path) -> Image:
    """
    Return the picture in a file, (height, width, 3), upright by its orientation tag.

    Raises:
        PictureError: The file cannot be read, is no picture, is truncated, or is too large.
    """
    return decode_picture(_read_file(path), path)


def decode_picture(data: bytes, path: Path) -> Image:
    """
    Return the picture in a file's content, shape (height, width, 3), upright by its tag.

    Raises:
        PictureError: It is no picture, is truncated, or has more than `MOST_PIXELS`.
    """
    expected = "a picture"
    if not data:
        raise PictureError(path, expected=expected, found="an empty file")
    size_px = read_picture_size(data)
    if size_px is None:
        raise PictureError(path, expected=expected, found=_name_unknown(data))
    require_few_pixels(path, *size_px)
    try:
        return _decode(data)
    except DamagedError as error:
        raise PictureError(path, expected="a whole picture", found=str(error)) from error


def is_video(path: Path) -> bool:
    """Return whether a file is a video, by its ending."""
    return path.suffix.lower() in VIDEO_ENDINGS


def list_pictures(folder: Path) -> tuple[Path, ...]:
    """
    Return the pictures and videos directly in a folder, sorted by name.

    Raises:
        PictureError: The folder cannot be read, or has no pictures.
    """
    expected = "a folder with pictures"
    try:
        # Hidden files are no pictures: a Mac writes one like "._1.jpg" beside each.
        files = sorted(path for path in folder.iterdir() if path.is_file() and path.name[0] != ".")
    except OSError as error:
        raise PictureError(folder, expected=expected, found=describe_error(error)) from error
    wanted = PICTURE_ENDINGS | VIDEO_ENDINGS | _REPORTED_ENDINGS
    paths = tuple(path for path in files if path.suffix.lower() in wanted)
    if not paths:
        found = f"{len(files)} files and no picture among them" if files else "an empty folder"
        raise PictureError(folder, expected=expected, found=found)
    return paths


def encode_jpeg(image_bgr: Image, *, quality: int = 90) -> bytes:
    """Return a picture, in colour or grey, as the bytes of a JPEG file of quality 1 to 100."""
    _, data = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return data.tobytes()


def limit_to_one_thread() -> None:
    """Limit OpenCV to one thread: a frame gains little from more, and others need the cores."""
    cv2.setNumThreads(1)


@contextmanager
def use_all_cores() -> Iterator[None]:
    """Let OpenCV use all cores inside the block, for people wait for it; then one thread again."""
    cv2.setNumThreads(-1)
    try:
        yield
    finally:
        limit_to_one_thread()


def _read_file(path: Path) -> bytes:
    """Return the content of a regular file of at most `MAX_PICTURE_BYTES`."""
    expected = "a picture"
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise PictureError(path, expected=expected, found="no regular file")
            data = file.read(MAX_PICTURE_BYTES + 1)
    except OSError as error:
        raise PictureError(path, expected=expected, found=describe_error(error)) from error
    if len(data) > MAX_PICTURE_BYTES:
        expected = f"a picture of at most {MAX_PICTURE_BYTES >> 20} MiB"
        raise PictureError(path, expected=expected, found=f"{about.st_size >> 20} MiB")
    return data


def _name_unknown(data: bytes) -> str:
    if is_heic(data):
        return "HEIC, which cannot be read here; save it as JPEG"
    begins_well = data.startswith((b"\xff\xd8", PNG_BEGIN[:4]))
    return "a broken one" if begins_well else "no picture format that is known here"


def _decode(data: bytes) -> Image:
    if data.startswith(b"\xff\xd8"):
        picture = decode_jpeg(data)
        # OpenCV turns a picture upright, by a tag that is among these data.
        if b"Exif" not in data:
            return picture
    if data.startswith(PNG_BEGIN):
        _check_png(data)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise DamagedError(error.err or "a broken one") from error
    if image is None:
        raise DamagedError("one that is damaged, or of a kind that this OpenCV does not decode")
    return np.asarray(image, np.uint8)


def _check_png(data: bytes) -> None:
    """Check the sums in a PNG, because libpng prints its errors."""
    place, name = len(PNG_BEGIN), b""
    while name != b"IEND":
        length = int.from_bytes(data[place : place + 4])
        chunk = data[place + 4 : place + 8 + length]
        end = place + 12 + length
        name = chunk[:4]
        if end > len(data):
            raise DamagedError("one that ends early")
        if zlib.crc32(chunk) != int.from_bytes(data[end - 4 : end]):
            raise DamagedError(f"a wrong checksum in its part {name!r}")
        place = end
