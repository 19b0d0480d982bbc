# SPDX-License-Identifier: MIT
"""
Pictures that cannot come from a working camera over a tray.

A camera can go on delivering and yet show nothing: its lens is covered, its
light is off, it sends one picture again and again. Then the tray looks at rest
for ever, and nobody knows why nothing happens. These faults are told apart from
every ordinary picture by what such a picture cannot have:

- `dark`: nowhere in the picture is there light;
- `frozen`: the same picture byte for byte, though a live sensor always has noise;
- `blocked`: the tray's own structure, seen before, is gone everywhere, and one
  even surface fills the picture in another brightness. An empty tray has little
  structure too, but there the felt keeps its look when the dice are taken out;
- `out of focus`: wherever the view is as before, its fine detail is gone;
- `moved`: what the view is known by is seen elsewhere, all of it the same way.

A fault has to last before it is told, so that a hand over the lens is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera_health.view_change import (
    PlaceCheck,
    SharpnessCheck,
    ViewChange,
    ViewMonitor,
    ViewParams,
)
from vision.frame import Frame, Image

Patches = NDArray[np.float32]


class FaultKind(Enum):
    """What is wrong with the pictures."""

    DARK = "dark"
    FROZEN = "frozen"
    BLOCKED = "blocked"
    OUT_OF_FOCUS = "out of focus"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class PictureFault:
    """
    Why the pictures are useless.

    Attributes:
        kind: What is wrong with them.
        what: The same in words for people.
        mend: What a person can do about it.
    """

    kind: FaultKind
    what: str
    mend: str


_FAULTS = {
    fault.kind: fault
    for fault in (
        PictureFault(
            FaultKind.DARK,
            "the picture is dark",
            "take the cover off the camera or switch the light on",
        ),
        PictureFault(
            FaultKind.FROZEN,
            "the camera repeats the same picture",
            "unplug the camera and plug it in again",
        ),
        PictureFault(
            FaultKind.BLOCKED,
            "something in front of the lens hides the tray",
            "clear the view between the camera and the tray",
        ),
        PictureFault(
            FaultKind.OUT_OF_FOCUS,
            "the picture is out of focus",
            "wipe the lens, or turn its ring until the picture is sharp",
        ),
        PictureFault(
            FaultKind.MOVED,
            "the camera or the tray was moved",
            "leave both as they stand now; play goes on in a moment",
        ),
    )
}
_MOVED_FROM_CALIBRATION = PictureFault(
    FaultKind.MOVED,
    "the camera or the tray was moved",
    "move it back, or calibrate anew",
)


@dataclass(frozen=True, slots=True)
class HealthParams:
    """
    When a picture is useless.

    Attributes:
        lasting_s: So long a fault has to last before it is told.
        frames: And so many frames.
        step_px: Every so many pixels one is looked at.
        patches: The picture is averaged to so many patches on its longer side.
        dark_level: Grey level (of 255) that not one patch reaches in the dark. Below a sixteenth
            of the range, body and pips are a few levels apart, and noise is as strong.
        usual_s: The tray's usual look follows the pictures over about this time.
        structure_left: A blocked picture has less than this share of the tray's structure.
        structure_least: Below this structure (share of the brightness) the tray itself looks
            even, and nothing can be said about it.
        changed_level: A patch looks different when it differs by so many grey levels.
        changed_share: So many of the patches look different when blocked.
        view: When the view is not what it was.
    """

    lasting_s: float = 1.2
    frames: int = 3
    step_px: int = 8
    patches: int = 20
    dark_level: float = 16.0
    usual_s: float = 10.0
    structure_left: float = 0.3
    structure_least: float = 0.05
    changed_level: float = 12.0
    changed_share: float = 0.7
    view: ViewParams = field(default_factory=ViewParams)


class HealthCheck:
    """
    Looks at one frame after the other and tells lasting faults.

    Args:
        params: When a picture is useless.
        may_repeat: The source may rightly send the same picture again (a recording, a drawn
            picture): `frozen` is never told.
        may_move: The source may rightly show another view (a camera held by hand, a recording):
            `out of focus` and `moved` are never told.
        in_place: Tells whether the tray is where the calibration has it; without one, a view
            that was moved is the right one as soon as it has lain still for a while.
        is_sharp: Tells whether a picture is as sharp as at the calibration.
    """

    def __init__(
        self,
        params: HealthParams | None = None,
        *,
        may_repeat: bool = False,
        may_move: bool = False,
        in_place: PlaceCheck | None = None,
        is_sharp: SharpnessCheck | None = None,
    ) -> None:
        self._params = params or HealthParams()
        self._may_repeat = may_repeat
        self._may_move = may_move
        self._in_place = in_place
        self._is_sharp = is_sharp
        self._forget()

    def _forget(self) -> None:
        self._number, self._at_s = -1, 0.0
        self._last_sample: Image | None = None
        self._usual: Patches | None = None
        self._suspected: FaultKind | None = None
        self._since_s = 0.0
        self._frames = 0
        self._view = ViewMonitor(
            self._params.view, in_place=self._in_place, is_sharp=self._is_sharp
        )

    @property
    def is_suspicious(self) -> bool:
        """Whether the last frame may be the first of a fault, so that nothing should be read."""
        return self._suspected is not None

    def check(self, frame: Frame) -> PictureFault | None:
        """
        Take the next frame and tell the fault that has lasted up to it; none when all is well.

        Args:
            frame: The newest frame; frames may be missing.
        """
        if frame.number <= self._number:  # the camera was opened anew
            self._forget()
        step = self._params.step_px
        sample = np.ascontiguousarray(frame.image_bgr[::step, ::step])
        suspected = self._suspect(sample, passed_s=frame.at_s - self._at_s)
        if suspected is None and not self._may_move:
            suspected = _CHANGES.get(self._view.process(frame))
        self._number, self._at_s = frame.number, frame.at_s
        if suspected is not self._suspected:
            self._suspected, self._since_s, self._frames = suspected, frame.at_s, 0
        self._frames += 1
        if suspected is None:
            return None
        lasts = frame.at_s - self._since_s >= self._params.lasting_s
        is_told = lasts and self._frames >= self._params.frames
        return self._fault(suspected) if is_told else None

    def _fault(self, kind: FaultKind) -> PictureFault:
        if kind is FaultKind.MOVED and self._in_place is not None:
            return _MOVED_FROM_CALIBRATION
        return _FAULTS[kind]

    def _suspect(self, sample: Image, *, passed_s: float) -> FaultKind | None:
        params = self._params
        last, self._last_sample = self._last_sample, sample
        patches = _average_patches(sample, params.patches)
        if float(patches.max()) < params.dark_level:
            return FaultKind.DARK
        if self._is_repeated(sample, last):
            return FaultKind.FROZEN
        if self._usual is None or self._usual.shape != patches.shape:
            self._usual = patches
        if self._is_blocked(self._usual, patches):
            return FaultKind.BLOCKED
        # Slowly: a hand on its way to the lens must not become the usual view.
        share = min(passed_s, 1.0) / params.usual_s
        self._usual = self._usual + np.float32(share) * (patches - self._usual)
        return None

    def _is_repeated(self, sample: Image, last: Image | None) -> bool:
        if self._may_repeat or last is None:
            return False
        # Pixels that are all at one limit, in glaring light, have no noise to tell by.
        return np.array_equal(sample, last) and int(sample.min()) != int(sample.max())

    def _is_blocked(self, usual: Patches, patches: Patches) -> bool:
        params = self._params
        structure = _measure_structure(usual)
        if structure < params.structure_least:
            return False
        if _measure_structure(patches) > params.structure_left * structure:
            return False
        change = np.abs(patches - usual).max(axis=2)
        return float(np.mean(change > params.changed_level)) > params.changed_share


_CHANGES: Mapping[ViewChange | None, FaultKind] = {
    ViewChange.BLURRED: FaultKind.OUT_OF_FOCUS,
    ViewChange.MOVED: FaultKind.MOVED,
}


def _average_patches(sample: Image, longest: int) -> Patches:
    height, width = sample.shape[:2]
    scale = longest / max(height, width)
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(sample, size_wh, interpolation=cv2.INTER_AREA), np.float32)


def _measure_structure(patches: Patches) -> float:
    """
    Return how much neighbouring patches differ, as a share of the mean brightness.

    Even slopes do not count: a covered lens shows them too.
    """
    across = np.abs(np.diff(patches, n=2, axis=1)).mean()
    down = np.abs(np.diff(patches, n=2, axis=0)).mean()
    return float((across + down) / (patches.mean() + 1.0))
