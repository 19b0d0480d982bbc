# SPDX-License-Identifier: MIT
"""Nobody takes all streams: not from a higher role, and not from phones that joined before."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

from controller.base.settings import Phones, WebSettings
from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.tickets import AccessControl, TicketKind
from hardware.clock import SteppedClock
from tests.webui.fakes import FakeTable
from webui import create_app
from webui.auth.roles import COOKIES, Role, Viewer
from webui.auth.stream_slots import StreamSlots
from webui.server import KioskServer

BOX = Viewer(Role.BOX)
PATIENCE_S = 60.0


def fill(slots: StreamSlots, viewer: Viewer) -> int:
    """Open as many streams as a client gets; return their number."""
    return next(number for number in range(1000) if slots.acquire(viewer) is None)


def at(address: str, role: Role = Role.WATCHER, ticket: str = "", joined_s: int = 0) -> Viewer:
    return Viewer(role, address, ticket, joined_s)


def test_one_watcher_gets_a_few_streams() -> None:
    slots = StreamSlots(50)
    assert fill(slots, at("192.168.1.66")) == 6
    assert slots.acquire(at("192.168.1.20")) is not None


def test_each_role_leaves_streams_to_higher_ones() -> None:
    slots = StreamSlots(50)

    def fill_from_one_address(role: Role) -> int:
        return sum(fill(slots, at("192.168.1.9", role, f"ticket {number}")) for number in range(40))

    watchers = [slots.acquire(at(f"192.168.1.{number}")) for number in range(40)]
    assert sum(slot is not None for slot in watchers) == 15
    assert fill_from_one_address(Role.PLAYER) == 30
    assert fill_from_one_address(Role.OFFICIAL) == 5
    assert fill(slots, BOX) == 30


def test_a_full_pool_has_no_room_for_watchers() -> None:
    slots = StreamSlots(50)
    officials = (at("192.168.1.9", Role.OFFICIAL, f"ticket {number}") for number in range(40))
    assert sum(fill(slots, each) for each in officials) == 50
    assert slots.acquire(at("192.168.1.20")) is None


def test_a_freed_stream_is_its_clients_again() -> None:
    slots = StreamSlots(50)
    free = slots.acquire(at("192.168.1.20"))
    assert fill(slots, at("192.168.1.20")) == 5
    assert free is not None
    free()
    assert fill(slots, at("192.168.1.20")) == 1


def test_a_phone_displaces_one_whose_address_has_more_streams() -> None:
    slots, ended = StreamSlots(10), list[str]()
    for number in range(9):
        crowd = at("192.168.1.66", Role.PLAYER, f"ticket {number}", joined_s=number)
        assert slots.acquire(crowd, partial(ended.append, crowd.ticket))
    assert slots.acquire(at("192.168.1.20", Role.PLAYER, "Ada", joined_s=99)) is not None
    assert ended == ["ticket 8"]
    assert slots.acquire(at("192.168.1.66", Role.PLAYER, "ticket 8", joined_s=8)) is None


def test_the_phone_that_joined_first_stays_behind_a_proxy() -> None:
    slots, ended = StreamSlots(10), list[str]()
    for number in range(1, 10):
        viewer = at("127.0.0.1", Role.PLAYER, f"ticket {number}", joined_s=number)
        assert slots.acquire(viewer, partial(ended.append, viewer.ticket))
    assert slots.acquire(at("127.0.0.1", Role.PLAYER, "late", joined_s=9)) is None
    assert slots.acquire(at("127.0.0.1", Role.PLAYER, "early", joined_s=0)) is not None
    assert ended == ["ticket 9"]


def test_displaced_streams_that_do_not_end_are_few() -> None:
    """Each still has its thread, so they must not become many."""
    slots = StreamSlots(100)
    crowd = [at("192.168.1.66", Role.PLAYER, f"ticket {number}") for number in range(90)]
    assert all(slots.acquire(each) for each in crowd)
    others = [at("192.168.1.20", Role.PLAYER, f"other {number}") for number in range(20)]
    assert sum(slots.acquire(each) is not None for each in others) == 8


def test_streams_never_displace_each_other_forever() -> None:
    """Every displaced browser comes back at once, as browsers do."""
    for seed in range(200):
        assert count_until_settled(random.Random(seed)) < 2000


def count_until_settled(chance: random.Random) -> int:
    """Let 16 browsers share 9 streams; return after how many tries nobody is displaced."""
    slots, releases = StreamSlots(10), dict[Viewer, Callable[[], None]]()
    waiting = [
        at(f"192.168.1.{chance.randrange(4)}", Role.PLAYER, f"ticket {n}", chance.randrange(5))
        for n in range(16)
    ]
    refused: list[Viewer] = []
    displaced: list[Viewer] = []
    tries = 0
    while waiting and tries < 2000:
        viewer, tries = waiting.pop(0), tries + 1
        release = slots.acquire(viewer, partial(displaced.append, viewer))
        if release is None:
            refused.append(viewer)
            continue
        releases[viewer] = release
        for gone in displaced:
            releases.pop(gone)()
        waiting += [*displaced, *refused]
        displaced.clear()
        refused.clear()
    return tries


class _Browser:
    def __init__(self, port: int, address: str, **tickets: str) -> None:
        self._line = HTTPConnection(
            "127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0)
        )
        cookies = "; ".join(f"{COOKIES[TicketKind[kind]]}={tickets[kind]}" for kind in tickets)
        self._line.request("GET", "/events", headers={"Cookie": cookies} if cookies else {})
        self.answer: HTTPResponse = self._line.getresponse()

    def close(self) -> None:
        self.answer.close()
        self._line.close()


def test_who_knows_the_code_keeps_nobody_from_following(tmp_path: Path) -> None:
    """A player fills the streams at the real server; a phone, an official and the box follow."""
    access = AccessControl(tmp_path, SteppedClock())
    access.begin()
    who = LoginClient(ClientGroup.OTHER, "192.168.1.20")

    def join() -> str:
        return access.check_code(access.pairing_code(), who=who).ticket

    pin = access.first_pin()
    assert pin is not None
    phone, official = join(), access.check_pin(pin, who=who).ticket
    table, web = FakeTable(), WebSettings(phones=Phones.PLAY)
    app = create_app(table.running, None, access=access, web=web, most_streams=20)
    server = KioskServer(app, "127.0.0.1", 0, own_port=0)
    server.start()
    own = urlsplit(server.url).port or 0
    with ExitStack() as closing:
        closing.callback(server.close)
        closing.callback(table.close)

        def follow(port: int, address: str, **tickets: str) -> _Browser:
            browser = _Browser(port, address, **tickets)
            closing.callback(browser.close)
            return browser

        crowd = [
            follow(server.port, "127.0.0.66", PHONE=ticket)
            for ticket in (join() for _ in range(6))
            for _ in range(4)
        ]
        assert Counter(each.answer.status for each in crowd) == {200: 16, 503: 8}
        assert follow(server.port, "127.0.0.20", PHONE=phone).answer.status == 200
        assert follow(server.port, "127.0.0.30", OFFICIAL=official).answer.status == 200
        assert follow(own, "127.0.0.1").answer.status == 200
        ended = [each for each in crowd if each.answer.status == 200 and _has_ended(each)]
        assert len(ended) == 1


def _has_ended(browser: _Browser) -> bool:
    """Read until the table is silent; return whether the stream ended before."""
    try:
        return all(b"event: here" not in line for line in browser.answer)
    except (OSError, ValueError):
        return True
