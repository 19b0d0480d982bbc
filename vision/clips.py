# SPDX-License-Identifier: MIT
"""
The last seconds before a rest, to be looked at when somebody doubts a throw.

A ring holds small frames as JPEGs; the oldest fall out, by their age and by their bytes, so
its memory has an end whatever happens in the tray. Not every frame is taken: what a throw
was can be seen at half of a camera's speed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from vision.avi import encode_motion_jpeg
from vision.frame import Image
from vision.image_files import encode_jpeg


@dataclass(frozen=True, slots=True)
class ClipParams:
    """
    How much of a throw is held.

    Attributes:
        span_s: So many seconds at most.
        fps: So many frames a second at most.
        quality: Of a frame's JPEG, 1 to 100.
        most_bytes: So many bytes of frames at most.
    """

    span_s: float = 6.0
    fps: float = 15.0
    quality: int = 70
    most_bytes: int = 3_000_000


@dataclass(frozen=True, slots=True)
class _RingFrame:
    at_s: float
    size_wh: tuple[int, int]
    jpeg: bytes


class ClipRing:
    """
    The newest small frames of one camera.

    Args:
        params: How much is held.
    """

    def __init__(self, params: ClipParams | None = None) -> None:
        self.params = params or ClipParams()
        self._frames: deque[_RingFrame] = deque()
        self._bytes = 0

    @property
    def held_bytes(self) -> int:
        """How many bytes the frames are that it holds."""
        return self._bytes

    def add(self, at_s: float, shown: Callable[[], Image], *, is_last: bool = False) -> None:
        """
        Take a frame, if it is time for one.

        Args:
            at_s: When it was taken, in seconds.
            shown: Makes the small picture; asked only where the frame is taken.
            is_last: Whether it is taken in any case, because a clip ends with it.
        """
        if self._frames and at_s < self._frames[-1].at_s:
            self.clear()  # the camera was opened anew
        if self._frames and at_s == self._frames[-1].at_s:
            return
        # Cameras are not quite regular; a frame that comes a little early is the next one.
        if not is_last and self._frames and at_s - self._frames[-1].at_s < 0.8 / self.params.fps:
            return
        image = shown()
        jpeg = encode_jpeg(image, quality=self.params.quality)
        self._frames.append(_RingFrame(at_s, (image.shape[1], image.shape[0]), jpeg))
        self._bytes += len(jpeg)
        while self._is_too_much():
            self._bytes -= len(self._frames.popleft().jpeg)

    def make_clip(self, from_s: float) -> bytes:
        """Return the frames since then as a clip; nothing where there are fewer than two."""
        if not self._frames:
            return b""
        last = self._frames[-1]
        # A new calibration in between shows another part of the frame.
        held = [one for one in self._frames if one.at_s >= from_s and one.size_wh == last.size_wh]
        span_s = last.at_s - held[0].at_s if held else 0.0
        if len(held) < 2 or span_s <= 0.0:
            return b""
        frame_us = max(1, round(span_s / (len(held) - 1) * 1_000_000))
        return encode_motion_jpeg([one.jpeg for one in held], last.size_wh, frame_us=frame_us)

    def clear(self) -> None:
        """Forget all frames."""
        self._frames.clear()
        self._bytes = 0

    def _is_too_much(self) -> bool:
        span_s = self._frames[-1].at_s - self._frames[0].at_s
        is_over = self._bytes > self.params.most_bytes or span_s > self.params.span_s
        return is_over and len(self._frames) > 1
