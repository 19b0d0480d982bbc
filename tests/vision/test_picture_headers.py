# SPDX-License-Identifier: MIT
"""The size in a header is that of the decoded picture, and a torn header has none."""

from __future__ import annotations

import struct

import cv2
import numpy as np
import pytest

from vision.picture_headers import read_jpeg_size, read_picture_size

SIZE_WH = (301, 37)


def header(width_px: int, height_px: int) -> bytes:
    """Return how a JPEG of this size begins."""
    return b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height_px, width_px, 3) + bytes(9)


def encode(ending: str, *options: int) -> bytes:
    picture = np.full((*SIZE_WH[::-1], 3), 90, np.uint8)
    return bytes(cv2.imencode(ending, picture, options)[1].tobytes())


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp", ".tif"])
def test_the_size_is_that_of_the_decoded_picture(ending: str) -> None:
    assert read_picture_size(encode(ending)) == SIZE_WH


EXTENDED = b"VP8X" + struct.pack("<I", 10) + bytes(4) + b"\x2c\x01\0\x24\0\0"
BITMAP = encode(".bmp")
TIFF_ENTRIES = struct.pack(">HHIHHHHII", 256, 3, 1, 301, 0, 257, 4, 1, 37)
CODESTREAM = b"\xff\x4f\xff\x51" + struct.pack(">HHIIII", 47, 0, 311, 40, 10, 3)
AVIF_SIZES = [b"ispe" + struct.pack(">III", 0, *size) for size in ((16, 16), SIZE_WH)]
HEADERS = {
    "lossless WebP": encode(".webp", cv2.IMWRITE_WEBP_QUALITY, 101),
    "extended WebP": b"RIFF" + struct.pack("<I", len(EXTENDED) + 4) + b"WEBP" + EXTENDED,
    "old bitmap": b"BM" + bytes(12) + struct.pack("<IHHHH", 12, *SIZE_WH, 1, 24),
    "bitmap from the top": BITMAP[:22] + struct.pack("<i", -37) + BITMAP[26:],
    "TIFF of the other byte order": b"MM\0*" + struct.pack(">IH", 8, 2) + TIFF_ENTRIES,
    "GIF": b"GIF89a" + struct.pack("<HH", *SIZE_WH),
    "JPEG 2000": CODESTREAM,
    "JPEG 2000 in a box": b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(30) + CODESTREAM,
    "AVIF": b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif" + bytes(9).join(AVIF_SIZES),
}


@pytest.mark.parametrize("kind", HEADERS)
def test_a_header_gives_the_size(kind: str) -> None:
    assert read_picture_size(HEADERS[kind]) == SIZE_WH


@pytest.mark.parametrize("ending", [".jpg", ".png", ".bmp", ".webp", ".tif", ".jp2"])
def test_a_torn_header_has_no_size(ending: str) -> None:
    assert all(read_picture_size(encode(ending)[:length]) is None for length in range(12))


def test_other_formats_have_no_size() -> None:
    assert read_picture_size(b"P6 20000 20000 255 " + bytes(9)) is None
    assert read_picture_size(b"\0\0\0\x18ftypheic" + bytes(30)) is None


@pytest.mark.parametrize("ending", [".jp2", ".avif", ".gif"])
def test_the_size_of_a_newer_format_is_that_of_the_picture(ending: str) -> None:
    if not cv2.haveImageWriter(f"a{ending}"):
        pytest.skip("this OpenCV has no such format")
    assert read_picture_size(encode(ending)) == SIZE_WH


def test_only_what_is_a_jpeg_from_its_first_byte_has_a_size() -> None:
    assert read_jpeg_size(b"\xff\xd8\xff\xfe\x00\x04ab\xff\xff" + header(3, 2)) == (3, 2)
    assert read_jpeg_size(b"BM" + header(3, 2)) is None
    assert read_jpeg_size(b"\xff\xd8\xff\x00\x00\x02" + header(3, 2)) is None
    assert read_jpeg_size(b"\xff\xd8\xff\xe0\x00\x00" * 3) is None
