# SPDX-License-Identifier: MIT
"""
The event loop: one thread owns the table's state, everything else sends it events.

The effects of an event are written to the disk first and shown afterwards. If the disk refuses,
the state does not change, the table shows a fault, and the loop tries again by itself. At the end
of a round it writes a checkpoint, which is shown once it is on the disk.
"""

from __future__ import annotations

import errno
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from controller.base.languages.message import message
from controller.journal.checkpoint import Checkpoint
from controller.journal.hashchain import Body, Entry
from controller.runtime.confirm_guard import ConfirmGuard, explain_block
from controller.runtime.devices.sound_control import SoundControl
from controller.runtime.die_origins import match_dice_to_table
from controller.runtime.shown_table import ShownTable, make_sound
from controller.table import events as on
from controller.table.effects import PendingEntry, SoundCue, choose_sound
from controller.table.game_flow import ends_round
from controller.table.journal_entries import with_roll_link
from controller.table.machine import step
from controller.table.state import TableState
from controller.table.view.question import CommandResult, find_refusal, is_current
from controller.table.view.snapshot import show_checkpoint
from controller.table.view.types import Snapshot
from controller.table.view.viewer import SHARED
from hardware.clock import Clock, MonotonicClock

DISK_RETRY_S = 2.0
ASK_TIMEOUT_S = 3.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
_Written = TypeVar("_Written")


class TableStorage(Protocol):
    """The disk as the loop uses it; every method may raise `OSError`."""

    def append(self, kind: str, body: Body) -> Entry:
        """Write one entry; it is on the disk when this returns."""

    def checkpoint(self) -> Checkpoint:
        """Sign all entries so far; the checkpoint is on the disk when this returns."""

    def keep_picture(self, digest: str) -> None:
        """Write a recent picture to the disk."""

    def free_space(self) -> bool:
        """Delete the pictures that the settings allow; return whether there were any."""

    def check_free_space(self) -> None:
        """Raise if there is no room for what the next roll writes."""


class LoopObserver:
    """Follows a loop. Every method runs in the table's thread and must not wait."""

    def on_event(self, event: on.Event) -> None:
        """Follow an event, before it is handled."""

    def on_state(self, state: TableState) -> None:
        """Follow a state, before its view is built; the first one when the loop is created."""

    def on_view(self, view: Snapshot) -> None:
        """Follow a view, right before the screens get it."""

    def on_sound(self, sound: SoundCue, percent: int) -> None:
        """Follow a sound and its volume, after its cause was written and shown."""

    def on_idle(self) -> None:
        """Called before each wait for an event; a wait lasts two seconds at most."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """An event, and when it was sent, in seconds of the loop's clock."""

    event: on.Event
    at_s: float


@dataclass(frozen=True, slots=True)
class _Question:
    event: on.Event
    about: str | None
    viewer: str
    at_s: float
    heard: Future[CommandResult] = field(default_factory=Future)


