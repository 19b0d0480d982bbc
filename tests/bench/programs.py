# SPDX-License-Identifier: MIT
"""
Programs that follow a playing table through kills, and how fast it answers them.

The table plays by itself, as fast as the machine can, while programs follow its events. It is
killed and started again. Afterwards the journal decides which events there were.
"""

from __future__ import annotations

import http.client
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Metric, option
from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.api.parts import REQUESTS
from controller.journal.entry_reader import EntryReader
from controller.journal.journal import JOURNAL_FILE
from controller.runtime.access.api_tokens import MOST_TOKENS, ApiTokens
from tests.bench.clients.program_reader import ProgramReader
from tests.bench.figures import SeededBenchmark, list_times, parse_positive, report
from tests.bench.table_process import TableProcess
from tests.support.run_process import free_port
from tests.support.server_process import HOST

A_TOKEN = 8
"""Streams of one token; the interface allows no more."""

ANSWER_TIMEOUT_S = 30.0


@dataclass(frozen=True, kw_only=True)
class Programs(SeededBenchmark):
    """Let programs follow the events of a table that plays and is killed; events lost and
    doubled, delays, and requests for its state a second."""

    name: ClassVar[str] = "api"
    programs: int = option(20, "how many (%(default)s)", whole_number_type(1, 24))
    seconds: float = option(20.0, "of play before each kill (%(default)g)", parse_positive)
    kills: int = option(3, "how many (%(default)s)", whole_number_type(1))
    asking: int = option(
        12,
        "tokens that then ask for its state, as often as each may at once (%(default)s)",
        whole_number_type(1, 12),
    )

    def measure(self) -> Iterator[Metric]:
        """Yield what programs got through kills, and the times of answers."""
        with tempfile.TemporaryDirectory(prefix="api-") as name, ExitStack() as leaving:
            folder = Path(name)
            (folder / "data").mkdir()
            tokens = _make_tokens(folder / "data", self.programs, self.asking)
            port, readers = free_port(), list[ProgramReader]()
            for number in range(self.kills):
                with _create_table(folder, port, self.seed, plays=True) as table:
                    if not readers:
                        readers = [
                            ProgramReader(port, tokens[place // A_TOKEN])
                            for place in range(self.programs)
                        ]
                        for reader in readers:
                            leaving.callback(reader.close)
                    for reader in readers:
                        reader.wait_for("")
                    time.sleep(self.seconds)
                    report(f"kill {number + 1}: {sum(len(one.events) for one in readers)} events")
                    table.kill()
            with _create_table(folder, port, self.seed, plays=False) as table:
                journal = _list_ids(folder / "data")
                for reader in readers:
                    reader.wait_for(journal[-1])
                began_s = time.perf_counter()
                answers_ms = _time_answers(port, tokens[-self.asking :])
                answers_s = time.perf_counter() - began_s
                # Its streams end with it.
                table.kill()
                leaving.close()
        yield Metric("programs", self.programs)
        yield Metric("kills", self.kills)
        yield from list_events(journal, readers)
        yield Metric("requests for the state", len(answers_ms))
        a_second = round(len(answers_ms) / answers_s, 1)
        yield Metric("requests for the state, a second", a_second)
        yield from list_times("answer", answers_ms)
        yield Metric("seed", self.seed)


def list_events(journal: Sequence[str], readers: Sequence[ProgramReader]) -> Iterator[Metric]:
    """Yield how many events of a journal programs got, and how late; `journal` has all ids."""
    counts = [
        compare_events(journal, each.first_id, [event.id for event in each.events])
        for each in readers
    ]
    events, lost, doubled, invented = (sum(column) for column in zip(*counts, strict=True))
    received = [event for each in readers for event in each.events]
    yield Metric("events, all programs", events)
    yield Metric("events lost", lost, most=0)
    yield Metric("events doubled", doubled, most=0)
    yield Metric("events that are not in the journal", invented, most=0)
    yield Metric("streams that began anew", sum(each.resets for each in readers), most=0)
    yield Metric("events after a reconnect", sum(not event.is_live for event in received))
    gap_s = max(each.longest_gap_s for each in readers)
    yield Metric("longest time without a stream, s", round(gap_s, 2))
    live_ms = [event.delay_ms for event in received if event.is_live]
    yield from list_times("delay of an event", live_ms)


def compare_events(
    journal: Sequence[str], first_id: str, received: Sequence[str]
) -> tuple[int, int, int, int]:
    """Return how many events there were for a program, and those lost, doubled and invented."""
    first = int(first_id.partition(".")[0])
    wanted = [each for each in journal if int(each.partition(".")[0]) > first]
    got = Counter(received)
    lost = sum(each not in got for each in wanted)
    doubled = sum(count - 1 for count in got.values())
    invented = len(set(got) - set(wanted))
    return len(wanted), lost, doubled, invented


def _make_tokens(data: Path, readers: int, asking: int) -> list[str]:
    tokens = ApiTokens(data)
    count = min(-(-readers // A_TOKEN) + asking, MOST_TOKENS)
    return [tokens.make_token(f"Program {number}", ("read",)) for number in range(count)]


def _create_table(folder: Path, port: int, seed: int, *, plays: bool) -> TableProcess:
    options = ["--api", "--phones", "watch", "--port", str(port)]
    options += ["--autoplay", "1000000"] if plays else []
    return TableProcess(folder, seed=seed, options=options, has_camera_thread=not plays)


def _list_ids(data: Path) -> list[str]:
    """Return the ids of all events of a journal."""
    path = data / JOURNAL_FILE
    reader = EntryReader(path, lambda: path.stat().st_size)
    feed, ids = EntryQueries(reader, lambda name: name).follow(None), list[str]()
    while (events := feed.read_events()) is not None:
        ids += [event.id for event in events]
    return ids


def _time_answers(port: int, tokens: Sequence[str]) -> list[float]:
    """Ask for the state as often as programs may at once, on one connection; in milliseconds."""
    wanted = [token for token in tokens for _ in range(int(REQUESTS.burst) - 1)]
    random.Random(1).shuffle(wanted)
    times_ms = []
    with closing(http.client.HTTPConnection(HOST, port, timeout=ANSWER_TIMEOUT_S)) as line:
        for token in wanted:
            asked_s = time.perf_counter()
            line.request("GET", "/api/v1/table", headers={"Authorization": f"Bearer {token}"})
            answer = line.getresponse()
            answer.read()
            assert answer.status == http.client.OK, f"{answer.status} {answer.reason}"
            times_ms.append((time.perf_counter() - asked_s) * 1000.0)
    return times_ms
