# SPDX-License-Identifier: MIT
"""The door: PIN and code in, a ticket out; and what only the box's own screen shows."""

from __future__ import annotations

import pytest

from controller.base.settings import Phones, WebSettings
from tests.webui.fakes import FakeTable
from tests.webui.visitors import CODE, LAPTOP, PHONE, PICK, PIN, FakeAccess, Visitor, app_of
from webui import create_app


def at(access: FakeAccess, peer: str, *, phones: Phones = Phones.PLAY) -> Visitor:
    host = "127.0.0.1:8080" if peer == "127.0.0.1" else "dicebell.lan:8080"
    return Visitor(app_of(FakeTable(), access, phones=phones), peer, host)


@pytest.mark.parametrize(
    ("secret", "cookie"), [({"pin": PIN}, "official"), ({"code": CODE}, "phone")]
)
def test_the_correct_one_gives_a_cookie_hidden_from_scripts(
    access: FakeAccess, secret: dict[str, str], cookie: str
) -> None:
    answer = at(access, PHONE).enters(**secret)
    assert answer.status_code == 200
    told = answer.headers["Set-Cookie"]
    assert told.startswith(f"dicebell-{cookie}={cookie};")
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
        assert part in told


@pytest.mark.parametrize(("secret", "word"), [({"pin": "1"}, "PIN"), ({"code": "1"}, "code")])
def test_a_wrong_one_is_told_and_gives_nothing(
    access: FakeAccess, secret: dict[str, str], word: str
) -> None:
    answer = at(access, PHONE).enters(**secret)
    assert (answer.status_code, answer.get_json()["error"]) == (403, f"That is not the {word}.")
    assert "Set-Cookie" not in answer.headers


def test_a_wait_is_told_in_seconds(access: FakeAccess) -> None:
    access.wait_s = 40
    answer = at(access, PHONE).enters(pin=PIN)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "40")
    assert "Wait 40 s" in answer.get_json()["error"]


def test_tries_are_counted_for_the_peer_whatever_it_claims(access: FakeAccess) -> None:
    visitor = at(access, PHONE)
    visitor.post("/login/pin", {"pin": "1"}, X_Forwarded_For="10.9.9.9")
    visitor.enters(code="1")
    assert access.asked == [PHONE, PHONE]


@pytest.mark.parametrize("phones", [Phones.OFF, Phones.WATCH])
def test_where_phones_do_not_play_no_code_is_tried(access: FakeAccess, phones: Phones) -> None:
    answer = at(access, PHONE, phones=phones).enters(code=CODE)
    assert answer.status_code == 403
    assert access.asked == []


@pytest.mark.parametrize(
    "body", [{}, {"pin": 1}, {"pin": ""}, {"pin": "1" * 33}, {"pin": "1", "x": 1}]
)
def test_what_is_no_try_is_a_400(access: FakeAccess, body: dict[str, object]) -> None:
    assert at(access, PHONE).post("/login/pin", body).status_code == 400
    assert access.asked == []


def test_only_the_boxs_own_screen_shows_pin_and_code(access: FakeAccess) -> None:
    told = at(access, "127.0.0.1").get("/login/pairing")
    assert told.get_json()["first_pin"] == PIN
    assert told.get_json()["code"] == CODE
    assert told.headers["Cache-Control"] == "no-store"
    official = at(access, LAPTOP)
    official.enters(pin=PIN)
    assert official.get("/login/pairing").status_code == 403
    for page in ("/", "/login"):
        text = official.get(page).get_data(as_text=True)
        assert PIN not in text
        assert CODE not in text


@pytest.mark.parametrize("phones", [Phones.OFF, Phones.WATCH])
def test_where_phones_do_not_play_no_code_is_shown(access: FakeAccess, phones: Phones) -> None:
    told = at(access, "127.0.0.1", phones=phones).get("/login/pairing").get_json()
    assert told["code"] is None
    assert (told["url"] is None) is (phones is Phones.OFF)


def test_an_unreachable_box_shows_neither_code_nor_address(access: FakeAccess) -> None:
    app = create_app(FakeTable().running, None, access=access, web=WebSettings(phones=Phones.PLAY))
    told = Visitor(app, "127.0.0.1", "127.0.0.1:8080").get("/login/pairing").get_json()
    assert (told["first_pin"], told["code"], told["url"]) == (PIN, None, None)


def test_a_pin_is_changed_by_who_knows_it_also_at_the_box(access: FakeAccess) -> None:
    box = at(access, "127.0.0.1")
    assert box.post("/login/new-pin", {"old": "000000", "new": "654321"}).status_code == 403
    assert access.pin == PIN
    answer = box.post("/login/new-pin", {"old": PIN, "new": "654321"})
    assert answer.status_code == 200
    assert access.pin == "654321"
    assert "dicebell-official=" in answer.headers["Set-Cookie"]


def test_phones_are_sent_away_by_an_official(access: FakeAccess) -> None:
    phone, official = at(access, PHONE), at(access, LAPTOP)
    phone.enters(code=CODE)
    phone.sits_down()
    assert phone.post("/login/send-away", {}).status_code == 403
    assert phone.post("/command", PICK).status_code == 200
    official.enters(pin=PIN)
    assert official.post("/login/send-away", {}).status_code == 200
    assert phone.post("/command", PICK).status_code == 403


@pytest.mark.parametrize(
    ("secret", "phones", "shown", "hidden"),
    [
        ({}, Phones.PLAY, ["code-form", "pin-form"], ["new-pin-form", "away-form"]),
        ({}, Phones.WATCH, ["pin-form"], ["code-form", "new-pin-form"]),
        ({"code": CODE}, Phones.PLAY, ["pin-form", "leave-form"], ["code-form", "away-form"]),
        ({"pin": PIN}, Phones.PLAY, ["new-pin-form", "away-form"], ["code-form", "pin-form"]),
        ({"pin": PIN}, Phones.OFF, ["new-pin-form"], ["away-form"]),
    ],
)
def test_the_login_page_asks_for_what_is_missing(
    access: FakeAccess, secret: dict[str, str], phones: Phones, shown: list[str], hidden: list[str]
) -> None:
    visitor = at(access, PHONE, phones=phones)
    if secret:
        visitor.enters(**secret)
    page = visitor.opens("/login").get_data(as_text=True)
    assert all(f'id="{name}"' in page for name in shown)
    assert not any(f'id="{name}"' in page for name in hidden)
