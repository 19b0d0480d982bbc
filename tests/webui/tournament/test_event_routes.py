# SPDX-License-Identifier: MIT
"""What phones ask of a real server: answered once it is durable, or refused in one line."""

from __future__ import annotations

import html
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.server import phone_limits, player_requests
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.player_requests import hash_secret
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.state.state import EventState
from hardware.clock import SteppedClock
from tests.support.running_event import RunningEvent, ServedPages, run_event, serve_pages
from tests.support.tournament_store import wait_until_open
from webui.tournament import server
from webui.tournament.browsers import PLAYER_COOKIE

SECRET = "s" * 30
ROLL = "13446"
TAKEN = {"game": 1, "roll": 1, "do": ["4+10/4"]}


@dataclass
class Phone:
    url: str
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.url, timeout=60, trust_env=False)

    def post(self, path: str, body: object, **headers: str) -> tuple[int, dict[str, Any]]:
        answer = self.client.post(path, json=body, headers=headers)
        return answer.status_code, answer.json()

    def join(self, name: str, **more: str) -> tuple[int, dict[str, Any]]:
        return self.post("/event/players", {"name": name, **more})

    def choose(self, **changes: object) -> tuple[int, dict[str, Any]]:
        return self.post("/event/choices", {**TAKEN, **changes})

    def follow(self) -> Iterator[tuple[str, dict[str, Any]]]:
        with self.client.stream("GET", "/event/stream") as answer:
            name = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    yield name, json.loads(line[6:])

    def read_own(self) -> dict[str, Any]:
        return next(view for name, view in self.follow() if name == "own")


@dataclass
class Hall:
    event: RunningEvent
    pages: ServedPages
    phones: list[Phone] = field(default_factory=list)

    def open_phone(self) -> Phone:
        self.phones.append(Phone(self.pages.url))
        return self.phones[-1]

    def join(self, name: str) -> Phone:
        phone = self.open_phone()
        assert phone.join(name)[0] == 200
        return phone

    def throw(self, faces: str = ROLL) -> None:
        rolls = self.event.runner.read(lambda state: len(state.data.games[0].rolls))
        self.event.throw(faces)
        self.event.wait_until(lambda state: len(state.data.games[0].rolls) > rolls)


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    # Limits do not recover while a slow machine goes through a test.
    monkeypatch.setattr(phone_limits, "MonotonicClock", SteppedClock)
    with run_event(tmp_path) as event, serve_pages(event, tmp_path) as pages:
        hall = Hall(event, pages)
        event.begin(games=1)
        try:
            yield hall
        finally:
            for phone in hall.phones:
                phone.client.close()


def test_what_is_sent_again_is_answered_as_the_first_time(hall: Hall) -> None:
    """A phone whose answers were lost has no second player and no second choice."""
    phone, other = hall.open_phone(), hall.join("Ben")
    assert phone.join("Ada", secret=SECRET) == (200, {"player": 2, "again": False})
    phone.client.cookies.clear()
    assert phone.join("Ada", secret=SECRET) == (200, {"player": 2, "again": True})
    assert phone.client.cookies[PLAYER_COOKIE] == SECRET
    assert other.join("Ada")[1]["code"] == "seat"
    assert hall.open_phone().join("ADA")[1]["code"] == "twice"
    hall.event.open_game()
    hall.throw()
    assert phone.choose()[1] == {"player": 2, "again": False}
    assert phone.choose()[1] == {"player": 2, "again": True}
    status, answer = phone.choose(do=["5+9/4"])
    assert (status, answer["code"]) == (409, "twice")
    assert [phone.post("/event/self", {"do": "leave"})[1]["again"] for _ in (1, 2)] == [False, True]
    assert other.choose()[0] == 200
    hall.event.wait_until(lambda state: state.data.open_roll is None)
    assert phone.choose()[1]["again"]
    assert hall.event.runner.read(lambda state: len(state.data.games[0].rolls[0].choices)) == 2


