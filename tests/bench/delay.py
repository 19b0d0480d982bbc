# SPDX-License-Identifier: MIT
"""
Measure the time from dice at rest to their roll on the screen, in one run and by stage.

The table is the demo's: simulated tray, real reading, rules, journal, server and page. Each part is
wrapped to note when it is done. The stages follow each other without gaps, so they add up to the
whole delay. Drawing the tray costs time that a real camera does not, so run it
on a machine that does nothing else.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, TypeAlias

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Metric, option
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.event_loop import LoopObserver
from controller.runtime.frame_events import FrameEvents
from controller.runtime.table import TableRuntime
from controller.table import events as on
from controller.table.events import Event
from controller.table.state import Phase, TableState
from controller.table.view.types import Snapshot
from hardware.clock import MonotonicClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from tests.bench.figures import SeededBenchmark, list_load, list_times, report
from tests.bench.page_probe import add_probe, open_browser, open_slowed_browser
from tests.support.server_process import HOST, ProcessGoneError
from tests.webui.visitors import FakeAccess
from vision.frame import Frame, Image
from vision.reading import TrayReading
from vision.tracking.rest_detector import TrayReader
from webui import create_app
from webui.server import KioskServer

PLAYER = "Ada"
GAME = on.GameStarted("choice", (PLAYER,))
TIMEOUT_S = 30.0
WARM_UP_ROLLS = 2

OpenPage: TypeAlias = Callable[[str, Path], AbstractContextManager[None]]
"""Opens a page in a browser, which may keep files in a folder."""

FIRST_STILL = "first still frame"
"""The mark that the delay counts from: the camera's time of that frame."""

STAGES = {
    "still": "nothing moves, until the first frame that is read",
    "camera": "that frame comes from the camera",
    "reading": "the first reading",
    "agreement": "further frames and readings, until enough agree",
    "picture": "the picture is compressed",
    "journal": "queue, rules, and picture and entry on the disk",
    "view": "the views of the screens",
    "stream": "the page receives the view",
    "page": "the page shows it",
    "drawing": "the browser draws it",
}
"""Every stage in its order, with what happens in it."""

Marks = Mapping[str, float]
"""When a roll was first still, and when each stage ended, in seconds."""


def is_complete(marks: Marks) -> bool:
    """Return whether all marks of a roll are there."""
    return {FIRST_STILL, *STAGES} <= marks.keys()


def split_delay(marks: Marks) -> dict[str, float]:
    """Return the duration of each stage in milliseconds, from complete marks."""
    ends = [marks[name] for name in (FIRST_STILL, *STAGES)]
    pairs = zip(STAGES, ends, ends[1:], strict=False)
    return {name: (end - begin) * 1000.0 for name, begin, end in pairs}


@dataclass(frozen=True, kw_only=True)
class Delay(SeededBenchmark):
    """Throw dice at a table with a page in a browser; the time from the first frame of dice at
    rest to their roll on the drawn page, by stage."""

    name: ClassVar[str] = "delay"
    rolls: int = option(40, "how many (%(default)s)", whole_number_type(1))
    slowed: int = option(
        1,
        "times that the browser runs the page slower; the table is not slowed",
        whole_number_type(1),
    )

    def measure(self) -> Iterator[Metric]:
        """Yield the whole delay and each stage."""
        open_page: OpenPage = open_browser
        if self.slowed != 1:
            open_page = partial(open_slowed_browser, rate=self.slowed)
        rolls = time_rolls(self.rolls, open_page, seed=self.seed, warm_up=WARM_UP_ROLLS)
        split = [split_delay(marks) for marks in rolls]
        yield Metric("rolls", len(split))
        yield from list_times(
            "rest to screen", [sum(stages.values()) for stages in split], share=90
        )
        for stage in STAGES:
            yield from list_times(stage, [stages[stage] for stages in split], share=90)
        yield from list_load()
        yield Metric("slowed", self.slowed)
        yield Metric("seed", self.seed)


class RollClock(LoopObserver):
    """Takes the marks of the roll that is under way; its parts are called by several threads."""

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
                if isinstance(event, on.MotionStarted | on.ReadingDoubtful):
                    self._marks.clear()
                elif isinstance(event, on.MotionStopped):
                    # The rest began with the frame before: nothing has moved since that one.
                    self._marks = {FIRST_STILL: before_s}
                elif isinstance(event, on.DiceRead):
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
        is_roll, self._rolls = state.play.rolls > self._rolls, state.play.rolls
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


def time_rolls(rolls: int, open_page: OpenPage, *, seed: int, warm_up: int) -> list[Marks]:
    """Return the marks of this many rolls."""
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
        url = stack.enter_context(_serve_kiosk(table, hands, clock))
        table.start(camera)
        stack.enter_context(open_page(url, folder / "browser"))
        return [_time_roll(table, hands, clock) for _ in range(warm_up + rolls)][warm_up:]


@contextmanager
def _serve_kiosk(table: TableRuntime, hands: SimulatedHands, clock: RollClock) -> Iterator[str]:
    """Serve the kiosk of a table with the probe on its page; give its address."""
    app = create_app(table.running, hands, FakeAccess())
    app.wsgi_app = add_probe(app.wsgi_app, clock.on_drawn)  # type: ignore[method-assign, assignment]
    kiosk = KioskServer(app, HOST, 0)
    kiosk.start()
    try:
        yield kiosk.url
    finally:
        table.loop.close()
        kiosk.close()


def _time_roll(table: TableRuntime, hands: SimulatedHands, clock: RollClock) -> Marks:
    """Throw until a roll was read and drawn, choose something, and return the marks."""
    _await_throw(table)
    until_s = time.monotonic() + 4 * TIMEOUT_S
    while time.monotonic() < until_s:
        hands.throw()
        marks = clock.wait(TIMEOUT_S / 4)
        if marks is not None:
            return marks
        report("a throw was not read, or the page did not show it; the dice are thrown again")
    raise ProcessGoneError("no roll came to the page")


def _await_throw(table: TableRuntime) -> None:
    """Bring the table to where a throw is awaited, in a new game if the last one is over."""
    until_s = time.monotonic() + TIMEOUT_S
    while (view := table.loop.snapshot())["phase"] != Phase.AWAITING_ROLL.value:
        if view["phase"] == Phase.LOBBY.value:
            event: Event = GAME
        elif view["phase"] == Phase.CHOOSING.value:
            event = on.ActionRequested(PLAYER, view["choices"][0]["action"])
        else:
            event = on.GameClosed()
        with suppress(TimeoutError):
            table.loop.ask(event, None)
        if time.monotonic() > until_s:
            raise ProcessGoneError(f"the table stays in {view['phase']}")
