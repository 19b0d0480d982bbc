# SPDX-License-Identifier: MIT
"""Streams of programs at the real server: where they begin, when they end, how many there are."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from controller.table.events import GameClosed, GameStarted
from tests.support.table import throw_of
from tests.webui.api.program_table import ProgramTable
from webui.api.stream import (
    MOST_OWN_STREAMS,
    MOST_PER_TOKEN,
    MOST_STREAMS,
    ApiStreams,
    TooManyStreamsError,
)
from webui.server import KioskServer

HEARTBEAT_S = 0.05
PATIENCE_S = 60.0


class Stream:
    def __init__(self, url: str, token: str, **headers: str) -> None:
        parts = urlsplit(url)
        self._line = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
        sent = {"Authorization": f"Bearer {token}", **headers}
        self._line.request("GET", f"/api/v1/events?{parts.query}", headers=sent)
        self.answer: HTTPResponse = self._line.getresponse()

    def read_event(self) -> dict[str, Any]:
        """Return the next event; empty once the stream has ended."""
        for line in self.answer:
            if line.startswith(b"data: "):
                event: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                return event
        return {}

    def vanish(self) -> None:
        """Leave without a word, as a laptop does that is closed."""
        self.answer.close()
        self._line.close()


class Streams:
    def __init__(self, table: ProgramTable, url: str, closing: ExitStack) -> None:
        self.table, self._url, self._closing = table, url, closing

    def make_token(self, name: str) -> str:
        return self.table.tokens.make_token(name, ("read",))

    def open(self, token: str, query: str = "", **headers: str) -> Stream:
        self.table.clock.wait_s(1.0)  # their rate is not what is tested
        stream = Stream(f"{self._url}?{query}", token, **headers)
        self._closing.callback(stream.vanish)
        return stream


@pytest.fixture
def streams(tmp_path: Path) -> Iterator[Streams]:
    with ProgramTable(tmp_path, heartbeat_s=HEARTBEAT_S) as table, ExitStack() as closing:
        table.happen(GameStarted("choice", ("Ada", "Ben")), *throw_of("13446"), GameClosed())
        server = KioskServer(table.app, "127.0.0.1", 0, own_port=0)
        server.start()
        closing.callback(server.close)
        closing.callback(table.runtime.loop.close)
        yield Streams(table, f"http://127.0.0.1:{server.port}/", closing)


UNKNOWN = (
    *("999999.0123abcd", "-1.0123abcd", "0.0123abcd", "rubbish", "1", "1.", ".0123abcd"),
    *("1e3.0123abcd", f"{'9' * 400}.0123abcd", "\u0661.0123abcd", "0" * 5000),
)


def test_an_unknown_place_is_told_and_begins_now(streams: Streams) -> None:
    """Another journal, a program's mistake, or an attack: it must read the table again."""
    newest = streams.table.parts.entries.newest_id()
    for number, wanted in enumerate(UNKNOWN):
        token = streams.make_token(f"Reader {number}")
        header = {"Last-Event-ID": wanted.encode().decode("latin-1")}
        for stream in (
            streams.open(token, **header),
            streams.open(token, f"after={quote(wanted)}"),
        ):
            assert stream.answer.status == 200, wanted
            assert stream.read_event() == {"type": "reset", "last": newest}, wanted


def test_a_known_place_continues_after_it(streams: Streams) -> None:
    token = streams.make_token("Reader")
    entries = [streams.table.runtime.entries.read(seq) for seq in (2, 3)]
    first, second = (f"{entry.seq}.{entry.link[:8]}" for entry in entries if entry)
    stream = streams.open(token, **{"Last-Event-ID": first})
    assert stream.read_event() == {"type": "open", "last": first}
    assert stream.read_event()["entry"] == 3
    # The header is the newer one: a browser that connects again keeps the address.
    both = streams.open(token, f"after={first}", **{"Last-Event-ID": second})
    assert both.read_event() == {"type": "open", "last": second}


def test_streams_of_a_withdrawn_token_end(streams: Streams) -> None:
    withdrawn, other = streams.make_token("Gone"), streams.make_token("Stays")
    ending, staying = streams.open(withdrawn), streams.open(other)
    assert ending.read_event()["type"] == staying.read_event()["type"] == "open"
    (number,) = (each.number for each in streams.table.tokens.list_tokens() if each.name == "Gone")
    streams.table.tokens.withdraw(number)
    assert ending.read_event() == {}
    streams.table.happen(GameStarted("choice", ("Ada", "Ben")))
    assert staying.read_event()["type"] == "game"
    assert streams.open(withdrawn).answer.status == 401


def test_too_many_streams_are_refused_until_one_is_left(streams: Streams) -> None:
    token, other = streams.make_token("Greedy"), streams.make_token("Other")
    opened = [streams.open(token) for _ in range(MOST_PER_TOKEN)]
    assert [stream.answer.status for stream in opened] == [200] * MOST_PER_TOKEN
    refused = streams.open(token)
    assert refused.answer.status == 503
    assert json.loads(refused.answer.read())["detail"] == (
        "expected at most 8 open streams of this token, found 8; close one"
    )
    assert streams.open(other).answer.status == 200
    opened[3].vanish()
    until_s = time.monotonic() + PATIENCE_S
    while (again := streams.open(token)).answer.status != 200:
        assert time.monotonic() < until_s, "the slot of a program that vanished is not given back"
        again.vanish()


def test_each_port_has_its_own_limit() -> None:
    for is_own, most in ((False, MOST_STREAMS), (True, MOST_OWN_STREAMS)):
        slots = ApiStreams()
        release, *_ = [slots.acquire(f"{n}", is_own=is_own) for n in range(most)]
        with pytest.raises(TooManyStreamsError, match=f"at most {most} open streams of programs"):
            slots.acquire("late", is_own=is_own)
        slots.acquire("late", is_own=not is_own)
        release()
        release()
        slots.acquire("late", is_own=is_own)
        with pytest.raises(TooManyStreamsError):
            slots.acquire("later", is_own=is_own)  # a slot released twice is one slot
