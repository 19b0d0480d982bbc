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
import os
import re
import select
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from controller.bench.soak.process import HOST, TableGoneError, TableProcess, join_threads

PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
LONGEST_P99_MS = 150.0
WARM_UP_EVENTS = 20
TIMEOUT_S = 30.0
READ_S = 0.5
STREAM = b"GET /events?seat HTTP/1.1\r\nHost: %b\r\nCookie: %b\r\n\r\n"

_VERSION = re.compile(rb"\nid: (\d+)\n")
_KEY = re.compile(rb'"(question|phase)":("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class PhonesResult:
    """
    What was measured.

    Attributes:
        phones: How many phones followed the table.
        seats: How many of them had a seat.
        last_ms: For each event, the time from its command to the last phone that had the change.
        load: The load of the machine in the last minute: runnable threads.
        cores: Its cores.
    """

    phones: int
    seats: int
    last_ms: tuple[float, ...]
    load: float
    cores: int

    @property
    def p99_ms(self) -> float:
        """The 99th percentile of the times."""
        return quantiles(self.last_ms, n=100, method="inclusive")[98]


def measure_phones(
    phones: int, events: int, *, seed: int, report: Callable[[str], None]
) -> PhonesResult:
    """
    Return how long changes took to the last phone.

    Args:
        phones: How many follow the table; the first of them get the seats.
        events: How many changes.
        seed: Decides the dice.
        report: Gets lines about the progress.

    Raises:
        TableGoneError: The table refuses phones, or a change does not come to all of them.
    """
    options = ("--game", "choice", "--players", ",".join(PLAYERS))
    with tempfile.TemporaryDirectory(prefix="phones-") as name, ExitStack() as stack:
        table = stack.enter_context(
            TableProcess(Path(name), seed=seed, has_phones=True, options=options)
        )
        code = json.loads(table.get("/login/pairing").body)["code"]
        joined = [join_phone(table, number, code) for number in range(phones)]
        streams = PhoneStreams([stack.enter_context(_follow(table, each)) for each in joined])
        stack.callback(streams.close)
        _throw_until_choosing(table, streams)
        report(f"{phones} phones follow the table")
        answer = [_tapper(table, phone, streams, number) for number, phone in enumerate(joined)]
        box = [_box_command(table, name) for name in ("pause", "resume")]
        senders = [*answer[: len(PLAYERS)], *box]
        times = [
            streams.time_change(senders[number % len(senders)])
            for number in range(WARM_UP_EVENTS + events)
        ]
    seats = min(phones, len(PLAYERS))
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return PhonesResult(phones, seats, tuple(times[WARM_UP_EVENTS:]), load, cores)


def list_phone_metrics(result: PhonesResult) -> dict[str, float]:
    """Return the metrics by name."""
    return {
        "phones": result.phones,
        "phones with a seat": result.seats,
        "changes": len(result.last_ms),
        "to the last phone, median, ms": round(median(result.last_ms), 1),
        "to the last phone, 99th of 100, ms": round(result.p99_ms, 1),
        "to the last phone, slowest, ms": round(max(result.last_ms), 1),
        "load of the machine": round(result.load, 1),
        "cores": result.cores,
    }


def find_phone_failures(result: PhonesResult) -> list[str]:
    """Return the passed limits as sentences; empty if there are none."""
    if result.p99_ms <= LONGEST_P99_MS:
        return []
    return [f"a change took {result.p99_ms:.0f} ms to the last phone, in the 99th of 100"]


class PhoneStreams:
    """
    The streams of all phones, read by one thread.

    Args:
        lines: Their connections, on which the streams were requested.
    """

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
        """
        Wait until something is true of the streams.

        Raises:
            TableGoneError: It does not become true.
        """
        with self._changed:
            if not self._changed.wait_for(fits, TIMEOUT_S):
                raise TableGoneError("a phone did not get a change, or the table refused a command")

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
    """
    Post a command on a connection that stays open, and return the answer.

    Raises:
        TableGoneError: The table refuses it.
    """
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    line.request("POST", path, json.dumps(body), headers)
    answer = line.getresponse()
    told = answer.read()
    if answer.status != http.client.OK:
        raise TableGoneError(f"{path} was refused: {answer.status} {told.decode()}")
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
            except TableGoneError:
                continue  # a doubtful throw is thrown again
            return
    raise TableGoneError("no throw was read")


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
