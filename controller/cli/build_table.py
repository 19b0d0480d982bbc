# SPDX-License-Identifier: MIT
"""
Builds a whole table from its settings and its devices, for `dicebell run` and `dicebell demo`.

Every part gets what it needs when it is made; nothing is set on a part afterwards. A new
calibration reaches the camera's health check through a subscription.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from controller.appliance.service_page import ServiceParts, build_service
from controller.appliance.welcome.parts import WelcomeParts, create_welcome
from controller.appliance.welcome.setup import SetupParts
from controller.base.logs import RecentLines
from controller.base.settings import (
    ApiSettings,
    CameraDriver,
    CameraSettings,
    MqttSettings,
    Settings,
    WebSettings,
)
from controller.history.follower import HistoryFollower
from controller.history.history import TableHistory
from controller.history.name_book import ShownNames
from controller.history.replays.parts import HistoryParts, build_history_parts
from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.api.parts import ApiParts, parse_origins
from controller.integrations.api.request_timer import RequestTimer
from controller.integrations.mqtt.publisher import MqttPublisher
from controller.integrations.mqtt.sent_marker import SentMarker
from controller.journal.writer import TableInfo
from controller.runtime.access.tickets import AccessControl, CodePerGame
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import TableFrames
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.page_data import CalibrationParts
from controller.runtime.calibration.play_lessons import PlayLessons
from controller.runtime.calibration.session import CalibrationSession
from controller.runtime.calibration.store import Calibration
from controller.runtime.devices.found_camera import UNKNOWN
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.devices.round_timer import RoundTimer
from controller.runtime.event_loop import LoopObserver
from controller.runtime.opponent_player import OpponentPlayer
from controller.runtime.picture_recorder import RecordingOptions
from controller.runtime.table import TableRuntime
from controller.table.events import NamesChanged, PauseRequested, PhonesBound
from controller.tournament.sending.uplink import TournamentUplink
from hardware.camera import Camera
from hardware.clock import MonotonicClock
from hardware.simulated.hands import SimulatedHands
from vision.camera_health.health_check import HealthCheck
from webui import create_app
from webui.server import KioskServer


@dataclass(frozen=True, slots=True)
class Devices:
    camera: Camera  # Looks into the tray; it need not be open.
    peripherals: Peripherals = field(default_factory=Peripherals)


@dataclass(frozen=True, slots=True)
class BuiltTable:
    """A table with everything that its pages show and drive."""

    runtime: TableRuntime
    camera: Camera
    access: AccessControl  # Its PIN and pairing code; call `begin` before its pages are served.
    calibration: CalibrationParts
    service: ServiceParts
    history: TableHistory
    uplink: TournamentUplink
    lessons: PlayLessons  # Teaches it by the rolls that its players accept.
    welcome: WelcomeParts  # What its screen shows to people who do not play yet.
    api_settings: ApiSettings  # Of the interface for other programs.
    is_calibrated: bool  # Whether the tray was calibrated before this start.

    @property
    def history_parts(self) -> HistoryParts:
        """The parts of the pages of the history, with times in the zone of this machine."""
        zone = datetime.now().astimezone().tzinfo or UTC
        return build_history_parts(self.runtime.folder, self.history, zone)

    @property
    def setup(self) -> SetupParts:
        """What the page of the first evening shows and drives."""
        return SetupParts(self.camera, self.calibration, self.runtime.loop.snapshot)

    @property
    def api(self) -> ApiParts | None:
        """The interface for other programs; None if the settings leave it out."""
        if not self.api_settings.enabled:
            return None
        origins = parse_origins(self.api_settings.origins)
        entries = _query_entries(self.runtime, self.history)
        return ApiParts(self.access.api_tokens, entries, self.history, origins)

    def start(self) -> None:
        self.runtime.start(self.camera, find_tray=self.calibration.session.recalibrate)
        HistoryFollower(self.runtime.folder, self.history, self.runtime.wait).start()
        self.uplink.start()
        self.lessons.start()
        if self.service.mqtt is not None:
            self.service.mqtt.start()


def build_table(
    settings: Settings,
    devices: Devices,
    *,
    calibration: Calibration | None,
    lines: RecentLines,
    settings_text: str = "",
    config: Path | None = None,
    observers: Sequence[LoopObserver] = (),
    end_table: Callable[[], None] | None = None,
) -> BuiltTable:
    """
    Open the table of a data folder, as its journal left it; no entry is written yet.

    `settings_text` is for the journal, empty in the demo. `end_table` ends the table so that a
    service manager restarts it; `None` without one. InputError if the folder cannot be used, or
    its journal or its key is broken.
    """
    camera = devices.camera
    live = ActiveCalibration(calibration, under_dome=settings.tray.is_dome)
    access = AccessControl(settings.data.folder, MonotonicClock())
    runtime, welcome = _open_runtime(settings, devices, live, access, settings_text, observers)
    history, uplink = _open_history(runtime), _build_uplink(runtime, settings)
    with ExitStack() as if_refused:
        if_refused.callback(runtime.close)
        service = build_service(
            runtime,
            live,
            camera,
            settings,
            lines=lines,
            config=config,
            access=access,
            end_table=end_table,
            history=history,
            on_settings=welcome.idle.change,
            uplink=uplink,
            mqtt=_create_publisher(settings.mqtt, runtime, history),
        )
        pages = build_calibration(runtime, live, camera, settings)
        if_refused.pop_all()
    pictures = runtime.running.pictures
    return BuiltTable(
        runtime=runtime,
        camera=camera,
        access=access,
        calibration=pages,
        service=service,
        history=history,
        uplink=uplink,
        lessons=PlayLessons(
            settings.data.folder, live, runtime.entries, pictures.read, runtime.wait
        ),
        welcome=welcome,
        api_settings=settings.api,
        is_calibrated=calibration is not None,
    )


def create_kiosk(
    table: BuiltTable,
    web: WebSettings,
    *,
    own_port: int | None,
    hands: SimulatedHands | None = None,
    needs_key: bool = False,
) -> KioskServer:
    """Return the server of a table's pages; `hands` throw the dice of a simulated tray."""
    app = create_app(
        table.runtime.running,
        hands,
        table.access,
        web=web,
        calibration=table.calibration,
        setup=table.setup,
        service=table.service,
        history=table.history_parts,
        welcome=table.welcome,
        api=table.api,
        needs_key=needs_key,
    )
    return KioskServer(app, web.host, web.port, own_port=own_port)


