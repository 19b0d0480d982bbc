# SPDX-License-Identifier: MIT
"""
Hours of play as fast as a machine can, and the table's memory meanwhile.

A soak in real time sees few rolls. Here the table plays by itself, with its camera, its readings
and its journal, while a page and phones follow it; so what grows with each roll or each view is
seen. People take about 20 seconds for a roll, so an hour of play is 180 rolls.
"""

from __future__ import annotations

import http.client
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import ClassVar

from controller.cli.bench_reader.benchmark import Metric, option
from tests.bench.clients.screen import StreamClient
from tests.bench.figures import SeededBenchmark, parse_positive, report
from tests.bench.memory import MemorySample, measure_late_growth
from tests.bench.table_process import TableProcess
from tests.support.server_process import ProcessGoneError

ROLLS_A_MINUTE = 3.0
FOLLOWERS = 6
PAGES = ("/", "/tray.jpg", "/healthz")
SAMPLE_S = 1.0
REPORT_S = 30.0
LATE_SHARE = 0.75
EIGHTHS, NEWEST = 8, 10
GROWTH = "memory grown in the last three quarters, MB"
MOST_GROWTH_MB = 8.0
"""Over the last three quarters; before them everything is used for the first time."""
STALLED_S = 120.0


@dataclass(frozen=True, kw_only=True)
class Evening(SeededBenchmark):
    """Play hours of play as fast as the machine can; memory at each step."""

    name: ClassVar[str] = "evening"
    hours: float = option(8.0, "of play (%(default)g)", parse_positive)

    def measure(self) -> Iterator[Metric]:
        """Yield the rolls of a table that plays, and its memory meanwhile."""
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="evening-") as name, ExitStack() as closing:
            options = ("--autoplay", "1000000")
            table = closing.enter_context(
                TableProcess(Path(name), seed=self.seed, options=options, has_camera_thread=False)
            )
            for _ in range(FOLLOWERS):
                closing.callback(StreamClient(table.port).close)
            memory = _sample_memory(table, self.hours * 60.0)
            # The streams end with their table, not with a person's patience.
            table.kill()
        yield Metric("hours of play", round(memory[-1].minute / 60.0, 2))
        yield Metric("seconds", round(time.monotonic() - began_s, 1))
        yield Metric("rolls", round(memory[-1].minute * ROLLS_A_MINUTE), least=1)
        yield from list_memory(memory)
        yield Metric("seed", self.seed)


def list_memory(samples: Sequence[MemorySample]) -> Iterator[Metric]:
    """Yield the memory at every eighth of the time, and how much it grew."""
    first, last = samples[0].minute, samples[-1].minute
    for part in range(1, EIGHTHS + 1):
        so_far = [each.memory_mb for each in samples if each.minute <= last * part / EIGHTHS]
        # The newest samples before that moment; a start may take longer than the first part.
        found = round(median(so_far[-NEWEST:]), 1) if so_far else 0.0
        yield Metric(f"memory after {last * part / EIGHTHS / 60:.2f} h, MB", found)
    highest_mb = max(each.memory_mb for each in samples)
    yield Metric("memory at its highest, MB", round(highest_mb, 1))
    growth_mb = measure_late_growth(samples, LATE_SHARE * (last - first)) or 0.0
    yield Metric(GROWTH, round(growth_mb, 1), most=MOST_GROWTH_MB)


def _sample_memory(table: TableProcess, minutes: float) -> list[MemorySample]:
    samples: list[MemorySample] = []
    reported_s = moved_s = time.monotonic()
    while not samples or samples[-1].minute < minutes:
        time.sleep(SAMPLE_S)
        memory_mb = table.memory_mb()
        minute = _count_rolls(table) / ROLLS_A_MINUTE
        now_s = time.monotonic()
        if not samples or minute > samples[-1].minute:
            moved_s = now_s
        if now_s - moved_s > STALLED_S:
            raise ProcessGoneError(f"no roll for {STALLED_S:g} s")
        samples.append(MemorySample(max(minute, samples[-1].minute if samples else 0.0), memory_mb))
        if now_s - reported_s > REPORT_S:
            reported_s = now_s
            report(f"{minute / 60:.2f} h of play: {memory_mb:.1f} MB")
    return samples


def _count_rolls(table: TableProcess) -> float:
    """Return how many rolls the table took; 0 if it is too busy to answer. Load pages, too."""
    try:
        for page in PAGES:
            table.get(page)
    except (OSError, http.client.HTTPException):
        return 0.0
    return table.read_metric("dicebell_rolls_total") or 0.0
