# SPDX-License-Identifier: MIT
"""How a table is, and what is counted and logged of it."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.journal import Journal
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo
from controller.runtime.monitoring.health import CAMERA_PATIENCE_S, LOOP_PATIENCE_S, HealthMonitor
from controller.table.events import DeviceLost, PeripheralLost, TrayDoubt
from controller.table.state import Phase, Screen, TableReading, TableState, Troubles
from hardware.clock import SteppedClock
from tests.controller.runtime.monitoring.test_metrics import samples
from vision.frame import Image
from vision.reading import TrayReading

GONE = DeviceLost("camera", "the device is gone", "plug it in", "gone")
DISK = DeviceLost("disk", "The disk refuses to write: full", "make room", "refuses")


class Watched:
    def __init__(self) -> None:
        self.clock = SteppedClock()
        self.monitor = HealthMonitor(self.clock)
        self.monitor.on_state(TableState())
        self.monitor.expect_heartbeats()
        self.monitor.on_frame()

    def pass_s(self, seconds: float, *, loop: bool = True, camera: bool = True) -> None:
        self.clock.wait_s(seconds)
        if loop:
            self.monitor.loop.beat(LOOP_PATIENCE_S)
        if camera:
            self.monitor.camera.beat(CAMERA_PATIENCE_S)


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_table_whose_threads_are_heard_of_is_well(watched: Watched) -> None:
    watched.pass_s(1000.0)
    health = watched.monitor.health()
    assert health.wrong == ()
    assert (health.loop, health.camera, health.journal) == ("live", "live", "live")
    assert (health.phase, health.frames, health.up_s) == ("lobby", 1, 1000.0)


@pytest.mark.parametrize("name", ["loop", "camera"])
def test_a_thread_that_hangs_is_wrong_and_comes_back(watched: Watched, name: str) -> None:
    watched.pass_s(20.0, loop=name != "loop", camera=name != "camera")
    health = watched.monitor.health()
    assert health.wrong == (f"the {name} gave no heartbeat in time",)
    assert getattr(health, name) == "stuck for 5 s"
    assert watched.monitor.stuck_threads() == (name,)
    watched.pass_s(0.0)
    assert watched.monitor.health().wrong == ()


def test_a_thread_that_never_began_is_wrong_after_a_while() -> None:
    clock = SteppedClock()
    monitor = HealthMonitor(clock)
    monitor.expect_heartbeats()
    assert monitor.health().wrong == ()
    assert monitor.health().camera == "starting"
    clock.wait_s(20.0)
    assert len(monitor.health().wrong) == 2


def test_nobody_waits_for_threads_that_were_not_started() -> None:
    clock = SteppedClock()
    monitor = HealthMonitor(clock)
    clock.wait_s(1000.0)
    assert monitor.health().wrong == ()
    assert monitor.stuck_threads() == ()


def test_a_camera_that_is_gone_is_named_and_nothing_is_wrong(watched: Watched) -> None:
    watched.monitor.on_state(TableState(phase=Phase.FAULT, troubles=Troubles(faults=(GONE,))))
    health = watched.monitor.health()
    assert health.wrong == ()
    assert (health.camera, health.phase) == ("gone", "fault")


def test_a_refusing_disk_is_unhealthy_until_it_takes_entries(watched: Watched) -> None:
    watched.monitor.on_state(TableState(phase=Phase.FAULT, troubles=Troubles(faults=(DISK,))))
    assert watched.monitor.health().wrong == (DISK.what,)
    assert watched.monitor.health().journal == "refuses"
    watched.monitor.on_state(TableState())
    assert watched.monitor.health().wrong == ()


def test_faults_are_counted_once_and_logged_at_begin_and_end(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    at_fault = TableState(phase=Phase.FAULT, troubles=Troubles(faults=(GONE,)))
    for state in (at_fault, replace(at_fault, screen=Screen(1)), TableState()):
        watched.monitor.on_state(state)
    assert samples(watched.monitor.metrics)["dicebell_faults_total camera gone"] == 1
    assert [record.message for record in caplog.records] == ["fault began", "fault ended"]


def test_doubts_are_counted_by_kind_once_a_rest(watched: Watched) -> None:
    doubts = (TrayDoubt("cocked", "a die leans"), TrayDoubt("glare", "it shines"))
    doubtful = TableState(phase=Phase.STRAIGHTEN, reading=TableReading(doubts=doubts))
    for state in (doubtful, replace(doubtful, screen=Screen(1)), TableState(), doubtful):
        watched.monitor.on_state(state)
    told = samples(watched.monitor.metrics)
    assert told["dicebell_doubts_total cocked"] == 2
    assert told["dicebell_doubts_total glare"] == 2


def test_entries_of_earlier_starts_are_not_counted_again() -> None:
    monitor = HealthMonitor(SteppedClock())
    monitor.on_state(TableState(phase=Phase.FAULT, troubles=Troubles(faults=(GONE,))))
    assert "dicebell_faults_total camera gone" not in samples(monitor.metrics)


def test_readings_are_timed(watched: Watched) -> None:
    class SlowReader:
        def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
            watched.clock.wait_s(0.03)
            return TrayReading(dice=(), doubts=(), rejected=(), stages=())

    reader = watched.monitor.wrap_reader(SlowReader())
    reader.read(np.zeros((2, 2, 3), np.uint8), expect=5)
    told = samples(watched.monitor.metrics)
    assert told["dicebell_reading_milliseconds_sum"] == pytest.approx(30.0)


def measured_writer(watched: Watched, journal: Journal, folder: Path) -> JournalWriter:
    return JournalWriter(
        journal,
        TableKey.load_or_create(folder),
        TableInfo(),
        JournalFacts(),
        on_timing=watched.monitor.record_entry,
        now_s=watched.clock.now_s,
    )


def test_rolls_on_the_disk_are_counted_and_told_without_names(
    watched: Watched, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    journal, _ = Journal.open(tmp_path)
    measured = measured_writer(watched, journal, tmp_path)
    measured.append("roll", {"by": "Ada", "roll": "1 3 4 4 6", "by_hand": "", "lie": []})
    measured.append("action", {"by": "Ada", "do": "4+10/4"})
    measured.append("correction", {"by": "Eva", "was": "1 3 4 4 6", "roll": "1 3 4 4 5"})
    journal.close()
    told = samples(watched.monitor.metrics)
    assert told["dicebell_rolls_total"] == 1
    assert told["dicebell_journal_milliseconds_count"] == 3
    assert [record.message for record in caplog.records] == ["roll taken", "roll corrected"]
    lines = [str(record.__dict__) for record in caplog.records]
    assert not any(name in line for line in lines for name in ("Ada", "Eva"))


def test_an_entry_that_took_long_is_logged(
    watched: Watched, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def slow_clock_ms() -> int:
        watched.clock.wait_s(0.25)
        return 0

    journal, _ = Journal.open(tmp_path, now_ms=slow_clock_ms)
    measured = measured_writer(watched, journal, tmp_path)
    measured.append("pause", {})
    measured.checkpoint()
    journal.close()
    assert [record.message for record in caplog.records] == ["journal slow"] * 2
    told = samples(watched.monitor.metrics)
    assert told["dicebell_journal_milliseconds_sum"] == pytest.approx(500.0)


def test_an_entry_that_is_refused_is_counted_nowhere(watched: Watched, tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    measured = measured_writer(watched, journal, tmp_path)
    journal.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        measured.append("roll", {"roll": "1", "by_hand": ""})
    assert samples(watched.monitor.metrics)["dicebell_rolls_total"] == 0


def test_a_lost_peripheral_is_named_counted_and_logged(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    lost = PeripheralLost("buttons", "pin 5 is in use", "end that program", 2)
    with caplog.at_level(logging.INFO, logger="dicebell.table"):
        watched.monitor.on_state(TableState(troubles=Troubles(lost_peripherals=(lost,))))
        health = watched.monitor.health()
        watched.monitor.on_state(TableState())
    assert health.wrong == ()
    assert health.peripherals == "buttons of panel 2: pin 5 is in use; end that program."
    assert watched.monitor.health().peripherals == "live"
    counted = samples(watched.monitor.metrics)
    assert counted["dicebell_faults_total buttons of panel 2 lost"] == 1
    assert [record.message for record in caplog.records] == ["fault began", "fault ended"]
