# SPDX-License-Identifier: MIT
"""
Read files of a data folder that may come from anyone.

Such a folder can hold anything under a name: an endless device, a pipe without a writer, a line
or a picture that fills all memory. So only regular files are opened, and no more is read than a
table would have written.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from controller.durable_files import open_regular_file

MAX_LINE_BYTES = 1 << 20
"""No entry is longer; tables write at most some ten thousand bytes."""
MAX_FILE_BYTES = 1 << 26
"""No picture and no clip is larger."""

# Frame headers of every kind of JPEG; C4, C8 and CC are other segments.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Markers without a length, or the scan itself; none belongs before a frame header.
_NO_SEGMENT = frozenset({0x00, 0x01, *range(0xD0, 0xDB)})


def read_limited(path: Path) -> bytes:
    """
    Return the content of a picture or a clip.

    Raises:
        OSError: It cannot be read, is no regular file, or is larger than any of them.
    """
    with open(open_regular_file(path), "rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read()


def iter_lines_limited(file: BinaryIO) -> Iterator[bytes]:
    """
    Yield the lines of a journal with their newlines; the last may lack it.

    A line that is too long is cut to one byte beyond the limit, plus a newline.
    """
    while raw := file.readline(MAX_LINE_BYTES + 1):
        if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
        yield raw + b"\n"


def read_jpeg_size_px(data: bytes) -> tuple[int, int] | None:
    """Return width and height from a JPEG's header; `None` without such a header."""
    place = 2 if data.startswith(b"\xff\xd8\xff") else len(data)
    while data[place : place + 1] == b"\xff" and place + 9 <= len(data):
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4])
        if marker in _FRAME_MARKERS:
            height = int.from_bytes(data[place + 5 : place + 7])
            return int.from_bytes(data[place + 7 : place + 9]), height
        if marker in _NO_SEGMENT:
            return None
        # Fill bytes may precede a marker.
        place += 1 if marker == 0xFF else 2 + length
    return None
