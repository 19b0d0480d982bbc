# SPDX-License-Identifier: MIT
"""
A calibration by a person: their inputs, what the newest picture shows, and the result.

The page and the command line share this session. Every method may be called from any thread;
long work runs in the caller's thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from controller.base.errors import (
    BusyError,
    InputError,
    RefusedError,
    UnavailableError,
    refuse_os_errors,
)
from controller.base.languages.message import Number, chain_messages, message
from controller.runtime.calibration.active import (
    MIN_SHARPNESS_SHARE,
    ActiveCalibration,
    read_with_map,
)
from controller.runtime.calibration.exposure import ExposureResult, lock_exposure
from controller.runtime.calibration.frame_source import FrameSource
from controller.runtime.calibration.store import Calibration
from controller.runtime.devices.found_camera import FoundCamera
from hardware.camera import CameraLostError, Exposure
from vision.calibration.find_felt import propose_felt
from vision.calibration.fit_tray import (
    FELT_LEAST_MM,
    FELT_MOST_MM,
    USUAL_EDGE_MM,
    TrayError,
    is_usual_edge,
    measure_edge_mm,
    measure_felt_by_dice,
)
from vision.calibration.hide_cards import measure_outline
from vision.calibration.inspection import Inspection, inspect_picture
from vision.calibration.lighting import LightKind
from vision.calibration.tray_shift import HOLD_ON, UNNOTICED, can_detect_camera_shift, measure_rim
from vision.frame import Frame, Image
from vision.reading import Point, TrayReading
from vision.tray_map import TrayMap


@dataclass(frozen=True, slots=True)
class ManualInputs:
    """The inputs of a person; empty ones are measured instead."""

    corners_px: tuple[Point, ...] = ()  # The felt's corners; empty: found by the cards.
    is_proposal: bool = False  # Whether these are only where the table thinks that they are.
    # Width and depth of the felt; `None`: measured by the cards.
    felt_mm: tuple[float, float] | None = None
    # The same as dice measure it that lie there; `None`: not yet, or not needed.
    felt_by_dice_mm: tuple[float, float] | None = None
    die_edge_mm: float | None = None  # Edge of the dice; `None`: measured.
    # The dome's middle and a point on its rim; empty: found by itself.
    dome_px: tuple[Point, ...] = ()


def validate_felt_size(felt_mm: tuple[float, float]) -> tuple[float, float] | None:
    """Return width and depth of the felt; `None` for zeros, InputError if no felt has them."""
    if felt_mm == (0.0, 0.0):
        return None
    if not all(FELT_LEAST_MM <= size <= FELT_MOST_MM for size in felt_mm):
        expected = message(
            "a felt of {least} to {most} mm in width and depth",
            least=f"{FELT_LEAST_MM:.0f}",
            most=f"{FELT_MOST_MM:.0f}",
        )
        raise InputError(
            expected=expected, found=chain_messages([Number(size, "g") for size in felt_mm], " x ")
        )
    return felt_mm


def validate_die_edge(die_edge_mm: float) -> float | None:
    """Return the entered edge of the dice; `None` for zero, InputError if no dice have it."""
    if die_edge_mm == 0.0:
        return None
    if not is_usual_edge(die_edge_mm):
        expected = message("dice with an edge of 8 to 25 mm")
        raise InputError(expected=expected, found=Number(die_edge_mm, "g"))
    return die_edge_mm


_UNUSABLE = (LightKind.DARK, LightKind.BRIGHT)


def format_wall_clock() -> str:
    """Return the time as ISO 8601 with its zone, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class TrialReading:
    """A trial reading: what the table would read with the current values."""

    reading: TrayReading
    edge_mm: float | None  # Edge of the dice in the tray; `None` if it cannot be measured.
    remark: str = ""  # Something odd that is no error; may be empty.


