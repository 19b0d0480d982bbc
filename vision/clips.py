# SPDX-License-Identifier: MIT
"""
Keep the last seconds before a rest as a clip, as evidence for a doubted throw.

A ring holds small frames as JPEGs. The oldest are dropped by age and by bytes, so its memory is
limited. Not every frame is kept: half of a camera's speed is enough to show a throw.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.frame import Image
from vision.image_files import encode_jpeg

_SPAN_S = 6.0  # Most seconds that are kept.
_FPS = 15.0  # Most frames per second.
_QUALITY = 70  # Quality of the JPEGs, 1 to 100.
_MOST_BYTES = 3_000_000  # Most bytes of all frames.


@dataclass(frozen=True, slots=True)
class _RingFrame:
    at_s: float
    size_wh: tuple[int, int]
    jpeg: bytes


class ClipRing:
    """The newest small frames of one camera."""

    def __init__(self) -> None:
        self._frames: deque[_RingFrame] = deque()
        self._bytes = 0

    @property
    def held_bytes(self) -> int:
        """Size of all frames in bytes."""
        return self._bytes

    def add(self, at_s: float, shrink: Callable[[], Image], *, is_last: bool = False) -> None:
        """
        Add a frame if enough time has passed, or if a clip ends with it.

        `shrink` returns the small picture; it is called only if the frame is added.
        """
        if self._frames and at_s < self._frames[-1].at_s:
            self.clear()  # The camera was opened again.
        if self._frames and at_s == self._frames[-1].at_s:
            return
        # Cameras are not quite regular, so a frame that comes a little early counts.
        if not is_last and self._frames and at_s - self._frames[-1].at_s < 0.8 / _FPS:
            return
        image = shrink()
        jpeg = encode_jpeg(image, quality=_QUALITY)
        self._frames.append(_RingFrame(at_s, (image.shape[1], image.shape[0]), jpeg))
        self._bytes += len(jpeg)
        while self._is_too_much():
            self._bytes -= len(self._frames.popleft().jpeg)

    def make_clip(self, from_s: float) -> bytes:
        """Return the frames since a time as a clip; empty if there are fewer than two."""
        if not self._frames:
            return b""
        last = self._frames[-1]
        # A new calibration in between changes the crop, and with it the size.
        held = [one for one in self._frames if one.at_s >= from_s and one.size_wh == last.size_wh]
        span_s = last.at_s - held[0].at_s if held else 0.0
        if len(held) < 2 or span_s <= 0.0:
            return b""
        frame_us = max(1, round(span_s / (len(held) - 1) * 1_000_000))
        return encode_motion_jpeg([one.jpeg for one in held], last.size_wh, frame_us=frame_us)

    def clear(self) -> None:
        self._frames.clear()
        self._bytes = 0

    def _is_too_much(self) -> bool:
        span_s = self._frames[-1].at_s - self._frames[0].at_s
        is_over = self._bytes > _MOST_BYTES or span_s > _SPAN_S
        return is_over and len(self._frames) > 1


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
    Return the bytes of an AVI file in the Motion JPEG format that shows JPEGs of one size.

    They are stored byte for byte, so the same frames make the same file on every machine, and no
    video codec is needed.

    Raises:
        ValueError: There are no frames, or their time is 0.
    """
    if not frames or frame_us < 1:
        raise ValueError(f"expected frames and a time, found {len(frames)} and {frame_us} us")
    (width, height), largest = size_wh, max(map(len, frames))
    bytes_a_second = largest * 1_000_000 // frame_us
    begins = (frame_us, bytes_a_second, 0, _HAS_INDEX, len(frames), 0, 1, largest)
    main = struct.pack("<14I", *begins, width, height, 0, 0, 0, 0)
    times = (0, frame_us, 1_000_000, 0, len(frames), largest, _WHOLE, 0)
    stream = struct.pack("<4s4sIHH8I4H", b"vids", _CODE, 0, 0, 0, *times, 0, 0, width, height)
    sizes = (40, width, height, 1, _BITS_PER_PIXEL, _CODE, 3 * width * height, 0, 0, 0, 0)
    streams = _chunk(b"strh", stream) + _chunk(b"strf", struct.pack("<IiiHH4sIiiII", *sizes))
    header = _list(b"hdrl", _chunk(b"avih", main) + _list(b"strl", streams))
    chunks = [_chunk(_FRAME, frame) for frame in frames]
    lines, at = [], 4  # Where every frame begins, counted from the name of their list.
    for frame, chunk in zip(frames, chunks, strict=True):
        lines.append(struct.pack("<4sIII", _FRAME, _KEY_FRAME, at, len(frame)))
        at += len(chunk)
    body = header + _list(b"movi", b"".join(chunks)) + _chunk(b"idx1", b"".join(lines))
    return _chunk(b"RIFF", b"AVI " + body)


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(name: bytes, data: bytes) -> bytes:
    return _chunk(b"LIST", name + data)
