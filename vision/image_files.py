# SPDX-License-Identifier: MIT
"""
Read, list and write picture and video files, with plain errors.

OpenCV's decoders fill a truncated picture with grey, end a truncated video without an error, and
decode a picture of any size. They also print messages on standard error. Here a truncated file
is an error that names what is missing, what is too large is refused before it is decoded, and
the decoders print nothing. Only regular files are opened: a pipe or a device may have no end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Frame, Image
from vision.picture_headers import MOST_PIXELS, read_picture_size

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
VIDEO_ENDINGS = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".avi", ".webm", ".mjpeg", ".mjpg"})

MAX_PICTURE_BYTES = 1 << 28
"""No picture file is larger; an uncompressed one of `MOST_PIXELS` may be a little."""

LEAST_VIDEO_PX, MOST_VIDEO_ASPECT = 24, 8
"""The shortest side of a video, and the longest side in shorter ones."""

_END_MARKS = {b"\xff\xd8": b"\xff\xd9", b"\x89PNG": b"IEND"}
_USUAL_FPS = 30.0


class PictureError(ValueError):
    """
    A file does not hold the picture or video that it should.

    Args:
        path: The file.
        expected: What should be there.
        found: What is there.
    """

    def __init__(self, path: Path, *, expected: str, found: str) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        super().__init__(f"{path}: expected {expected}, found {found}")


class TruncatedVideoError(PictureError):
    """A video ends before its last frame; the frames up to there are good."""


def load_picture(path: Path) -> Image:
    """
    Return the picture in a file, shape (height, width, 3), upright by its orientation tag.

    Raises:
        PictureError: The file cannot be read, is no picture, is truncated, or is too large.
    """
    return decode_picture(_read_file(path), path)


def decode_picture(data: bytes, path: Path) -> Image:
    """
    Return the picture in a file's content, shape (height, width, 3), upright by its tag.

    Args:
        data: The content.
        path: The file, for messages.

    Raises:
        PictureError: It is no picture, is truncated, or has more than `MOST_PIXELS`.
    """
    expected = "a picture"
    if not data:
        raise PictureError(path, expected=expected, found="an empty file")
    begins_well = data.startswith(tuple(_END_MARKS))
    no_picture = "a broken one" if begins_well else "no picture format that is known here"
    size_px = read_picture_size(data)
    if size_px is None:
        raise PictureError(path, expected=expected, found=no_picture)
    _require_few_pixels(path, *size_px)
    image = _decode(path, data)
    if image is None:
        raise PictureError(path, expected=expected, found=no_picture)
    if _is_truncated(data):
        raise PictureError(path, expected="a whole picture", found="one that ends early")
    return image


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
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise PictureError(folder, expected=expected, found=_describe_error(error)) from error
    wanted = PICTURE_ENDINGS | VIDEO_ENDINGS
    paths = tuple(path for path in files if path.suffix.lower() in wanted)
    if not paths:
        found = f"{len(files)} files and no picture among them" if files else "an empty folder"
        raise PictureError(folder, expected=expected, found=found)
    return paths


def read_video(path: Path) -> Iterator[Frame]:
    """
    Yield the frames of a video in order, with times by its frame rate.

    Raises:
        PictureError: The file cannot be read or is no video.
        TruncatedVideoError: It has fewer frames than its header says.
    """
    capture = _open_video(path)
    try:
        promised = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        fps = capture.get(cv2.CAP_PROP_FPS) or _USUAL_FPS
        number = 0
        while (image := _read_next(capture)) is not None:
            yield Frame(image, number / fps, number)
            number += 1
    finally:
        capture.release()
    # Some containers only have a duration, which may round up by a frame.
    if number == 0 or number < promised - 1:
        raise TruncatedVideoError(
            path, expected=f"{promised} frames", found=f"the end after {number}"
        )


def encode_jpeg(image_bgr: Image, *, quality: int = 90) -> bytes:
    """
    Return a picture as the bytes of a JPEG file.

    Args:
        image_bgr: Shape (height, width, 3) or (height, width).
        quality: 1 to 100.
    """
    _, data = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return data.tobytes()


def limit_to_one_thread() -> None:
    """
    Limit OpenCV to one thread in this process.

    A frame is too small to gain from more, and the camera, the table and the pages need the
    other cores.
    """
    cv2.setNumThreads(1)


def _describe_error(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or str(error)).lower()


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
        raise PictureError(path, expected=expected, found=_describe_error(error)) from error
    if len(data) > MAX_PICTURE_BYTES:
        expected = f"a picture of at most {MAX_PICTURE_BYTES >> 20} MiB"
        raise PictureError(path, expected=expected, found=f"{about.st_size >> 20} MiB")
    return data


def _require_few_pixels(path: Path, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        expected = f"at most {MOST_PIXELS // 1_000_000} million pixels"
        raise PictureError(path, expected=expected, found=f"{width} x {height}")


def _decode(path: Path, data: bytes) -> Image | None:
    try:
        with _quiet_decoders():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(path, expected="a picture", found=error.err or "no picture") from error
    return None if image is None else np.asarray(image, np.uint8)


def _is_truncated(data: bytes) -> bool:
    # Phones append data to a picture, so the end mark may come before the end.
    later_half = data[len(data) // 2 :]
    return any(
        data.startswith(begin) and end not in later_half for begin, end in _END_MARKS.items()
    )


def _open_video(path: Path) -> cv2.VideoCapture:
    expected = "a video"
    try:
        about = path.stat()
    except OSError as error:
        raise PictureError(path, expected=expected, found=_describe_error(error)) from error
    if not stat.S_ISREG(about.st_mode):
        raise PictureError(path, expected=expected, found="no regular file")
    if about.st_size == 0:
        raise PictureError(path, expected=expected, found="an empty file")
    with _quiet_decoders():
        capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise PictureError(path, expected=expected, found="no video, or one whose index is missing")
    width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
    height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    _require_few_pixels(path, width, height)
    # A narrower one has no rows or columns left in the small copies that show motion.
    if min(width, height) < max(LEAST_VIDEO_PX, max(width, height) / MOST_VIDEO_ASPECT):
        expected = f"a video of {LEAST_VIDEO_PX} pixels or more, no side {MOST_VIDEO_ASPECT} times"
        found = f"{width} x {height}"
        raise PictureError(path, expected=f"{expected} the other", found=found)
    return capture


def _read_next(capture: cv2.VideoCapture) -> Image | None:
    with _quiet_decoders():
        is_there, image = capture.read()
    return np.asarray(image, np.uint8) if is_there else None


@contextmanager
def _quiet_decoders() -> Iterator[None]:
    """
    Discard standard error of the whole process for a moment.

    The decoders write to its file descriptor, and have no other switch once they are loaded.
    """
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