class CalibrationSession:
    """
    A calibration in progress, stored in the data folder.

    Lamps flicker at `mains_hz`, 50 or 60; one frame limits the shutter time.
    """

    def __init__(
        self,
        folder: Path,
        frames: FrameSource,
        active: ActiveCalibration,
        *,
        mains_hz: int,
        fps: int,
        now: Callable[[], str] = format_wall_clock,
    ) -> None:
        self._folder = folder
        self._frames = frames
        self._active = active
        self._mains_hz = mains_hz
        self._longest_us = 1e6 / fps
        self._now = now
        self._plain = active.plain_reader
        self._lock = threading.Lock()
        self._exposure_lock = threading.Lock()
        self._inputs = ManualInputs()
        self._best = 0.0
        self._exposure_result: ExposureResult | None = None
        self._inspected: tuple[Frame, ManualInputs, Inspection] | None = None
        self._before: Frame | None = None
        self._edge_mm: float | None = None
        self._is_same_camera = True

    @property
    def inputs(self) -> ManualInputs:
        return self._inputs

    @property
    def best_sharpness(self) -> float:
        """The best sharpness since the start, or since `forget_best`."""
        return self._best

    @property
    def exposure_result(self) -> ExposureResult | None:
        return self._exposure_result

    @property
    def is_locking_exposure(self) -> bool:
        return self._exposure_lock.locked()

    @property
    def under_dome(self) -> bool:
        return self._active.under_dome

    @property
    def calibration(self) -> Calibration | None:
        return self._active.calibration

    @property
    def edge_mm(self) -> float | None:
        """Edge of the dice: as entered, else as measured, else as stored; `None` if unknown."""
        kept = self.calibration.tray.die_edge_mm if self.calibration else None
        return self._inputs.die_edge_mm or self._edge_mm or kept

    def set_inputs(
        self,
        *,
        corners_px: Sequence[Point] | None = None,
        is_proposal: bool = False,
        felt_mm: tuple[float, float] | None = None,
        die_edge_mm: float | None = None,
        dome_px: Sequence[Point] | None = None,
    ) -> None:
        """
        Change inputs; those that are `None` stay, and empty ones are found again.

        `corners_px` are the felt's four, set by no person if `is_proposal`; those of a person
        stay then. `dome_px` are the dome's middle and a point on its rim. InputError for a
        size that cannot be.
        """
        with self._lock:
            inputs = self._inputs
            is_stale = is_proposal and inputs.corners_px and not inputs.is_proposal
            if corners_px is not None and not is_stale:
                inputs = replace(
                    inputs,
                    corners_px=tuple(corners_px),
                    is_proposal=is_proposal,
                    felt_by_dice_mm=None,
                )
            if felt_mm is not None:
                inputs = replace(inputs, felt_mm=validate_felt_size(felt_mm))
            if die_edge_mm is not None:
                inputs = _replace_edge(inputs, validate_die_edge(die_edge_mm))
            if dome_px is not None:
                inputs = replace(inputs, dome_px=tuple(dome_px))
            self._inputs = inputs

    def return_to_cards(self, seen_px: Sequence[Point]) -> None:
        """
        Forget corners and size of the felt, so that cards give them.

        InputError if its corners are others than `seen_px`, which somebody saw and gives up. To
        have none is what they want.
        """
        with self._lock:
            if self._inputs.corners_px not in ((), tuple(seen_px)):
                raise InputError(
                    expected=message("the corners that this page showed"),
                    found=message(
                        "others, which somebody has set since. Look at them, then press again."
                    ),
                )
            self._inputs = replace(
                self._inputs, corners_px=(), is_proposal=False, felt_mm=None, felt_by_dice_mm=None
            )

    def start_over(self, change_camera: Callable[[], None]) -> None:
        """Change the camera and forget all but the sizes; BusyError while one is locked."""
        with self._hold_exposure():
            change_camera()
            with self._lock:
                inputs = replace(self._inputs, corners_px=(), felt_by_dice_mm=None, dome_px=())
                self._inputs = inputs
            self._exposure_result = self._inspected = self._before = self._edge_mm = None
            self._is_same_camera = False
            self.forget_best()

    def forget_best(self) -> None:
        self._best = 0.0

    def inspect(self) -> tuple[Frame, Inspection] | None:
        """Return the newest frame and its inspection; `None` before the first frame."""
        frame, inputs = self._frames.newest(), self._inputs
        if frame is None:
            return None
        looked = self._inspected
        if looked is None or looked[0] is not frame or looked[1] is not inputs:
            inspection = inspect_picture(
                frame.image_bgr,
                felt_mm=inputs.felt_mm or inputs.felt_by_dice_mm,
                corners_px=inputs.corners_px,
                under_dome=self._active.under_dome,
                dome_px=inputs.dome_px,
            )
            if looked is not None and looked[0] is not frame:
                self._before = looked[0]
            looked = (frame, inputs, inspection)
            self._inspected = looked
            self._best = max(self._best, inspection.sharpness)
        return frame, looked[2]

    def read_trial(self) -> TrialReading | None:
        """Read the newest picture as the table would; `None` without a tray."""
        self.measure_felt()
        seen = self.inspect()
        if seen is None or seen[1].found is None:
            return None
        image, tray = seen[0].image_bgr, _with_dome(seen[1].found.tray, seen[1])
        tried = self._read(image, tray)
        return replace(tried, remark=self._remark(image, tried.reading, tray))

    def propose_corners(self) -> list[Point]:
        """Return where the felt's corners may be, for a person to correct; often none."""
        frame = self._frames.newest()
        return list(propose_felt(frame.image_bgr)) if frame else []

    def measure_felt(self) -> None:
        """Measure the felt by the dice on it, if its corners are set and its size is not."""
        frame, inputs = self._frames.newest(), self._inputs
        if frame is None or not inputs.corners_px or inputs.felt_mm or inputs.felt_by_dice_mm:
            return
        image = frame.image_bgr
        picture_wh = image.shape[1], image.shape[0]
        edge_mm = inputs.die_edge_mm or USUAL_EDGE_MM
        dice = self._plain.read(image).dice
        with suppress(TrayError):
            felt_mm = measure_felt_by_dice(inputs.corners_px, picture_wh, dice, edge_mm)
            with self._lock:
                # They may have been moved meanwhile.
                if self._inputs is inputs:
                    self._inputs = replace(inputs, felt_by_dice_mm=felt_mm)

    def lock_exposure(self) -> ExposureResult:
        """
        Let the camera choose exposure and white balance, for seconds, and fix them.

        BusyError if it is being locked already, UnavailableError if the camera is lost.
        """
        with self._hold_exposure(), self._active.suspend():
            try:
                self._exposure_result = lock_exposure(
                    self._frames.camera,
                    self._frames.next_frame,
                    mains_hz=self._mains_hz,
                    longest_us=self._longest_us,
                )
            except CameraLostError as error:
                raise _camera_lost_error(error) from error
            return self._exposure_result

    def save(self) -> Calibration:
        """
        Store and activate the calibration of the newest picture, which must show a tray.

        InputError without a tray, or if the disk refuses. UnavailableError without a picture, or if
        the choice of the camera cannot be kept.
        """
        self._active.wait_until_resumed()  # What is stored must be the exposure in use.
        seen = self.inspect()
        if seen is None:
            raise UnavailableError(
                expected=message("a picture"), found=message("none. Check the camera first.")
            )
        frame, inspection = seen
        if inspection.found is None:
            raise InputError(expected=message("a tray"), found=inspection.problem)
        if self.under_dome and inspection.dome is None:
            raise InputError(expected=message("a dome"), found=inspection.problem)
        return self._save(
            frame.image_bgr, inspection, _with_dome(inspection.found.tray, inspection)
        )

    def recalibrate(self) -> str:
        """Find the tray by its cards again; store it if nothing else changed, or say why not."""
        kept = self.calibration
        if kept is None:
            return message("This table is not calibrated. Open the calibration page.")
        try:
            frame = self._frames.next_frame()
        except CameraLostError as error:
            return message(
                "The camera delivers no picture: {what}; {mend}.", what=error.what, mend=error.mend
            )
        inspection = inspect_picture(frame.image_bgr, felt_mm=measure_outline(kept.tray.felt_mm))
        if problem := _find_change(inspection, kept):
            return problem
        assert inspection.found is not None
        with self._lock:
            self._inputs = ManualInputs(die_edge_mm=kept.tray.die_edge_mm)
        try:
            tray = replace(inspection.found.tray, dome_mm=kept.tray.dome_mm)
            self._save(frame.image_bgr, inspection, tray)
        except RefusedError as error:
            return message("The calibration could not be saved: {error}.", error=error.args[0])
        return ""

    @contextmanager
    def _hold_exposure(self) -> Iterator[None]:
        if not self._exposure_lock.acquire(blocking=False):
            raise BusyError(
                expected=message("one exposure lock at a time"),
                found=message("one in progress. Wait a moment."),
            )
        try:
            yield
        finally:
            self._exposure_lock.release()

    def _read(self, image: Image, tray: TrayMap) -> TrialReading:
        edge_by_hand_mm = self._inputs.die_edge_mm
        first = read_with_map(self._plain, tray, image)
        edge_mm = measure_edge_mm(first.dice, tray)
        if edge_mm is not None and not is_usual_edge(edge_mm):
            edge_mm = None
        if edge_mm is not None:
            self._edge_mm = edge_mm
        known = edge_by_hand_mm or self.edge_mm or tray.die_edge_mm
        tray = replace(tray, die_edge_mm=known)
        by_map = self._plain.with_tray(tray)
        return TrialReading(read_with_map(by_map, tray, image), edge_mm)

    def _remark(self, image: Image, reading: TrayReading, tray: TrayMap) -> str:
        before = self._before
        if before is None or before.image_bgr.shape != image.shape:
            return ""
        is_watched = can_detect_camera_shift(before.image_bgr, image, reading, tray)
        return "" if is_watched else chain_messages([UNNOTICED, HOLD_ON])

    def _save(self, image: Image, inspection: Inspection, tray: TrayMap) -> Calibration:
        if self.edge_mm is None:
            self._read(image, tray)
        tray = replace(tray, die_edge_mm=round(self.edge_mm or tray.die_edge_mm, 2))
        calibration = Calibration(
            tray=tray,
            exposure=self._exposure_result.exposure
            if self._exposure_result
            else self._get_saved_exposure(),
            sharpness=round(inspection.sharpness, 2),
            made_at=self._now(),
            rim=measure_rim(image, tray),
        )
        camera = self._frames.camera
        if isinstance(camera, FoundCamera) and not camera.is_chosen:
            camera.choose(camera.name)  # After a restart no other one may be taken with this map.
        with refuse_os_errors(message("free space for the calibration")):
            self._active.keep(self._folder, calibration)
        self._is_same_camera = True
        return calibration

    def _get_saved_exposure(self) -> Exposure | None:
        """Return the stored exposure, for a calibration that did not lock it again."""
        return self.calibration.exposure if self.calibration and self._is_same_camera else None


