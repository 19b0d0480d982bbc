# SPDX-License-Identifier: MIT
"""
The parts of a running table that the service page shows and drives.

The page calls the parts themselves. Only actions that need several parts are here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.appliance.backup.create import BackupSource
from controller.appliance.diagnosis_run import DiagnosisRun
from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.host import Host
from controller.appliance.doctor.run import run_checks
from controller.appliance.live_readings import LiveReadings
from controller.appliance.power import PowerControl
from controller.appliance.settings_editor import SettingsEditor
from controller.appliance.views import (
    ApiTokensView,
    DiceSetView,
    LogView,
    PersonView,
    TournamentView,
)
from controller.base.errors import UnavailableError
from controller.base.languages.message import Message, message
from controller.base.logs import RecentLines
from controller.base.settings import Phones, Settings
from controller.games.player_names import require_name
from controller.history.fairness.dice_names import DICE_SET
from controller.history.history import TableHistory
from controller.integrations.mqtt.publisher import MqttPublisher
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.tlog.newest_note import read_newest_note
from controller.journal.tlog.signed_note import encode_note
from controller.runtime.access.tickets import AccessControl
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.devices.panel_monitor import PanelMonitor
from controller.runtime.table import TableRuntime
from controller.tournament.sending.uplink import TournamentUplink
from controller.tournament.sending.uplink_status import UplinkStatus
from hardware.camera import Camera


@dataclass(frozen=True, slots=True)
class ServiceParts:
    """What the service page shows and drives; every part may be used from any thread."""

    readings: LiveReadings
    panels: PanelMonitor  # Buttons, lamps, light and buzzer.
    settings: SettingsEditor
    diagnosis: DiagnosisRun
    power: PowerControl
    lines: RecentLines
    backup: BackupSource
    # The pairing code; `None` if only the box itself may use the table.
    access: AccessControl | None
    phones: Phones
    has_api: bool = False  # Whether the table answers other programs.
    history: TableHistory | None = None  # The names in the history; `None` if it cannot be used.
    # Sends the journal to a tournament; `None` if this table cannot join one.
    uplink: TournamentUplink | None = None
    mqtt: MqttPublisher | None = None  # Sends to a broker; `None` if the settings leave it out.
    entries: EntryReader | None = None  # The journal; `None` for a table without one.
    # Writes an entry to it, some time later.
    write_entry: Callable[[str, Body], None] | None = None

    def note(self) -> str | None:
        """Return the newest checkpoint as a signed note; `None` before the first."""
        note = read_newest_note(self.entries) if self.entries else None
        return encode_note(note) if note else None

    def broker_status(self) -> Message:
        """Return how the connection to the broker stands, in words."""
        if self.mqtt is None:
            return message(
                "The table sends to no broker. The setting “Send to a broker” allows it."
            )
        return self.mqtt.status

    def log(self) -> list[LogView]:
        """Return the newest lines of the log, oldest first."""
        return [
            {"level": logging.getLevelName(line.level).lower(), "text": line.text}
            for line in self.lines.lines()
        ]

    def people(self) -> list[PersonView]:
        """Return everybody who has played here, the newest first."""
        if self.history is None:
            return []
        return [
            {
                "name": one.name,
                "shown": one.shown,
                "forgotten": one.is_forgotten,
                "games": one.games,
            }
            for one in self.history.list_names()
        ]

    def dice_sets(self) -> list[DiceSetView]:
        """Return the sets of dice, the one on the table first."""
        if self.history is None:
            return []
        return [
            {
                "name": one.name,
                "label": one.label,
                "is_current": one.is_current,
                "is_suspect": one.verdict.is_suspect,
                "said": list(one.said),
            }
            for one in self.history.read_table().dice.sets
        ]

    def change_dice(self, name: str) -> str:
        """
        Write that other dice are on the table from now on; return a sentence for the official.

        Args:
            name: Of the set; that of an earlier one if those dice are back.

        Raises:
            InputError: It is no name.
            UnavailableError: This table has no journal.
        """
        name = require_name(name)
        if self.write_entry is None:
            raise UnavailableError(
                expected=message("a table with a journal"), found=message("one without")
            )
        self.write_entry(DICE_SET, {"name": name})
        return message("From now on every throw counts for “{name}”.", name=name)

    def require_history(self) -> TableHistory:
        """Return the history; UnavailableError if it cannot be used."""
        if self.history is None:
            raise UnavailableError(
                expected=message("a table with a history"), found=message("one without")
            )
        return self.history

    def pairing_code(self) -> str | None:
        """Return the code that phones enter; `None` if phones do not play."""
        if self.access is None or self.phones is not Phones.PLAY:
            return None
        return self.access.pairing_code()

    def api_tokens(self) -> ApiTokensView:
        """Return the tokens of other programs, the oldest first."""
        tokens = self.access.api_tokens.list_tokens() if self.access else ()
        return {
            "enabled": self.has_api,
            "tokens": [
                {
                    "number": each.number,
                    "name": each.name,
                    "scopes": list(each.scopes),
                    "used_s": each.used_s,
                }
                for each in tokens
            ],
        }

    def tournament(self) -> TournamentView:
        """Return the tournament that this table has joined, and how the sending goes."""
        status = self.uplink.status() if self.uplink else UplinkStatus()
        return {
            "state": status.state.value,
            "reason": status.reason,
            "address": status.address,
            "offered": self.uplink.offered if self.uplink else "",
            "sent": status.sent,
            "waiting": self.uplink.count_waiting() if self.uplink else 0,
        }

    def require_uplink(self) -> TournamentUplink:
        """Return what joins a tournament; UnavailableError if this table cannot."""
        if self.uplink is None:
            raise UnavailableError(
                expected=message("a table that can join"), found=message("one that cannot")
            )
        return self.uplink

    def require_access(self) -> AccessControl:
        """Return the table's access control; UnavailableError if it has none."""
        if self.access is None:
            raise UnavailableError(
                expected=message("a table that phones reach"), found=message("one without a code")
            )
        return self.access


