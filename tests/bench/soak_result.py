# SPDX-License-Identifier: MIT
"""The result of a soak, and the limits that it must not pass."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap

from controller.cli.bench_reader.benchmark import Metric
from tests.bench.figures import list_times
from tests.bench.memory import MemorySample, measure_late_growth
from tests.support.server_process import ProcessUsage

MOST_GROWTH_MB = 16.0
"""More than an evening's noise of the allocator, less than a leak would take in half an hour."""
WARMING_GROWTH_MB, WARM_MINUTES = 64.0, 10.0
"""A shorter soak measures before everything was used once, such as the buffer of a long throw."""
MOST_LATE_GROWTH_MB = 4.0
"""Over the last 20 minutes of a long soak, when everything was used once."""
MOST_EXTRA_FILES = 2
MOST_EXTRA_THREADS = 8
"""A port keeps those of its busiest minute for a while; a leak would be one for each visit."""
LONGEST_ANSWER_MS = 5000.0
LONGEST_WAIT_MS = 1000.0
LONGEST_SILENCE_S = 3.0
"""How long strangers may make the table's own screen wait; a stream is never silent for 2 s."""


LATE_GROWTH = "memory grown in the last 20 minutes, MB"


@dataclass(frozen=True, slots=True)
class SoakResult:
    """
    What was measured.

    Attributes:
        minutes: How long the table was disturbed, warm-up and quiet moments included.
        start_s: Seconds from the start of the process to the first picture.
        start: What the process used after its warm-up, everybody gone.
        end: The same in the end.
        memory: Its memory, about once a second.
        throws: How often dice were thrown.
        shown: The rolls that the screen showed as taken, in order, faces sorted.
        journalled: The rolls in the journal, likewise.
        invented: Rolls on the screen without a throw.
        is_owed: Whether the last throw was never taken.
        doubts: Rests that the table asked about.
        faults: How often the camera failed.
        visits: How many phones came and vanished.
        answers_ms: How long each answer of /healthz took.
        attacks: What strangers did, by its name; empty without them.
        slowest_ms: The slowest answer to the table's own screen.
        silence_s: The longest time without an event on the stream of the table's own screen.
        refused: Answers of /healthz that were not 200, and requests without an answer.
        exit_status: Of the process, once asked to end.
    """

    minutes: float
    start_s: float
    start: ProcessUsage
    end: ProcessUsage
    memory: Sequence[MemorySample]
    throws: int
    shown: Sequence[str]
    journalled: Sequence[str]
    invented: int
    is_owed: bool
    doubts: int
    faults: int
    visits: int
    answers_ms: Sequence[float]
    refused: int
    exit_status: int
    attacks: Mapping[str, int] = field(default_factory=dict)
    slowest_ms: float = 0.0
    silence_s: float = 0.0

    @property
    def lost(self) -> int:
        """Rolls that people saw and the journal does not have."""
        return (Counter(self.shown) - Counter(self.journalled)).total()

    @property
    def added(self) -> int:
        """Rolls in the journal that were never shown or never thrown."""
        return (Counter(self.journalled) - Counter(self.shown)).total() + self.invented


def list_metrics(soaked: SoakResult) -> Iterator[Metric]:
    """Yield the metrics; those that must not be passed have limits."""
    growth_mb = soaked.end.memory_mb - soaked.start.memory_mb
    late_mb = measure_late_growth(soaked.memory)
    is_warm, is_attacked = soaked.minutes >= WARM_MINUTES, bool(soaked.attacks)
    yield Metric("minutes", round(soaked.minutes, 2))
    yield Metric("start until the first picture, s", round(soaked.start_s, 2))
    yield Metric("memory at start, MB", round(soaked.start.memory_mb, 1))
    yield Metric("memory at end, MB", round(soaked.end.memory_mb, 1))
    highest_mb = max((each.memory_mb for each in soaked.memory), default=0.0)
    yield Metric("memory at its highest, MB", round(highest_mb, 1))
    most_mb = MOST_GROWTH_MB if is_warm else WARMING_GROWTH_MB
    yield Metric("memory grown, MB", round(growth_mb, 1), most=most_mb)
    if late_mb is not None:
        yield Metric(LATE_GROWTH, round(late_mb, 1), most=MOST_LATE_GROWTH_MB)
    yield Metric("threads at start", soaked.start.threads)
    most_threads = soaked.start.threads + MOST_EXTRA_THREADS
    yield Metric("threads at end", soaked.end.threads, most=most_threads)
    yield Metric("open files at start", soaked.start.files)
    most_files = soaked.start.files + MOST_EXTRA_FILES
    yield Metric("open files at end", soaked.end.files, most=most_files)
    yield Metric("throws", soaked.throws)
    yield Metric("throws that were never taken", int(soaked.is_owed), most=0)
    yield Metric("rolls on the screen", len(soaked.shown))
    yield Metric("rolls in the journal", len(soaked.journalled), least=1)
    yield Metric("rolls lost", soaked.lost, most=0)
    yield Metric("rolls invented", soaked.added, most=0)
    is_mixed = not soaked.lost and not soaked.added and [*soaked.shown] != [*soaked.journalled]
    yield Metric("journals in another order", int(is_mixed), most=0)
    yield Metric("doubts", soaked.doubts)
    yield Metric("faults of the camera", soaked.faults)
    yield Metric("phones that came and vanished", soaked.visits)
    yield Metric("answers of /healthz", len(soaked.answers_ms))
    yield Metric("answers that were not 200", soaked.refused, most=0)
    yield from list_times("answer", soaked.answers_ms, most=LONGEST_ANSWER_MS)
    most_ms = LONGEST_WAIT_MS if is_attacked else math.inf
    yield Metric("own screen, slowest answer, ms", round(soaked.slowest_ms, 1), most=most_ms)
    most_s = LONGEST_SILENCE_S if is_attacked else math.inf
    yield Metric("own screen, longest silence, s", round(soaked.silence_s, 2), most=most_s)
    yield from starmap(Metric, soaked.attacks.items())
    yield Metric("exit status", soaked.exit_status, least=0, most=0)
