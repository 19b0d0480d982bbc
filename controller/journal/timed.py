# SPDX-License-Identifier: MIT
"""A journal that measures how long its entries take."""

from __future__ import annotations

import logging
from typing import Protocol

from controller.journal.checkpoint import CHECKPOINT, Checkpoint
from controller.journal.hashchain import Body, Entry
from controller.journal.journal import Journal
from controller.journal.signing_key import TableKey
from controller.logs import log_event, logger
from hardware.clock import Clock

SLOW_JOURNAL_MS = 100.0

_JOURNAL, _TABLE = logger("journal"), logger("table")


class Metrics(Protocol):
    """Where entries are counted."""

    def count(self, name: str, label: str = "", by: int = 1) -> None:
        """Count one more, or `by` more."""
        ...

    def observe_ms(self, name: str, ms: float) -> None:
        """Record how many milliseconds something took."""
        ...


class MeasuredJournal:
    """
    A journal whose entries are timed, and whose rolls are counted once they are on the disk.

    Args:
        journal: Where the entries go.
        metrics: Where they are counted.
        clock: Measures how long they take.
    """

    def __init__(self, journal: Journal, metrics: Metrics, clock: Clock) -> None:
        self._journal = journal
        self._metrics = metrics
        self._clock = clock

    def append(self, kind: str, body: Body) -> Entry:
        """
        Write one entry; it is on the disk when this returns.

        Raises:
            OSError: It could not be written; the journal is as before.
        """
        began_s = self._clock.now_s()
        entry = self._journal.append(kind, body)
        self._took(began_s, kind, entry.seq)
        if kind == "roll":
            self._metrics.count("rolls")
            by_hand = bool(body["by_hand"])
            log_event(_TABLE, logging.INFO, "roll taken", roll=str(body["roll"]), by_hand=by_hand)
        if kind == "correction":
            was, roll = str(body["was"]), str(body["roll"])
            log_event(_TABLE, logging.WARNING, "roll corrected", was=was, roll=roll)
        return entry

    def checkpoint(self, key: TableKey) -> Checkpoint:
        """
        Sign everything so far; the checkpoint is on the disk when this returns.

        Raises:
            OSError: It could not be written; the journal is as before.
        """
        began_s = self._clock.now_s()
        made = self._journal.checkpoint(key)
        self._took(began_s, CHECKPOINT, made.size)
        return made

    def _took(self, began_s: float, kind: str, seq: int) -> None:
        took_ms = (self._clock.now_s() - began_s) * 1000
        self._metrics.observe_ms("journal", took_ms)
        if took_ms > SLOW_JOURNAL_MS:
            log_event(_JOURNAL, logging.WARNING, "journal slow", ms=took_ms, kind=kind, seq=seq)
