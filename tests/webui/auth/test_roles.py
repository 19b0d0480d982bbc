# SPDX-License-Identifier: MIT
"""Who may do what: the table of docs/access.md, tried line by line."""

from __future__ import annotations

import pytest

from controller.base.settings import Phones
from controller.table.events import GamePicked
from tests.webui.fakes import FakeTable
from tests.webui.visitors import CODE, LAPTOP, PHONE, PICK, PIN, FakeAccess, Visitor, app_of
from webui import create_app

ENTER = {"do": "enter", "roll": "13446", "by": "Ada", "reason": "", "pin": "", "about": "lobby"}


def visitor(table: FakeTable, access: FakeAccess, kind: str, phones: Phones) -> Visitor:
    """Return somebody at this table's pages: box, phone, paired or official."""
    app = app_of(table, access, phones=phones)
    if kind == "box":
        return Visitor(app, "127.0.0.1", "127.0.0.1:8080")
    somebody = Visitor(app, PHONE)
    if kind == "official":
        assert somebody.enters(pin=PIN).status_code == 200
    if kind in ("guest", "seated"):
        somebody.enters(code=CODE)
    if kind == "seated":
        somebody.sits_down()
    return somebody


OFF, WATCH, PLAY = Phones.OFF, Phones.WATCH, Phones.PLAY


@pytest.mark.parametrize(
    ("kind", "phones", "looks", "plays", "enters"),
    [
        ("box", OFF, True, True, False),
        ("official", OFF, True, True, True),
        ("phone", OFF, False, False, False),
        ("phone", WATCH, True, False, False),
        ("phone", PLAY, True, False, False),
        ("seated", OFF, False, False, False),
        ("seated", WATCH, True, False, False),
        ("guest", PLAY, True, False, False),
        ("seated", PLAY, True, True, False),
        ("official", PLAY, True, True, True),
    ],
)
def test_who_may_do_what(
    table: FakeTable,
    access: FakeAccess,
    kind: str,
    phones: Phones,
    looks: bool,
    plays: bool,
    enters: bool,
) -> None:
    somebody = visitor(table, access, kind, phones)
    for path in ("/", "/tray.jpg"):
        assert (somebody.get(path).status_code < 400) is looks, path
    assert (somebody.post("/command", PICK).status_code == 200) is plays
    assert (somebody.post("/command", ENTER).status_code == 200) is enters
    assert len(table.sent) == plays + enters
    health = somebody.get("/healthz")
    assert health.status_code == 200


def test_a_refusal_says_what_it_takes(table: FakeTable, access: FakeAccess) -> None:
    for kind, phones, body, words in [
        ("phone", OFF, PICK, "Only the box's own screen"),
        ("phone", WATCH, PICK, "may only watch"),
        ("phone", PLAY, PICK, "Scan the table's code first"),
        ("guest", PLAY, PICK, "Choose your name first"),
        ("seated", PLAY, ENTER, "Enter the table's PIN"),
    ]:
        answer = visitor(table, access, kind, phones).post("/command", body)
        assert answer.status_code == 403
        assert words in answer.get_json()["error"]


def test_a_forbidden_page_redirects_to_login_with_its_path(
    table: FakeTable, access: FakeAccess
) -> None:
    answer = visitor(table, access, "phone", OFF).opens("/")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/login?to=%2F")


@pytest.mark.parametrize(
    ("peer", "host", "headers"),
    [
        ("192.168.1.5", "127.0.0.1:8080", {}),
        ("127.0.0.1", "dicebell.lan:8080", {}),
        ("127.0.0.1", "192.168.1.5:8080", {}),
        ("127.0.0.1", "127.0.0.1:8080", {"X_Forwarded_For": "192.168.1.20"}),
        ("127.0.0.1", "127.0.0.1:8080", {"Forwarded": "for=127.0.0.1"}),
        ("127.0.0.1", "localhost", {"Via": "1.1 proxy"}),
    ],
)
def test_the_box_itself_is_known_by_peer_name_and_a_direct_way(
    table: FakeTable, access: FakeAccess, peer: str, host: str, headers: dict[str, str]
) -> None:
    visit = Visitor(app_of(table, access), peer, host)
    assert visit.post("/command", PICK, **headers).status_code == 403
    assert table.sent == []


def test_the_public_port_is_never_the_box(table: FakeTable, access: FakeAccess) -> None:
    """A bare proxy on the box connects over loopback, by a loopback name, without a header."""
    app = app_of(table, access)
    proxied = Visitor(app, "127.0.0.1", "127.0.0.1:8080", is_own=False)
    assert proxied.get("/login/pairing").status_code == 403
    assert proxied.post("/command", PICK).status_code == 403
    assert Visitor(app, "127.0.0.1", "127.0.0.1:8081").post("/command", PICK).status_code == 200


@pytest.mark.parametrize("peer", ["8.8.8.8", "2600::1", ""])
def test_requests_from_the_internet_fail_even_with_the_pin(
    table: FakeTable, access: FakeAccess, peer: str
) -> None:
    visit = Visitor(app_of(table, access, phones=PLAY), peer)
    visit.enters(pin=PIN)
    assert visit.get("/").status_code == 403
    assert visit.post("/command", PICK).status_code == 403


def test_who_is_the_box_can_be_told_otherwise(table: FakeTable) -> None:
    app = create_app(
        table.running, None, FakeAccess(), is_box=lambda asked: asked.remote_addr == LAPTOP
    )
    assert Visitor(app, LAPTOP, "localhost").post("/command", PICK).status_code == 200
    assert Visitor(app, "127.0.0.1", "localhost").post("/command", PICK).status_code == 403
    assert table.sent == [GamePicked("choice")]


def test_the_simulated_tray_is_moved_by_players_only(table: FakeTable, access: FakeAccess) -> None:
    assert (
        visitor(table, access, "phone", PLAY).post("/simulator", {"do": "throw"}).status_code == 403
    )
