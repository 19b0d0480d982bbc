# SPDX-License-Identifier: MIT
"""
A running table: its data folder, its threads, its devices.

`TableRuntime.open` restores the state from the journal. Nothing is written before `begin`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.base.durable_files import is_full_disk
from controller.base.errors import InputError
from controller.base.logs import Log
from controller.base.settings import Settings
from controller.base.settings.choices import Confirm
from controller.journal.continuity.checked_file import CheckedEntries, CheckedFile
from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.entries import ROLLS
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Entry
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.journal.picture_index import PictureIndex
from controller.journal.picture_store import PictureStore
from controller.journal.retention import PictureRetention
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo
from controller.runtime.calibration.recalibration import Recalibration, report_no_calibration
from controller.runtime.camera_thread import CameraThread
from controller.runtime.devices.panel_monitor import PanelMonitor
from controller.runtime.devices.peripherals import Peripherals
from controller.runtime.devices.pin_devices import open_again
from controller.runtime.devices.sound_control import SoundControl
from controller.runtime.event_loop import LoopObserver, TableLoop
from controller.runtime.frame_events import FrameEvents
from controller.runtime.monitoring.health import LOOP_PATIENCE_S, HealthMonitor
from controller.runtime.picture_recorder import RecentPictures, RecordingOptions
from controller.runtime.running_table import RunningTable
from controller.runtime.storage import DiskStorage, LaterEntries
from controller.table.effects import SoundCue
from controller.table.journal_entries import restore_from_journal, restore_table
from controller.table.state import Setup, TableState
from hardware.camera import Camera
from hardware.clock import MonotonicClock
from hardware.panel import Panel
from vision.camera_health.health_check import HealthCheck
from vision.tracking.rest_detector import TrayReader

PANEL_TIMEOUT_S = 0.5
DRIVERS_CLOSING_S = 2.0  # For all threads together; a driver may hang forever.

_LOG = Log("app")


@dataclass(frozen=True, slots=True)
class StartSummary:
    """What a start found: the number of journal entries, and what was torn off the end."""

    entries: int
    torn: bytes


class _Upkeep(LoopObserver):
    """What the table's own thread does between its events."""

    def __init__(
        self,
        monitor: HealthMonitor,
        retention: PictureRetention,
        peripherals: Peripherals,
        later: LaterEntries,
    ) -> None:
        self._monitor = monitor
        self._retention = retention
        self._peripherals = peripherals
        self._later = later

    def on_sound(self, sound: SoundCue, percent: int) -> None:
        # A piezo knows no volume.
        if percent:
            self._peripherals.play(sound)

    def on_idle(self) -> None:
        self._monitor.loop.beat(LOOP_PATIENCE_S)
        self._retention.delete_if_due()
        self._later.write()