class TableLoop:
    """
    Applies events to the state of a table, one after the other.

    `handle` and `retry_disk` may be called by one thread only, `run` by default; `send`, `ask`,
    `state`, `snapshot`, `wait_for_change` and `is_closing` by any.
    """

    def __init__(
        self,
        state: TableState,
        *,
        storage: TableStorage,
        observers: Sequence[LoopObserver] = (),
        checkpoint: Checkpoint | None = None,
        sounds: SoundControl | None = None,
        ask_timeout_s: float = ASK_TIMEOUT_S,
        clock: Clock | None = None,
    ) -> None:
        """
        Args:
            observers: Followers, called in this order.
            checkpoint: The newest one in the journal; `None` before the first.
            sounds: How its sounds are played; `None` for silence.
            ask_timeout_s: How long `ask` waits for its turn, in seconds.
            clock: A monotonic one, which says when events are sent and views are shown; `None`
                for the machine's own.
        """
        self._state = state
        self._storage = storage
        self._observers = tuple(observers)
        self._ask_timeout_s = ask_timeout_s
        self._events: queue.SimpleQueue[_Sent | _Question | None] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._is_closing = False
        self._sounds = sounds
        self._signed = show_checkpoint(checkpoint) if checkpoint else None
        self._owes_checkpoint = False
        self._clock = clock or MonotonicClock()
        self._guard = ConfirmGuard()
        self._guard.follow(state, self._clock.now_s())
        self._shown = ShownTable(state, 1, self._signed)
        for observer in self._observers:
            observer.on_state(state)
            observer.on_view(self.snapshot())

    @property
    def state(self) -> TableState:
        """The current state; a frozen value."""
        return self._state

    def begin(self, write_start: Callable[[], None]) -> None:
        """
        Write the start of the table; a disk that refuses is shown as a fault and tried again.

        Call it before `run`. What `write_start` could not write must precede the next entry.
        """
        try:
            self._retry_after_freeing_space(write_start)
        except OSError as error:
            self._show(_without_disk(self._state, error))

    def send(self, event: on.Event) -> None:
        """Queue an event; returns at once."""
        self._events.put(_Sent(event, self._clock.now_s()))

    def ask(self, event: on.Event, about: str | None, viewer: str = "") -> CommandResult:
        """
        Queue an event that answers a question, and return the result once it has been
        handled.

        `about` is the question as the views name it; `None` for an event that always fits.
        TimeoutError if its turn did not come in time; the event is dropped.
        """
        question = _Question(event, about, viewer, self._clock.now_s())
        self._events.put(question)
        try:
            return question.heard.result(self._ask_timeout_s)
        except TimeoutError:
            if question.heard.cancel():
                raise
            return question.heard.result()

    def run(self) -> None:
        while True:
            for observer in self._observers:
                observer.on_idle()
            try:
                event = self._events.get(timeout=DISK_RETRY_S)
            except queue.Empty:
                self.retry_disk()
                continue
            if event is None:
                return
            if isinstance(event, _Question):
                self._reply(event)
            else:
                self._handle(event.event, event.at_s)

    def handle(self, event: on.Event, *, at_s: float | None = None) -> None:
        """Handle one event of this time, or of now: step, write, show, in this order."""
        self._handle(event, self._clock.now_s() if at_s is None else at_s)

    def _handle(self, event: on.Event, at_s: float) -> str:
        """Take one event; return why it came to nothing, empty if it did what it is for."""
        for observer in self._observers:
            observer.on_event(event)
        if self._guard.blocks(event, at_s):
            explained = explain_block(self._state)
            if explained is not self._state:
                self._show(explained)
            return explained.notice.text if explained.notice else ""
        event = match_dice_to_table(event, self._state.dice_on_felt)
        after, effects = step(self._state, event)
        refused = find_refusal(self._state, after)
        if after is self._state:
            return refused
        try:
            for effect in effects:
                entry = self._retry_after_freeing_space(partial(self._write_entry, effect))
                after = with_roll_link(after, entry)
        except OSError as error:
            after = _without_disk(self._state, error)
            refused = after.troubles.faults[-1].what
            if isinstance(event, on.DiceRead | on.ReadingDoubtful):
                # During a fault the table learns the dice on the felt, but takes no roll.
                after, _ = step(after, event)
        else:
            self._owes_checkpoint |= ends_round(self._state.play.position, after.play.position)
            after = self._with_checkpoint(after)
        self._show(after)
        return refused

    def retry_disk(self) -> None:
        """Check whether a disk that refused works again; `run` does that when it is idle."""
        if not any(fault.device == on.DISK for fault in self._state.troubles.faults):
            return
        try:
            # A disk that has room for this entry only is still full.
            self._storage.check_free_space()
            self._write_owed_checkpoint()
        except OSError:
            return
        self.handle(on.DeviceBack(on.DISK))

    def _reply(self, question: _Question) -> None:
        if not question.heard.set_running_or_notify_cancel():
            return
        fits = is_current(self.snapshot(question.viewer), question.about)
        # Computed in this thread: the state may change before the caller looks at it.
        question.heard.set_result(
            CommandResult(fits, self._handle(question.event, question.at_s) if fits else "")
        )

    def close(self) -> None:
        """End `run` after the queued events, and end every wait."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._events.put(None)

    def is_closing(self) -> bool:
        return self._is_closing

    def snapshot(self, viewer: str = "") -> Snapshot:
        """
        Return the newest view; it never changes afterwards.

        It is that of a phone's player, of `WATCHER`, or (empty) of the shared screen.
        """
        return self._shown.view_for(viewer)

    def wait_for_change(self, version: int, timeout_s: float, viewer: str = "") -> Snapshot | None:
        """Return the newest view once it is not `version`; `None` if time or table ends first."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_closing or self._shown.version != version, timeout_s
            )
            shown = self._shown
            is_new = shown.version != version and not self._is_closing
        return shown.view_for(viewer) if is_new else None

    def _retry_after_freeing_space(self, write: Callable[[], _Written]) -> _Written:
        """Write; if the disk refuses, free space and try once more."""
        try:
            return write()
        except OSError:
            if not self._storage.free_space():
                raise
            return write()

    def _write_entry(self, effect: PendingEntry) -> Entry:
        if effect.picture:
            self._storage.keep_picture(effect.picture)
        return self._storage.append(effect.kind, effect.body)

    def _with_checkpoint(self, after: TableState) -> TableState:
        """Write an owed checkpoint; return the state, with a disk fault if that failed."""
        try:
            self._write_owed_checkpoint()
        except OSError as error:
            return _without_disk(after, error)
        return after

    def _write_owed_checkpoint(self) -> None:
        """Write the owed checkpoint, if any; OSError if the disk refuses, and it stays owed."""
        if self._owes_checkpoint:
            self._retry_after_freeing_space(self._write_checkpoint)
            self._owes_checkpoint = False

    def _write_checkpoint(self) -> None:
        self._signed = show_checkpoint(self._storage.checkpoint())

    def _show(self, after: TableState) -> None:
        before, self._state = self._state, after
        for observer in self._observers:
            observer.on_state(after)
        cue = choose_sound(before, after)
        sound = make_sound(self._sounds, self._shown, before, after, cue)
        shown = ShownTable(after, self._shown.version + 1, self._signed, sound)
        for observer in self._observers:
            observer.on_view(shown.view_for(SHARED))
        with self._changed:
            self._shown = shown
            self._changed.notify_all()
        self._guard.follow(after, self._clock.now_s())
        if cue and sound:
            for observer in self._observers:
                observer.on_sound(cue, sound["percent"])


def _without_disk(state: TableState, error: OSError) -> TableState:
    """Return the state with a disk fault; this fault alone cannot be journalled."""
    remedy = message("Make room on it. Nothing that was confirmed is lost.")
    if isinstance(error, FileNotFoundError):
        what = message("Somebody deleted the journal while the table ran.")
        remedy = message("Restore a backup, and start the table again.")
    elif error.errno in _FULL:
        what = message("The disk is full.")
    else:
        what = message("The disk refuses to write: {error}.", error=error.strerror or error)
    return step(state, on.DeviceLost(on.DISK, what, remedy, kind="refuses"))[0]
