# SPDX-License-Identifier: MIT
"""
Read the size of a picture from its header, without decoding it.

A file of a few kilobytes can demand more memory than there is. So the size is known before a
decoder sees the file. The formats are those of `image_files.PICTURE_ENDINGS`: JPEG (ITU-T T.81),
PNG (RFC 2083), BMP, WebP (RFC 9649), TIFF 6.0, GIF89a, JPEG 2000 (ITU-T T.800) and AVIF (its
container is ISO/IEC 23008-12).
"""

from __future__ import annotations

MOST_PIXELS = 100_000_000  # Pictures with more pixels are not decoded; 300 MB in memory.
Size = tuple[int, int]  # Width and height in pixels.
PNG_BEGIN = b"\x89PNG\r\n\x1a\n"  # How a PNG begins.

_JP2_BEGIN = b"\0\0\0\x0cjP  \r\n\x87\n"
_CODESTREAM = b"\xff\x4f\xff\x51"  # How the picture in a JPEG 2000 file begins.
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"})

# Frame headers of every kind of JPEG; C4, C8 and CC are other segments.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Markers without a length, or the scan itself; none belongs before a frame header.
_NO_SEGMENT = frozenset({0x00, 0x01, *range(0xD0, 0xDB)})
_TIFF_BEGIN = (b"II*\0", b"MM\0*")
_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_BYTES = {3: 2, 4: 4}  # Bytes of the types that sizes may have: SHORT and LONG.


def read_picture_size(data: bytes) -> Size | None:
    """Return width and height from a header; `None` if the format is unknown or it is torn."""
    if data.startswith(b"\xff\xd8"):
        return read_jpeg_size(data)
    if data.startswith(PNG_BEGIN) and data[12:16] == b"IHDR" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    if data.startswith(b"BM") and len(data) >= 26:
        return _read_bmp_size(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _read_webp_size(data)
    if data.startswith(_TIFF_BEGIN):
        return _read_tiff_size(data)
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if data.startswith((_JP2_BEGIN, _CODESTREAM)):
        return _read_jpeg_2000_size(data)
    if _read_brands(data) & _AVIF_BRANDS:
        return _read_avif_size(data)
    return None


def is_heic(data: bytes) -> bool:
    """Return whether the content is a HEIC picture, as phones write them."""
    return bool(_read_brands(data) & _HEIC_BRANDS)


def read_jpeg_size(data: bytes) -> Size | None:
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


def _read_bmp_size(data: bytes) -> Size:
    if int.from_bytes(data[14:18], "little") == 12:
        return int.from_bytes(data[18:20], "little"), int.from_bytes(data[20:22], "little")
    width = int.from_bytes(data[18:22], "little", signed=True)
    # A negative height means that the rows run from the top.
    return abs(width), abs(int.from_bytes(data[22:26], "little", signed=True))


def _read_webp_size(data: bytes) -> Size | None:
    chunk, body = data[12:16], data[20:30]
    if chunk == b"VP8X":
        return (int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1)
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 ":
        width, height = (int.from_bytes(body[at : at + 2], "little") for at in (6, 8))
        return width & 0x3FFF, height & 0x3FFF
    return None


def _read_tiff_size(data: bytes) -> Size | None:

    def number(at: int, length: int) -> int:
        is_little = data.startswith(b"II")
        return int.from_bytes(data[at : at + length], "little" if is_little else "big")

    directory = number(4, 4)
    sizes: dict[int, int] = {}
    for entry in range(number(directory, 2)):
        at = directory + 2 + 12 * entry
        if at + 12 > len(data):
            break
        if length := _TIFF_BYTES.get(number(at + 2, 2)):
            sizes.setdefault(number(at, 2), number(at + 8, length))
    if _TIFF_WIDTH not in sizes or _TIFF_HEIGHT not in sizes:
        return None
    return sizes[_TIFF_WIDTH], sizes[_TIFF_HEIGHT]


def _read_jpeg_2000_size(data: bytes) -> Size | None:
    place = data.find(_CODESTREAM)
    fields = data[place + 8 : place + 24]
    if place < 0 or len(fields) < 16:
        return None
    right, bottom, left, top = (int.from_bytes(fields[at : at + 4]) for at in (0, 4, 8, 12))
    return right - left, bottom - top


def _read_brands(data: bytes) -> frozenset[bytes]:
    if data[4:8] != b"ftyp":
        return frozenset()
    end = min(int.from_bytes(data[:4]), len(data))
    return frozenset(data[at : at + 4] for at in range(8, end, 4))


def _read_avif_size(data: bytes) -> Size | None:
    """Return the largest size of a picture in the file, which may hold smaller ones too."""
    sizes: list[Size] = []
    place = data.find(b"ispe")
    while 0 <= place <= len(data) - 16:
        width, height = data[place + 8 : place + 12], data[place + 12 : place + 16]
        sizes.append((int.from_bytes(width), int.from_bytes(height)))
        place = data.find(b"ispe", place + 4)
    return max(sizes, key=lambda size: size[0] * size[1], default=None)
