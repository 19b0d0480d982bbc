# SPDX-License-Identifier: MIT
"""
The course of the kills: start a table, compare its screens with its journal, play, kill, repeat.

After some kills the next game begins in an empty data folder, so that no start has to read the
journal of a whole year.
"""

from __future__ import annotations

import math
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
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


def _count(what: str, most: float = math.inf) -> int:
    """Return a count that begins at 0, and what it is called."""
    return field(default=0, metadata={"name": what, "most": most})


@dataclass(slots=True)
class KillCounts:
    """What happened over all kills; of what must not happen there may be none."""

    kills: int = _count("kills")
    folders: int = _count("data folders")
    throws: int = _count("throws")
    rolls: int = _count("rolls in the journals")
    entries: int = _count("entries in the journals")
    answers: int = _count("presses confirmed")
    views: int = _count("states shown before a kill")
    screens: int = _count("screens compared after a restart")
    torn: int = _count("torn lines cut off")
    differing: int = _count("screens that differ from the journal", most=0)
    lost: int = _count("states shown and lost", most=0)
    lost_answers: int = _count("presses confirmed and lost", most=0)
    lost_entries: int = _count("journals that lost entries", most=0)
    lost_pictures: int = _count("rolls without their picture", most=0)
    invented: int = _count("rolls invented", most=0)
    refused: int = _count("presses answered with an error", most=0)
    broken: int = _count("breaks found by verify", most=0)

    def list_metrics(self) -> Iterator[Metric]:
        """Yield the counts with their limits."""
        for each in fields(self):
            least = int(each.name == "rolls" and self.kills >= ENOUGH_KILLS)
            yield Metric(value=getattr(self, each.name), least=least, **each.metadata)


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
