# SPDX-License-Identifier: MIT
"""
Measure how long a change takes from a command to the last of many phones.

Every player has a phone that is bound to the seat; all other phones have joined and watch. The
players tap choices and the box pauses and continues. One thread reads all streams, so that the
bench itself uses little of the processor that the table needs.
"""

from __future__ import annotations

import http.client
import json
import re
import select
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Metric, option
from tests.bench.figures import SeededBenchmark, list_load, list_times, report
from tests.bench.table_process import TableProcess, join_threads
from tests.support.server_process import HOST, ProcessGoneError

PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
LONGEST_P99_MS = 150.0
WARM_UP_EVENTS = 20
TIMEOUT_S = 30.0
READ_S = 0.5
STREAM = b"GET /events?seat HTTP/1.1\r\nHost: %b\r\nCookie: %b\r\n\r\n"

_VERSION = re.compile(rb"\nid: (\d+)\n")
_KEY = re.compile(rb'"(question|phase)":("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, kw_only=True)
class Phones(SeededBenchmark):
    """Let many phones follow a game of six, each player with a phone; the time from a command
    to the last phone that has the change."""

    name: ClassVar[str] = "phones"
    phones: int = option(50, "how many follow (%(default)s)", whole_number_type(1))
    changes: int = option(400, "how many (%(default)s)", whole_number_type(10))

    def measure(self) -> Iterator[Metric]:
        """Yield how long changes took to the last phone."""
        options = ("--game", "choice", "--players", ",".join(PLAYERS))
        with tempfile.TemporaryDirectory(prefix="phones-") as name, ExitStack() as stack:
            table = stack.enter_context(
                TableProcess(Path(name), seed=self.seed, has_phones=True, options=options)
            )
            code = json.loads(table.get("/login/pairing").body)["code"]
            joined = [join_phone(table, number, code) for number in range(self.phones)]
            streams = PhoneStreams([stack.enter_context(_follow(table, each)) for each in joined])
            stack.callback(streams.close)
            _throw_until_choosing(table, streams)
            report(f"{self.phones} phones follow the table")
            taps = [_tapper(table, phone, streams, number) for number, phone in enumerate(joined)]
            box = [_box_command(table, name) for name in ("pause", "resume")]
            senders = [*taps[: len(PLAYERS)], *box]
            times = [
                streams.time_change(senders[number % len(senders)])
                for number in range(WARM_UP_EVENTS + self.changes)
            ]
        yield Metric("phones", self.phones)
        yield Metric("phones with a seat", min(self.phones, len(PLAYERS)))
        yield Metric("changes", self.changes)
        times_ms = times[WARM_UP_EVENTS:]
        yield from list_times("to the last phone", times_ms, most_of_share=LONGEST_P99_MS)
        yield from list_load()
        yield Metric("seed", self.seed)


class PhoneStreams:
    """The streams of all phones, read by one thread."""

    def __init__(self, lines: list[socket.socket]) -> None:
        self._lines = lines
        self._tails = dict.fromkeys(lines, b"")
        self._versions = dict.fromkeys(lines, 0)
        self._views: dict[socket.socket, dict[str, str]] = {line: {} for line in lines}
        self._changed = threading.Condition()
        self._all_s = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="streams", daemon=True)
        self._thread.start()

    def read(self, key: str, number: int = 0) -> str:
        """Return the `question` or the `phase` of a phone's view; empty before the first."""
        with self._changed:
            return self._views[self._lines[number]].get(key, "")

    def wait_for(self, fits: Callable[[], bool]) -> None:
        """Wait until something is true of the streams."""
        with self._changed:
            if not self._changed.wait_for(fits, TIMEOUT_S):
                raise ProcessGoneError("a phone did not get a change")

    def time_change(self, send: Callable[[], None]) -> float:
        """Send a command; return the milliseconds until every phone had a newer view."""
        with self._changed:
            target = max(self._versions.values()) + 1
        began_s = time.perf_counter()
        send()
        self.wait_for(lambda: min(self._versions.values()) >= target)
        return (self._all_s - began_s) * 1000.0

    def close(self) -> None:
        """Read no more."""
        self._end.set()
        join_threads([self._thread])

    def _run(self) -> None:
        while not self._end.is_set():
            ready, _, _ = select.select(self._lines, [], [], READ_S)
            for line in ready:
                data = line.recv(1 << 20)
                if not data:
                    return  # the wait for this phone ends with an error
                self._receive(line, data)

    def _receive(self, line: socket.socket, data: bytes) -> None:
        text = self._tails[line] + data
        whole, _, tail = text.rpartition(b"\n\n")
        self._tails[line] = tail
        versions, found = _VERSION.findall(whole), _KEY.findall(whole)
        with self._changed:
            self._views[line] |= {key.decode(): json.loads(value) for key, value in found}
            if versions:
                before = min(self._versions.values())
                self._versions[line] = int(versions[-1])
                if min(self._versions.values()) > before:
                    self._all_s = time.perf_counter()
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class JoinedPhone:
    """A phone by its own address and its ticket."""

    address: str
    cookie: str


