# SPDX-License-Identifier: MIT
"""What the metrics and the log report about entries: their duration, rolls and corrections."""

from __future__ import annotations

import logging
from typing import Protocol

from controller.base.logs import log_event, logger
from controller.journal.entries import CorrectionEntry, ThrowEntry, read_entry
from controller.journal.hashchain import Entry

SLOW_JOURNAL_MS = 100.0

_JOURNAL, _TABLE = logger("journal"), logger("table")


class MetricsSink(Protocol):
    """The counters and durations of a table."""

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """Increase a counter."""
        ...

    def observe_ms(self, name: str, ms: float) -> None:
        """Record a duration in milliseconds."""
        ...


class JournalMetrics:
    """Records entries that are on the disk. No name of a player goes into the log."""

    def __init__(self, metrics: MetricsSink) -> None:
        self._metrics = metrics

    def record_entry(self, entry: Entry, took_ms: float) -> None:
        """Record an entry and how long it took to write; a hook of `JournalWriter`."""
        self._metrics.observe_ms("journal", took_ms)
        if took_ms > SLOW_JOURNAL_MS:
            kind, seq = entry.kind, entry.seq
            log_event(_JOURNAL, logging.WARNING, "journal slow", ms=took_ms, kind=kind, seq=seq)
        match read_entry(entry):
            case ThrowEntry(roll=roll, by_hand=by_hand):
                self._metrics.count("rolls")
                log_event(_TABLE, logging.INFO, "roll taken", roll=roll, by_hand=bool(by_hand))
            case CorrectionEntry(was=was, roll=roll):
                log_event(_TABLE, logging.WARNING, "roll corrected", was=was, roll=roll)
