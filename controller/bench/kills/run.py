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
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from controller.bench.kills.clients import TableClient, join_phone
from controller.bench.kills.forked import ForkedCommand
from controller.bench.kills.journal_replay import JournalReplay, ReplayedLife
from controller.bench.kills.life import LifePlayer, LifeRecord, compare_screens
from controller.bench.kills.result import KillResult, find_kill_failures
from controller.bench.soak.process import ChildProcess, TableProcess
from controller.games import GAMES
from controller.verify.verify import verify_journal

DATA = "data"
ADDRESSES = tuple(f"127.0.7.{number}" for number in range(1, 6))
"""Of the phones."""
KILLS_A_FOLDER = 50
TELL_EVERY = 10
Start = Callable[[Sequence[str], Path], ChildProcess]


def kill_tables(
    count: int, *, seed: int, report: Callable[[str], None], start: Start = ForkedCommand
) -> KillResult:
    """
    Kill a playing table and return what was counted.

    Args:
        count: How many kills.
        seed: Decides the dice, who presses, and the moments of the kills.
        report: Called with lines about the progress.
        start: Starts a table.

    Raises:
        TableGoneError: A table does not start again.
        InputError: A journal is broken.

    Ctrl-C ends it early, with what was counted up to there.
    """
    result, chance, began_s = KillResult(), random.Random(seed), time.monotonic()
    while result.kills < count:
        game = list(GAMES)[result.games % len(GAMES)]
        result.games += 1
        with tempfile.TemporaryDirectory(prefix="kills-") as name:
            folder = KilledFolder(Path(name), game, result, chance, start)
            try:
                for _ in range(min(KILLS_A_FOLDER, count - result.kills)):
                    folder.live_once()
                    result.seconds = time.monotonic() - began_s
                    if result.kills % TELL_EVERY == 0:
                        report(_format_progress(result))
            except KeyboardInterrupt:
                count = result.kills
            folder.verify()
    return result


def _format_progress(result: KillResult) -> str:
    failures = len(find_kill_failures(result))
    return (
        f"{result.kills} kills, {result.seconds:.0f} s, {result.rolls} rolls, {failures} failures"
    )


class KilledFolder:
    """
    A data folder whose table is killed again and again; it counts into a result.

    Args:
        folder: An empty folder.
        game: The game's key.
        result: Gets the counts.
        chance: Decides what happens.
        start: Starts a table.
    """

    def __init__(
        self, folder: Path, game: str, result: KillResult, chance: random.Random, start: Start
    ) -> None:
        self._folder = folder
        self._game = game
        self._result = result
        self._chance = chance
        self._start = start
        self._cookies: list[str] = []
        self._replay: JournalReplay | None = None

    def live_once(self) -> None:
        """
        Start the table, compare, play, kill it, and compare what was shown with the journal.

        Raises:
            TableGoneError: It does not start.
            InputError: Its journal is broken.
        """
        result, table = self._result, self._create_table()
        with table, ExitStack() as closing:
            clients = self._connect(table, closing)
            replay = self._replay = self._replay or JournalReplay(table.data)
            opened = replay.read_on()
            result.torn += opened.torn
            result.screens += len(clients)
            result.differing += [
                f"after {result.kills} kills: {each}"
                for each in compare_screens(clients, replay.view)
            ]
            player = LifePlayer(table, clients, self._chance)
            player.play()
        result.kills += 1
        shown = {state for client in clients for state in client.confirmed}
        self._count(opened, replay.read_on(), player.record, shown)

    def verify(self) -> None:
        """Verify the journal as `dicebell verify` does, unless no table began one."""
        if self._replay is None:
            return
        verified = verify_journal(self._folder / DATA)
        self._result.broken += [
            f"line {each.line}: {each.what}" for each in verified.findings.in_order(is_break=True)
        ]

    def _create_table(self) -> TableProcess:
        return TableProcess(
            self._folder,
            seed=self._chance.randrange(1 << 32),
            has_phones=True,
            options=("--game", self._game),
            start=self._start,
        )

    def _connect(self, table: TableProcess, closing: ExitStack) -> list[TableClient]:
        """Return the page and the phones, which join once: their tickets survive a restart."""
        self._cookies = self._cookies or [join_phone(table, each) for each in ADDRESSES]
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
        result = self._result
        result.throws += record.throws
        result.rolls += ended.rolls
        result.entries += opened.entries + ended.entries
        result.answers += len(record.answered)
        result.views += len(shown)
        result.lost += len(shown - opened.confirmed - ended.confirmed)
        result.lost_answers += ended.question in record.answered
        result.lost_entries += not (opened.is_continued and ended.is_continued)
        result.lost_pictures += ended.missing
        result.invented += opened.rolls + max(0, ended.rolls - record.throws)
        result.refused += record.refused
