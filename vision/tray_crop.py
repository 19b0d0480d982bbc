# SPDX-License-Identifier: MIT
"""
Crop frames to the tray, so that stored pictures do not show people around it.

The tray is the felt and a rim about one die wide, so that a die at the wall is complete. The crop
is a rectangle of the frame at full scale, black beside the tray. Pasted into a black frame it can
be read again with the same calibration, because every pixel is where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.frame import Image
from vision.pyramid import shrink_to
from vision.tray_map import TrayMap

RIM_EDGES = 1.25
"""Width of the rim in edges of a die. With less, the reader takes dice for cut off."""

Rectangle = tuple[int, int, int, int]  # A rectangle of a frame: x, y, width and height in pixels.


@dataclass(frozen=True, slots=True)
class TrayCrop:
    """The crop for frames of one size."""

    frame_wh: tuple[int, int]  # Width and height of these frames.
    rectangle_px: Rectangle  # The rectangle that is kept.
    # Shape (height, width) of the result, 255 on the tray and 0 beside it; `None` to keep all.
    mask: Image | None = field(default=None, repr=False, compare=False)
    longest_px: int | None = None  # Pixels of the longer side at most, if it is shrunk.

    def apply(self, image_bgr: Image) -> Image:
        """Return the crop of a frame of `frame_wh`, shape (height, width, 3)."""
        x, y, width, height = self.rectangle_px
        part = image_bgr[y : y + height, x : x + width]
        if self.longest_px is not None:
            part = shrink_to(part, self.longest_px)
        if self.mask is None:
            return part
        return np.asarray(cv2.bitwise_and(part, part, mask=self.mask), np.uint8)

    def shrink(self, longest_px: int) -> TrayCrop:
        """Return the same crop with at most `longest_px` pixels on its longer side."""
        if self.mask is None:
            return replace(self, longest_px=longest_px)
        # Only pixels that show nothing beside the tray.
        mask = (shrink_to(self.mask, longest_px) == 255) * np.uint8(255)
        return replace(self, longest_px=longest_px, mask=np.asarray(mask, np.uint8))


def keep_whole_frame(frame_wh: tuple[int, int]) -> TrayCrop:
    """Return the crop that keeps the whole frame, for a tray that is not calibrated."""
    return TrayCrop(frame_wh, (0, 0, *frame_wh))


def crop_to_tray(tray: TrayMap) -> TrayCrop:
    """Return the crop for frames of a map's size; the whole frame if it shows no tray."""
    width, height = tray.picture_wh
    outline = _outline_tray(tray)
    low = np.clip(np.floor(outline.min(axis=0)), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(outline.max(axis=0)) + 1, 0, (width, height)).astype(int)
    if (high <= low).any():
        return keep_whole_frame(tray.picture_wh)
    (x, y), (kept_width, kept_height) = low.tolist(), (high - low).tolist()
    mask = np.zeros((kept_height, kept_width), np.uint8)
    cv2.fillPoly(mask, [np.round(outline - low).astype(np.int32)], 255)
    return TrayCrop(tray.picture_wh, (x, y, kept_width, kept_height), mask)


def paste_into_frame(
    picture_bgr: Image, rectangle_px: Rectangle, frame_wh: tuple[int, int]
) -> Image:
    """
    Return a black frame with a crop in its rectangle, to be read like the original frame.

    Raises:
        ValueError: The crop is not of that size, or the rectangle is not within the frame.
    """
    x, y, width, height = rectangle_px
    if picture_bgr.shape[:2] != (height, width):
        found = f"{picture_bgr.shape[1]} x {picture_bgr.shape[0]}"
        raise ValueError(f"expected a picture of {width} x {height} pixels, found {found}")
    if min(x, y) < 0 or x + width > frame_wh[0] or y + height > frame_wh[1]:
        raise ValueError(f"expected a place within {frame_wh}, found {rectangle_px}")
    frame = np.zeros((frame_wh[1], frame_wh[0], 3), np.uint8)
    frame[y : y + height, x : x + width] = picture_bgr
    return frame


def _outline_tray(tray: TrayMap) -> np.ndarray:
    """Return the outline of the felt with its rim, up to the top of dice, (n, 2)."""
    rim_mm = RIM_EDGES * tray.die_edge_mm
    steps = rim_mm * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    rim = (np.array(tray.felt_mm)[:, None] + steps).reshape(-1, 2)
    seen = np.concatenate([tray.to_px(rim), tray.tops_to_px(rim)])
    hull = cv2.convexHull(seen.astype(np.float32))
    return np.asarray(hull, np.float64).reshape(-1, 2)
