# SPDX-License-Identifier: MIT
"""What is wrong with a picture or a video."""

from __future__ import annotations

from pathlib import Path

from vision.picture_headers import MOST_PIXELS


class DamagedError(ValueError):
    """Data was not fully decoded; the message has the decoder's words."""


class PictureError(ValueError):
    """A file does not hold the picture or video that it should."""

    def __init__(self, path: Path, *, expected: str, found: str) -> None:
        self.path = path
        self.expected = expected
        self.found = found
        super().__init__(f"{path}: expected {expected}, found {found}")


class TornVideoError(PictureError):
    """A video ends or is damaged before its last frame; the frames up to there are whole."""


def describe_error(error: OSError) -> str:
    """Return why a file cannot be opened, for the end of a `PictureError`."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return (error.strerror or str(error)).lower()


def require_few_pixels(path: Path, width: int, height: int) -> None:
    """
    Require that a picture has at most `MOST_PIXELS`, which fit into memory, or raise
    `PictureError`.
    """
    if width * height > MOST_PIXELS:
        expected = f"at most {MOST_PIXELS // 1_000_000} million pixels"
        raise PictureError(path, expected=expected, found=f"{width} x {height}")