def join_phone(table: TableProcess, number: int, code: str) -> JoinedPhone:
    """Let a phone enter the code and, while there are seats, take one."""
    address = f"127.0.7.{number + 1}"
    with closing(_connect(table, address)) as line:
        answer = _post(line, "/login/code", {"code": code}, "")
        phone = JoinedPhone(address, (answer.headers["Set-Cookie"] or "").partition(";")[0])
        if number < len(PLAYERS):
            _post(line, "/join/seat", {"player": PLAYERS[number]}, phone.cookie)
    return phone


def _connect(table: TableProcess, address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(
        HOST, table.public_port, timeout=TIMEOUT_S, source_address=(address, 0)
    )


def _post(
    line: http.client.HTTPConnection, path: str, body: dict[str, object], cookie: str
) -> http.client.HTTPResponse:
    """Post a command on a connection that stays open, and return the answer."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    line.request("POST", path, json.dumps(body), headers)
    answer = line.getresponse()
    content = answer.read()
    if answer.status != http.client.OK:
        raise ProcessGoneError(f"{path} was refused: {answer.status} {content.decode()}")
    return answer


def _follow(table: TableProcess, phone: JoinedPhone) -> socket.socket:
    line = socket.create_connection(
        (HOST, table.public_port), timeout=TIMEOUT_S, source_address=(phone.address, 0)
    )
    line.sendall(STREAM % (HOST.encode(), phone.cookie.encode()))
    return line


def _throw_until_choosing(table: TableProcess, streams: PhoneStreams) -> None:
    """Throw the dice until all players choose."""
    until_s = time.monotonic() + TIMEOUT_S * 4
    with closing(http.client.HTTPConnection(HOST, table.port, timeout=TIMEOUT_S)) as line:
        while time.monotonic() < until_s:
            _post(line, "/simulator", {"do": "throw"}, "")
            try:
                streams.wait_for(lambda: streams.read("phase") == "choosing")
            except ProcessGoneError:
                continue  # a doubtful throw is thrown again
            return
    raise ProcessGoneError("no throw was read")


def _tapper(
    table: TableProcess, phone: JoinedPhone, streams: PhoneStreams, number: int
) -> Callable[[], None]:
    """Return the call that taps another choice on a player's phone at each time."""
    line = _connect(table, phone.address)
    taps = 0

    def tap() -> None:
        nonlocal taps
        taps += 1
        body: dict[str, object] = {"do": "choose", "index": taps % 2}
        _post(line, "/command", {**body, "about": streams.read("question", number)}, phone.cookie)

    return tap


def _box_command(table: TableProcess, name: str) -> Callable[[], None]:
    line = http.client.HTTPConnection(HOST, table.port, timeout=TIMEOUT_S)

    def send() -> None:
        _post(line, "/command", {"do": name, "about": "anything"}, "")

    return send