class TableRuntime:
    """
    A table, its journal and its threads.

    Call `TableRuntime.open` and `begin`; then `start` the threads, or drive `frame_events` and
    `loop` yourself; `close` it at the end.

    Attributes:
        public_key: The public half of its key, in hexadecimal.
        has_rolls: Whether the journal had a roll when it was opened.
        monitor: Its health and its metrics.
        later: Takes entries of other threads, for its journal.
        running: What its pages and other programs get.
    """

    def __init__(
        self,
        journal: Journal,
        found: CheckedFile,
        read: _ReadJournal,
        *,
        key: TableKey,
        setup: TableInfo,
        keeping: RecordingOptions,
        evidence: PictureStore,
        reader: TrayReader,
        peripherals: Peripherals,
        health: HealthCheck | None,
        observers: Sequence[LoopObserver],
    ) -> None:
        self.public_key = key.public_hex
        self._journal = journal
        self._open_journal = ExitStack()
        self._open_journal.callback(journal.close)
        self.has_rolls = read.has_rolls
        self._opened = StartSummary(entries=len(found.entries), torn=found.torn)
        self._peripherals = peripherals
        self.sounds = SoundControl()
        self.monitor = HealthMonitor()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.recalibration = Recalibration()
        self.panel_monitor = PanelMonitor(peripherals, MonotonicClock(), self._stop.wait)
        recent = RecentPictures()
        self._writer = JournalWriter(
            journal, key, setup, read.facts, on_timing=self.monitor.record_entry
        )
        self.later = LaterEntries(self._writer.append)
        self._retention = PictureRetention(self._writer, evidence, keeping.settings, read.pictures)
        upkeep = _Upkeep(self.monitor, self._retention, peripherals, self.later)
        self.loop = TableLoop(
            restore_table(read.state, self._writer.disclosures),
            storage=DiskStorage(self._writer, self._retention, evidence, recent),
            observers=(self.monitor, self.panel_monitor, self.recalibration, *observers, upkeep),
            checkpoint=read.checkpoint,
            sounds=self.sounds,
        )
        self.frame_events = FrameEvents(
            self.monitor.wrap_reader(reader),
            keeping.create_recorder(recent),
            dice_wanted=lambda: self.loop.snapshot()["dice_wanted"],
            health=health,
        )
        self.running = RunningTable(self.loop, self.frame_events, self.monitor, evidence)

    @classmethod
    def open(
        cls,
        folder: Path,
        reader: TrayReader,
        *,
        confirm: Confirm = Confirm.AUTO,
        see_every_throw: bool = False,
        under_dome: bool = False,
        peripherals: Peripherals | None = None,
        health: HealthCheck | None = None,
        observers: Sequence[LoopObserver] = (),
        setup: TableInfo | None = None,
        keeping: RecordingOptions | None = None,
    ) -> TableRuntime:
        """
        Open the table of a data folder and restore its state; no entry is written yet.

        `see_every_throw`: a die without a seen throw is a doubt. InputError if the folder
        cannot be used, or its journal or its key is broken.
        """
        journal, found = Journal.open(folder)
        with ExitStack() as if_refused:
            if_refused.callback(journal.close)
            empty = TableState(setup=Setup(confirm, see_every_throw, under_dome))
            runtime = cls(
                journal,
                found,
                _ReadJournal(found.entries, empty),
                key=_load_key(folder),
                setup=setup or TableInfo(),
                keeping=keeping or RecordingOptions(),
                evidence=_open_pictures(folder),
                reader=reader,
                peripherals=peripherals or Peripherals(),
                health=health,
                observers=observers,
            )
            if_refused.pop_all()
        return runtime

    def begin(self) -> StartSummary:
        """
        Journal the start of the table, and return what the journal held.

        It is separate from `open`, so that a refused start, such as a port in use, leaves no
        trace. On a full disk the table comes up with a fault, and the start is written later.
        """
        opened = self._opened
        torn = opened.torn.decode("utf-8", errors="backslashreplace")
        self.loop.begin(partial(self._writer.begin, torn))
        self._retention.begin()
        return opened

    def start(
        self, camera: Camera, *, find_tray: Callable[[], str] = report_no_calibration
    ) -> None:
        """Start the threads: the table's, the camera's, recalibration, pins, and one a panel."""
        self.monitor.expect_heartbeats()
        self._spawn("loop", self.loop.run)
        feed = CameraThread(
            camera,
            self.frame_events,
            monitor=self.monitor,
            send=self.loop.send,
            wait=self._stop.wait,
        )
        self._spawn("watch", feed.run)
        recalibrate = partial(self.recalibration.run, find_tray, self.loop.send, self._stop.is_set)
        self._spawn("calibration", recalibrate)
        for seat, panel in self._peripherals.panels():
            name = f"panel {seat}" if seat else "panel"
            self._spawn(name, partial(self._read_panel, panel, seat))
        pins = self._peripherals.devices, self.loop.send, self._stop.wait
        self._spawn("pins", partial(open_again, *pins))

    def apply_settings(self, settings: Settings) -> None:
        """Use what applies at once of these settings from now on."""
        self.panel_monitor.set_brightness(settings.light.brightness_percent)
        self.sounds.change(settings)

    def close_journal(self) -> None:
        """Handle the queued events and close the journal; safe to call twice."""
        self._stop.set()
        self.loop.close()
        with self._open_journal:
            for thread in self._threads[:1]:
                thread.join()

    def close(self) -> None:
        """Close the journal, then the devices; end the threads that do not hang."""
        with ExitStack() as closing:  # the last one first, whatever another raises
            closing.callback(self._peripherals.close)
            closing.callback(_join, self._threads[1:], DRIVERS_CLOSING_S)
            self.close_journal()

    @property
    def entries(self) -> EntryReader:
        """The journal for readers in other threads."""
        return EntryReader(self._journal.folder / JOURNAL_FILE, lambda: self._journal.size_bytes)

    @property
    def folder(self) -> Path:
        return self._journal.folder

    def wait(self, timeout_s: float) -> bool:
        """Wait this many seconds; return true if the table is being shut down."""
        return self._stop.wait(timeout_s)

    def _spawn(self, name: str, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _read_panel(self, panel: Panel, seat: int | None) -> None:
        while not self._stop.is_set():
            panel_event = panel.event(PANEL_TIMEOUT_S)
            event = self.panel_monitor.on_panel_event(panel_event, seat) if panel_event else None
            if event is not None:
                self.loop.send(event)


class _ReadJournal:
    """What a start makes of the journal, in one reading."""

    def __init__(self, found: CheckedEntries, empty: TableState) -> None:
        self.facts = JournalFacts()
        self.pictures = PictureIndex()
        self.has_rolls = False
        self.state = restore_from_journal(empty, self._read(found), signed=found.signed)
        self.checkpoint = self.facts.last_checkpoint()

    def _read(self, found: CheckedEntries) -> Iterator[Entry]:
        for entry in found:
            self.facts.add_entry(entry)
            self.pictures.add_entry(entry)
            self.has_rolls |= entry.kind in ROLLS
            yield entry


def _join(threads: Sequence[threading.Thread], timeout_s: float) -> None:
    """Wait for the end of all threads, so many seconds altogether; log the ones that hang."""
    end_s = time.monotonic() + timeout_s
    for thread in threads:
        thread.join(max(0.0, end_s - time.monotonic()))
        if thread.is_alive():
            _LOG.error("a thread does not end", thread=thread.name)


def _open_pictures(folder: Path) -> PictureStore:
    evidence = PictureStore(folder)
    evidence.check_folder()
    return evidence


def _load_key(folder: Path) -> TableKey:
    """Return the key; if a full disk has no room for a new one, the journal's writer saves it."""
    key = TableKey.load_or_generate(folder)
    try:
        key.save(folder)
    except OSError as error:
        if not is_full_disk(error) and folder.exists():
            expected, found = "a file for the table's key", error.strerror or str(error)
            raise InputError(expected=expected, found=found, where=str(folder)) from error
    return key
