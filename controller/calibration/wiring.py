# SPDX-License-Identifier: MIT
"""
The calibration of a running table: its page, its watch, and the press that finds a moved
tray anew.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from controller.calibration.active import ActiveCalibration
from controller.calibration.frame_source import TableFrames
from controller.calibration.own_dice import OwnDiceSession
from controller.calibration.page_data import CalibrationPage
from controller.calibration.session import CalibrationSession
from controller.journal.writer import TableInfo
from controller.runtime.frame_events import FrameEvents
from controller.runtime.recalibration import Recalibration
from controller.settings import CameraDriver, CameraSettings
from controller.table.events import Event
from hardware.camera import Camera
from vision.camera_health.health_check import HealthCheck


class CalibratedTable(Protocol):
    """What is used of a table."""

    @property
    def frame_events(self) -> FrameEvents:
        """Who sees its frames."""
        ...

    @property
    def recalibration(self) -> Recalibration:
        """Who finds a moved tray anew."""
        ...

    def send(self, event: Event) -> None:
        """Put an event in the table's line."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for so many seconds; true where the table is being shut down."""
        ...


def health_by(live: ActiveCalibration, settings: CameraSettings) -> HealthCheck:
    """
    Return who looks after the pictures of a table, by its calibration if there is one.

    Args:
        live: What the table reads by.
        settings: Of its camera: a recording may rightly repeat pictures and show other views.
    """
    is_recording = settings.driver is CameraDriver.FILE
    kept = live.calibration
    if kept is None or kept.rim is None:
        return HealthCheck(may_repeat=is_recording, may_move=is_recording)
    return HealthCheck(
        may_repeat=is_recording,
        may_move=is_recording,
        in_place=live.is_tray_in_place,
        is_sharp=live.is_sharp,
    )


def setup_by(live: ActiveCalibration, camera: Camera, settings: str = "") -> TableInfo:
    """
    Return what the journal of a table holds of its setup.

    Args:
        live: What it reads by.
        camera: Its camera.
        settings: Their whole text; empty if there are none.
    """
    return TableInfo(
        settings,
        camera.name,
        calibration=lambda: live.tray_text,
        own_dice=lambda: live.own_dice_text,
    )


def calibration_of(
    table: CalibratedTable,
    live: ActiveCalibration,
    camera: Camera,
    folder: Path,
    settings: CameraSettings,
) -> CalibrationPage:
    """
    Return the calibration page of a table that reads by `live`.

    From then on the table's watch goes by every new calibration too, and a press on the
    kiosk finds a moved tray anew.

    Args:
        table: The table.
        live: What it reads by.
        camera: Its camera.
        folder: Its data folder.
        settings: How fast lamps flicker here, and how many pictures a second there are.
    """
    eye = TableFrames(camera, lambda: table.frame_events.newest, table.wait)
    desk = CalibrationSession(
        folder,
        eye,
        live,
        mains_hz=settings.mains_hz,
        fps=settings.fps,
        now=wall_clock,
    )
    table.recalibration.do = desk.recalibrate
    live.tell = lambda: table.frame_events.set_health_check(health_by(live, settings))
    return CalibrationPage(desk, OwnDiceSession(folder, eye, live), table.send)


def wall_clock() -> str:
    """Return the time as it is written down: ISO 8601 with its zone, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
