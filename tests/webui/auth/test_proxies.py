# SPDX-License-Identifier: MIT
"""A proxy on the box gives its visitors none of the box's rights, with headers or without."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest

from controller.base.settings import Phones, WebSettings
from controller.runtime.access.tickets import AccessControl
from hardware.clock import SteppedClock
from tests.support.proxies import run_nginx
from tests.support.run_process import free_port
from tests.webui.api.program_table import ProgramTable
from tests.webui.fakes import FakeTable
from tests.webui.visitors import UNDO, Visitor
from webui import create_app
from webui.auth.roles import BOX_COOKIE
from webui.server import KioskServer

DOCUMENT = Path(__file__).parents[3] / "docs" / "access.md"
HEADERS = {
    "bare": "",
    "usual": "proxy_set_header Host $host; proxy_set_header X-Real-IP $remote_addr;"
    " proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
}


@dataclass(frozen=True)
class Served:
    """An installed table: its two ports, and the key of its own screen."""

    public: int
    own: int
    key: str


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    access, table = AccessControl(tmp_path, SteppedClock()), FakeTable()
    access.begin()
    web = WebSettings(phones=Phones.WATCH)
    app = create_app(table.running, None, access=access, web=web, needs_key=True)
    server = KioskServer(app, "127.0.0.1", 0, own_port=0)
    server.start()
    yield Served(server.port, urlsplit(server.url).port or 0, access.box_key())
    table.close()
    server.close()


def ask(
    port: int,
    path: str,
    *,
    cookie: str = "",
    body: object = None,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with closing(line):
        sent = None if body is None else json.dumps(body)
        all_headers = {"Cookie": cookie, "Content-Type": "application/json", **headers}
        line.request("GET" if body is None else "POST", path, sent, all_headers)
        return line.getresponse().status


def is_box(port: int, *, cookie: str = "") -> bool:
    """Return whether a visitor at this port reads the first PIN and gives the table commands."""
    statuses = {
        ask(port, "/login/pairing", cookie=cookie),
        ask(port, "/command", cookie=cookie, body=UNDO),
    }
    assert statuses in ({200}, {403}), statuses
    return 200 in statuses


class BareProxy:
    """Passes every byte on as it is, and adds no header."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._sockets = [self._listening]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            try:
                visitor, _ = self._listening.accept()
            except OSError:
                return
            table = socket.create_connection(("127.0.0.1", self._to))
            self._sockets += [visitor, table]
            for source, target in ((visitor, table), (table, visitor)):
                thread = threading.Thread(target=self._copy, args=(source, target))
                thread.start()
                self._threads.append(thread)

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(65_536):
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in self._sockets:
            each.close()


def test_only_the_key_makes_a_browser_the_boxs_own_screen(served: Served) -> None:
    assert not is_box(served.own)
    assert not is_box(served.own, cookie=f"{BOX_COOKIE}=a-wrong-key")
    assert is_box(served.own, cookie=f"{BOX_COOKIE}={served.key}")
    assert not is_box(served.public, cookie=f"{BOX_COOKIE}={served.key}")


def test_the_key_is_exchanged_for_a_cookie_at_the_own_port_alone(served: Served) -> None:
    assert ask(served.own, "/login/box", body={"key": "wrong"}) == 403
    assert ask(served.public, "/login/box", body={"key": served.key}) == 403
    assert ask(served.own, "/login/box", body={"key": served.key}) == 200


@pytest.mark.parametrize("port", ["public", "own"])
def test_a_bare_proxy_gives_no_rights(served: Served, port: str) -> None:
    proxy = BareProxy(getattr(served, port))
    try:
        assert ask(proxy.port, "/healthz") == 200
        assert not is_box(proxy.port)
    finally:
        proxy.close()


@pytest.fixture(params=[(port, kind) for port in ("public", "own") for kind in HEADERS], ids=str)
def nginx(request: pytest.FixtureRequest, served: Served, tmp_path: Path) -> Iterator[int]:
    """Start the nginx of this machine before one of the ports; give its port."""
    port, kind = request.param
    to, listening = getattr(served, port), free_port()
    with run_nginx(tmp_path, listening, build_site(listening, to, HEADERS[kind])) as proxy:
        yield proxy


def build_site(listening: int, to: int, settings: str) -> str:
    return (
        f"server {{ listen 127.0.0.1:{listening};\n"
        f"location / {{ {settings}\nproxy_pass http://127.0.0.1:{to}; }} }}\n"
    )


def test_nginx_gives_its_visitors_no_rights(nginx: int) -> None:
    assert ask(nginx, "/healthz") == 200
    assert not is_box(nginx)


def read_documented_site(listening: int, to: int) -> str:
    (block,) = re.findall(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert "127.0.0.1:8080" in block
    lines = block.replace("127.0.0.1:8080", f"127.0.0.1:{to}")
    return f"server {{ listen 127.0.0.1:{listening};\n{lines} }}\n"


@pytest.fixture
def documented(served: Served, tmp_path: Path) -> Iterator[int]:
    listening = free_port()
    with run_nginx(tmp_path, listening, read_documented_site(listening, served.public)) as proxy:
        yield proxy


def test_screens_follow_the_table_through_the_documented_nginx(documented: int) -> None:
    """nginx would hold a stream back until its buffer is full, and the page would stay empty."""
    with closing(http.client.HTTPConnection("127.0.0.1", documented, timeout=60)) as line:
        line.request("GET", "/events")
        assert b"event: snapshot\n" in line.getresponse()


def test_programs_follow_the_table_through_the_documented_nginx(tmp_path: Path) -> None:
    with ProgramTable(tmp_path) as table, ExitStack() as ending:
        server = KioskServer(table.app, "127.0.0.1", 0, own_port=0)
        server.start()
        ending.callback(server.close)
        ending.callback(table.runtime.loop.close)
        (folder := tmp_path / "nginx").mkdir()
        listening = free_port()
        site = read_documented_site(listening, server.port)
        with run_nginx(folder, listening, site) as proxy:
            line = http.client.HTTPConnection("127.0.0.1", proxy, timeout=60)
            ending.callback(line.close)
            token = table.tokens.make_token("Reader", ("read",))
            line.request("GET", "/api/v1/events", headers={"Authorization": f"Bearer {token}"})
            assert b"event: open\n" in line.getresponse()


@pytest.mark.parametrize(
    "claim",
    [
        {"X_Forwarded_For": "8.8.8.8"},
        {"X_Forwarded_For": "192.168.1.5, 8.8.8.8"},
        {"X_Real_IP": "2600::1"},
        {"Forwarded": 'for="[2600::1]:4711";proto=http, for=192.168.1.5'},
    ],
)
def test_a_visitor_from_the_internet_stays_out_behind_a_proxy(
    tmp_path: Path, claim: dict[str, str]
) -> None:
    access = AccessControl(tmp_path, SteppedClock())
    access.begin()
    web = WebSettings(host="0.0.0.0", phones=Phones.WATCH, host_names="dicebell.lan")
    app = create_app(FakeTable().running, None, access=access, web=web, needs_key=True)
    proxied = Visitor(app, "127.0.0.1", is_own=False)
    assert proxied.get("/", X_Forwarded_For="192.168.1.5, fd00::5").status_code == 200
    assert proxied.get("/", **claim).status_code == 403
