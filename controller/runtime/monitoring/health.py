# SPDX-License-Identifier: MIT
"""
Count, log and summarize what one table does.

Nothing here changes the table. The reader and the journal are wrapped to be measured; the
states are observed as they pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from controller.base.logs import Log
from controller.journal.entries import CorrectionEntry, ThrowEntry, read_entry
from controller.journal.hashchain import Entry
from controller.runtime.event_loop import LoopObserver
from controller.runtime.monitoring.metrics import Metrics
from controller.table.events import CAMERA, DISK, GROUND, DeviceLost, PeripheralLost
from controller.table.state import TableState
from hardware.clock import Clock, MonotonicClock, find_wrong_year
from vision.frame import Image
from vision.reading import TrayReading
from vision.tracking.rest_detector import TrayReader

LIVE = "live"  # The state of a part that works.


@dataclass(frozen=True, slots=True)
class Health:
    """The health of a table; the keys of the answer of `/healthz`."""

    wrong: tuple[str, ...]  # What is wrong with the program, in words; empty if it is well.
    loop: str  # `live`, or for how long its heartbeat is overdue.
    camera: str  # `live`, `starting`, the fault it has, or as `loop`.
    journal: str  # `live`, or what is wrong with the disk.
    tournament: str  # `off`, `live`, or why the journal does not reach the desk of the tournament.
    phase: str  # The phase of the table.
    frames: int  # Frames since the start.
    up_s: float  # Seconds since the start.
    version: str  # Of the program.
    clock: str  # `live`, or the year that the wall clock shows if it cannot be right.
    mqtt: str  # `off`, `connecting`, `live`, or why not in a word or two, without addresses.
    # `live`, or which of them cannot be used, with the reason and the remedy.
    peripherals: str = LIVE


STARTING, OFF, LOST = "starting", "off", "lost"

LOOP_PATIENCE_S = 15.0
"""A slow SD card may take seconds for an entry; nothing takes longer than this."""
CAMERA_PATIENCE_S = 15.0
"""How long opening or closing a camera may take, or one picture with its reading."""

SLOW_JOURNAL_MS = 100.0

_TABLE, _CAMERA, _JOURNAL = Log("table"), Log("camera"), Log("journal")


class HealthMonitor(LoopObserver):
    """Monitors the health of one table; other threads may ask it, and report on the broker."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.metrics = Metrics()
        self._clock = clock or MonotonicClock()
        self._began_s = self._clock.now_s()
        self.loop = ThreadHeartbeat(self._clock)
        self.camera = ThreadHeartbeat(self._clock)
        self._frames = 0
        self._mqtt = "off"
        self._state: TableState | None = None
        self._describe_uplink: Callable[[], str] = lambda: OFF

    def record_entry(self, entry: Entry, took_ms: float) -> None:
        """Record an entry and how long it took to write; no name of a player goes into the log."""
        self.metrics.observe_ms("journal", took_ms)
        if took_ms > SLOW_JOURNAL_MS:
            kind, seq = entry.kind, entry.seq
            _JOURNAL.warning("journal slow", ms=took_ms, kind=kind, seq=seq)
        match read_entry(entry):
            case ThrowEntry(roll=roll, by_hand=by_hand):
                self.metrics.count("rolls")
                _TABLE.info("roll taken", roll=roll, by_hand=bool(by_hand))
            case CorrectionEntry(was=was, roll=roll):
                _TABLE.warning("roll corrected", was=was, roll=roll)

    def report_uplink(self, describe: Callable[[], str], waiting: Callable[[], int]) -> None:
        """Include a tournament in the health, and the entries that wait for it in the metrics."""
        self._describe_uplink = describe
        self.metrics.follow("waiting", waiting)

    def expect_heartbeats(self) -> None:
        """Expect the first heartbeats: the threads are being started."""
        self.loop.beat(LOOP_PATIENCE_S)
        self.camera.beat(CAMERA_PATIENCE_S)

    def wrap_reader(self, reader: TrayReader) -> TrayReader:
        """Return a reader with the same readings that is timed."""
        return _TimedReader(reader, self.metrics, self._clock)

    def on_camera_opened(self, name: str) -> None:
        _CAMERA.info("camera opened", camera=name)

    def on_frame(self) -> None:
        self.camera.beat(CAMERA_PATIENCE_S)
        self._frames += 1
        self.metrics.count("frames")

    def report_broker(self, status: str, *, is_connected: bool, acknowledged: int = 0) -> None:
        """Note the connection to the MQTT broker, and how many more events it acknowledged."""
        self._mqtt = status
        self.metrics.set("mqtt_connected", float(is_connected))
        self.metrics.count("mqtt_events", by=acknowledged)

    def on_state(self, state: TableState) -> None:
        """Count and log what a state changes; the first one is from before this start."""
        before, self._state = self._state, state
        if before is None:
            return
        self._report_faults(before.troubles.faults, state.troubles.faults)
        self._report_lost(before.troubles.lost_peripherals, state.troubles.lost_peripherals)
        if state.reading.doubts and state.reading.doubts != before.reading.doubts:
            kinds = [doubt.kind for doubt in state.reading.doubts]
            for kind in kinds:
                self.metrics.count("doubts", kind)
            _TABLE.info("doubt", kinds=",".join(kinds))

    def stuck_threads(self) -> tuple[str, ...]:
        """Return the names of the threads whose heartbeat is overdue."""
        late_s = {"loop": self.loop.overdue_s(), CAMERA: self.camera.overdue_s()}
        return tuple(name for name, seconds in late_s.items() if seconds)

    def health(self) -> Health:
        state = self._state
        faults = {fault.device: fault for fault in state.troubles.faults} if state else {}
        wrong = [f"the {name} gave no heartbeat in time" for name in self.stuck_threads()]
        if DISK in faults:
            wrong.append(faults[DISK].what)
        return Health(
            wrong=tuple(wrong),
            loop=_stuck_text(self.loop.overdue_s()) or LIVE,
            camera=_stuck_text(self.camera.overdue_s()) or self._camera_word(faults.get(CAMERA)),
            journal=_kind(faults[DISK]) if DISK in faults else LIVE,
            tournament=self._describe_uplink(),
            phase=state.phase.value if state else STARTING,
            frames=self._frames,
            up_s=round(self._clock.now_s() - self._began_s, 1),
            version=version("dicebell"),
            clock=_describe_clock(),
            mqtt=self._mqtt,
            peripherals=_describe_lost(state.troubles.lost_peripherals if state else ()),
        )

    def _camera_word(self, fault: DeviceLost | None) -> str:
        if fault is not None:
            return _kind(fault)
        return LIVE if self._frames else STARTING

    def _report_faults(self, before: tuple[DeviceLost, ...], after: tuple[DeviceLost, ...]) -> None:
        for fault in after:
            if fault not in before:
                self._report_begin(fault.device, _kind(fault), fault.what)
        lost = {fault.device for fault in after}
        for fault in before:
            if fault.device not in lost:
                _report_end(fault.device, _kind(fault))

    def _report_lost(
        self, before: tuple[PeripheralLost, ...], after: tuple[PeripheralLost, ...]
    ) -> None:
        for lost in after:
            if lost not in before:
                self._report_begin(_name(lost), LOST, f"{lost.what}; {lost.remedy}")
        left = {_name(lost) for lost in after}
        for lost in before:
            if _name(lost) not in left:
                _report_end(_name(lost), LOST)

    def _report_begin(self, device: str, kind: str, what: str) -> None:
        self.metrics.count("faults", f"{device} {kind}")
        _TABLE.warning("fault began", device=device, kind=kind, what=what)


