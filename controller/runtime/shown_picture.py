# SPDX-License-Identifier: MIT
"""
Choose which frames screens show: every one while something moves, else only what is new.

A camera's noise makes every frame another picture, so frames are compared as those of a rest are.
Slow changes, such as daylight's, still arrive: the picture is never older than some seconds.
"""

from __future__ import annotations

from typing import NamedTuple

from vision.frame import Frame
from vision.image_files import encode_jpeg
from vision.pyramid import halve
from vision.tracking.motion import SparseReference

SHORTEST_S = 0.5
"""Between two pictures while nothing moves."""

LONGEST_S = 5.0
"""After this time at rest a picture is shown although it looks the same."""


class EncodedPicture(NamedTuple):
    """A picture as a JPEG, without bytes before the first one."""

    number: int = 0
    jpeg: bytes = b""
    scale: int = 1  # Pixels of the frame for one of this picture, along each side.


class ShownPicture:
    """The newest picture for screens. One thread adds frames, any thread encodes it."""

    def __init__(self) -> None:
        self._shown: Frame | None = None
        self._reference: SparseReference | None = None  # That of the frame that is shown.
        self._compared_at_s = 0.0
        self._encoded: dict[bool, tuple[Frame, EncodedPicture]] = {}

    def add(self, frame: Frame, *, is_live: bool) -> None:
        """Show a frame if it is live, or if it is new to who sees the last one."""
        if is_live or self._shown is None or self._is_due(self._shown, frame):
            self._shown, self._reference, self._compared_at_s = frame, None, frame.at_s
            self._encoded = {}  # Or a page that was closed would keep its frame.

    def encode(self, *, is_small: bool = False) -> EncodedPicture:
        """Return it, once encoded for all screens; for small ones at half its size if possible."""
        frame, encoded = self._shown, self._encoded.get(is_small)
        if frame is None:
            return EncodedPicture()
        if encoded is None or encoded[0] is not frame:
            image, scale = frame.image_bgr, 1
            if is_small and not any(side % 2 for side in image.shape[:2]):
                image, scale = halve(image), 2
            encoded = (frame, EncodedPicture(frame.number, encode_jpeg(image), scale))
            self._encoded[is_small] = encoded
        return encoded[1]

    def _is_due(self, shown: Frame, frame: Frame) -> bool:
        if frame.number < shown.number or frame.at_s < shown.at_s:
            return True  # The camera was opened again.
        if frame.at_s - self._compared_at_s < SHORTEST_S:
            return False
        self._compared_at_s = frame.at_s
        if frame.at_s - shown.at_s >= LONGEST_S:
            return True
        if self._reference is None:
            self._reference = SparseReference(shown.image_bgr)
        return not self._reference.is_unchanged(frame.image_bgr)
