# SPDX-License-Identifier: MIT
"""
Programs that follow a playing table through kills, and how fast it answers them.

The table plays by itself, as fast as the machine can, while programs follow its events. It is
killed and started again. Afterwards the journal decides which events there were.
"""

from __future__ import annotations

import http.client
import random
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from controller.bench.followers.program_reader import ProgramReader
from controller.bench.soak.process import HOST, TableProcess
from controller.integrations.api.entry_queries import EntryQueries
from controller.integrations.api.parts import REQUESTS
from controller.journal.entry_reader import EntryReader
from controller.journal.journal import JOURNAL_FILE
from controller.runtime.access.api_tokens import MOST_TOKENS, ApiTokens

KILLS = 3
A_TOKEN = 8
"""Streams of one token; the interface allows no more."""

ASKING_TOKENS = 12
ANSWER_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class ProgramsResult:
    """
    What was measured.

    Attributes:
        readers: How many programs followed the table.
        kills: How often it was killed.
        seconds: How long it played.
        events: How many events the journal has from the first to the last of a program, summed
            over the programs.
        lost: Events that a program did not get.
        doubled: Events that a program got more than once.
        invented: Events that a program got and that the journal does not have.
        resets: Streams that did not continue where they ended.
        gap_s: The longest time that a program was without a stream.
        delays_ms: The delays of the events of open streams.
        caught_up: How many events came after their stream was opened again.
        answers_ms: How long each request for the table's state took.
        answers_s: How long all of them took together.
    """

    readers: int
    kills: int
    seconds: float
    events: int
    lost: int
    doubled: int
    invented: int
    resets: int
    gap_s: float
    delays_ms: tuple[float, ...]
    caught_up: int
    answers_ms: tuple[float, ...]
    answers_s: float