class _TimedReader:
    def __init__(self, reader: TrayReader, metrics: Metrics, clock: Clock) -> None:
        self._reader = reader
        self._metrics = metrics
        self._clock = clock

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        began_s = self._clock.now_s()
        reading = self._reader.read(image_bgr, expect=expect)
        self._metrics.observe_ms("reading", (self._clock.now_s() - began_s) * 1000)
        return reading


def _report_end(device: str, kind: str) -> None:
    _TABLE.info("fault ended", device=device, kind=kind)


def _describe_clock() -> str:
    year = find_wrong_year()
    return LIVE if year is None else f"shows the year {year}"


def _kind(fault: DeviceLost) -> str:
    return fault.kind or LOST


def _name(lost: PeripheralLost) -> str:
    return lost.device if lost.panel is None else f"{lost.device} of panel {lost.panel}"


def _describe_lost(lost: tuple[PeripheralLost, ...]) -> str:
    described = (f"{_name(one)}: {one.what}; {one.remedy}." for one in lost if one.device != GROUND)
    return " ".join(described) or LIVE


def _stuck_text(late_s: float) -> str:
    return f"stuck for {late_s:.0f} s" if late_s else ""


# A thread that dies ends the process, but one that hangs in a driver or on a disk does not. Only
# the thread knows how long its next step may take, so each beat sets the next deadline.
class ThreadHeartbeat:
    """The heartbeat of one thread; any thread may check it, and nothing is due before the first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due_s = math.inf

    def beat(self, within_s: float) -> None:
        """Beat, and set the deadline of the next beat."""
        self._due_s = self._clock.now_s() + within_s

    def overdue_s(self) -> float:
        """Return for how many seconds a beat has been overdue; 0 while none is."""
        return max(0.0, self._clock.now_s() - self._due_s)
