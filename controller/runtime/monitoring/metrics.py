# SPDX-License-Identifier: MIT
"""
The metrics of a table, for Prometheus.

Only the metrics of `METRIC_SPECS` exist, so the documentation and the answer cannot disagree. No
metric contains a name, because it is private who plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


class MetricKind(Enum):
    """A number that only rises, one that goes up and down, or a distribution of durations."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class MetricSpec:
    name: str  # Its name for a monitor, without the suffixes that belong to its kind.
    kind: MetricKind
    about: str  # Its meaning, in a sentence.
    label: str = ""  # The name of its label; empty for none.


METRIC_SPECS: Mapping[str, MetricSpec] = {
    "frames": MetricSpec("frames", MetricKind.COUNTER, "Pictures that the camera delivered."),
    "reading": MetricSpec(
        "reading_milliseconds", MetricKind.HISTOGRAM, "How long it took to read a picture."
    ),
    "rolls": MetricSpec("rolls", MetricKind.COUNTER, "Accepted and journalled rolls."),
    "doubts": MetricSpec(
        "doubts",
        MetricKind.COUNTER,
        "Doubts that kept a roll from being accepted, by kind.",
        "kind",
    ),
    "faults": MetricSpec(
        "faults",
        MetricKind.COUNTER,
        "Faults of devices, counted at their beginning, by kind.",
        "kind",
    ),
    "journal": MetricSpec(
        "journal_milliseconds", MetricKind.HISTOGRAM, "How long an entry took to reach the disk."
    ),
    "mqtt_connected": MetricSpec(
        "mqtt_connected", MetricKind.GAUGE, "1 while the MQTT broker is connected, otherwise 0."
    ),
    "mqtt_events": MetricSpec(
        "mqtt_events", MetricKind.COUNTER, "Events that the MQTT broker acknowledged."
    ),
    "followers": MetricSpec("followers", MetricKind.GAUGE, "Screens that follow the table now."),
    "waiting": MetricSpec(
        "tournament_waiting_entries",
        MetricKind.GAUGE,
        "Entries that the desk of a tournament has not confirmed yet.",
    ),
    "threads": MetricSpec("threads", MetricKind.GAUGE, "Threads of the process."),
}
"""Every metric by the name that the program uses."""


class Metrics:
    """The metrics of one process; every method may be called from any thread."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counters = {
            name: Counter(PREFIX + each.name, each.about, _labels(each), registry=self._registry)
            for name, each in _of_kind(MetricKind.COUNTER)
        }
        self._gauges = {
            name: Gauge(PREFIX + each.name, each.about, registry=self._registry)
            for name, each in _of_kind(MetricKind.GAUGE)
        }
        self._histograms = {
            name: Histogram(
                PREFIX + each.name, each.about, buckets=BUCKETS_MS, registry=self._registry
            )
            for name, each in _of_kind(MetricKind.HISTOGRAM)
        }
        # Memory, processor time and open files, under their standard names.
        ProcessCollector(registry=self._registry)
        self._gauges["threads"].set_function(count_threads)

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """Increase a counter of `METRIC_SPECS`, by the value of its label if it has one."""
        counter = self._counters[name]
        (counter.labels(label) if METRIC_SPECS[name].label else counter).inc(by)

    def observe_ms(self, name: str, ms: float) -> None:
        """Record a duration; `name` is a histogram of `METRIC_SPECS`."""
        self._histograms[name].observe(ms)

    def set(self, name: str, value: float) -> None:
        """Set a value; `name` is a gauge of `METRIC_SPECS`."""
        self._gauges[name].set(value)

    def follow(self, name: str, read: Callable[[], float]) -> None:
        """Let a gauge of `METRIC_SPECS` read its value whenever it is asked for."""
        self._gauges[name].set_function(read)

    def text(self) -> str:
        return generate_latest(self._registry).decode()


def count_threads() -> int:
    """Return the number of threads of the process, with those of libraries; 0 if unknown."""
    try:
        return len(list(TASKS.iterdir()))
    except OSError:
        return 0


def _of_kind(kind: MetricKind) -> list[tuple[str, MetricSpec]]:
    return [(name, each) for name, each in METRIC_SPECS.items() if each.kind is kind]


def _labels(measured: MetricSpec) -> tuple[str, ...]:
    return (measured.label,) if measured.label else ()
