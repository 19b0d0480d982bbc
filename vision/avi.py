# SPDX-License-Identifier: MIT
"""
Encode JPEGs as a video: an AVI file in the Motion JPEG format.

The frames are stored byte for byte, so the same frames make the same file on every machine. No
video codec is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_HAS_INDEX = 0x10
_KEY_FRAME = 0x10
_BITS_PER_PIXEL = 24
_CODE = b"MJPG"
_FRAME = b"00dc"
_WHOLE = 0xFFFFFFFF


def encode_motion_jpeg(
    frames: Sequence[bytes], size_wh: tuple[int, int], *, frame_us: int
) -> bytes:
    """
    Return the bytes of an AVI file that shows these frames one after the other.

    Args:
        frames: JPEGs of the same size, in their order.
        frame_us: How long each is shown, in microseconds.

    Raises:
        ValueError: There are no frames, or their time is 0.
    """
    if not frames or frame_us < 1:
        raise ValueError(f"expected frames and a time, found {len(frames)} and {frame_us} us")
    chunks = [_chunk(_FRAME, frame) for frame in frames]
    stream = _list(b"strl", _stream_header(frames, size_wh, frame_us) + _format(size_wh))
    header = _list(b"hdrl", _main_header(frames, size_wh, frame_us) + stream)
    body = header + _list(b"movi", b"".join(chunks)) + _index(frames, chunks)
    return _chunk(b"RIFF", b"AVI " + body)


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return _chunk(b"LIST", name + data)


def _main_header(frames: Sequence[bytes], size_wh: tuple[int, int], frame_us: int) -> bytes:
    largest = max(map(len, frames))
    bytes_a_second = largest * 1_000_000 // frame_us
    begins = (frame_us, bytes_a_second, 0, _HAS_INDEX, len(frames), 0, 1, largest)
    return _chunk(b"avih", struct.pack("<14I", *begins, *size_wh, 0, 0, 0, 0))


def _stream_header(frames: Sequence[bytes], size_wh: tuple[int, int], frame_us: int) -> bytes:
    largest = max(map(len, frames))
    times = (0, frame_us, 1_000_000, 0, len(frames), largest, _WHOLE, 0)
    fields = struct.pack("<4s4sIHH8I4H", b"vids", _CODE, 0, 0, 0, *times, 0, 0, *size_wh)
    return _chunk(b"strh", fields)


def _format(size_wh: tuple[int, int]) -> bytes:
    width, height = size_wh
    size = (40, width, height, 1, _BITS_PER_PIXEL, _CODE, 3 * width * height, 0, 0, 0, 0)
    return _chunk(b"strf", struct.pack("<IiiHH4sIiiII", *size))


def _index(frames: Sequence[bytes], chunks: Sequence[bytes]) -> bytes:
    """Return where every frame begins, counted from the name of their list."""
    lines, at = [], 4
    for frame, chunk in zip(frames, chunks, strict=True):
        lines.append(struct.pack("<4sIII", _FRAME, _KEY_FRAME, at, len(frame)))
        at += len(chunk)
    return _chunk(b"idx1", b"".join(lines))
