# SPDX-License-Identifier: MIT
"""The real web server: a port, many streams, clients that vanish, an end in good order."""

from __future__ import annotations

import http.client
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from waitress.trigger import trigger

from controller.base.errors import InputError
from controller.base.settings import Phones, WebSettings
from tests.support.ipv6 import needs_ipv6
from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.listeners.connections import ListenerLimits
from webui.server import OWN_LIMITS, KioskServer

HEARTBEAT_S = 0.05
PATIENCE_S = 60.0


class Screen:
    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._line.request("GET", "/events")
        self._answer = self._line.getresponse()
        self.status = self._answer.status

    def next_event(self) -> bytes:
        """Return the next event's name and data line; one that only breaks a silence is none."""
        while not (line := self._answer.readline()).startswith((b"event: snap", b"event: change")):
            assert line, "the stream ended"
        self._answer.readline()
        return line.removeprefix(b"event: ").strip() + b" " + self._answer.readline()

    def rest(self) -> bytes:
        return self._answer.read()

    def hang_up(self) -> None:
        self._answer.close()
        self._line.close()


@contextmanager
def serving(
    table: FakeTable, *, most_streams: int = 50, own: ListenerLimits = OWN_LIMITS
) -> Iterator[KioskServer]:
    app = create_app(
        table.running, None, FakeAccess(), heartbeat_s=HEARTBEAT_S, most_streams=most_streams
    )
    server = KioskServer(app, "127.0.0.1", 0, own=own)
    server.start()
    try:
        yield server
    finally:
        table.close()
        server.close()


@contextmanager
def screen(server: KioskServer) -> Iterator[Screen]:
    one = Screen(server.port)
    try:
        yield one
    finally:
        one.hang_up()


def soon(is_so: Callable[[], bool]) -> bool:
    """Ask until it is so; every question is a request to the server, so it takes its time."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if is_so():
            return True
    return False


def status_of_a_stream(server: KioskServer) -> int:
    with screen(server) as one:
        return one.status


def role_at(port: int, host: str = "127.0.0.1") -> str:
    """Return the role that the page at a port says this browser has."""
    line = http.client.HTTPConnection(host, port, timeout=PATIENCE_S)
    with closing(line):
        line.request("GET", "/")
        found = re.search(r'data-role="(\w+)"', line.getresponse().read().decode())
    return found[1] if found else ""


def status(server: KioskServer, address: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        line.request("GET", address)
        return line.getresponse().status
    finally:
        line.close()


def test_a_port_in_use_is_told_with_its_option() -> None:
    threads = threading.active_count()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server = KioskServer(create_app(FakeTable().running, None, FakeAccess()), "127.0.0.1", port)
        with pytest.raises(InputError) as caught:
            server.start()
    assert str(caught.value) == f"port: expected a free port, found {port} in use"
    assert threading.active_count() == threads


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70_000), ("192.0.2.1", 0)])
def test_an_address_that_is_not_ours_is_told(host: str, port: int) -> None:
    with pytest.raises(InputError, match=r"expected an? .*port"):
        KioskServer(create_app(FakeTable().running, None, FakeAccess()), host, port).start()


@needs_ipv6
def test_every_address_means_both_families() -> None:
    """A browser takes the address that its resolver finds first."""
    app = create_app(
        FakeTable().running, None, access=FakeAccess(), web=WebSettings(phones=Phones.WATCH)
    )
    server = KioskServer(app, "::", 0, own_port=0)
    server.start()
    try:
        assert [role_at(server.port, host) for host in ("127.0.0.1", "::1")] == ["watcher"] * 2
    finally:
        server.close()


def test_only_its_own_port_is_the_box() -> None:
    app = create_app(
        FakeTable().running, None, access=FakeAccess(), web=WebSettings(phones=Phones.WATCH)
    )
    server = KioskServer(app, "127.0.0.1", 0, own_port=0)
    server.start()
    try:
        own = urlsplit(server.url).port
        assert own not in (None, server.port)
        assert [role_at(port) for port in (own, server.port)] == ["box", "watcher"]
    finally:
        server.close()


def test_an_own_port_in_use_frees_the_public_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        own = taken.getsockname()[1]
        server = KioskServer(
            create_app(FakeTable().running, None, FakeAccess()), "127.0.0.1", 0, own_port=own
        )
        with pytest.raises(InputError, match=f"box_port: expected a free port, found {own} in use"):
            server.start()
        with socket.create_server(("127.0.0.1", server.port)):
            pass


def test_thirty_screens_follow_and_the_page_still_answers() -> None:
    table = FakeTable()
    with serving(table) as server, ExitStack() as stack:
        screens = [stack.enter_context(screen(server)) for _ in range(30)]
        assert all(one.next_event().startswith(b"snapshot ") for one in screens)
        for headline in (b"Ada throws", b"Ben throws"):
            table.show(headline=headline.decode())
            assert all(headline in one.next_event() for one in screens)
        assert status(server, "/") == 200


def test_a_screen_that_hangs_up_frees_its_place() -> None:
    with serving(FakeTable(), most_streams=1) as server:
        with screen(server) as first:
            first.next_event()
            assert status_of_a_stream(server) == 503
        assert soon(lambda: status_of_a_stream(server) == 200)


def test_a_screen_that_stops_reading_does_not_hold_up_the_others() -> None:
    table = FakeTable()
    with serving(table) as server, screen(server) as deaf, screen(server) as other:
        deaf.next_event()
        other.next_event()
        for number in range(20):
            table.show(headline=f"{number} " + "x" * 500_000)
            while f'"headline":"{number} '.encode() not in other.next_event():
                pass
        assert status(server, "/healthz") == 200


def test_a_screen_that_stops_reading_loses_its_place() -> None:
    table = FakeTable()
    with (
        serving(table, most_streams=1, own=replace(OWN_LIMITS, stalled_ms=300)) as server,
        screen(server) as deaf,
    ):
        deaf.next_event()

        def is_free() -> bool:
            table.show(headline=f"{time.monotonic()} " + "x" * 500_000)
            return status_of_a_stream(server) == 200

        assert soon(is_free)


def test_closing_ends_the_streams_and_frees_the_port() -> None:
    table = FakeTable()
    with serving(table) as server, screen(server) as one:
        one.next_event()
        table.close()
        server.close()
        assert b"event: change" not in one.rest()
        with socket.create_server(("127.0.0.1", server.port)):
            pass


def test_closing_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())
    with serving(FakeTable()) as server:
        assert status(server, "/healthz") == 200
    assert set(threading.enumerate()) - before == set()


def test_a_late_wake_up_of_the_loop_does_not_disturb_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop, woken by somebody else, may have done what is asked before it is woken for it."""
    wake = trigger._physical_pull

    def wake_late(self: trigger) -> None:
        wake(self)
        while self.thunks:
            time.sleep(0.001)
        wake(self)

    with serving(FakeTable()) as server:
        assert status(server, "/healthz") == 200
        monkeypatch.setattr(trigger, "_physical_pull", wake_late)


def test_closing_twice_or_before_the_start_is_no_harm() -> None:
    server = KioskServer(create_app(FakeTable().running, None, FakeAccess()), "127.0.0.1", 0)
    server.close()
    server.start()
    server.close()
    server.close()
