# SPDX-License-Identifier: MIT
"""
One table with everything around it: its data folder, its threads, its screens.

Opening a house brings the table back to where its journal left it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.errors import InputError
from controller.journal.checkpoint import Checkpoint
from controller.journal.journal import Journal, JournalContent
from controller.journal.picture_store import PictureStore
from controller.journal.retention import PictureRetention
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo, find_last_checkpoint
from controller.logs import logger, tell
from controller.runtime.camera_thread import Feed
from controller.runtime.event_loop import TableLoop
from controller.runtime.frame_events import Watch
from controller.runtime.health import LOOP_PATIENCE_S, Vitals
from controller.runtime.health_status import Health
from controller.runtime.panel_monitor import Board
from controller.runtime.peripherals import Fittings
from controller.runtime.recalibration import Recalibration
from controller.runtime.recent_pictures import PictureShelf
from controller.runtime.recording import Keeping
from controller.table.events import Event
from controller.table.journal_entries import restored
from controller.table.state import Confirm, TableState
from controller.table.view.question import Heard
from controller.table.view.types import Snapshot
from hardware.camera import Camera
from hardware.clock import MonotonicClock
from hardware.panel import Panel
from vision.camera_health.health_check import HealthCheck
from vision.tracking.rest_detector import TrayReader

LOOP = "loop"
PANEL_TIMEOUT_S = 0.5
DRIVER_CLOSING_S = 10.0
"""Longer than a camera is waited for that works."""

_LOG = logger("app")


@dataclass(frozen=True, slots=True)
class Opened:
    """
    What a start found: how many entries stood in the journal, and what was torn off its end.
    """

    entries: int
    torn: bytes


class House:
    """
    A table, its journal, and the threads that feed it.

    Use `House.open` and `begin`; then `start` the threads, or drive `watch` and `loop`
    yourself; in the end `close` it.
    """

    def __init__(
        self,
        journal: Journal,
        found: JournalContent,
        state: TableState,
        *,
        key: TableKey,
        checkpoint: Checkpoint | None,
        setup: TableInfo,
        keeping: Keeping,
        evidence: PictureStore,
        reader: TrayReader,
        fittings: Fittings,
        health: HealthCheck | None,
        on_view: Callable[[Snapshot], None],
    ) -> None:
        self._journal = journal
        self._opened = Opened(entries=len(found.entries), torn=found.torn)
        self._fittings = fittings
        self._on_view = on_view
        self._evidence = evidence
        self._vitals = vitals = Vitals()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.recalibration = Recalibration()
        self.board = Board(fittings, MonotonicClock(), self._stop.wait)
        shelf = PictureShelf()
        self._ledger = JournalWriter(vitals.journal(journal), key, setup, found.entries)
        self._retention = PictureRetention(self._ledger, evidence, keeping.settings, found.entries)
        self.loop = TableLoop(
            state,
            journal=self._retention,
            make_room=self._retention.make_room,
            check_free_space=evidence.check_free_space,
            checkpoint=checkpoint,
            keep_picture=lambda digest: shelf.keep(digest, evidence),
            on_view=self._show,
            on_sound=fittings.play,
            on_state=vitals.saw,
            on_turn=self._on_turn,
        )
        self.watch = Watch(
            vitals.reader(reader),
            keeping.taker(shelf),
            dice_wanted=lambda: self.loop.snapshot()["dice_wanted"],
            health=health,
        )

    @classmethod
    def open(
        cls,
        folder: Path,
        reader: TrayReader,
        *,
        confirm: Confirm = Confirm.AUTO,
        see_every_throw: bool = False,
        fittings: Fittings | None = None,
        health: HealthCheck | None = None,
        on_view: Callable[[Snapshot], None] = lambda view: None,
        setup: TableInfo | None = None,
        keeping: Keeping | None = None,
    ) -> House:
        """
        Open the table of a data folder, as its journal left it; no entry is written yet.

        Args:
            folder: Where its journal and its pictures are.
            reader: Reads the tray.
            confirm: How certain readings are taken.
            see_every_throw: Whether a die that was not seen to be thrown is a doubt.
            fittings: Its panels, its light and its buzzer, if it has any.
            health: Looks after the camera's pictures.
            on_view: Told every view, the first one at once, in the table's thread.
            setup: What its journal shall tell of it.
            keeping: How its pictures are kept.

        Raises:
            InputError: The folder cannot be used, or its journal or its key is broken.
        """
        journal, found = Journal.open(folder)
        with ExitStack() as if_refused:
            if_refused.callback(journal.close)
            house = cls(
                journal,
                found,
                _come_back(found, TableState(confirm=confirm, see_every_throw=see_every_throw)),
                key=_key_of(folder),
                checkpoint=find_last_checkpoint(found.entries),
                setup=setup or TableInfo(),
                keeping=keeping or Keeping(),
                evidence=_evidence_in(folder),
                reader=reader,
                fittings=fittings or Fittings(),
                health=health,
                on_view=on_view,
            )
            if_refused.pop_all()
        return house

    def begin(self) -> Opened:
        """
        Journal that the table starts, and return what the start found.

        Apart from opening, so that a start which is refused, say for a port in use, leaves
        no trace.

        Raises:
            InputError: The disk refuses the entry.
        """
        opened = self._opened
        torn = opened.torn.decode("utf-8", errors="backslashreplace")
        try:
            self._ledger.begin(torn)
        except OSError as error:
            expected, found = "room for the journal", error.strerror or str(error)
            raise InputError(expected=expected, found=found) from error
        self._retention.begin()
        return opened

    def start(self, camera: Camera) -> None:
        """Run the table: one thread for its state, one that watches, one a panel."""
        self._vitals.begin()
        self._spawn(LOOP, self.loop.run)
        feed = Feed(
            camera, self.watch, vitals=self._vitals, send=self.loop.send, wait=self._stop.wait
        )
        self._spawn("watch", feed.run)
        look = partial(self.recalibration.run, self.loop.send, self._stop.is_set)
        self._spawn("calibration", look)
        for seat, panel in self._fittings.panels():
            name = f"panel {seat}" if seat else "panel"
            self._spawn(name, partial(self._read_panel, panel, seat))

    def close(self) -> None:
        """End the threads and let the data folder go; what is in line is still taken."""
        self._stop.set()
        self.loop.close()
        for thread in self._threads:
            # What is in line is waited for; a driver that hangs is not, it may do so for ever.
            thread.join(None if thread.name == LOOP else DRIVER_CLOSING_S)
            if thread.is_alive():
                tell(_LOG, logging.ERROR, "a thread does not end", thread=thread.name)
        self._fittings.close()
        self._journal.close()

    # What the pages need of a table (webui.gate.TableGate).

    def snapshot(self) -> Snapshot:
        """Return the newest view."""
        return self.loop.snapshot()

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot | None:
        """Return the newest view once it is another one; none if that takes longer."""
        return self.loop.wait_for_change(version, timeout_s)

    def send(self, event: Event) -> None:
        """Put an event in the table's line."""
        self.loop.send(event)

    def ask(self, event: Event, about: str | None) -> Heard:
        """Put an event in the table's line; return what became of it."""
        return self.loop.ask(event, about)

    def picture(self) -> tuple[int, bytes]:
        """Return the newest tray picture as a JPEG, with its number."""
        return self.watch.picture()

    def evidence(self, digest: str) -> bytes | None:
        """Return the stored picture of this digest; none where it cannot be had any more."""
        try:
            return self._evidence.picture_path(digest).read_bytes()
        except (OSError, ValueError):
            return None

    def wait(self, timeout_s: float) -> bool:
        """Wait for so many seconds; true where the table is being shut down."""
        return self._stop.wait(timeout_s)

    def is_closing(self) -> bool:
        """Tell whether the table is being shut down."""
        return self.loop.is_closing()

    def health(self) -> Health:
        """Return how the table is."""
        return self._vitals.health()

    def stuck(self) -> tuple[str, ...]:
        """Return which of its threads were not heard of in time; `watchdog` asks for them."""
        return self._vitals.stuck()

    def metrics_text(self) -> str:
        """Return its numbers as a Prometheus server reads them."""
        return self._vitals.metrics.text()

    def has_followers(self, count: int) -> None:
        """Be told how many screens follow the table now."""
        self._vitals.metrics.set("followers", count)

    def _on_turn(self) -> None:
        self._vitals.loop.beat(LOOP_PATIENCE_S)
        self._retention.delete_if_due()

    def _show(self, view: Snapshot) -> None:
        self.board.show(view)
        self.recalibration.show(view)
        self._on_view(view)

    def _spawn(self, name: str, target: Callable[[], None]) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _read_panel(self, panel: Panel, seat: int | None) -> None:
        while not self._stop.is_set():
            told = panel.event(PANEL_TIMEOUT_S)
            event = self.board.take(told, seat) if told else None
            if event is not None:
                self.loop.send(event)


def _come_back(found: JournalContent, empty: TableState) -> TableState:
    """Return the table as its journal left it."""
    history = [(entry.kind, entry.body) for entry in found.entries]
    return restored(empty, history)


def _evidence_in(folder: Path) -> PictureStore:
    evidence = PictureStore(folder)
    evidence.check_folder()
    return evidence


def _key_of(folder: Path) -> TableKey:
    try:
        return TableKey.load_or_create(folder)
    except OSError as error:
        expected, found = "room for the table's key", error.strerror or str(error)
        raise InputError(expected=expected, found=found, where=str(folder)) from error
