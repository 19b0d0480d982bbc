# SPDX-License-Identifier: MIT
"""
Turn camera frames into table events: motion, rest, reading, camera fault.

Each event is sent once. Nothing here knows the game; the table decides whether dice at rest
are a roll.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from controller.runtime.picture_recorder import PictureRecorder
from controller.runtime.shown_picture import EncodedPicture, ShownPicture
from controller.table import events as on
from controller.table.view.doubts import describe_doubt
from controller.table.view.notices import MOVE_BACK, WAIT_AFTER_MOVE
from vision.camera_health.health_check import FaultKind, HealthCheck, PictureFault
from vision.frame import Frame
from vision.reading import DieReading, Doubt, DoubtKind, TrayReading
from vision.tracking.rest_detector import RestDetector, TrayReader, TrayState

STILL_FRAMES = 4
HEALTHY_S = 0.5  # How long pictures must be good before a fault is over.
QUIET_S = 5.0  # From this time of a rest on, fewer pictures are enough.


_GROUND_LOST = on.PeripheralLost(
    on.GROUND,
    "the tray looks unlike what the table learnt",
    "bring the old light back, or calibrate again",
)


class FrameEvents:
    """Processes the frames of one camera, in their order; 0 dice are wanted if unknown."""

    def __init__(
        self,
        reader: TrayReader,
        recorder: PictureRecorder,
        *,
        dice_wanted: Callable[[], int] = lambda: 0,
        health: HealthCheck | None = None,
    ) -> None:
        self._reader = reader
        self._health = health or HealthCheck()
        self._next_health: HealthCheck | None = None
        self._recorder = recorder
        self._dice_wanted = dice_wanted
        self._fault: on.DeviceLost | None = None
        self._useless: FaultKind | None = None
        self._healthy_since_s: float | None = None
        self._newest: Frame | None = None
        self._shown = ShownPicture()
        self._was_sick = self._is_ground_lost = False
        self._start_over()

    @property
    def newest(self) -> Frame | None:
        return self._newest

    def set_health_check(self, health: HealthCheck) -> None:
        """Use another health check from the next frame on; may be called from any thread."""
        self._next_health = health

    @property
    def is_ready(self) -> bool:
        """Whether the tray was seen at rest, so that a throw is followed from its start."""
        return self._was_still

    @property
    def is_healthy(self) -> bool:
        """Whether the camera has no known fault."""
        return self._fault is None

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has moved for a while, so that fewer pictures are enough."""
        return self._quiet_s >= QUIET_S

    @property
    def needs_reopening(self) -> bool:
        """Whether the last frame shows that the camera must be opened again."""
        return self._useless is FaultKind.FROZEN

    def process(self, frame: Frame) -> Iterator[on.Event]:
        self._newest = frame
        yield from self._check(frame)
        is_still = self._fault is not None or self._before is TrayState.AT_REST
        self._shown.add(frame, is_live=not is_still)

    def _check(self, frame: Frame) -> Iterator[on.Event]:
        if self._next_health is not None:
            self._health, self._next_health = self._next_health, None
            self._start_over()
        fault = self._health.check(frame, is_quiet=self.is_quiet)
        self._useless = fault.kind if fault else None
        if fault:
            yield from self.camera_lost(
                on.DeviceLost(on.CAMERA, fault.what, _find_remedy(fault), fault.kind.value)
            )
        if self._health.is_suspicious:
            # Until the fault is certain, a half-covered lens must not count as an empty tray.
            self._healthy_since_s = None
            return
        if self._fault:
            if not self._has_been_healthy(frame):
                return
            self._fault = None
            self._start_over()
            yield on.DeviceBack(on.CAMERA)
        yield from self._events_for(frame)

    def camera_lost(self, fault: on.DeviceLost) -> Iterator[on.Event]:
        """Yield a camera fault if it is new; earlier frames never become a roll."""
        self._healthy_since_s = None
        if self._fault is None or self._fault.what != fault.what:
            self._fault = fault
            yield fault

    def _has_been_healthy(self, frame: Frame) -> bool:
        """Return whether pictures have been good for a while; a single one may be chance."""
        if self._healthy_since_s is None or frame.at_s < self._healthy_since_s:
            self._healthy_since_s = frame.at_s
        return frame.at_s - self._healthy_since_s >= HEALTHY_S

    def picture(self, *, is_small: bool = False) -> EncodedPicture:
        """
        Return what screens show; may be called from any thread.

        Positions in pixels are valid on it: it has the size of the frames that are read, or half
        of it for small screens, as its scale says.
        """
        return self._shown.encode(is_small=is_small)

    def _start_over(self) -> None:
        self._watcher = RestDetector(self._reader)
        self._recorder.start_over()
        # Motion before the first rest was not seen from its start, so it is no throw.
        self._was_still = False
        self._before = TrayState.MOVING
        self._rest_began_s, self._quiet_s = math.inf, 0.0

    def _events_for(self, frame: Frame) -> Iterator[on.Event]:
        observation = self._watcher.process(frame, expect=self._dice_wanted() or None)
        self._recorder.add_frame(frame, is_moving=observation.state is TrayState.MOVING)
        changed, self._before = observation.state is not self._before, observation.state
        if observation.state is not TrayState.AT_REST:
            self._rest_began_s = math.inf
        elif changed:
            self._rest_began_s = frame.at_s
        self._quiet_s = frame.at_s - self._rest_began_s
        if observation.state is not TrayState.MOVING:
            still_frames = observation.last_frame - observation.first_frame + 1
            self._was_still = self._was_still or still_frames >= STILL_FRAMES
        if observation.is_new_rest and observation.reading is not None:
            yield self._settled_event(frame, observation.reading)
            yield from self._follow_ground(observation.reading)
        elif changed and self._was_still and observation.state is TrayState.MOVING:
            yield on.MotionStarted()
        elif changed and self._was_still and observation.state is TrayState.SETTLING:
            yield on.MotionStopped()

    def _follow_ground(self, reading: TrayReading) -> Iterator[on.Event]:
        """Say once that the learnt ground is not used any more, or again; one rest is no proof."""
        is_sick, was_sick = reading.is_background_sick, self._was_sick
        self._was_sick = is_sick
        if is_sick is self._is_ground_lost or is_sick is not was_sick:
            return
        self._is_ground_lost = is_sick
        yield _GROUND_LOST if is_sick else on.PeripheralBack(on.GROUND)

    def _settled_event(self, frame: Frame, reading: TrayReading) -> on.Event:
        dice = tuple(to_seen_die(die) for die in reading.dice)
        picture, shot = self._recorder.capture(frame, reading)
        doubts = tuple(doubt for doubt in reading.doubts if doubt.kind is not DoubtKind.PLACED)
        if all(doubt.kind is DoubtKind.COUNT for doubt in doubts):
            # Every die in view is certain. The table decides what their number means, and
            # whether one may be placed.
            hider = next((_find_hider(doubt) for doubt in doubts if doubt.center_px), None)
            return on.DiceRead(dice, picture, shot, hider)
        return on.ReadingDoubtful(
            tuple(to_seen_doubt(doubt) for doubt in doubts), dice, picture, shot
        )


