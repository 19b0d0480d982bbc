# SPDX-License-Identifier: MIT
"""
Show the simulated tray through the same interface as a real camera.

Hands (throw, nudge, tilt, take out) and named faults are calls, from any thread. The frames
contain pixels only. `truth` serves to compare a reading, never to make one. The tray's time can
be slowed between two frames: on a slow machine a throw takes longer, but its motion is still
seen.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from hardware.camera import Camera, Exposure
from hardware.clock import Clock
from hardware.simulated.die import SimulatedDie
from hardware.simulated.dome import SimulatedDomeTray
from hardware.simulated.pose import DieKind
from hardware.simulated.scene import SceneSetup, TrayScene, VisibleDie
from hardware.simulated.scene.cards import CARD_MM
from hardware.simulated.scene.optics import DEFAULT_EXPOSURE, Optics
from hardware.simulated.tray import SimulatedTray
from vision.frame import Frame, Image


class SimulatedFault(Enum):
    """A fault of the camera; it lasts until it is cleared."""

    DARK = "dark"  # The light is off.
    FROZEN = "frozen"  # Every frame has the same picture.
    DROPPED = "dropped"  # No picture comes; the device is still there.
    BLOCKED = "blocked"  # A cloth or a hand covers the lens.
    BLURRED = "blurred"  # The lens is out of focus.
    MOVED = "moved"  # The camera was knocked aside.
    GONE = "gone"  # The device was pulled out.


_DARK = Optics((0.05, 0.05, 0.05))
_BLURRED_BY = 0.0035
_KNOCKED_MM = (24.0, -15.0)
_PATIENCE_S = 0.1
_BESIDE_CARD_MM = 8.0  # A die this near may hide a card's edge from the camera.
FIVE_WHITE = (DieKind.WHITE,) * 5


class SimulatedCamera(Camera):
    """
    A camera above a simulated tray.

    The same seed and calls give the same frames, and a stepped clock draws them without waiting. At
    most `longest_gap_s` pass in the tray between two frames: if the caller takes longer, the tray's
    time stands still until the next frame.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        seed: int,
        dice: Sequence[DieKind] = FIVE_WHITE,
        size_wh: tuple[int, int] = (1280, 720),
        fps: int = 30,
        longest_gap_s: float = math.inf,
        has_dome: bool = False,
    ) -> None:
        self._clock = clock
        self._longest_gap_s = longest_gap_s
        self._behind_s = 0.0
        self._stops_at_s = math.inf
        self._period_s = 1.0 / fps
        self._scene = TrayScene(size_wh, seed=seed)
        kind = SimulatedDomeTray if has_dome else SimulatedTray
        self._tray = kind(dice, seed=seed)
        # Held for the tray and the fault only, never while drawing or waiting.
        self._lock = threading.Lock()
        self._set_up = SceneSetup()
        self._exposure = DEFAULT_EXPOSURE
        self._fault: SimulatedFault | None = None
        self._opened_s: float | None = None
        self._number = -1
        self._last_image: Image | None = None

    @property
    def name(self) -> str:
        return "simulated"

    def open(self) -> None:
        with self._lock:
            if self._fault is SimulatedFault.GONE:
                raise self.lost_error("the device is gone", "plug it in again")
            self._opened_s = self._now_s()
            self._number = -1
            self._stops_at_s = self._opened_s + self._longest_gap_s

    def frame(self, timeout_s: float) -> Frame:
        end_s = self._clock.now_s() + timeout_s
        number, due_s, fault = self._next_frame()
        while fault is SimulatedFault.DROPPED or due_s + self._behind_s > end_s:
            left_s = end_s - self._clock.now_s()
            if left_s <= 0.0:
                raise self.lost_error(f"no frame came for {timeout_s:g} s", "check its cable")
            self._clock.wait_s(min(left_s, _PATIENCE_S))
            number, due_s, fault = self._next_frame()
        self._clock.wait_s(due_s - self._now_s())
        self._go_on()
        self._number = number
        if fault is not SimulatedFault.FROZEN or self._last_image is None:
            self._last_image = self._picture(due_s, fault)
        return Frame(self._last_image, due_s, number)

    def close(self) -> None:
        self._go_on()
        with self._lock:
            self._opened_s, self._stops_at_s = None, math.inf

    def exposure(self) -> Exposure | None:
        with self._lock:
            return self._exposure

    def set_exposure(self, exposure: Exposure | None) -> None:
        """Set the exposure; None sets the correct one at once."""
        with self._lock:
            self._exposure = exposure or DEFAULT_EXPOSURE

    @property
    def is_moving(self) -> bool:
        with self._lock:
            return self._tray.is_moving(self._now_s())

    def truth(self) -> tuple[SimulatedDie, ...]:
        """Return the true state of each die now, in order."""
        with self._lock:
            return self._tray.truth(self._now_s())

    def project(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """Return the pixel of a point of the tray; the middle of the felt is the origin."""
        return self._scene.project(x_mm, y_mm, z_mm)

    def throw(
        self, faces: Sequence[int] | None = None, *, which: Sequence[int] | None = None
    ) -> None:
        """
        Pick up dice and throw them: those of these indices; else the dice outside the tray, or all.

        Raises:
            ValueError: A face or index does not exist, an index is repeated, or the number of faces
                differs from that of dice.
        """
        with self._lock:
            self._tray.throw(faces, which, at_s=self._now_s())

    def nudge(self, index: int | None = None) -> None:
        """
        Push a die, or one of those in the tray, a few millimetres; one that leans falls flat.

        Raises:
            ValueError: The die is not in the tray.
        """
        with self._lock:
            self._tray.nudge(index, at_s=self._now_s())

    def turn(self, index: int, face: int | None = None) -> None:
        """
        Turn a die over by hand, in its position; None is the next face: 1, 2, ... 6, 1.

        Raises:
            ValueError: The die is not in the tray, or the face does not exist.
        """
        with self._lock:
            self._tray.turn(index, face, at_s=self._now_s())

    def tilt(self, index: int | None = None) -> None:
        """
        Lean a die, or one of those in the tray, against the nearest wall.

        Raises:
            ValueError: The die is not in the tray.
        """
        with self._lock:
            self._tray.tilt(index, at_s=self._now_s())

    def take_out(self, which: Sequence[int] | None = None) -> None:
        """
        Take dice out of the tray at once: those with these indices, or all.

        Raises:
            ValueError: One of them is not in the tray, or named twice.
        """
        with self._lock:
            self._tray.take_out(which, at_s=self._now_s())

    def put_back(self) -> None:
        """Put all dice that are out back to their old positions and faces."""
        with self._lock:
            self._tray.put_back(at_s=self._now_s())

    def change_dice(self, kinds: Sequence[DieKind]) -> None:
        """Remove all dice and put these beside the tray; do nothing if they are the same kinds."""
        with self._lock:
            self._tray.change_dice(kinds, at_s=self._now_s())

    def lay_cards(self, are_laid: bool = True) -> None:
        """Put the printed cards in the corners of the felt, clear of dice, or remove them."""
        with self._lock:
            if are_laid:
                self._tray.clear_corners(CARD_MM + _BESIDE_CARD_MM)
            self._set_up = replace(self._set_up, has_cards=are_laid)

    def knock(self, x_mm: float = 14.0, y_mm: float = 9.0) -> None:
        """Push the camera sideways; it stays there."""
        with self._lock:
            x, y = self._set_up.moved_mm
            self._set_up = replace(self._set_up, moved_mm=(x + x_mm, y + y_mm))

    def set_fault(self, name: str | None) -> None:
        """
        Set the fault of this name, or clear it if it is None.

        Raises:
            ValueError: The fault does not exist.
        """
        fault = None if name is None else SimulatedFault(name)
        with self._lock:
            self._fault = fault
            if fault is SimulatedFault.GONE:
                self._opened_s, self._stops_at_s = None, math.inf

    def _now_s(self) -> float:
        return min(self._clock.now_s() - self._behind_s, self._stops_at_s)

    def _go_on(self) -> None:
        with self._lock:
            now_s = self._now_s()
            self._behind_s = self._clock.now_s() - now_s
            self._stops_at_s = now_s + self._longest_gap_s

    def _next_frame(self) -> tuple[int, float, SimulatedFault | None]:
        """Return the number of the newest frame, the start of its exposure, and the fault."""
        with self._lock:
            opened_s, fault = self._opened_s, self._fault
        if opened_s is None:
            gone = fault is SimulatedFault.GONE
            what, mend = (
                ("the device is gone", "plug it in") if gone else ("it is closed", "open it")
            )
            raise self.lost_error(what, mend)
        newest = int((self._now_s() - opened_s) / self._period_s)
        number = max(self._number + 1, newest)
        return number, opened_s + number * self._period_s, fault

    def _picture(self, at_s: float, fault: SimulatedFault | None) -> Image:
        if fault is SimulatedFault.BLOCKED:
            return self._scene.covered_picture()
        with self._lock:
            dice = [VisibleDie(kind, pose) for kind, pose in self._tray.visible_dice(at_s)]
            hands_mm, dome_mm = self._tray.hands_mm(at_s), self._tray.dome_mm(at_s)
            set_up, exposure = self._set_up, self._exposure
        if fault is SimulatedFault.MOVED:
            (x, y), (by_x, by_y) = set_up.moved_mm, _KNOCKED_MM
            set_up = replace(set_up, moved_mm=(x + by_x, y + by_y))
        self._scene.set_up(set_up)
        optics = _DARK if fault is SimulatedFault.DARK else Optics.from_exposure(exposure)
        if fault is SimulatedFault.BLURRED:
            optics = replace(optics, smear=optics.smear + _BLURRED_BY)
        return self._scene.picture(dice, hands_mm, dome_mm=dome_mm, optics=optics)
