# SPDX-License-Identifier: MIT
"""
What a table has done so far, in numbers that a monitor collects.

Every number stands in `MEASURED` with its kind and what it tells; nothing else can be
counted, so the page of the documentation and the answer cannot disagree. Numbers carry
no names: who plays is nobody's business but the table's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

PREFIX = "dicebell_"
BUCKETS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
TASKS = Path("/proc/self/task")


class Kind(Enum):
    """How a number behaves: it only rises, it goes up and down, or it is how long things took."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Measured:
    """
    A number that is told.

    Attributes:
        told: Its name for a monitor, without the suffixes that belong to its kind.
        kind: How it behaves.
        about: What it tells, in a sentence.
        label: By what it is told apart; empty for one number alone.
    """

    told: str
    kind: Kind
    about: str
    label: str = ""


MEASURED: Mapping[str, Measured] = {
    "frames": Measured("frames", Kind.COUNTER, "Pictures that the camera delivered."),
    "reading": Measured(
        "reading_milliseconds", Kind.HISTOGRAM, "How long it took to read a picture."
    ),
    "rolls": Measured("rolls", Kind.COUNTER, "Rolls that were taken and journalled."),
    "doubts": Measured(
        "doubts", Kind.COUNTER, "Doubts at which the table did not take a roll, by kind.", "kind"
    ),
    "faults": Measured(
        "faults", Kind.COUNTER, "Faults of devices that began, by device and kind.", "kind"
    ),
    "journal": Measured(
        "journal_milliseconds", Kind.HISTOGRAM, "How long an entry took until it was on the disk."
    ),
    "followers": Measured("followers", Kind.GAUGE, "Screens that follow the table now."),
    "threads": Measured("threads", Kind.GAUGE, "Threads of the process."),
}
"""Every number by the name that the program counts it under."""


class Metrics:
    """The numbers of one process; every method may be called from any thread."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counters = {
            name: Counter(PREFIX + each.told, each.about, _labels(each), registry=self._registry)
            for name, each in _of_kind(Kind.COUNTER)
        }
        self._gauges = {
            name: Gauge(PREFIX + each.told, each.about, registry=self._registry)
            for name, each in _of_kind(Kind.GAUGE)
        }
        self._histograms = {
            name: Histogram(
                PREFIX + each.told, each.about, buckets=BUCKETS_MS, registry=self._registry
            )
            for name, each in _of_kind(Kind.HISTOGRAM)
        }
        # Memory, processor time and open files, under the names that every monitor knows.
        ProcessCollector(registry=self._registry)
        self._gauges["threads"].set_function(thread_count)

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """
        Let a number rise.

        Args:
            name: A counter of `MEASURED`.
            label: Of which kind, where it is told apart by kind.
            by: By how much.
        """
        counter = self._counters[name]
        (counter.labels(label) if MEASURED[name].label else counter).inc(by)

    def observe_ms(self, name: str, ms: float) -> None:
        """Note how many milliseconds something took; `name` is a histogram of `MEASURED`."""
        self._histograms[name].observe(ms)

    def set(self, name: str, value: float) -> None:
        """Let a number be this from now on; `name` is a gauge of `MEASURED`."""
        self._gauges[name].set(value)

    def text(self) -> str:
        """Write all numbers as a Prometheus server reads them."""
        return generate_latest(self._registry).decode()


def thread_count() -> int:
    """Return how many threads the process has, those of its libraries too; 0 if not told."""
    try:
        return len(list(TASKS.iterdir()))
    except OSError:
        return 0


def _of_kind(kind: Kind) -> list[tuple[str, Measured]]:
    return [(name, each) for name, each in MEASURED.items() if each.kind is kind]


def _labels(measured: Measured) -> tuple[str, ...]:
    return (measured.label,) if measured.label else ()
