# SPDX-License-Identifier: MIT
"""
Publish an event: a thread makes its files again after changes, and hands them out with a delay.

It may also write them into a folder, for a web server or a network of caches that never asks this
one. Files are made of one state of the event; each is replaced as a whole.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from controller.base.durable_files import atomic_write
from controller.base.errors import refuse_os_errors
from controller.base.languages.message import Message, message
from controller.base.logs import Log
from controller.base.packed_file import PackedFile, pack_file
from controller.tournament.results.public_files import TEXT_TYPES, build_public_views, pack_json
from controller.tournament.results.result_sheet import describe_format
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.state.state import EventState

PublicFiles: TypeAlias = Mapping[str, PackedFile]
Views: TypeAlias = Mapping[str, Mapping[str, Any]]
RenderPages: TypeAlias = Callable[[Views, Message], Mapping[str, str]]
"""
Returns pages and their script by their names, from what the files of JSON hold and what is played.
"""

SHORTEST_PAUSE_S = 1.0
MOST_WAITING = 20
_LONGEST_WAIT_S = 60.0
_CATCH_UP_S = 0.1
_REST = 20.0  # How many times longer than making the files is the pause until they are made again.
_LOG = Log("tournament")


class DelayedFiles:
    """The files that wait until they are old enough, and those that are public; for one thread."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        # How long to wait between two additions: their number is limited.
        self.pause_s = max(SHORTEST_PAUSE_S, delay_s / MOST_WAITING)
        self._waiting: deque[tuple[float, PublicFiles]] = deque()

    def add(self, now_s: float, files: PublicFiles) -> None:
        """Add the files as they are now, by a monotonic clock."""
        self._waiting.append((now_s, files))

    def take_due(self, now_s: float) -> PublicFiles | None:
        """Return the newest files that are old enough; None if there are no newer ones."""
        due = None
        while self._waiting and self._waiting[0][0] + self._delay_s <= now_s:
            _, due = self._waiting.popleft()
        return due

    def find_wait_s(self, now_s: float) -> float | None:
        """Return how long until the next files are old enough; None if none wait."""
        if not self._waiting:
            return None
        return max(0.0, self._waiting[0][0] + self._delay_s - now_s)


class EventPublisher:
    """Publishes one event, so much later than in the hall, also into a folder; or InputError."""

    def __init__(
        self,
        runner: EventRunner,
        render: RenderPages,
        delay_s: float = 0.0,
        folder: Path | None = None,
    ) -> None:
        self._runner = runner
        self._render = render
        self._delayed = DelayedFiles(delay_s)
        self._folder = folder
        if folder is not None:
            with refuse_os_errors("a folder that can be written", f"--public {folder}"):
                folder.mkdir(parents=True, exist_ok=True)
                atomic_write(folder / ".dicebell", b"")
                (folder / ".dicebell").unlink()
        # The public files by name; empty until the first are old enough.
        self.files: PublicFiles = {}
        self._written: dict[str, str] = {}
        self._has_failed = False
        self._made_revision = -1
        self._made_s = float("-inf")
        self._pause_s = self._delayed.pause_s
        self._wakes = threading.Event()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        self._runner.listen(self._note_change)
        self._thread.start()

    def close(self) -> None:
        """End the thread; the files stay as they are."""
        self._is_closing = True
        self._wakes.set()
        if self._thread.is_alive():
            self._thread.join()

    def _note_change(self) -> None:
        # Choices from an open roll are in no file.
        if self._runner.revisions.shared != self._made_revision:
            self._wakes.set()

    def _run(self) -> None:
        while not self._is_closing:
            self._wakes.clear()
            if not self._runner.is_caught_up:
                # Half of an event must not take the place of files that are whole.
                self._rest(_CATCH_UP_S)
                continue
            try:
                self._publish(time.monotonic())
            except Exception as error:  # Spectators are never worth the end of the event.
                _LOG.error("the event was not published", error=repr(error))
                self._rest(self._delayed.pause_s)

    def _publish(self, now_s: float) -> None:
        is_new = self._runner.revisions.shared != self._made_revision
        if is_new and now_s - self._made_s >= self._pause_s:
            self._delayed.add(now_s, self._make_files())
            self._made_s, is_new = now_s, False
            # Of a large event the files take a while, in which rolls have to wait.
            self._pause_s = max(self._delayed.pause_s, _REST * (time.monotonic() - now_s))
        if due := self._delayed.take_due(now_s):
            self.files = due
        self._write_files()
        if is_new:
            # A change wakes the thread; until the next files only the time matters.
            self._rest(self._made_s + self._pause_s - now_s)
        else:
            self._wakes.wait(self._find_wait_s(now_s))

    def _rest(self, pause_s: float) -> None:
        end_s = time.monotonic() + pause_s
        while not self._is_closing and (left_s := end_s - time.monotonic()) > 0:
            time.sleep(min(left_s, 0.1))

    def _find_wait_s(self, now_s: float) -> float:
        wait_s = self._delayed.find_wait_s(now_s)
        # What could not be written is tried again.
        longest_s = self._delayed.pause_s if self._has_failed else _LONGEST_WAIT_S
        return longest_s if wait_s is None else min(wait_s, longest_s)

    def _make_files(self) -> PublicFiles:
        def read(state: EventState) -> tuple[int, Views, Message]:
            begun = state.data.begun
            about = describe_format(begun) if begun else message("The event has not begun")
            return self._runner.revisions.shared, build_public_views(state), about

        self._made_revision, views, about = self._runner.read(read)
        pages = self._render(views, about)
        return {
            **{name: pack_json(view) for name, view in views.items()},
            **{
                name: pack_file(TEXT_TYPES[Path(name).suffix], text.encode())
                for name, text in pages.items()
            },
        }

    def _write_files(self) -> None:
        """Write what has changed; a folder that cannot be written is tried again."""
        if self._folder is None:
            return
        try:
            for name, file in self.files.items():
                if self._written.get(name) != file.tag:
                    atomic_write(self._folder / name, file.content)
                    self._written[name] = file.tag
        except OSError as error:
            if not self._has_failed:
                reason = error.strerror or str(error)
                what = "the public folder cannot be written"
                _LOG.error(what, folder=str(self._folder), error=reason)
            self._has_failed = True
        else:
            self._has_failed = False
