# SPDX-License-Identifier: MIT
"""
The files of a data folder that nobody vouches for.

Whoever can write into a folder that is checked can put anything under a name: a device that
never ends, a pipe into which nobody writes, a line or a picture that fills all memory. So
nothing but regular files is opened here, and no more is read than a table would have written.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from controller.durable_files import open_regular_file

MAX_LINE_BYTES = 1 << 20
"""No entry is longer; the longest that tables write have some ten thousand bytes."""
MAX_FILE_BYTES = 1 << 26
"""No picture and no clip is larger."""

# Start of a frame of any kind of JPEG; C4, C8 and CC mean something else.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Behind these stands no length, or the picture itself; none of them belongs before a frame.
_NO_SEGMENT = frozenset({0x00, 0x01, *range(0xD0, 0xDB)})


def read_limited(path: Path) -> bytes:
    """
    Return the content of a picture or clip.

    Raises:
        OSError: It cannot be read, is no regular file, or is larger than any of them.
    """
    with open(open_regular_file(path), "rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read()


def iter_lines_limited(file: BinaryIO) -> Iterator[bytes]:
    """
    Yield the lines of a journal, each with its end; the last may lack it.

    Of a line that is longer than any entry only one byte too many is told, and an end.
    """
    while raw := file.readline(MAX_LINE_BYTES + 1):
        if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
        yield raw + b"\n"


def read_jpeg_size_px(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a JPEG from its header; none where it has no such header."""
    place = 2 if data.startswith(b"\xff\xd8\xff") else len(data)
    while data[place : place + 1] == b"\xff" and place + 9 <= len(data):
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4])
        if marker in _FRAME_MARKERS:
            height = int.from_bytes(data[place + 5 : place + 7])
            return int.from_bytes(data[place + 7 : place + 9]), height
        if marker in _NO_SEGMENT:
            return None
        # Any number of these may stand before a marker.
        place += 1 if marker == 0xFF else 2 + length
    return None
