# SPDX-License-Identifier: MIT
"""
What of a frame may be kept: the tray, and nothing of whoever sits around it.

The tray is the felt and a rim as wide as a die or so, so that a die against the wall is
whole. What is kept is a rectangle of the frame at its full scale; whatever of that
rectangle lies beside the tray is black. Put back into a black frame it can be read again
by the same calibration, for every pixel is where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.frame import Image
from vision.tray_map import TrayMap

RIM_EDGES = 1.25
"""So much around the felt is kept, in edges of a die: a reader takes less for a cut die."""

Place = tuple[int, int, int, int]
"""A rectangle of a frame: x, y, width and height in pixels."""


@dataclass(frozen=True, slots=True)
class TrayCrop:
    """
    What is kept of the frames of one size.

    Attributes:
        frame_wh: Width and height of these frames.
        place_px: The rectangle that is kept.
        mask: Shape (height, width) of that rectangle, 255 where the tray is and 0 beside it;
            none where all of it is kept.
    """

    frame_wh: tuple[int, int]
    place_px: Place
    mask: Image | None = field(default=None, repr=False, compare=False)

    def of(self, image_bgr: Image, *, longest_px: int | None = None) -> Image:
        """
        Return what is kept of a frame.

        Args:
            image_bgr: A frame of `frame_wh`, shape (height, width, 3).
            longest_px: The longer side of what is returned, where that shall be smaller.
        """
        x, y, width, height = self.place_px
        part = image_bgr[y : y + height, x : x + width]
        mask = self.mask
        scale = 1.0 if longest_px is None else min(1.0, longest_px / max(width, height))
        if scale < 1.0:
            part = _smaller(part, scale)
            mask = None if mask is None else _smaller(mask, scale)
        if mask is None:
            return part
        return np.asarray(cv2.bitwise_and(part, part, mask=_whole_pixels(mask)), np.uint8)


def whole_frame(frame_wh: tuple[int, int]) -> TrayCrop:
    """Return the crop that keeps all of a frame, where nobody knows where the tray is."""
    return TrayCrop(frame_wh, (0, 0, *frame_wh))


def tray_crop(tray: TrayMap) -> TrayCrop:
    """Return what is kept of the frames that a map is for; all of one that shows no tray."""
    width, height = tray.picture_wh
    outline = _outline_px(tray)
    low = np.clip(np.floor(outline.min(axis=0)), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(outline.max(axis=0)) + 1, 0, (width, height)).astype(int)
    if (high <= low).any():
        return whole_frame(tray.picture_wh)
    (x, y), (kept_width, kept_height) = low.tolist(), (high - low).tolist()
    mask = np.zeros((kept_height, kept_width), np.uint8)
    cv2.fillPoly(mask, [np.round(outline - low).astype(np.int32)], 255)
    return TrayCrop(tray.picture_wh, (x, y, kept_width, kept_height), mask)


def in_frame(picture_bgr: Image, place_px: Place, frame_wh: tuple[int, int]) -> Image:
    """
    Return a black frame with a kept picture in its place, to be read as the frame was.

    Args:
        picture_bgr: The picture, shape (height, width, 3).
        place_px: Where it lay in the frame.
        frame_wh: Width and height of the frame.

    Raises:
        ValueError: The picture is not of that size, or the place is not within the frame.
    """
    x, y, width, height = place_px
    if picture_bgr.shape[:2] != (height, width):
        found = f"{picture_bgr.shape[1]} x {picture_bgr.shape[0]}"
        raise ValueError(f"expected a picture of {width} x {height} pixels, found {found}")
    if min(x, y) < 0 or x + width > frame_wh[0] or y + height > frame_wh[1]:
        raise ValueError(f"expected a place within {frame_wh}, found {place_px}")
    frame = np.zeros((frame_wh[1], frame_wh[0], 3), np.uint8)
    frame[y : y + height, x : x + width] = picture_bgr
    return frame


def _outline_px(tray: TrayMap) -> np.ndarray:
    """The outline of what is kept, (n, 2): the rim on the felt, and as far up as dice reach."""
    rim_mm = RIM_EDGES * tray.die_edge_mm
    steps = rim_mm * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    rim = (np.array(tray.felt_mm)[:, None] + steps).reshape(-1, 2)
    seen = np.concatenate([tray.to_px(rim), tray.tops_to_px(rim)])
    hull = cv2.convexHull(seen.astype(np.float32))
    return np.asarray(hull, np.float64).reshape(-1, 2)


def _smaller(image: Image, scale: float) -> Image:
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _whole_pixels(mask: Image) -> Image:
    """Only those pixels of a smaller mask that show nothing beside the tray."""
    return np.asarray((mask == 255) * np.uint8(255), np.uint8)
