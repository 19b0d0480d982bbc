# SPDX-License-Identifier: MIT
"""
Compare the view with what it was: is it still as sharp, and in the same position?

The view is stored once nothing has moved for a moment (`focus_loss`, `camera_shift`). It is
stored again at intervals, because daylight and objects change. A moved view that stays still
for long enough is accepted: a camera cannot be put back to the pixel, and dice can be read there
too. If there is a calibration, it decides instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

import cv2
import numpy as np

from vision.camera_health.camera_shift import CameraShiftDetector, make_small_view
from vision.camera_health.focus_loss import FocusDetector
from vision.frame import Frame, Image

PlaceCheck: TypeAlias = Callable[[Image], bool | None]
"""Returns whether a picture shows the tray where it should be, or `None` if unknown."""

SharpnessCheck: TypeAlias = Callable[[Image], bool]
"""Returns whether a picture is as sharp as it should be."""


class ViewChange(Enum):
    BLURRED = "blurred"
    MOVED = "moved"


# When a view is stored, and how often it is compared.
_EVERY_S = 0.15  # Time between comparisons; shorter than dice need to rest and be read.
_STILL_S = 0.4  # Time without movement before a view is stored.
_STILL_LEVEL = 10.0  # Grey levels (of 255) that a pixel may differ in a still picture.
_STILL_SHARE = 0.01  # Share of the pixels that may differ by more.
_RENEW_S = 10.0  # Time after which an unchanged view is stored again.
_ASK_S = 0.5  # Time between checks of the tray's position against the calibration.
_ACCEPT_S = 4.0  # Time without movement after which a moved view is accepted.


class ViewMonitor:
    """
    Stores the view and compares pictures with it.

    Args:
        in_place: Returns whether the tray is where the calibration has it.
        is_sharp: Returns whether a picture is as sharp as at the calibration; used until a view
            is stored.
    """

    def __init__(
        self, *, in_place: PlaceCheck | None = None, is_sharp: SharpnessCheck | None = None
    ) -> None:
        self._in_place = in_place
        self._is_sharp = is_sharp
        self._change: ViewChange | None = None
        self._compared_s = self._checked_s = self._stored_s = -math.inf
        self._last: Image | None = None
        self._still_since_s = 0.0
        self._focus: FocusDetector | None = None
        self._shift: CameraShiftDetector | None = None
        self._is_confirmed = False

    def process(self, frame: Frame) -> ViewChange | None:
        """Return how the view has changed, by the frames up to this one."""
        if frame.at_s - self._compared_s < _EVERY_S:
            return self._change
        self._compared_s = frame.at_s
        grey = np.asarray(cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        small = make_small_view(grey if frame.small_grey is None else frame.small_grey)
        still_s = self._still_for_s(small, frame.at_s)
        if self._focus is not None:
            is_blurred = bool(self._focus.is_lost(grey))
        else:
            is_blurred = self._is_sharp is not None and not self._is_sharp(frame.image_bgr)
        if is_blurred:
            self._change = ViewChange.BLURRED
        elif self._is_moved(frame, small):
            self._change = ViewChange.MOVED
        else:
            self._change = None
        if self._should_store(still_s, frame.at_s):
            self._focus, self._shift = FocusDetector(grey), CameraShiftDetector(small)
            self._stored_s = frame.at_s
            self._is_confirmed, self._change = False, None
        elif self._shift and not self._is_confirmed:
            self._shift.confirm(small)
            self._is_confirmed = True
        return self._change

    def _still_for_s(self, small: Image, at_s: float) -> float:
        last, self._last = self._last, small
        if last is None or not self._is_still(last, small):
            self._still_since_s = at_s
        return at_s - self._still_since_s

    def _is_still(self, last: Image, small: Image) -> bool:
        if last.shape != small.shape:
            return False
        gain = (float(last.mean()) + 1.0) / (float(small.mean()) + 1.0)
        change = np.asarray(cv2.absdiff(cv2.convertScaleAbs(small, alpha=gain), last))
        moved = float(np.mean(change > _STILL_LEVEL))
        return moved < _STILL_SHARE

    def _is_moved(self, frame: Frame, small: Image) -> bool:
        is_left = bool(self._shift and self._shift.has_moved(small))
        if self._in_place is None:
            return is_left
        was_moved = self._change is ViewChange.MOVED
        if not (is_left or was_moved) and frame.at_s - self._checked_s < _ASK_S:
            return False
        self._checked_s = frame.at_s
        is_in_place = self._in_place(frame.image_bgr)
        return is_left if is_in_place is None else not is_in_place

    def _should_store(self, still_s: float, at_s: float) -> bool:
        if self._change is ViewChange.MOVED:
            return self._in_place is None and still_s >= _ACCEPT_S
        if self._change is not None or still_s < _STILL_S:
            return False
        return at_s - self._stored_s >= _RENEW_S