def to_seen_die(die: DieReading) -> on.TrayDie:
    """Return a die for the table, with positions rounded as in the journal."""
    x, y = die.center_px
    return on.TrayDie(
        face=die.face,
        polarity=die.polarity.value,
        colour=die.colour,
        center_px=(round(x, 3), round(y, 3)),
        angle_deg=round(die.angle_deg, 3),
        edge_px=round(die.edge_px, 3),
        origin=die.origin.value if die.origin else "",
        was=die.was,
        confidence_ppm=round(die.confidence * 1_000_000),
    )


def to_seen_doubt(doubt: Doubt) -> on.TrayDoubt:
    if doubt.kind is DoubtKind.COUNT:
        # The table writes its own text about a number, by how many dice it wants. The place of a
        # die that may hide another one is no place of a doubt.
        return on.TrayDoubt(doubt.kind.value, doubt.text)
    text = describe_doubt(doubt.kind.value, doubt.text, doubt.center_px)
    return on.TrayDoubt(doubt.kind.value, text, doubt.center_px, doubt.radius_px)


def _find_hider(count: Doubt) -> on.TrayDoubt:
    return on.TrayDoubt(count.kind.value, count.text, count.center_px, count.radius_px)


def _find_remedy(fault: PictureFault) -> str:
    if fault.kind is not FaultKind.MOVED:
        return fault.remedy
    return MOVE_BACK if fault.needs_calibration else WAIT_AFTER_MOVE
