# SPDX-License-Identifier: MIT
"""A port has as many threads as it has requests that are answered at the same time."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.webui.fakes import FakeTable
from tests.webui.listeners.test_connections import connected, serving
from webui import MOST_STREAMS
from webui.auth.stream_slots import OWN_SHARE
from webui.listeners.connections import LEAST_THREADS, GrowingDispatcher
from webui.server import OWN_LIMITS

TIMEOUT_S = 60.0
PHONES = 50


class Stream:
    """A task that takes a thread until it ends."""

    def __init__(self) -> None:
        self._begun = threading.Event()
        self._ends = threading.Event()
        self._ended = threading.Event()

    def service(self) -> None:
        self._begun.set()
        self._ends.wait()
        self._ended.set()

    def cancel(self) -> None:
        self._ends.set()

    def wait_until_begun(self) -> bool:
        return self._begun.wait(TIMEOUT_S)

    def end(self) -> None:
        self._ends.set()
        assert self._ended.wait(TIMEOUT_S)


@pytest.fixture
def dispatcher() -> Iterator[GrowingDispatcher]:
    dispatcher = GrowingDispatcher(PHONES, idle_s=0.0)
    yield dispatcher
    dispatcher.shutdown()


def start_streams(dispatcher: GrowingDispatcher, count: int) -> list[Stream]:
    streams = [Stream() for _ in range(count)]
    for stream in streams:
        dispatcher.add_task(stream)
    return streams


def count_threads(dispatcher: GrowingDispatcher) -> int:
    return len(dispatcher.threads)


def wait_for_threads(dispatcher: GrowingDispatcher, count: int) -> None:
    with dispatcher.lock:
        assert dispatcher.thread_exit_cv.wait_for(
            lambda: count_threads(dispatcher) == count, TIMEOUT_S
        )


def test_threads_come_with_streams_and_go_with_them(dispatcher: GrowingDispatcher) -> None:
    assert count_threads(dispatcher) == LEAST_THREADS
    streams = start_streams(dispatcher, PHONES - 1)
    assert all(stream.wait_until_begun() for stream in streams)
    assert PHONES - 1 <= count_threads(dispatcher) <= PHONES
    dispatcher.shrink()
    for stream in streams[:30]:
        stream.end()
    dispatcher.shrink()
    dispatcher.shrink()
    left = streams[30:]
    wait_for_threads(dispatcher, len(left))
    more = start_streams(dispatcher, 3)
    assert all(stream.wait_until_begun() for stream in more)
    for stream in left + more:
        stream.end()


def test_no_more_threads_than_allowed(dispatcher: GrowingDispatcher) -> None:
    streams = start_streams(dispatcher, PHONES + 2)
    assert all(stream.wait_until_begun() for stream in streams[:PHONES])
    assert count_threads(dispatcher) == PHONES
    for stream in streams[:2]:
        stream.end()
    assert all(stream.wait_until_begun() for stream in streams)
    for stream in streams[2:]:
        stream.end()


def test_the_streams_of_a_port_are_all_served() -> None:
    before, table, count = (
        threading.active_count(),
        FakeTable(),
        math.ceil(MOST_STREAMS * OWN_SHARE),
    )
    with serving(OWN_LIMITS, table) as port, ExitStack() as stack:
        assert threading.active_count() <= before + LEAST_THREADS + 1
        lines = [stack.enter_context(connected(port)) for _ in range(count)]
        for line in lines:
            line.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        streams = [stack.enter_context(line.makefile("rb")) for line in lines]
        assert all(any(b"snapshot" in line for line in stream) for stream in streams)
        table.show(headline="Ben throws")
        assert all(any(b"Ben throws" in line for line in stream) for stream in streams)
