# SPDX-License-Identifier: MIT
"""
Detect pictures that cannot come from a working camera over a tray.

A camera may deliver useless pictures, and then the tray looks at rest for ever:
`dark`: no part of the picture has light. `frozen`: pictures come again, equal byte for byte, though
a live sensor has noise; a driver that hangs may go round in a few old ones. `blocked`: the tray's
structure is gone, and an even surface of another brightness fills the picture. `out of focus`: the
fine detail is gone. `moved`: the whole view shifted. A fault must last before it is reported, so
that a hand over the lens is none.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.camera_shift import CameraShiftDetector, light_alike, make_small_view
from vision.camera_health.focus_loss import FocusDetector
from vision.frame import Frame, Image
from vision.pyramid import to_grey

Patches = NDArray[np.float32]

PlaceCheck: TypeAlias = Callable[[Image], bool | None]
"""Returns whether a picture shows the tray where it should be, or `None` if unknown."""

SharpnessCheck: TypeAlias = Callable[[Image], bool]
"""Returns whether a picture is as sharp as it should be."""


class FaultKind(Enum):
    DARK = "dark"
    FROZEN = "frozen"
    BLOCKED = "blocked"
    OUT_OF_FOCUS = "out of focus"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class PictureFault:
    """Why the pictures are useless."""

    kind: FaultKind  # What is wrong.
    what: str  # The same in words.
    remedy: str  # What to do about it.
    # Whether it lasts until the camera is moved back or calibrated again.
    needs_calibration: bool = False


_MOVED = "the camera or the tray was moved"
_WORDS = {
    FaultKind.DARK: ("the picture is dark", "take the cover off the camera or switch the light on"),
    FaultKind.FROZEN: (
        "the camera repeats the same picture",
        "unplug the camera and plug it in again",
    ),
    FaultKind.BLOCKED: (
        "something in front of the lens hides the tray",
        "clear the view between the camera and the tray",
    ),
    FaultKind.OUT_OF_FOCUS: (
        "the picture is out of focus",
        "wipe the lens, or turn its ring until the picture is sharp",
    ),
    FaultKind.MOVED: (_MOVED, "leave both as they are now; play continues in a moment"),
}
_MOVED_FROM_CALIBRATION = PictureFault(
    FaultKind.MOVED, _MOVED, "move it back, or calibrate again", needs_calibration=True
)


# When a picture is useless.
_LASTING_S = 1.2  # Time for which a fault must last before it is reported.
_FRAMES = 3  # Number of frames for which it must last.
_STEP_PX = 8  # Distance between the pixels that are checked.
_REMEMBERED = 8  # Pictures that may not come again; drivers have about four buffers.
_PATCHES = 20  # Number of averaged patches along the picture's longer side.
# Grey level (of 255) that no patch reaches in the dark. Below a sixteenth of the range the noise is
# as strong as the contrast between body and pips.
_DARK_LEVEL = 16.0
_USUAL_S = 10.0  # Time over which the tray's usual look follows the pictures.
_STRUCTURE_LEFT = 0.3  # Largest share of the tray's structure in a blocked picture.
# Below this structure (share of the brightness) the tray itself looks even, so that `blocked`
# cannot be detected.
_STRUCTURE_LEAST = 0.05
_CHANGED_LEVEL = 12.0  # A patch has changed if it differs by this many grey levels.
_CHANGED_SHARE = 0.7  # Least share of changed patches in a blocked picture.


class HealthCheck:
    """
    Detects lasting faults in frames that come one by one.

    Args:
        may_repeat: The source may repeat a picture (a recording, a drawn picture), so `frozen`
            is never reported.
        may_move: The source may show another view (a camera held by hand, a recording), so
            `out of focus` and `moved` are never reported.
        in_place: Returns whether the tray is where the calibration has it. Without it, a moved
            view is accepted once it was still for a while.
        is_sharp: Returns whether a picture is as sharp as at the calibration.
    """

    def __init__(
        self,
        *,
        may_repeat: bool = False,
        may_move: bool = False,
        in_place: PlaceCheck | None = None,
        is_sharp: SharpnessCheck | None = None,
    ) -> None:
        self._may_repeat = may_repeat
        self._may_move = may_move
        self._in_place = in_place
        self._is_sharp = is_sharp
        self._reset()

    def _reset(self) -> None:
        self._number, self._at_s = -1, 0.0
        self._samples: deque[bytes] = deque(maxlen=_REMEMBERED)
        self._usual: Patches | None = None
        self._suspected: FaultKind | None = None
        self._since_s = 0.0
        self._frames = 0
        self._view = _ViewMonitor(self._in_place, self._is_sharp)

    @property
    def is_suspicious(self) -> bool:
        """Whether the last frame may begin a fault, so that nothing should be read."""
        return self._suspected is not None

    def check(self, frame: Frame, *, is_quiet: bool = False) -> PictureFault | None:
        """
        Check the next frame (some may be missing); return the fault that lasted up to it.

        While nothing has moved for long (`is_quiet`), the view is compared less often.
        """
        if frame.number <= self._number:  # The camera was opened again.
            self._reset()
        sample = np.ascontiguousarray(frame.image_bgr[::_STEP_PX, ::_STEP_PX])
        suspected = self._suspect(sample, passed_s=frame.at_s - self._at_s)
        if suspected is None and not self._may_move:
            every_s = _QUIET_S if is_quiet and self._suspected is None else _EVERY_S
            suspected = self._view.process(frame, every_s=every_s)
        self._number, self._at_s = frame.number, frame.at_s
        if suspected is not self._suspected:
            self._suspected, self._since_s, self._frames = suspected, frame.at_s, 0
        self._frames += 1
        if suspected is None:
            return None
        lasts = frame.at_s - self._since_s >= _LASTING_S
        if not lasts or self._frames < _FRAMES:
            return None
        if suspected is FaultKind.MOVED and self._in_place is not None:
            return _MOVED_FROM_CALIBRATION
        return PictureFault(suspected, *_WORDS[suspected])

    def _suspect(self, sample: Image, *, passed_s: float) -> FaultKind | None:
        is_repeated = self._is_repeated(sample)
        patches = _average_patches(sample)
        if float(patches.max()) < _DARK_LEVEL:
            return FaultKind.DARK
        if is_repeated:
            return FaultKind.FROZEN
        if self._usual is None or self._usual.shape != patches.shape:
            self._usual = patches
        if self._is_blocked(self._usual, patches):
            return FaultKind.BLOCKED
        # Slowly, so that a hand on its way to the lens does not become the usual view.
        share = min(passed_s, 1.0) / _USUAL_S
        self._usual = self._usual + np.float32(share) * (patches - self._usual)
        return None

    def _is_repeated(self, sample: Image) -> bool:
        # Pixels that are all saturated have no noise.
        if self._may_repeat or int(sample.min()) == int(sample.max()):
            return False
        data = sample.tobytes()
        is_repeated = data in self._samples
        self._samples.append(data)
        return is_repeated

    def _is_blocked(self, usual: Patches, patches: Patches) -> bool:
        # First, because it is cheap and decides about nearly every picture.
        change = np.abs(patches - usual).max(axis=2)
        if float(np.mean(change > _CHANGED_LEVEL)) <= _CHANGED_SHARE:
            return False
        structure = _measure_structure(usual)
        if structure < _STRUCTURE_LEAST:
            return False
        return _measure_structure(patches) <= _STRUCTURE_LEFT * structure


def _average_patches(sample: Image) -> Patches:
    height, width = sample.shape[:2]
    scale = _PATCHES / max(height, width)
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(sample, size_wh, interpolation=cv2.INTER_AREA), np.float32)


def _measure_structure(patches: Patches) -> float:
    """
    Return how much neighbouring patches differ, as a share of the mean brightness.

    Even slopes do not count, because a covered lens shows them too.
    """
    across = np.abs(np.diff(patches, n=2, axis=1)).mean()
    down = np.abs(np.diff(patches, n=2, axis=0)).mean()
    return float((across + down) / (patches.mean() + 1.0))


# When a view is stored, and how often it is compared.
_EVERY_S = 0.15  # Time between comparisons; shorter than dice need to rest and be read.
_QUIET_S = 0.5  # The same while nothing moves: a rest that was read is not read again.
_STILL_S = 0.4  # Time without movement before a view is stored.
_STILL_LEVEL = 10.0  # Grey levels (of 255) that a pixel may differ in a still picture.
_STILL_SHARE = 0.01  # Share of the pixels that may differ by more.
_RENEW_S = 10.0  # Time after which an unchanged view is stored again.
_ASK_S = 0.5  # Time between checks of the tray's position against the calibration.
_ACCEPT_S = 4.0  # Time without movement after which a moved view is accepted.


class _ViewMonitor:
    """
    Stores the view once nothing has moved for a moment, and compares pictures with it.

    It is stored again at intervals, because daylight and objects change. A moved view that stays
    still for long enough is accepted: a camera cannot be put back to the pixel, and dice can be
    read there too. If there is a calibration, it decides instead. Until a view is stored,
    `is_sharp` decides about the sharpness.
    """

    def __init__(self, in_place: PlaceCheck | None, is_sharp: SharpnessCheck | None) -> None:
        self._in_place = in_place
        self._is_sharp = is_sharp
        self._change: FaultKind | None = None
        self._compared_s = self._checked_s = self._stored_s = -math.inf
        self._last: Image | None = None
        self._still_since_s = 0.0
        self._focus: FocusDetector | None = None
        self._shift: CameraShiftDetector | None = None
        self._is_confirmed = False

    def process(self, frame: Frame, *, every_s: float) -> FaultKind | None:
        """Return how the view has changed, by the frames up to this one."""
        if frame.at_s - self._compared_s < every_s:
            return self._change
        self._compared_s = frame.at_s
        grey = to_grey(frame.image_bgr)
        small = make_small_view(grey if frame.small_grey is None else frame.small_grey)
        still_s = self._still_for_s(small, frame.at_s)
        if self._focus is not None:
            is_blurred = bool(self._focus.is_lost(grey))
        else:
            is_blurred = self._is_sharp is not None and not self._is_sharp(frame.image_bgr)
        if is_blurred:
            self._change = FaultKind.OUT_OF_FOCUS
        else:
            self._change = FaultKind.MOVED if self._is_moved(frame, small) else None
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
        if last is None or last.shape != small.shape or not _is_still(last, small):
            self._still_since_s = at_s
        return at_s - self._still_since_s

    def _is_moved(self, frame: Frame, small: Image) -> bool:
        is_left = bool(self._shift and self._shift.has_moved(small))
        if self._in_place is None:
            return is_left
        was_moved = self._change is FaultKind.MOVED
        if not (is_left or was_moved) and frame.at_s - self._checked_s < _ASK_S:
            return False
        self._checked_s = frame.at_s
        is_in_place = self._in_place(frame.image_bgr)
        return is_left if is_in_place is None else not is_in_place

    def _should_store(self, still_s: float, at_s: float) -> bool:
        if self._change is FaultKind.MOVED:
            return self._in_place is None and still_s >= _ACCEPT_S
        if self._change is not None or still_s < _STILL_S:
            return False
        return at_s - self._stored_s >= _RENEW_S


def _is_still(last: Image, small: Image) -> bool:
    change = np.asarray(cv2.absdiff(light_alike(small, last), last))
    return float(np.mean(change > _STILL_LEVEL)) < _STILL_SHARE