def _with_dome(tray: TrayMap, inspection: Inspection) -> TrayMap:
    """Return the map with the size of the dome in a picture, if there is one."""
    return replace(tray, dome_mm=round(inspection.dome.diameter_mm, 1)) if inspection.dome else tray


def _replace_edge(inputs: ManualInputs, edge_mm: float | None) -> ManualInputs:
    """Change the edge of the dice; a felt that was measured by them grows with it."""
    growth = (edge_mm or USUAL_EDGE_MM) / (inputs.die_edge_mm or USUAL_EDGE_MM)
    felt = inputs.felt_by_dice_mm
    grown = (felt[0] * growth, felt[1] * growth) if felt else None
    return replace(inputs, die_edge_mm=edge_mm, felt_by_dice_mm=grown)


def _find_change(inspection: Inspection, kept: Calibration) -> str:
    """Return what prevents finding the tray or changed since the calibration."""
    if inspection.sharpness < MIN_SHARPNESS_SHARE * kept.sharpness:
        return message(
            "The picture is less sharp than before. Set the focus on the calibration page."
        )
    if inspection.found is None or inspection.found.remark:
        return inspection.found.remark if inspection.found else inspection.problem
    return next((fault.text for fault in inspection.light if fault.kind in _UNUSABLE), "")


def _camera_lost_error(error: CameraLostError) -> UnavailableError:
    found = message("{what}; {mend}", what=error.what, mend=error.mend)
    return UnavailableError(expected=message("a working camera"), found=found)
