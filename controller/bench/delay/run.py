# SPDX-License-Identifier: MIT
"""
Measure the time from dice at rest to their roll on the screen, in one run and by stage.

The table is the demo's: simulated tray, real reading, rules, journal, server and page. Each part is
wrapped to note when it is done. Drawing the tray costs time that a real camera does not, so run it
on a machine that does nothing else.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from controller.bench.delay.page import OnDrawn
from controller.bench.delay.stages import FIRST_STILL, Marks, is_complete
from controller.bench.soak.process import TableGoneError
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.event_loop import LoopObserver
from controller.runtime.frame_events import FrameEvents
from controller.runtime.table import TableRuntime
from controller.table.events import (
    ActionRequested,
    DiceRead,
    Event,
    GameClosed,
    GameStarted,
    MotionStarted,
    MotionStopped,
    ReadingDoubtful,
)
from controller.table.state import Phase, TableState
from controller.table.view.types import Snapshot
from hardware.clock import MonotonicClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from vision.frame import Frame, Image
from vision.reading import TrayReading
from vision.tracking.rest_detector import TrayReader

PLAYER = "Ada"
GAME = GameStarted("choice", (PLAYER,))
TIMEOUT_S = 30.0
WARM_UP_ROLLS = 2

ServePage: TypeAlias = Callable[
    [TableRuntime, SimulatedHands, OnDrawn], AbstractContextManager[str]
]
"""Serves the kiosk of a table with the probe on its page; gives its address."""

OpenPage: TypeAlias = Callable[[str, Path], AbstractContextManager[None]]
"""Opens a page in a browser, which may keep files in a folder."""


@dataclass(frozen=True, slots=True)
class DelayResult:
    """
    What was measured.

    Attributes:
        rolls: The marks of each roll.
        load: The load of the machine in the last minute: runnable threads.
        cores: Its cores.
    """

    rolls: tuple[Marks, ...]
    load: float
    cores: int


class RollClock(LoopObserver):
    """
    Takes the marks of the roll that is under way; its parts are called by several threads.

    Args:
        now_s: The monotonic clock, which the camera uses too.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._changed = threading.Condition()
        self._marks: dict[str, float] = {}
        self._rolls = 0
        self._version = -1
        self._frame_s = 0.0

    def wrap_reader(self, reader: TrayReader) -> TrayReader:
        """Return a reader with the same readings that marks the first one of a rest."""
        return _MarkingReader(reader, self)

    def wrap_frames(self, frames: FrameEvents) -> FrameEvents:
        """Let the frame events mark rests and readings; return them."""
        process = frames.process
        frames.process = partial(self._process, process)  # type: ignore[method-assign]
        return frames

    def _process(
        self, process: Callable[[Frame], Iterator[Event]], frame: Frame
    ) -> Iterator[Event]:
        before_s, self._frame_s = self._frame_s, frame.at_s
        for event in process(frame):
            with self._changed:
                if isinstance(event, MotionStarted | ReadingDoubtful):
                    self._marks.clear()
                elif isinstance(event, MotionStopped):
                    # The rest began with the frame before: nothing has moved since that one.
                    self._marks = {FIRST_STILL: before_s}
                elif isinstance(event, DiceRead):
                    self._marks["picture"] = self._now_s()
            yield event

    def begin_reading(self) -> None:
        """Note that a frame is going to be read."""
        if "reading" not in self._marks:
            self._marks |= {"still": self._frame_s, "camera": self._now_s()}

    def end_reading(self) -> None:
        """Note that it was read; the last reading ends the agreement."""
        self._marks.setdefault("reading", self._now_s())
        self._marks["agreement"] = self._now_s()

    def on_state(self, state: TableState) -> None:
        """Note that a roll is on the disk."""
        is_roll, self._rolls = state.rolls > self._rolls, state.rolls
        if is_roll:
            self._version = -1
            self._marks["journal"] = self._now_s()

    def on_view(self, view: Snapshot) -> None:
        """Note that the view of the roll was built."""
        if "journal" in self._marks and self._version < 0:
            self._marks["view"] = self._now_s()
            self._version = view["version"]

    def on_drawn(self, version: int, times: Mapping[str, float]) -> None:
        """Note what the page reports of a view."""
        with self._changed:
            if version == self._version:
                self._marks |= {
                    "stream": times["arrived"],
                    "page": times["shown"],
                    "drawing": times["drawn"],
                }
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> Marks | None:
        """Return the marks of the roll once the page has drawn it; `None` after the timeout."""
        with self._changed:
            if not self._changed.wait_for(lambda: is_complete(self._marks), timeout_s):
                return None
            found, self._marks = self._marks, {}
            return found


class _MarkingReader:
    """A reader whose readings are marked."""

    def __init__(self, reader: TrayReader, clock: RollClock) -> None:
        self._reader = reader
        self._clock = clock

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        """Read a picture of shape (height, width, 3); `expect` is how many dice belong there."""
        self._clock.begin_reading()
        reading = self._reader.read(image_bgr, expect=expect)
        self._clock.end_reading()
        return reading


def measure_delay(
    rolls: int,
    serve: ServePage,
    open_page: OpenPage,
    *,
    seed: int,
    report: Callable[[str], None],
    warm_up: int = WARM_UP_ROLLS,
) -> DelayResult:
    """
    Return the marks of this many rolls.

    Args:
        rolls: How many.
        serve: Serves the kiosk.
        open_page: Opens its page.
        seed: Decides the dice.
        report: Gets lines about the progress.
        warm_up: How many more are thrown first and not counted.

    Raises:
        TableGoneError: No roll comes to the page.
    """
    clock, camera = RollClock(), SimulatedCamera(MonotonicClock(), seed=seed)
    hands = SimulatedHands(camera, seed=seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="delay-")))
        table = TableRuntime.open(
            folder / "data", clock.wrap_reader(ActiveCalibration()), observers=(clock,)
        )
        stack.callback(table.close)
        table.frame_events = clock.wrap_frames(table.frame_events)
        table.begin()
        url = stack.enter_context(serve(table, hands, clock.on_drawn))
        table.start(camera)
        stack.enter_context(open_page(url, folder / "browser"))
        found = [_time_roll(table, hands, clock, report) for _ in range(warm_up + rolls)]
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return DelayResult(tuple(found[warm_up:]), load, cores)


def _time_roll(
    table: TableRuntime, hands: SimulatedHands, clock: RollClock, report: Callable[[str], None]
) -> Marks:
    """Throw until a roll was read and drawn, choose something, and return the marks."""
    _await_throw(table)
    until_s = time.monotonic() + 4 * TIMEOUT_S
    while time.monotonic() < until_s:
        hands.throw()
        marks = clock.wait(TIMEOUT_S / 4)
        if marks is not None:
            return marks
        report("a throw was not read, or the page did not show it; the dice are thrown again")
    raise TableGoneError("no roll came to the page")


def _await_throw(table: TableRuntime) -> None:
    """Bring the table to where a throw is awaited, in a new game if the last one is over."""
    until_s = time.monotonic() + TIMEOUT_S
    while (view := table.loop.snapshot())["phase"] != Phase.AWAITING_ROLL.value:
        if view["phase"] == Phase.LOBBY.value:
            event: Event = GAME
        elif view["phase"] == Phase.CHOOSING.value:
            event = ActionRequested(PLAYER, view["choices"][0]["action"])
        else:
            event = GameClosed()
        with suppress(TimeoutError):
            table.loop.ask(event, None)
        if time.monotonic() > until_s:
            raise TableGoneError(f"the table stays in {view['phase']}")
