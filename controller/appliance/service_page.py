# SPDX-License-Identifier: MIT
"""
The parts of a running table that the service page shows and drives.

The page calls the parts themselves. Only actions that need several parts are here.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.appliance.backup.create import BackupSource
from controller.appliance.doctor.finding import DiagnosticFinding, word_times
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.appliance.doctor.run import run_checks
from controller.appliance.live_readings import LiveReadings
from controller.appliance.power import PowerControl
from controller.appliance.settings_editor import SettingsEditor
from controller.appliance.views import (
    ApiTokensView,
    DiceSetView,
    DoctorView,
    LogView,
    PersonView,
    TournamentView,
)
from controller.base.errors import BusyError
from controller.base.languages.message import Message, message
from controller.base.logs import RecentLines
from controller.base.settings import Phones, Settings
from controller.games.player_names import require_name
from controller.history.fairness.dice_names import DICE_SET
from controller.history.history import TableHistory
from controller.integrations.mqtt.publisher import MqttPublisher
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.tlog.cosignature import read_newest_note
from controller.journal.tlog.signed_note import encode_note
from controller.runtime.access.tickets import AccessControl
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.devices.panel_monitor import PanelMonitor
from controller.runtime.table import TableRuntime
from controller.tournament.sending.uplink import TournamentUplink
from hardware.camera import Camera


class DiagnosisRun:
    """Runs all checks in a thread and collects their findings, until `is_closing` returns true."""

    def __init__(
        self, examine: Callable[[], Iterator[DiagnosticFinding]], is_closing: Callable[[], bool]
    ) -> None:
        self._examine = examine
        self._is_closing = is_closing
        self._is_running = threading.Lock()
        self._findings: list[DiagnosticFinding] = []

    def start(self) -> None:
        """Start a diagnosis and return at once; BusyError if one is in progress."""
        if not self._is_running.acquire(blocking=False):
            raise BusyError(
                expected=message("one diagnosis at a time"),
                found=message("one in progress. Wait for it."),
            )
        self._findings = []
        threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def view(self) -> DoctorView:
        return {
            "running": self._is_running.locked(),
            "findings": [
                {
                    "subject": each.subject,
                    "level": each.level.value,
                    "what": word_times(each.what),
                    "mend": each.mend,
                }
                for each in tuple(self._findings)
            ],
        }

    def _run(self) -> None:
        try:
            for finding in self._examine():
                self._findings.append(finding)
                if self._is_closing():
                    return
        finally:
            self._is_running.release()


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
    access: AccessControl  # The pairing code, and the tokens of other programs.
    phones: Phones
    history: TableHistory  # The names of the players, and the sets of dice.
    uplink: TournamentUplink  # Sends the journal to a tournament.
    entries: EntryReader  # The journal.
    write_entry: Callable[[str, Body], None]  # Writes an entry to it, some time later.
    has_api: bool = False  # Whether the table answers other programs.
    mqtt: MqttPublisher | None = None  # Sends to a broker; `None` if the settings leave it out.

    def note(self) -> str | None:
        """Return the newest checkpoint as a signed note; `None` before the first."""
        note = read_newest_note(self.entries)
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
        """Write that dice of this new or old name lie there; return a sentence, or InputError."""
        name = require_name(name)
        self.write_entry(DICE_SET, {"name": name})
        return message("From now on every throw counts for “{name}”.", name=name)

    def pairing_code(self) -> str | None:
        """Return the code that phones enter; `None` if phones do not play."""
        return self.access.pairing_code() if self.phones is Phones.PLAY else None

    def api_tokens(self) -> ApiTokensView:
        """Return the tokens of other programs, the oldest first."""
        return {
            "enabled": self.has_api,
            "tokens": [
                {
                    "number": each.number,
                    "name": each.name,
                    "scopes": list(each.scopes),
                    "used_s": each.used_s,
                }
                for each in self.access.api_tokens.list_tokens()
            ],
        }

    def tournament(self) -> TournamentView:
        """Return the tournament that this table has joined, and how the sending goes."""
        status = self.uplink.status()
        return {
            "state": status.state.value,
            "reason": status.reason,
            "address": status.address,
            "offered": self.uplink.offered,
            "sent": status.sent,
            "waiting": self.uplink.count_waiting(),
        }


def build_service(
    runtime: TableRuntime,
    live: ActiveCalibration,
    camera: Camera,
    settings: Settings,
    *,
    lines: RecentLines,
    config: Path | None,
    access: AccessControl,
    end_table: Callable[[], None] | None,
    history: TableHistory,
    on_settings: Callable[[Settings], None],
    uplink: TournamentUplink,
    mqtt: MqttPublisher | None,
) -> ServiceParts:
    """Build the parts for one running table; `on_settings` gets settings that apply at once."""

    def apply(changed: Settings) -> None:
        runtime.apply_settings(changed)
        on_settings(changed)

    apply(settings)
    loop, frames = runtime.loop, runtime.frame_events
    context = DiagnosticContext(
        host=Host(), settings=settings, open_camera=lambda: camera, config=config, is_running=True
    )
    return ServiceParts(
        readings=LiveReadings(live, lambda: frames.newest, lambda: loop.snapshot()["dice_wanted"]),
        panels=runtime.panel_monitor,
        settings=SettingsEditor(config, settings, camera, live, apply),
        diagnosis=DiagnosisRun(lambda: run_checks(context), loop.is_closing),
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