def _create_publisher(
    settings: MqttSettings, runtime: TableRuntime, history: TableHistory
) -> MqttPublisher | None:
    """Return what sends to a broker; None if the settings leave it out."""
    if not settings.enabled:
        return None
    return MqttPublisher(
        settings,
        runtime.running,
        runtime.wait,
        _query_entries(runtime, history),
        lambda: history.names.names,
        SentMarker(runtime.folder),
        runtime.public_key,
    )


def _query_entries(runtime: TableRuntime, history: TableHistory) -> EntryQueries:
    """Return the journal as other programs get it, with the names that screens show."""
    return EntryQueries(runtime.entries, lambda name: history.names.names.find_name(name))


def _open_history(runtime: TableRuntime) -> TableHistory:
    """Return the history of a table, whose lobby offers people by the names that screens show."""
    history = TableHistory(runtime.folder)

    def show_names(names: ShownNames) -> None:
        runtime.loop.send(NamesChanged(names.hidden, tuple(names.renamed.items())))

    history.names.subscribe(show_names)
    return history


def _build_uplink(runtime: TableRuntime, settings: Settings) -> TournamentUplink:
    """Return what sends the journal of a table; its state is among the table's health."""
    uplink = TournamentUplink(
        runtime.folder,
        runtime.entries,
        runtime.wait,
        runtime.later.add,
        send_event=runtime.loop.send,
        offered=settings.tournament.address,
        sends_pictures=settings.tournament.pictures,
    )
    runtime.monitor.report_uplink(lambda: uplink.status().describe(), uplink.count_waiting)
    return uplink


def _open_runtime(
    settings: Settings,
    devices: Devices,
    live: ActiveCalibration,
    access: AccessControl,
    settings_text: str,
    observers: Sequence[LoopObserver],
) -> tuple[TableRuntime, WelcomeParts]:
    welcome = create_welcome(settings, MonotonicClock(), lambda: live.calibration is not None)
    timer = RequestTimer(MonotonicClock(), settings.api.request_s)
    opponents = OpponentPlayer(settings.table.opponent_pause_s)
    rounds = RoundTimer(MonotonicClock(), settings.table.round_result_s)
    runtime = TableRuntime.open(
        settings.data.folder,
        live,
        confirm=settings.table.confirm,
        see_every_throw=settings.table.see_every_throw,
        under_dome=settings.tray.is_dome,
        peripherals=devices.peripherals,
        health=create_health_check(live, settings.camera),
        observers=(timer, rounds, opponents, CodePerGame(access), *welcome.observers, *observers),
        setup=describe_setup(live, devices.camera, settings_text),
        keeping=RecordingOptions(settings.evidence, live.tray_for),
    )
    timer.connect(runtime.loop.send)
    rounds.connect(runtime.loop.send)
    opponents.connect(runtime.loop.send, runtime.wait)
    access.seats.subscribe(lambda players: runtime.loop.send(PhonesBound(players)))
    welcome.connect(runtime.loop.send, has_rolls=runtime.has_rolls)
    return runtime, welcome


def build_calibration(
    runtime: TableRuntime, live: ActiveCalibration, camera: Camera, settings: Settings
) -> CalibrationParts:
    """Build the calibration of a running table; from then on every new one counts at once."""
    frames, folder = runtime.frame_events, settings.data.folder
    eye = TableFrames(camera, lambda: frames.newest, runtime.wait)
    session = CalibrationSession(
        folder, eye, live, mains_hz=settings.camera.mains_hz, fps=settings.camera.fps
    )
    live.subscribe(lambda: frames.set_health_check(create_health_check(live, settings.camera)))
    own_dice = OwnDiceSession(folder, eye, live)
    pause = partial(runtime.loop.send, PauseRequested(is_for_calibration=True))
    return CalibrationParts(session, own_dice, pause)


def create_health_check(live: ActiveCalibration, settings: CameraSettings) -> HealthCheck:
    """Return the health check of this camera, by its calibration if there is one."""
    is_recording = settings.driver is CameraDriver.FILE
    calibration = live.calibration
    if calibration is None or calibration.rim is None:
        return HealthCheck(may_repeat=is_recording, may_move=is_recording)
    return HealthCheck(
        may_repeat=is_recording,
        may_move=is_recording,
        in_place=live.is_tray_in_place,
        is_sharp=live.is_sharp,
    )


def describe_setup(live: ActiveCalibration, camera: Camera, settings_text: str = "") -> TableInfo:
    """Return what the journal of a table holds of its setup."""
    return TableInfo(
        settings_text,
        # A camera that is found by itself has its name once it is open.
        "" if camera.name == UNKNOWN else camera.name,
        calibration=lambda: live.tray_text,
        table_model=lambda: live.table_model,
    )
