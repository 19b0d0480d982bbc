# SPDX-License-Identifier: MIT
"""Players without a phone of their own: at a browser that several share, and by an official."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.entries.player_entries import SectionNamed
from controller.tournament.server import phone_limits
from hardware.clock import SteppedClock
from tests.support.office import Office, open_office
from webui.tournament.browsers import MOST_SHARING, PLAYER_COOKIE

ROLL = "13446"
CHOICE = {"game": 1, "roll": 1, "do": ["4+10/4"]}
OTHER_SITE = {"Origin": "http://elsewhere.test"}


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setattr(phone_limits, "MonotonicClock", SteppedClock)
    with open_office(tmp_path) as office:
        office.event.begin(games=1)
        yield office


@pytest.fixture
def tablet(office: Office) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=office.client.base_url, timeout=60, trust_env=False) as client:
        yield client


def throw(office: Office) -> None:
    office.event.open_game()
    office.event.throw(ROLL)
    office.event.wait_until(lambda state: state.data.open_roll)


def join(client: httpx.Client, name: str, **more: object) -> httpx.Response:
    return client.post("/event/players", json={"name": name, **more})


def choose(client: httpx.Client, query: str, **changes: object) -> tuple[int, dict[str, Any]]:
    answer = client.post(f"/event/choices?{query}", json={**CHOICE, **changes})
    return answer.status_code, answer.json()


def read(client: httpx.Client, wanted: str, query: str = "") -> Any:
    name = ""
    with client.stream("GET", f"/event/stream?{query}") as answer:
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: ") and name == wanted:
                return json.loads(line[6:])
    raise AssertionError(f"there was no {wanted}")


def test_only_big_screens_get_the_first_of_each_section(
    office: Office, tablet: httpx.Client
) -> None:
    assert join(tablet, "Ada").json()["player"] == 1
    throw(office)
    assert choose(tablet, "") == (200, {"player": 1, "again": False})
    office.event.write(SectionNamed(1, "Juniors", "Olga"))
    office.event.wait_until(lambda state: state.data.people.sections.find(1))
    assert "groups" not in read(tablet, "shared")
    (group,) = read(tablet, "shared", "groups")["groups"]
    assert (group["section"], group["rows"][0]["name"]) == ("Juniors", "Ada")


def test_several_players_share_a_browser(office: Office, tablet: httpx.Client) -> None:
    assert join(tablet, "Ada").json()["player"] == 1
    assert join(tablet, "Ben").json()["code"] == "seat"
    assert join(tablet, "Ben", shares=True).json()["player"] == 2
    throw(office)
    assert read(tablet, "own")["player"] is None
    assert read(tablet, "own", "player=2")["name"] == "Ben"
    assert choose(tablet, "")[1]["code"] == "seat"
    assert choose(tablet, "player=1") == (200, {"player": 1, "again": False})
    assert choose(tablet, "player=1") == (200, {"player": 1, "again": True})
    assert read(tablet, "own", "player=1")["roll"]["chosen"] == []
    assert read(tablet, "seats") == [
        {"player": 1, "name": "Ada", "state": "chosen"},
        {"player": 2, "name": "Ben", "state": "choose"},
    ]
    offers = tablet.get("/event/offers?player=2&after=corrector 1>6").json()
    assert offers["offers"]
    assert choose(tablet, "player=2", do=["5+9/4"])[0] == 200
    office.event.wait_until(lambda state: state.data.open_roll is None)
    left = tablet.post("/event/self?player=2", json={"do": "leave"})
    assert left.json() == {"player": 2, "again": False}


def test_a_browser_acts_for_its_own_players_alone(office: Office, tablet: httpx.Client) -> None:
    join(tablet, "Ada")
    join(tablet, "Ben", shares=True)
    office.must("enter player", name="Cleo")
    throw(office)
    for query in ("player=3", "player=9", "player=x", "official&player=1", "official"):
        assert choose(tablet, query)[0] == 403, query
    assert tablet.get("/event/stream?official").status_code == 403
    assert tablet.get("/event/curve?official&player=1").status_code == 403
    assert tablet.get("/play?official").headers["location"] == "/organiser"
    assert read(tablet, "own", "player=3")["player"] is None


def test_a_browser_has_only_so_many_players(office: Office, tablet: httpx.Client) -> None:
    for number in range(MOST_SHARING):
        assert join(tablet, f"Player {number}", shares=True).status_code == 200
    assert join(tablet, "Zoe", shares=True).json()["code"] == "rule"
    cookie = tablet.cookies[PLAYER_COOKIE]
    assert len(cookie) < 1000
    assert len(read(tablet, "seats")) == MOST_SHARING


def test_an_official_chooses_for_a_player(office: Office, tablet: httpx.Client) -> None:
    office.must("enter player", name="Ada")
    join(tablet, "Ben")
    throw(office)
    page = office.page()
    assert 'href="/play?official&amp;player=1">Ada</a>' in page
    assert ">Ben</a>" not in page
    seats = read(office.client, "seats", "official")
    assert [seat["name"] for seat in seats] == ["Ada", "Ben"]
    act = "official&player=1"
    assert read(office.client, "own", act)["roll"]["offers"]
    answer = office.client.post(f"/event/choices?{act}", json=CHOICE, headers=OTHER_SITE)
    assert answer.status_code == 400
    assert choose(office.client, act, do=["2+3/4"])[1]["code"] == "illegal"
    assert choose(office.client, act, faces="11111")[1]["code"] == "annulled"
    assert choose(office.client, act, player=2, by="Eve") == (200, {"player": 1, "again": False})
    assert choose(office.client, act)[1]["again"]
    assert choose(office.client, act, do=["5+9/4"])[1]["code"] == "twice"
    assert office.last() == ("choice", {**CHOICE, "player": 1, "by": "Olga"})
    assert read(office.client, "own", act)["roll"]["by"] == "Olga"
    office.event.clock.shift_ms += 60_000
    assert choose(office.client, "official&player=2")[1]["code"] == "late"
    office.event.wait_until(lambda state: state.data.open_roll is None)
    assert "Ada: 1 choice was entered by an official" in tablet.get("/result").text


def test_an_official_sees_no_choice_of_an_open_roll(office: Office, tablet: httpx.Client) -> None:
    """Neither in the stream nor by asking whether a choice is the one that was made."""
    office.must("enter player", name="Ada")
    join(tablet, "Ben")
    throw(office)
    assert choose(tablet, "")[0] == 200
    assert read(tablet, "own")["roll"]["chosen"] == CHOICE["do"]
    act = "official&player=2"
    seen = read(office.client, "own", act)
    assert seen["roll"]["chosen"] == []
    assert "4+10/4" not in json.dumps(seen)
    assert choose(office.client, act)[1]["code"] == "twice"
    office.event.clock.shift_ms += 60_000
    office.event.wait_until(lambda state: state.data.open_roll is None)
    assert read(office.client, "own", act)["last"]["do"] == CHOICE["do"]


def test_an_official_plays_a_joker_for_a_player(office: Office) -> None:
    office.must("enter player", name="Ada")
    throw(office)
    assert choose(office.client, "official&player=1", do=["terminator"])[0] == 200
    assert office.last()[0] == "reserve_asked"
    assert read(office.client, "seats", "official")[0]["state"] == "wait"


def test_an_official_without_a_name_enters_nothing(office: Office) -> None:
    office.must("enter player", name="Ada")
    throw(office)
    office.client.cookies.delete("dicebell-official")
    status, answer = choose(office.client, "official&player=1")
    assert (status, answer["code"]) == (400, "unknown")
    assert "the name of the official" in answer["error"]


def test_a_player_without_a_phone_gets_a_shared_browser(office: Office) -> None:
    """The organiser logs in at the tablet, gives it to players, and logs out."""
    for name in ("Ada", "Ben"):
        office.must("enter player", name=name)
    for player in ("1", "2"):
        answer = office.do("play here", player=player)
        assert (answer.status_code, answer.headers["location"]) == (303, "/play")
    office.must("log out")
    throw(office)
    assert [seat["name"] for seat in read(office.client, "seats")] == ["Ada", "Ben"]
    assert choose(office.client, "player=2") == (200, {"player": 2, "again": False})
    assert choose(office.client, "official&player=1")[0] == 403
    assert office.do("play here", player="1").status_code == 403


def test_a_player_calls_an_official(office: Office, tablet: httpx.Client) -> None:
    join(tablet, "Ada")
    for again in (False, True):
        answer = tablet.post("/event/self", json={"do": "call"})
        assert answer.json() == {"player": 1, "again": again}
    assert read(tablet, "own")["call"] == {"is_open": True, "by": ""}
    page = office.page()
    assert "1 call for an official" in page
    assert re.search(r"<h3>Ada</h3>.*?since \d\d:\d\d", page, re.DOTALL)
    office.must("answer call", call="1")
    assert office.last() == ("call_answered", {"call": 1, "by": "Olga"})
    assert read(tablet, "own")["call"] == {"is_open": False, "by": "Olga"}
    page = office.page()
    assert "0 calls for an official" in page
    assert re.search(r"\d\d:\d\d Ada <small>\d\d:\d\d Olga</small>", page)
    assert "expected an open call, found Olga" in office.said(office.do("answer call", call="1"))


def test_a_voided_entry_is_the_players_own_when_repeated(office: Office) -> None:
    """A ruling lets everybody choose again; what a phone chooses then was not entered."""
    with httpx.Client(base_url=office.client.base_url, trust_env=False, timeout=60) as phone:
        join(phone, "Ada")
        join(phone, "Ben", shares=True)
        throw(office)
        assert choose(office.client, "official&player=1")[0] == 200
        ruling = {"game": "1", "roll": "1", "decision": "recompute", "faces": "13445"}
        office.must("rule", **ruling, reason="a glare")
        assert choose(phone, "player=1", do=["4+9/4"])[0] == 200
        assert read(phone, "own", "player=1")["roll"]["by"] == ""


def test_a_round_off_counts_once(tmp_path: Path) -> None:
    with open_office(tmp_path) as office:
        office.event.begin(style="swiss", options={}, games=3, half_byes=1)
        with httpx.Client(base_url=office.client.base_url, timeout=60, trust_env=False) as phone:
            take_rounds_off(office, phone)


def take_rounds_off(office: Office, phone: httpx.Client) -> None:
    join(phone, "Ada")
    asked: dict[str, Any] = {"do": "round off", "round": 2}
    for again in (False, True):
        answer = phone.post("/event/self", json=asked)
        assert answer.json() == {"player": 1, "again": again}
    assert office.entries()[-1].body == {"round": 2, "player": 1}
    assert read(phone, "own")["rounds_off"] == [[2, True]]
    answer = phone.post("/event/self", json={**asked, "round": 3})
    assert (answer.status_code, answer.json()["code"]) == (409, "rule")
    phone.post("/event/self", json={**asked, "is_lifted": True})
    assert read(phone, "own")["rounds_off"] == [[1, False], [2, False], [3, False]]
    assert phone.post("/event/self", json={**asked, "player": 2}).json()["code"] == "seat"