def test_a_choice_is_refused_by_its_kind_of_mistake(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dicebell")
    ada, ben, stranger = hall.join("Ada"), hall.join("Ben"), hall.open_phone()
    assert ada.choose()[1]["code"] == "closed"
    hall.event.open_game()
    hall.throw()
    assert stranger.choose()[0] == 403
    stranger.client.cookies.set(PLAYER_COOKIE, "guess" * 6)
    assert stranger.choose()[1]["code"] == "seat"
    status, answer = ada.choose(player=2)
    assert (status, answer["code"]) == (403, "seat")
    assert ada.choose(by="Olga")[1]["code"] == "seat"
    assert ada.choose(do=["2+3/4"])[1]["code"] == "illegal"
    assert ada.choose(roll=2)[1]["code"] == "early"
    assert ada.choose(faces="11111")[1]["code"] == "annulled"
    hall.event.clock.shift_ms += 60_000
    status, answer = ben.choose()
    assert (status, answer["code"]) == (409, "late")
    assert "\n" not in answer["error"]
    hall.event.wait_until(lambda state: state.data.open_roll is None)
    hall.event.write(RollRuling(1, 1, "annul", by="Olga", reason="a die fell from the table"))
    assert ben.choose()[1]["code"] == "annulled"
    refused = [line for line in caplog.records if line.message == "a phone was refused"]
    codes = {line.fields["code"] for line in refused if hasattr(line, "fields")}
    assert {"seat", "illegal", "late", "annulled"} <= codes
    assert "Ada" not in caplog.text


ODD_BODIES = (
    *(b"", b"[]", b"nonsense", b"\xff", b"[" * 4000, b'{"do": NaN}'),
    *(b'{"do": []}', b'{"do": ["leave"]}', b'{"do": {"a": 1}}', b'{"do": "rename"}'),
    *(b'{"do": "rename", "name": 7}', b'{"do": "rename", "name": "a\\u0000b"}'),
    *(b'{"do": "leave", "by": "Olga"}', b'{"do": "leave", "player": "1"}'),
    *(b'{"game": 1, "roll": 1e999, "do": ["4+10/4"]}', b'{"game": true, "roll": 1, "do": 3}'),
)


def test_odd_requests_get_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_limits.PhoneLimits, "require_phone", lambda *_: None)
    phone = hall.join("Ada")
    for path in ("/event/self", "/event/choices", "/event/players", "/event/phone"):
        for body in ODD_BODIES:
            answer = phone.client.post(path, content=body)
            assert answer.status_code in (400, 403), (path, body)
            assert "\n" not in answer.json()["error"]
    # The thread that writes goes on.
    assert hall.open_phone().join("Ben")[0] == 200


def test_foreign_pages_and_long_bodies_are_refused(hall: Hall) -> None:
    phone = hall.join("Ada")
    assert phone.post("/event/self", {"do": "leave"}, Origin="http://elsewhere.test")[0] == 400
    assert phone.post("/event/self", {"do": "leave", "name": "x" * 5000})[0] == 413
    assert phone.client.post("/event/players", content=b"x" * 1_000_000).status_code == 413
    hall.event.wait_until(lambda state: len(state.data.people))
    assert not hall.event.runner.read(lambda state: state.data.people.find(1).is_away)


def test_who_guesses_or_floods_is_slowed_down(hall: Hall) -> None:
    """A hall behind one address may join at once; phones that joined do not suffer."""
    assert phone_limits.JOIN_RATE.burst >= 600
    ada, stranger = hall.join("Ada"), hall.open_phone()
    statuses = []
    for number in range(phone_limits.GUESS_RATE.burst + 5):
        stranger.client.cookies.set(PLAYER_COOKIE, f"{number:030}")
        statuses.append(stranger.choose()[0])
    assert statuses[: phone_limits.GUESS_RATE.burst] == [403] * phone_limits.GUESS_RATE.burst
    assert statuses[-1] == 429
    assert stranger.post("/event/phone", {"phone": "p" * 30, "secret": SECRET})[0] == 429
    answers = [ada.post("/event/self", {"do": "return"}) for _ in range(40)]
    assert (answers[0][0], answers[-1][0], answers[-1][1]["code"]) == (200, 429, "rate")
    assert hall.open_phone().join("Ben")[0] == 200


def test_phones_beyond_the_limit_are_told(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_requests, "MOST_PHONES", 1)
    ada, ben = hall.join("Ada"), hall.open_phone()
    status, answer = ben.join("Ben")
    assert (status, answer["code"]) == (409, "rule")
    assert "expected at most 1 phones in an event, found 1" in answer["error"]
    assert ada.post("/event/self", {"do": "leave"})[0] == 200
    assert ben.join("Ben")[0] == 200


def test_a_lost_phone_is_replaced_once(hall: Hall) -> None:
    old, new, third, official = hall.join("Ada"), *(hall.open_phone() for _ in range(3))
    form = {"player": "1"}
    assert official.client.post("/organiser/phones", data=form).status_code == 403
    official.client.post("/organiser", data={"do": "log in", "pin": hall.pages.pin, "name": "Olga"})
    assert official.client.post("/organiser/phones", data={"player": "9"}).status_code == 400
    link = official.client.post("/organiser/phones", data=form).json()
    address, _, secret = link["address"].partition("#phone=")
    assert (address, "<svg" in link["qr"]) == (f"{hall.pages.url}play", True)
    token = hash_secret(secret)
    hall.event.wait_until(lambda state: state.find_player_by_token(token) == 1)
    assert old.choose()[1]["code"] == "seat"
    brought = {"phone": secret, "secret": SECRET}
    assert new.post("/event/phone", brought)[1] == {"player": 1, "again": False}
    assert new.post("/event/phone", brought)[1] == {"player": 1, "again": True}
    assert third.post("/event/phone", {**brought, "secret": "t" * 30})[0] == 403
    assert new.post("/event/self", {"do": "rename", "name": " Ada L. "})[0] == 200
    hall.event.wait_until(lambda state: state.data.people.find(1).name == "Ada L.")
    assert new.read_own()["name"] == "Ada L."
    assert old.read_own()["player"] is None


