# SPDX-License-Identifier: MIT
"""
Decode JPEGs, and refuse a damaged one.

libjpeg fills what is missing with grey, and only warns. libjpeg-turbo's own interface can stop at
a warning instead; its pixels are those of OpenCV, which uses the same library.

Many webcams put a few filler bytes before a marker, in every picture. libjpeg warns of them too,
and of nothing after them. FFmpeg's decoder ignores them, so it decides about such a picture.
"""

from __future__ import annotations

import re

import numpy as np
import simplejpeg

from vision.decoding.errors import DamagedError
from vision.decoding.ffmpeg import is_whole_jpeg
from vision.frame import Image

_MOST_FILLER = 16  # Bytes before one marker; after damage, far more are left over.
_LEFT_OVER = re.compile(r"Corrupt JPEG data: (\d+) extraneous bytes before marker 0xd\d")
_RESTART = re.compile(rb"\xff[\xd0-\xd7]")


def decode_jpeg(data: bytes) -> Image:
    """
    Return the picture in a JPEG, (height, width, 3), as it is stored.

    What follows the JPEG's end mark does not count.

    Raises:
        DamagedError: It is not whole, or no JPEG that libjpeg-turbo decodes.
    """

    def decode(*, is_strict: bool) -> Image:
        return np.asarray(simplejpeg.decode_jpeg(data, "BGR", strict=is_strict), np.uint8)

    try:
        return decode(is_strict=True)
    except ValueError as error:
        if not _is_filler(str(error), data) or not is_whole_jpeg(data):
            raise DamagedError(str(error)) from error
    return decode(is_strict=False)


def _is_filler(warning: str, data: bytes) -> bool:
    """Return whether a warning is of filler bytes; their number adds up over the markers."""
    found = _LEFT_OVER.fullmatch(warning)
    most = _MOST_FILLER * (1 + len(_RESTART.findall(data)))
    return found is not None and int(found[1]) <= most
