# SPDX-License-Identifier: MIT
"""
The course of the kills: start a table, compare its screens with its journal, play, kill, repeat.

After some kills the next game begins in an empty data folder, so that no start has to read the
journal of a whole year.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Metric, option
from controller.games import GAMES
from controller.verify.verify import verify_journal
from tests.bench.clients.confirming import TableClient, log_in_phones
from tests.bench.figures import SeededBenchmark, report
from tests.bench.journal_replay import JournalReplay, ReplayedLife
from tests.bench.kill_life import LifePlayer, LifeRecord, compare_screens
from tests.bench.table_process import TableProcess
from tests.support.forked import ForkedCommand

DATA = "data"
ADDRESSES = tuple(f"127.0.7.{number}" for number in range(1, 6))
"""Of the phones."""
KILLS_A_FOLDER = 50
REPORT_EVERY = 10
ENOUGH_KILLS = 20
"""Of fewer kills each may come before the first roll."""


@dataclass(frozen=True, kw_only=True)
class Kills(SeededBenchmark):
    """Kill a playing table with a page and five phones many times; after each restart
    compare the screens with what the journal replays to; count what was lost or invented."""

    name: ClassVar[str] = "kills"
    count: int = option(1000, "how many (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterator[Metric]:
        """Yield what was counted; Ctrl-C ends it early, with what was counted up to there."""
        counts, chance, began_s = KillCounts(), random.Random(self.seed), time.monotonic()
        count = self.count
        while counts.kills < count:
            game = list(GAMES)[counts.folders % len(GAMES)]
            counts.folders += 1
            with tempfile.TemporaryDirectory(prefix="kills-") as name:
                folder = KilledFolder(Path(name), game, counts, chance)
                try:
                    for _ in range(min(KILLS_A_FOLDER, count - counts.kills)):
                        folder.live_once()
                        if counts.kills % REPORT_EVERY == 0:
                            report(f"{counts.kills} kills, {counts.rolls} rolls")
                except KeyboardInterrupt:
                    count = counts.kills
                folder.verify()
        yield Metric("seconds", round(time.monotonic() - began_s, 1))
        yield from counts.list_metrics()
        yield Metric("seed", self.seed)


@dataclass(slots=True)
class KillCounts:
    """What happened over all kills; `list_metrics` says what each count is."""

    kills: int = 0
    folders: int = 0
    throws: int = 0
    rolls: int = 0
    entries: int = 0
    answers: int = 0
    views: int = 0
    screens: int = 0
    torn: int = 0
    differing: int = 0
    lost: int = 0
    lost_answers: int = 0
    lost_entries: int = 0
    lost_pictures: int = 0
    invented: int = 0
    refused: int = 0
    broken: int = 0

    def list_metrics(self) -> Iterator[Metric]:
        """Yield the counts; those of what must not happen have limits."""
        yield Metric("kills", self.kills)
        yield Metric("data folders", self.folders)
        yield Metric("throws", self.throws)
        least = 1 if self.kills >= ENOUGH_KILLS else 0
        yield Metric("rolls in the journals", self.rolls, least=least)
        yield Metric("entries in the journals", self.entries)
        yield Metric("presses confirmed", self.answers)
        yield Metric("states shown before a kill", self.views)
        yield Metric("screens compared after a restart", self.screens)
        yield Metric("torn lines cut off", self.torn)
        yield Metric("screens that differ from the journal", self.differing, most=0)
        yield Metric("states shown and lost", self.lost, most=0)
        yield Metric("presses confirmed and lost", self.lost_answers, most=0)
        yield Metric("journals that lost entries", self.lost_entries, most=0)
        yield Metric("rolls without their picture", self.lost_pictures, most=0)
        yield Metric("rolls invented", self.invented, most=0)
        yield Metric("presses answered with an error", self.refused, most=0)
        yield Metric("breaks found by verify", self.broken, most=0)


class KilledFolder:
    """A data folder whose table is killed again and again."""

    def __init__(self, folder: Path, game: str, counts: KillCounts, chance: random.Random) -> None:
        self._folder = folder
        self._game = game
        self._counts = counts
        self._chance = chance
        self._cookies: list[str] = []
        self._replay: JournalReplay | None = None

    def live_once(self) -> None:
        """Start the table, compare, play, kill it, and compare what was shown with the journal."""
        counts, table = self._counts, self._create_table()
        with table, ExitStack() as closing:
            clients = self._connect(table, closing)
            replay = self._replay = self._replay or JournalReplay(table.data)
            opened = replay.read_on()
            counts.torn += opened.torn
            counts.screens += len(clients)
            for difference in compare_screens(clients, replay.view):
                counts.differing += 1
                report(f"after {counts.kills} kills: {difference}")
            player = LifePlayer(table, clients, self._chance)
            player.play()
        counts.kills += 1
        shown = {state for client in clients for state in client.confirmed}
        self._count(opened, replay.read_on(), player.record, shown)

    def verify(self) -> None:
        """Verify the journal as `dicebell verify` does, unless no table began one."""
        if self._replay is None:
            return
        verified = verify_journal(self._folder / DATA)
        for each in verified.findings.in_order(is_break=True):
            self._counts.broken += 1
            report(f"line {each.line}: {each.what}")

    def _create_table(self) -> TableProcess:
        return TableProcess(
            self._folder,
            seed=self._chance.randrange(1 << 32),
            has_phones=True,
            options=("--game", self._game),
            start=ForkedCommand,
        )

    def _connect(self, table: TableProcess, closing: ExitStack) -> list[TableClient]:
        """Return the page and the phones, which log in once: their tickets survive a restart."""
        self._cookies = self._cookies or log_in_phones(table, ADDRESSES)
        clients = [TableClient(table)]
        clients += [
            TableClient(table, cookie, address)
            for cookie, address in zip(self._cookies, ADDRESSES, strict=True)
        ]
        for client in clients:
            closing.callback(client.screen.close)
        return clients

    def _count(
        self, opened: ReplayedLife, ended: ReplayedLife, record: LifeRecord, shown: set[str]
    ) -> None:
        counts = self._counts
        counts.throws += record.throws
        counts.rolls += ended.rolls
        counts.entries += opened.entries + ended.entries
        counts.answers += len(record.answered)
        counts.views += len(shown)
        counts.lost += len(shown - opened.confirmed - ended.confirmed)
        counts.lost_answers += ended.question in record.answered
        counts.lost_entries += not (opened.is_continued and ended.is_continued)
        counts.lost_pictures += ended.missing
        counts.invented += opened.rolls + max(0, ended.rolls - record.throws)
        counts.refused += record.refused