def test_a_phones_page_has_the_begin_of_its_own_stream(hall: Hall) -> None:
    """So it shows the roll a round trip earlier; a stranger's page has nothing of a player."""
    ada = hall.join("Ada")
    hall.event.open_game()
    hall.throw()
    for phone, name in ((ada, "Ada"), (hall.open_phone(), None)):
        page = phone.client.get("/play").text
        found = re.search('<meta id="first-view" content="([^"]*)">', page)
        assert found is not None
        lines = json.loads(html.unescape(found[1])).splitlines()
        views = {
            title.removeprefix("event: "): json.loads(data.removeprefix("data: "))
            for title, data in zip(lines[::3], lines[1::3], strict=True)
        }
        assert views["own"] == phone.read_own()
        assert (views["own"].get("name"), views["shared"]["event"]["name"]) == (name, "Autumn cup")


def test_a_stream_begins_with_everything_and_the_time(hall: Hall) -> None:
    ada = hall.join("Ada")
    hall.event.open_game()
    hall.throw()
    own = ada.read_own()
    best = own["roll"]["offers"][0]
    assert (own["roll"]["faces"], best["gain"]) == (ROLL, best["total"] - own["paper"]["total"])
    assert {offer["action"] for offer in own["roll"]["offers"]} < {*own["roll"]["actions"]}
    offers = ada.client.get("/event/offers", params={"after": "corrector 1>6"}).json()["offers"]
    assert "4+10/4" not in {offer["action"] for offer in offers}
    assert "10+10/3" in {offer["action"] for offer in offers}
    assert ada.client.get("/event/offers", params={"after": "corrector 2>6"}).status_code == 409
    hall.event.clock.shift_ms += 30_000
    shared = next(view for name, view in ada.follow() if name == "shared")
    assert shared["now_ms"] >= shared["game"]["roll"]["until_ms"] - 30_000
    do = ["corrector 1>6", offers[0]["action"]]
    assert ada.choose(do=do)[0] == 200
    hall.event.wait_until(lambda state: state.data.open_roll is None)
    points = ada.client.get("/event/curve").json()["points"]
    assert points == [{"game": 1, "roll": 1, "score": offers[0]["total"], "place": 1}]


def test_streams_end_at_once_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the server would wait as long as for every answer that goes on."""
    monkeypatch.setattr(server, "GRACE_S", 240)
    with run_event(tmp_path) as event:
        event.begin(games=1)
        with serve_pages(event, tmp_path) as pages:
            phone = Phone(pages.url)
            stream = phone.follow()
            next(stream)
            began_s = time.monotonic()
        assert list(stream)[-1][0] in ("count", "own")
        assert time.monotonic() - began_s < 120
        phone.client.close()


@contextmanager
def run_beside(event: RunningEvent, folder: Path) -> Iterator[RunningEvent]:
    """Give the same event in a second server on the same database."""
    store = JournalStore(Database(folder), event.store.key, now_ms=event.clock.now_ms)
    runner = EventRunner(store, event.clock.steady())
    beside = RunningEvent(store, runner, event.clock)
    runner.listen(beside.notify)
    store.start()
    try:
        wait_until_open(store)
        runner.start()
        yield beside
    finally:
        store.close()
        runner.close()


def is_chosen(state: EventState) -> bool:
    roll = state.data.open_roll
    return roll is not None and len(roll.choices) == 1


def test_a_second_server_of_the_database_sees_changes(hall: Hall, tmp_path: Path) -> None:
    hall.join("Ben")
    with run_beside(hall.event, tmp_path) as beside, serve_pages(beside, tmp_path) as pages:
        ada = hall.join("Ada")
        there = Phone(pages.url)
        there.client.cookies.set(PLAYER_COOKIE, ada.client.cookies[PLAYER_COOKIE])
        seen = threading.Event()

        def follow() -> None:
            for name, view in there.follow():
                if name == "own" and view.get("roll"):
                    seen.set()
                    return

        following = threading.Thread(target=follow)
        following.start()
        hall.event.open_game()
        hall.throw()
        assert seen.wait(30)
        following.join()
        # Whoever was asked first, both have the choice.
        assert there.choose()[0] == 200
        hall.event.wait_until(is_chosen)
        beside.wait_until(is_chosen)
        there.client.close()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"name": "A\\ud800"}', "found half a character (U+D800)"),
        (b'{"name": "A\xed\xa0\x80"}', "expected an object as JSON"),
        (b'{"name": "A\\u200b"}', "found an invisible character (U+200B, after \u201cA\u201d)"),
        (b'{"name": "A\\u202e"}', "found a character that turns the direction of writing"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(hall: Hall, content: bytes, reason: str) -> None:
    phone = hall.open_phone()
    answer = phone.client.post("/event/players", content=content)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown")
    assert reason in answer.json()["error"]


def test_names_with_joiners_join_and_look_alikes_do_not(hall: Hall) -> None:
    for name in (
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "\U0001f469\u200d\U0001f680",
        "Olga",
    ):
        hall.join(name)
    for name in ("\u0639\u0644\u06cc\u0631\u0636\u0627", "\U0001f469\U0001f680", "olga"):
        status, answer = hall.open_phone().join(name)
        assert (status, answer["code"]) == (409, "twice")
        assert "expected a name that nobody has" in answer["error"]
