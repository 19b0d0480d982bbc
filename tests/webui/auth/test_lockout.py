# SPDX-License-Identifier: MIT
"""Guessers at many addresses of the real server, and who can log in meanwhile."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from controller.base.settings import Phones, WebSettings
from controller.runtime.access.tickets import AccessControl
from hardware.clock import SteppedClock
from tests.webui.fakes import FakeTable
from webui import create_app
from webui.server import KioskServer

PIN = "428137"
GUESSERS = [f"127.0.0.{number}" for number in range(2, 9)]
LAPTOP, TABLET = "127.0.0.20", "127.0.0.21"


@dataclass
class Browser:
    address: str
    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def post(self, path: str, body: object) -> int:
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=60, source_address=(self.address, 0)
        )
        with closing(line):
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            headers = {"Content-Type": "application/json", "Cookie": cookies}
            line.request("POST", path, json.dumps(body), headers)
            answer = line.getresponse()
            for name, value in answer.getheaders():
                if name == "Set-Cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self.cookies[cookie] = content
            return answer.status

    def logs_in(self, pin: str = PIN) -> int:
        return self.post("/login/pin", {"pin": pin})


@dataclass(frozen=True)
class Served:
    public: int
    own: int

    def lock_out_strangers(self) -> None:
        statuses = [
            Browser(address, self.public).logs_in(f"00000{number}")
            for address in GUESSERS
            for number in range(3)
        ]
        assert statuses[-1] == 429


def serve(folder: Path) -> tuple[KioskServer, FakeTable, AccessControl]:
    access, table = AccessControl(folder, SteppedClock()), FakeTable()
    access.begin()
    web = WebSettings(host="127.0.0.1", phones=Phones.PLAY)
    server = KioskServer(
        create_app(table.running, None, access=access, web=web), "127.0.0.1", 0, own_port=0
    )
    server.start()
    return server, table, access


def ports(server: KioskServer) -> Served:
    return Served(server.port, urlsplit(server.url).port or 0)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server, table, access = serve(tmp_path)
    access.set_pin(PIN)
    yield ports(server)
    table.close()
    server.close()


def test_guessers_lock_out_neither_the_box_nor_a_known_browser(served: Served) -> None:
    laptop = Browser(LAPTOP, served.public)
    assert laptop.logs_in() == 200
    assert laptop.post("/login/leave", {}) == 200
    served.lock_out_strangers()
    assert Browser(TABLET, served.public).logs_in() == 429, "a stranger, to the server"
    assert Browser("127.0.0.1", served.own).logs_in() == 200
    assert laptop.logs_in() == 200


def test_a_restart_ends_no_wait(tmp_path: Path) -> None:
    for is_again in (False, True):
        server, table, access = serve(tmp_path)
        if is_again:
            assert Browser(TABLET, server.port).logs_in() == 429
            assert Browser("127.0.0.1", ports(server).own).logs_in() == 200
        else:
            access.set_pin(PIN)
            ports(server).lock_out_strangers()
        table.close()
        server.close()


def test_a_copied_cookie_is_void_after_the_logout(served: Served) -> None:
    laptop = Browser(LAPTOP, served.public)
    laptop.logs_in()
    thief = Browser(TABLET, served.public, dict(laptop.cookies))
    assert thief.post("/login/send-away", {}) == 200
    assert laptop.post("/login/leave", {}) == 200
    assert thief.post("/login/send-away", {}) == 403