def build_service(
    runtime: TableRuntime,
    live: ActiveCalibration,
    camera: Camera,
    settings: Settings,
    *,
    lines: RecentLines,
    config: Path | None = None,
    access: AccessControl | None = None,
    end_table: Callable[[], None] | None = None,
    history: TableHistory | None = None,
    on_settings: Callable[[Settings], None] = lambda settings: None,
    uplink: TournamentUplink | None = None,
    mqtt: MqttPublisher | None = None,
) -> ServiceParts:
    """
    Build the parts for one running table.

    Args:
        live: The calibration that it reads by.
        settings: The settings that it was started with.
        access: Its PIN and pairing code; `None` if only the box itself may use the table.
        end_table: Ends the table so that a service manager restarts it; `None` without one.
        on_settings: Called with settings that apply at once.
        mqtt: Sends to a broker; `None` if the settings leave it out.
    """
    apply = _build_apply(runtime, on_settings)
    apply(settings)
    return ServiceParts(
        readings=_create_readings(runtime, live),
        panels=runtime.panel_monitor,
        settings=SettingsEditor(config, settings, camera, live, apply),
        diagnosis=_create_diagnosis(runtime, camera, settings, config),
        power=PowerControl(end_table),
        lines=lines,
        backup=BackupSource(settings.data.folder, config),
        access=access,
        phones=settings.web.phones,
        has_api=settings.api.enabled,
        history=history,
        uplink=uplink,
        mqtt=mqtt,
        entries=runtime.entries,
        write_entry=runtime.later.add,
    )


def _build_apply(
    runtime: TableRuntime, on_settings: Callable[[Settings], None]
) -> Callable[[Settings], None]:
    def apply(changed: Settings) -> None:
        runtime.apply_settings(changed)
        on_settings(changed)

    return apply


def _create_readings(runtime: TableRuntime, live: ActiveCalibration) -> LiveReadings:
    return LiveReadings(
        live, lambda: runtime.frame_events.newest, lambda: runtime.loop.snapshot()["dice_wanted"]
    )


def _create_diagnosis(
    runtime: TableRuntime, camera: Camera, settings: Settings, config: Path | None
) -> DiagnosisRun:
    context = DiagnosticContext(
        host=Host(), settings=settings, open_camera=lambda: camera, config=config, is_running=True
    )
    return DiagnosisRun(lambda: run_checks(context), runtime.loop.is_closing)
