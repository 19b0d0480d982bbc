# SPDX-License-Identifier: MIT
"""Everything that the service page shows and does, brought together for one running table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.access.tickets import AccessControl
from controller.calibration.active import ActiveCalibration
from controller.errors import InputError
from controller.logs import RecentLines, log_event, logger
from controller.maintenance.backup.create import backup_bytes
from controller.maintenance.doctor.background import DiagnosisRun
from controller.maintenance.doctor.checks import run_checks
from controller.maintenance.doctor.context import DiagnosticContext
from controller.maintenance.doctor.host import Host
from controller.maintenance.live_readings import LiveReadings
from controller.maintenance.power import PowerControl
from controller.maintenance.settings_editor import SettingsEditor
from controller.maintenance.views import (
    CameraView,
    DoctorView,
    LogView,
    PowerAction,
    ReadingView,
    SettingsView,
    TraceView,
)
from controller.runtime.panel_monitor import PanelMonitor
from controller.runtime.panel_views import PanelsView
from controller.runtime.table import TableRuntime
from controller.settings import Phones, Settings
from hardware.camera import Camera

_LOG = logger("service")


@dataclass(frozen=True, slots=True)
class ServiceDesk:
    """
    What the service page shows and drives (`controller.maintenance.views.ServiceGate`).

    Attributes:
        readings: What is read.
        panels: Buttons, lamps, light and buzzer.
        keys: The settings.
        examination: Looks at the machine.
        switch: Switches it off.
        lines: The log.
        data: The data folder.
        config: The settings file; none where there is none.
        access: Knows the code; none for a table that only the box itself may use.
        phones: What phones may do.
    """

    readings: LiveReadings
    panels: PanelMonitor
    keys: SettingsEditor
    examination: DiagnosisRun
    switch: PowerControl
    lines: RecentLines
    data: Path
    config: Path | None
    access: AccessControl | None
    phones: Phones

    def reading(self) -> ReadingView:
        """Return what the table reads in the newest picture."""
        return self.readings.newest()

    def make_trace(self) -> TraceView:
        """Read the newest picture and keep pictures of the stages."""
        return self.readings.trace()

    def trace_picture(self, number: int, name: str) -> bytes | None:
        """Return a picture of the trace with this number; none if it is gone."""
        return self.readings.picture(number, name)

    def board(self) -> PanelsView:
        """Return buttons and lamps as they are now."""
        return self.panels.look()

    def stay_apart(self) -> None:
        """Let presses play nothing for some seconds."""
        self.panels.stay_apart()

    def press(self, seat: int, button: str) -> None:
        """Press a button of a simulated panel."""
        self.panels.press(seat, button)

    def try_lamp(self, seat: int, button: str) -> None:
        """Light a lamp for a moment."""
        self.panels.try_lamp(seat, button)

    def try_light(self) -> None:
        """Let the light go dark for a moment."""
        self.panels.try_light()

    def try_sound(self, name: str) -> None:
        """Play a sound."""
        self.panels.try_sound(name)

    def camera(self) -> CameraView:
        """Return how the camera takes pictures now."""
        return self.keys.camera()

    def settings(self) -> SettingsView:
        """Return every setting."""
        return self.keys.look()

    def change(self, name: str, value: bool | int | float | str) -> str:
        """Write a setting into its file; return when it counts, in words."""
        said = self.keys.change(name, value)
        log_event(_LOG, logging.INFO, "setting changed", key=name)
        return said

    def log(self) -> list[LogView]:
        """Return the newest lines of the log, oldest first."""
        return [
            {"level": logging.getLevelName(line.level).lower(), "text": line.text}
            for line in self.lines.lines()
        ]

    def examine(self) -> None:
        """Begin to look at everything."""
        self.examination.begin()

    def doctor(self) -> DoctorView:
        """Return what was found so far."""
        return self.examination.look()

    def backup(self, *, with_pictures: bool) -> tuple[str, Iterator[bytes]]:
        """Return a name for a backup, and its bytes as they are made."""
        now = datetime.now().astimezone()
        made = backup_bytes(self.data, self.config, now=now, with_pictures=with_pictures)
        return f"dicebell-{now:%Y%m%d-%H%M%S}.zip", made

    def acts(self) -> dict[PowerAction, str]:
        """Return why something cannot be done to the machine; empty words where it can."""
        return self.switch.acts()

    def do_to_machine(self, act: PowerAction) -> None:
        """Do it, and have it in the log."""
        log_event(_LOG, logging.WARNING, "asked for on the service page", act=act)
        self.switch.do(act)

    def code(self) -> str | None:
        """Return the code that phones enter; none where phones do not play."""
        if self.access is None or self.phones is not Phones.PLAY:
            return None
        return self.access.pairing_code()

    def new_code(self) -> None:
        """Change the code; phones that are in stay in."""
        self._access().new_code()

    def revoke_phone_tickets(self) -> None:
        """Change the code and let every phone enter it anew."""
        self._access().revoke_phone_tickets()

    def _access(self) -> AccessControl:
        if self.access is None:
            raise InputError(expected="a table that phones reach", found="one without a code")
        return self.access


def service_of(
    runtime: TableRuntime,
    live: ActiveCalibration,
    camera: Camera,
    settings: Settings,
    *,
    lines: RecentLines,
    config: Path | None = None,
    access: AccessControl | None = None,
    end_table: Callable[[], None] | None = None,
) -> ServiceDesk:
    """
    Return the service page of a table.

    Args:
        house: The table.
        live: What it reads by.
        camera: Its camera.
        settings: What it was started with.
        lines: Its log.
        config: The settings file; none where there is none.
        access: Its PIN and code; none for a table that only the box itself may use.
        end_table: Asks it to end, where somebody starts it anew; none where nobody does.
    """
    context = DiagnosticContext(
        host=Host(),
        settings=settings,
        open_camera=lambda: camera,
        config=config,
        is_running=True,
    )
    runtime.board.set_brightness(settings.light.brightness_percent)
    return ServiceDesk(
        readings=LiveReadings(
            live, lambda: runtime.frame_events.newest, lambda: runtime.snapshot()["dice_wanted"]
        ),
        panels=runtime.board,
        keys=SettingsEditor(config, settings, camera, live, runtime.board.set_brightness),
        examination=DiagnosisRun(lambda: run_checks(context), runtime.is_closing),
        switch=PowerControl(end_table),
        lines=lines,
        data=settings.data.folder,
        config=config,
        access=access,
        phones=settings.web.phones,
    )
