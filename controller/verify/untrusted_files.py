# SPDX-License-Identifier: MIT
"""
Read files of a data folder that may come from anyone.

Such a folder can hold anything under a name: an endless device, a pipe without a writer, a line
or a picture that fills all memory. So only regular files are opened, and read up to a limit
that no table exceeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from controller.base.durable_files import read_regular_file

MAX_LINE_BYTES = 1 << 20  # No entry is longer; tables write at most some ten thousand bytes.
MAX_FILE_BYTES = 1 << 26  # No picture and no clip is larger.


def read_limited(path: Path) -> bytes:
    """Return a picture or a clip; OSError if it is no regular file, or larger than any of them."""
    return read_regular_file(path, MAX_FILE_BYTES)


def iter_lines_limited(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines with their newlines, which the last may lack; one that is too long is cut."""
    while raw := file.readline(MAX_LINE_BYTES + 1):
        if len(raw) <= MAX_LINE_BYTES or raw.endswith(b"\n"):
            yield raw
            continue
        while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
            pass
        yield raw + b"\n"