def follow_through_kills(
    readers: int,
    seconds: float,
    *,
    seed: int,
    report: Callable[[str], None],
    kills: int = KILLS,
    asking: int = ASKING_TOKENS,
) -> ProgramsResult:
    """
    Let programs follow a table that is killed, and return what they got.

    Args:
        readers: How many programs.
        seconds: How long the table plays before each kill.
        seed: Decides the dice and the choices.
        report: Called with lines about the progress.
        kills: How often the table is killed.
        asking: How many tokens then ask for its state, as often as each may at once.

    Raises:
        TableGoneError: The table does not start, or a program does not get its events.
    """
    with tempfile.TemporaryDirectory(prefix="api-") as name, ExitStack() as leaving:
        folder = Path(name)
        (folder / "data").mkdir()
        tokens = _make_tokens(folder / "data", readers, asking)
        port, clients = _find_port(), list[ProgramReader]()
        for number in range(kills):
            with _start(folder, port, seed, plays=True) as table:
                if not clients:
                    clients = [
                        ProgramReader(port, tokens[place // A_TOKEN]) for place in range(readers)
                    ]
                    for client in clients:
                        leaving.callback(client.close)
                for client in clients:
                    client.wait_for("")
                time.sleep(seconds)
                report(f"kill {number + 1}: {sum(len(each.events) for each in clients)} events")
                table.kill()
        with _start(folder, port, seed, plays=False) as table:
            journal = _list_ids(folder / "data")
            for client in clients:
                client.wait_for(journal[-1])
            answers_ms, answers_s = _time_answers(port, tokens[-asking:])
            # Its streams end with it.
            table.kill()
            leaving.close()
    return _sum_up(clients, journal, (kills, kills * seconds), (answers_ms, answers_s))


def list_program_metrics(result: ProgramsResult) -> dict[str, float]:
    """Return the metrics by name."""
    live, answers = _percentiles(result.delays_ms), _percentiles(result.answers_ms)
    return {
        "programs": result.readers,
        "kills": result.kills,
        "seconds of play": round(result.seconds, 1),
        "events, all programs": result.events,
        "events lost": result.lost,
        "events doubled": result.doubled,
        "events invented": result.invented,
        "streams that began anew": result.resets,
        "events after a reconnect": result.caught_up,
        "longest time without a stream, s": round(result.gap_s, 2),
        "delay of an event, median, ms": round(live[0], 1),
        "delay of an event, 99th of 100, ms": round(live[1], 1),
        "requests for the state": len(result.answers_ms),
        "requests for the state, a second": round(len(result.answers_ms) / result.answers_s, 1),
        "answer, median, ms": round(answers[0], 1),
        "answer, 99th of 100, ms": round(answers[1], 1),
    }


def find_program_failures(result: ProgramsResult) -> list[str]:
    """Return what must not have happened as sentences; empty if it did not."""
    counts = {
        "events were lost": result.lost,
        "events came twice": result.doubled,
        "events are not in the journal": result.invented,
        "streams did not continue where they ended": result.resets,
    }
    return [f"{count} {what}" for what, count in counts.items() if count]


def compare_events(
    journal: Sequence[str], first_id: str, received: Sequence[str]
) -> tuple[int, int, int, int]:
    """
    Return how many events there were for a program, and those lost, doubled and invented.

    Args:
        journal: The ids of all events, in order.
        first_id: The id after which the program began; it need not be that of an event.
        received: The ids that it got.
    """
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


def _find_port() -> int:
    """
    Return a port that is free with the one after it: programs come back to the same one.

    It is below those that the system gives to connections, so none takes it during a restart.
    """
    for port in random.sample(range(20_000, 32_000, 2), 100):
        with suppress(OSError):
            for one in (port, port + 1):
                socket.create_server((HOST, one)).close()
            return port
    raise RuntimeError("expected a free port from 20000 to 32000, found 100 in use")


def _start(folder: Path, port: int, seed: int, *, plays: bool) -> TableProcess:
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


def _time_answers(port: int, tokens: Sequence[str]) -> tuple[list[float], float]:
    """
    Ask for the state as often as some programs may at once, on one connection.

    Returns:
        The times of the answers in milliseconds, and all of them in seconds.
    """
    wanted = [token for token in tokens for _ in range(int(REQUESTS.burst) - 1)]
    random.Random(1).shuffle(wanted)
    times = []
    began_s = time.perf_counter()
    with closing(http.client.HTTPConnection(HOST, port, timeout=ANSWER_TIMEOUT_S)) as line:
        for token in wanted:
            asked_s = time.perf_counter()
            line.request("GET", "/api/v1/table", headers={"Authorization": f"Bearer {token}"})
            answer = line.getresponse()
            answer.read()
            assert answer.status == http.client.OK, f"{answer.status} {answer.reason}"
            times.append((time.perf_counter() - asked_s) * 1000.0)
    return times, time.perf_counter() - began_s


def _sum_up(
    clients: Sequence[ProgramReader],
    journal: Sequence[str],
    played: tuple[int, float],
    answered: tuple[Sequence[float], float],
) -> ProgramsResult:
    counts = [
        compare_events(journal, each.first_id, [event.id for event in each.events])
        for each in clients
    ]
    events, lost, doubled, invented = (sum(column) for column in zip(*counts, strict=True))
    received = [event for each in clients for event in each.events]
    return ProgramsResult(
        readers=len(clients),
        kills=played[0],
        seconds=played[1],
        events=events,
        lost=lost,
        doubled=doubled,
        invented=invented,
        resets=sum(each.resets for each in clients),
        gap_s=max(each.longest_gap_s for each in clients),
        delays_ms=tuple(event.delay_ms for event in received if event.is_live),
        caught_up=sum(not event.is_live for event in received),
        answers_ms=tuple(answered[0]),
        answers_s=answered[1],
    )


def _percentiles(times_ms: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile; zeros without two times."""
    if len(times_ms) < 2:
        return 0.0, 0.0
    parts = quantiles(times_ms, n=100, method="inclusive")
    return parts[49], parts[98]
