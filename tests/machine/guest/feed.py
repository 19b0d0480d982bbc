# SPDX-License-Identifier: MIT
"""
Be the webcam: deliver the pictures of a film to a v4l2loopback device, at a steady rate.

    feed.py DEVICE FILMS FPS

FILMS has a folder for each film, and in that its JPEGs by number. The file `/run/webcam` names a
film to play; its last pictures then repeat, as many as `LINGER` says: dice at rest, with new noise
in each picture.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

REQUEST = Path("/run/webcam")
LINGER = 61  # Many: a reader that is late and takes any of them seldom sees one twice.

VIDEO_OUTPUT, FIELD_NONE = 2, 1
VIDIOC_S_FMT = 0xC0D05605
MJPEG = int.from_bytes(b"MJPG", "little")
FORMAT_SIZE = 208


def set_format(device: int, width: int, height: int) -> None:
    """Say what pictures come, as `struct v4l2_format` has it."""
    pixels = struct.pack("8I", width, height, MJPEG, FIELD_NONE, 0, width * height * 2, 0, 0)
    wanted = struct.pack("I4x", VIDEO_OUTPUT) + pixels
    fcntl.ioctl(device, VIDIOC_S_FMT, bytearray(wanted.ljust(FORMAT_SIZE, b"\0")))


def read_size(jpeg: bytes) -> tuple[int, int]:
    """Return width and height from the first frame header of a JPEG."""
    at = 2
    while jpeg[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    height, width = struct.unpack_from(">HH", jpeg, at + 5)
    return width, height


def play(films: Path) -> Iterator[bytes]:
    """Yield the pictures of the requested film, then its last ones again and again."""
    played = ""
    while True:
        if REQUEST.exists():
            played = REQUEST.read_text()
            REQUEST.unlink()
        pictures = [path.read_bytes() for path in sorted((films / (played or "empty")).iterdir())]
        for picture in itertools.chain(pictures, itertools.cycle(pictures[-LINGER:])):
            yield picture
            if REQUEST.exists():
                break


def main() -> None:
    device_path, films, fps = sys.argv[1:]
    pictures = play(Path(films))
    first = next(pictures)
    device = os.open(device_path, os.O_RDWR)
    set_format(device, *read_size(first))
    due_s = time.monotonic()
    for picture in itertools.chain([first], pictures):
        os.write(device, picture)
        due_s = max(due_s + 1 / float(fps), time.monotonic() - 1)
        time.sleep(max(0.0, due_s - time.monotonic()))


if __name__ == "__main__":
    main()
