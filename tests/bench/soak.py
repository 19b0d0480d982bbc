# SPDX-License-Identifier: MIT
"""
The course of a soak: warm up, measure, disturb, measure again.

Both measurements are taken with one screen only, so they compare: what a client uses during its
visit is no leak, what it leaves behind is.
"""

from __future__ import annotations

import http.client
import re
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import ClassVar

from controller.cli.bench_reader.benchmark import Metric, option
from controller.journal.journal import read_journal
from tests.bench.clients.company import PHONES, LoadClients
from tests.bench.clients.player import SoakPlayer
from tests.bench.clients.strangers import Strangers
from tests.bench.figures import SeededBenchmark, parse_positive, report
from tests.bench.memory import MemorySample
from tests.bench.soak_result import SoakResult, list_metrics
from tests.bench.table_process import TableProcess, join_threads
from tests.support.server_process import ProcessGoneError, ProcessUsage

WARM_UP_SHARE, LONGEST_WARM_UP_S = 0.25, 180.0
FAULTS_WANTED = 60
SHORTEST_GAP_S, LONGEST_GAP_S = 4.0, 30.0
QUIET_TIMEOUT_S = 60.0
QUIET_SAMPLES = 4
SAMPLE_S = 0.5
POLL_S = 1.0
OWN_PAGES = ("/", "/tray.jpg")
"""What the table's own screen loads, beside its stream."""
FIRST_ROLL_S = 60.0


class HealthPoller:
    """Loads /healthz and the kiosk's pages once a second, and reads the memory, until it ends."""

    def __init__(self, table: TableProcess) -> None:
        self.answers_ms: list[float] = []
        self.refused = 0
        self.memory: list[MemorySample] = []
        self._table = table
        self._began_s = time.monotonic()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ask no more."""
        self._end.set()
        join_threads([self._thread])

    def _run(self) -> None:
        while not self._end.wait(POLL_S):
            try:
                answer = self._table.get("/healthz")
                for page in OWN_PAGES:
                    self._table.get(page)
            except (OSError, http.client.HTTPException):
                self.refused += 1
                continue
            self.answers_ms.append(answer.took_ms)
            self.refused += answer.status != 200
            try:
                memory_mb = self._table.memory_mb()
            except ProcessGoneError:
                return  # The soak itself detects and reports that.
            self.memory.append(MemorySample(_minutes(self._began_s), memory_mb))


@dataclass(frozen=True, kw_only=True)
class Soak(SeededBenchmark):
    """Play at a demo for a long time, with camera faults, phones that come and go and a
    slow reader; memory, threads and files at start and end, rolls thrown and journalled."""

    name: ClassVar[str] = "soak"
    minutes: float = option(30.0, "how long, warm-up included (%(default)g)", parse_positive)
    strangers: bool = option(False, "attack the public port too, while 50 phones follow the table")

    def measure(self) -> Iterator[Metric]:
        """Yield what was measured."""
        with (
            tempfile.TemporaryDirectory(prefix="soak-") as name,
            TableProcess(Path(name), seed=self.seed, has_phones=self.strangers) as table,
        ):
            yield from list_metrics(_run_soak(table, self))
        yield Metric("seed", self.seed)


def _run_soak(table: TableProcess, options: Soak) -> SoakResult:
    began_s, lasts_s = time.monotonic(), options.minutes * 60.0
    warm_up_s = min(WARM_UP_SHARE * lasts_s, LONGEST_WARM_UP_S)
    gap_s = min(max(lasts_s / FAULTS_WANTED, SHORTEST_GAP_S), LONGEST_GAP_S)
    player, pulse = SoakPlayer(table), HealthPoller(table)
    companies = []
    usages = []
    attacks: Counter[str] = Counter()
    table.slowest_ms = 0.0
    for number, phase_s in enumerate((warm_up_s, lasts_s - warm_up_s)):
        company = LoadClients(table, seed=options.seed + 100 * number, fault_gap_s=gap_s)
        companies.append(company)
        strangers = Strangers(table) if options.strangers else None
        # What was measured in between took time of its own, more on a busy machine.
        _wait_until(time.monotonic() + phase_s, table, player)
        company.stop()
        if strangers:
            strangers.stop()
            attacks += strangers.counts
        usages.append(_measure_quiet_usage(table))
        report(f"{_minutes(began_s):.1f} minutes: {usages[-1]}, rolls so far: {len(player.rolls)}")
    player.stop()
    pulse.close()
    return SoakResult(
        minutes=_minutes(began_s),
        start_s=table.start_s,
        start=usages[0],
        end=usages[1],
        memory=tuple(pulse.memory),
        throws=player.throws,
        shown=tuple(player.rolls),
        exit_status=table.stop(),
        journalled=_read_rolls(table.data),
        invented=player.invented,
        is_owed=player.is_owed,
        doubts=player.doubts,
        faults=sum(company.faults for company in companies),
        visits=sum(company.visits for company in companies),
        answers_ms=tuple(pulse.answers_ms),
        refused=pulse.refused,
        attacks=attacks,
        slowest_ms=table.slowest_ms,
        silence_s=player.longest_silence_s,
    )


def _wait_until(until_s: float, table: TableProcess, player: SoakPlayer) -> None:
    while not _is_over(until_s, player):
        table.usage()  # a table that is gone ends the soak now, not in half an hour
        time.sleep(POLL_S)


def _is_over(until_s: float, player: SoakPlayer) -> bool:
    """Return whether it is time; a busy machine gets more of it, until one roll was taken."""
    late_s = time.monotonic() - until_s
    return late_s > (0.0 if player.rolls else FIRST_ROLL_S)


def _measure_quiet_usage(table: TableProcess) -> ProcessUsage:
    """Return the usage of the table while only one screen follows it."""
    until_s = time.monotonic() + QUIET_TIMEOUT_S
    while time.monotonic() < until_s and _count_followers(table) > 1:
        time.sleep(SAMPLE_S)
    usages = []
    for _ in range(QUIET_SAMPLES):
        time.sleep(SAMPLE_S)
        usages.append(table.usage())
    return ProcessUsage(
        memory_mb=median(usage.memory_mb for usage in usages),
        threads=min(usage.threads for usage in usages),
        # The player's own requests come and go; the least is what stays.
        files=min(usage.files for usage in usages),
    )


def _count_followers(table: TableProcess) -> int:
    """Return how many screens follow the table; many if it is too busy to answer."""
    followers = table.read_metric("dicebell_followers")
    return PHONES if followers is None else int(followers)


def _read_rolls(data: Path) -> tuple[str, ...]:
    rolls = (entry.body["roll"] for entry in read_journal(data).entries if entry.kind == "roll")
    return tuple("".join(sorted(re.findall(r"\d", str(roll)))) for roll in rolls)


def _minutes(began_s: float) -> float:
    return (time.monotonic() - began_s) / 60.0
