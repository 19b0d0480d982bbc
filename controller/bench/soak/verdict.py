# SPDX-License-Identifier: MIT
"""The result of a soak, and the limits that it must not pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from controller.bench.soak.memory import MemorySample, measure_late_growth
from controller.bench.soak.process import ProcessUsage

MOST_GROWTH_MB = 16.0
"""More than an evening's noise of the allocator, less than a leak would take in half an hour."""
WARMING_GROWTH_MB, WARM_MINUTES = 64.0, 10.0
"""A shorter soak measures before everything was used once, such as the buffer of a long throw."""
MOST_LATE_GROWTH_MB = 4.0
"""Over the last 20 minutes of a long soak, when everything was used once."""
MOST_EXTRA_FILES = 2
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


def list_metrics(soaked: SoakResult) -> dict[str, float]:
    """Return the metrics by name."""
    answers = sorted(soaked.answers_ms)
    return {
        "minutes": round(soaked.minutes, 2),
        "start until the first picture, s": round(soaked.start_s, 2),
        "memory at start, MB": round(soaked.start.memory_mb, 1),
        "memory at end, MB": round(soaked.end.memory_mb, 1),
        "memory at its highest, MB": round(
            max((each.memory_mb for each in soaked.memory), default=0.0), 1
        ),
        **_list_late_growth(soaked),
        "threads at start": soaked.start.threads,
        "threads at end": soaked.end.threads,
        "open files at start": soaked.start.files,
        "open files at end": soaked.end.files,
        "throws": soaked.throws,
        "rolls on the screen": len(soaked.shown),
        "rolls in the journal": len(soaked.journalled),
        "rolls lost": soaked.lost,
        "rolls invented": soaked.added,
        "doubts": soaked.doubts,
        "faults of the camera": soaked.faults,
        "phones that came and vanished": soaked.visits,
        "answers of /healthz": len(answers),
        "answers that were not 200": soaked.refused,
        "answer, median, ms": round(median(answers), 1) if answers else 0.0,
        "answer, 99th of 100, ms": round(_percentile(answers, 0.99), 1),
        "answer, slowest, ms": round(answers[-1], 1) if answers else 0.0,
        "own screen, slowest answer, ms": round(soaked.slowest_ms, 1),
        "own screen, longest silence, s": round(soaked.silence_s, 2),
        **soaked.attacks,
    }


def find_failures(soaked: SoakResult) -> list[str]:
    """Return the passed limits as sentences; empty if there are none."""
    most_mb = MOST_GROWTH_MB if soaked.minutes >= WARM_MINUTES else WARMING_GROWTH_MB
    late_mb = measure_late_growth(soaked.memory) or 0.0
    growth_mb = soaked.end.memory_mb - soaked.start.memory_mb
    slowest_ms = max(soaked.answers_ms, default=0.0)
    checks = {
        f"memory grew by {growth_mb:.1f} MB": growth_mb > most_mb,
        f"memory grew by {late_mb:.1f} MB in the last 20 minutes": late_mb > MOST_LATE_GROWTH_MB,
        f"{soaked.end.threads - soaked.start.threads} threads were left over": (
            soaked.end.threads > soaked.start.threads
        ),
        f"{soaked.end.files - soaked.start.files} files or connections were left open": (
            soaked.end.files > soaked.start.files + MOST_EXTRA_FILES
        ),
        f"{soaked.lost} rolls were lost": soaked.lost > 0,
        f"{soaked.added} rolls were invented": soaked.added > 0,
        "rolls are in the journal in another order": (
            not soaked.lost and not soaked.added and [*soaked.shown] != [*soaked.journalled]
        ),
        "the last throw was never taken": soaked.is_owed,
        "not one roll was taken": not soaked.journalled,
        f"{soaked.refused} times /healthz said that something is wrong, or nothing": (
            soaked.refused > 0
        ),
        f"an answer of /healthz took {slowest_ms:.0f} ms": slowest_ms > LONGEST_ANSWER_MS,
        f"the table's own screen waited {soaked.slowest_ms:.0f} ms": (
            bool(soaked.attacks) and soaked.slowest_ms > LONGEST_WAIT_MS
        ),
        f"the stream of the table's own screen was silent for {soaked.silence_s:.1f} s": (
            bool(soaked.attacks) and soaked.silence_s > LONGEST_SILENCE_S
        ),
        f"the table ended with status {soaked.exit_status}": soaked.exit_status != 0,
    }
    return [what for what, is_so in checks.items() if is_so]


def _list_late_growth(soaked: SoakResult) -> dict[str, float]:
    growth_mb = measure_late_growth(soaked.memory)
    return {} if growth_mb is None else {LATE_GROWTH: round(growth_mb, 1)}


def _percentile(answers: Sequence[float], share: float) -> float:
    """Return the given percentile of the sorted durations."""
    return answers[min(int(len(answers) * share), len(answers) - 1)] if answers else 0.0
