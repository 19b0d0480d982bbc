# SPDX-License-Identifier: MIT
"""Tables ask for the players who choose at their own screens, and act for nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.journal.signing_key import TableKey
from controller.tournament.entries.event_entries import KeyAccepted, KeyChanged
from controller.tournament.entries.player_entries import PlayerLeft
from controller.tournament.sending.server_client import ServerAnswer, ServerClient
from controller.tournament.server import phone_limits
from hardware.clock import SteppedClock
from tests.controller.tournament.event_tables import BOX
from tests.support.office import Office, open_office
from tests.support.tournament_client import make_key

ROLL = "13446"
CHOICE = {"game": 1, "roll": 1, "do": ["4+10/4"]}


class KioskTable:
    """A table of an event, without the rest of it; it signs what its screen asks."""

    def __init__(self, office: Office, folder: Path, name: str) -> None:
        self.key = make_key(folder)
        self.box = self.key.public_hex
        office.event.store.enrol(self.box, name).result()
        self.client = self.open_client(office, self.key)

    def open_client(self, office: Office, key: TableKey) -> ServerClient:
        return ServerClient(str(office.client.base_url), key, office.event.store.own_key)

    def ask(self, ask: str, player: int = 0, **more: object) -> ServerAnswer:
        content = json.dumps({"ask": ask, "player": player, **more}).encode()
        return self.client.send("POST", f"/boxes/{self.box}/phone", content, "application/json")

    def choose(self, player: int, /, **changes: object) -> ServerAnswer:
        return self.ask("choose", player, choice={**CHOICE, **changes})

    def look(self, wanted: str, player: int = 0) -> Any:
        for part in self.ask("look", player).body["text"].split("\n\n"):
            if part.startswith(f"event: {wanted}\n"):
                return json.loads(part.partition("data: ")[2])
        raise AssertionError(f"there was no {wanted}")


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setattr(phone_limits, "MonotonicClock", SteppedClock)
    with open_office(tmp_path) as office:
        office.event.begin(games=1)
        for name in ("Ada", "Ben", "Cleo"):
            office.must("enter player", name=name)
        yield office


@pytest.fixture
def table(office: Office, tmp_path: Path) -> Iterator[KioskTable]:
    table = KioskTable(office, tmp_path / "table", "Table 2")
    with closing(table.client):
        for player in ("1", "2"):
            office.must("seat at kiosk", player=player, box=table.box)
        office.event.open_game()
        office.event.throw(ROLL)
        office.event.wait_until(lambda state: state.data.open_roll)
        yield table


def test_a_screen_asks_for_its_players(office: Office, table: KioskTable) -> None:
    """Nobody sees there what another one chose; whoever repeats a choice gets the same answer."""
    assert table.look("own") == {"player": None}
    assert table.look("seats") == [
        {"player": 1, "name": "Ada", "state": "choose"},
        {"player": 2, "name": "Ben", "state": "choose"},
    ]
    own = table.look("own", 1)
    assert (own["name"], own["roll"]["chosen"]) == ("Ada", None)
    for again in (False, True):
        assert table.choose(1).body == {"player": 1, "again": again}
    assert table.choose(1, do=["5+9/4"]).body["code"] == "twice"
    assert [seat["state"] for seat in table.look("seats")] == ["chosen", "choose"]
    assert table.look("own", 1)["roll"]["chosen"] == []
    assert table.ask("curve", 2).body == {"points": []}
    assert table.ask("offers", 2, after="corrector 1>6").body["offers"]
    refused = table.ask("offers", 2, after="corrector 1>1", language="de")
    assert (refused.status, refused.body["code"]) == (409, "illegal")
    assert "erwartet" in refused.body["error"]


def test_a_screen_gets_news_once(office: Office, table: KioskTable) -> None:
    news = table.ask("look").body
    assert news["text"]
    assert table.ask("look", seen=news["tag"]).body == {"tag": news["tag"], "text": ""}
    assert table.choose(1).status == 200
    assert "chosen" in table.ask("look", seen=news["tag"]).body["text"]


def test_a_screen_has_the_rights_of_its_players_alone(office: Office, table: KioskTable) -> None:
    for player in (0, 3, 4, -1, True, "1", None):
        answer = table.choose(player)  # type: ignore[arg-type]
        assert (answer.status, answer.body["code"]) == (403, "seat"), player
    for changes in ({"player": 3}, {"by": "Olga"}):
        assert table.choose(1, **changes).body["code"] == "seat", changes
    for ask in ("self", "join", "", 7):
        assert table.ask(ask, 1).status == 400  # type: ignore[arg-type]
    assert table.ask("choose", 1, choice=["4+10/4"]).status == 400
    assert table.ask("choose", 1, language=["de"], choice={"game": "1"}).status == 400
    assert table.look("own", 3) == {"player": None}
    assert "choice" not in office.kinds()


def test_a_player_comes_back_at_a_screen(office: Office, table: KioskTable) -> None:
    office.event.write(PlayerLeft(1, "Olga"))
    assert table.look("own", 1)["is_away"]
    assert table.ask("return", 3).body["code"] == "seat"
    for again in (False, True):
        assert table.ask("return", 1).body == {"player": 1, "again": again}
    assert office.kinds()[-2:] == ["left", "returned"]
    assert not table.look("own", 1)["is_away"]


def test_only_an_enrolled_table_asks_with_its_key(
    office: Office, table: KioskTable, tmp_path: Path
) -> None:
    path = f"/boxes/{table.box}/phone"
    content = json.dumps({"ask": "choose", "player": 1, "choice": CHOICE})
    assert office.client.post(path, content=content).status_code == 401
    stranger = make_key(tmp_path / "stranger")
    with closing(table.open_client(office, stranger)) as client:
        body = content.encode()
        assert client.send("POST", path, body).status == 401
        own = f"/boxes/{stranger.public_hex}/phone"
        assert client.send("POST", own, body).status == 403
    other = KioskTable(office, tmp_path / "other", "Table 3")
    with closing(other.client):
        assert other.choose(1).body["code"] == "seat"
    assert table.client.send("POST", path, b" " * 5000).status == 413
    assert "choice" not in office.kinds()


def test_a_table_with_another_key_plays_for_nobody(
    office: Office, table: KioskTable, tmp_path: Path
) -> None:
    """Until an official accepts the key; then the new one has the seats, and the old one none."""
    new = make_key(tmp_path / "new")
    office.event.write(KeyChanged(table.box, new.public_hex))
    assert table.choose(1).body["code"] == "seat"
    office.event.write(KeyAccepted(table.box, new.public_hex, "Olga", "a new card"))
    assert table.choose(1).body["code"] == "seat"
    names = [seat[1] for seat in office.event.runner.read(lambda state: list_seated(state, new))]
    assert names == ["Ada", "Ben"]


def list_seated(state: Any, key: TableKey) -> list[tuple[int, str]]:
    data = state.data
    return [(each, data.people.find(each).name) for each in data.list_at_kiosk(key.public_hex)]


def test_a_seat_ends_as_an_official_says(office: Office, table: KioskTable, tmp_path: Path) -> None:
    page = office.page()
    assert "Ada plays at the screen of table 2 · Table 2." in page
    office.must("seat at kiosk", player="1")
    assert office.last() == ("kiosk_seat", {"player": 1, "by": "Olga"})
    assert "Ada plays at the screen" not in office.page()
    assert table.choose(1).body["code"] == "seat"
    other = KioskTable(office, tmp_path / "other", "Table 3")
    with closing(other.client):
        office.must("seat at kiosk", player="2", box=other.box)
        assert table.choose(2).body["code"] == "seat"
        assert other.choose(2).status == 200
        office.must("play here", player="2")
        assert other.look("seats") == []


def test_a_phone_ends_with_a_seat_at_a_table(office: Office, table: KioskTable) -> None:
    with httpx.Client(base_url=office.client.base_url, timeout=60, trust_env=False) as phone:
        assert phone.post("/event/players", json={"name": "Zoe"}).json()["player"] == 4
        office.must("seat at kiosk", player="4", box=table.box)
        assert phone.post("/event/choices", json=CHOICE).json()["code"] == "seat"
    assert [seat["name"] for seat in table.look("seats")] == ["Ada", "Ben", "Zoe"]


def test_a_table_has_only_so_many_players(office: Office, table: KioskTable) -> None:
    for number in range(4, 10):
        office.must("enter player", name=f"Player {number}")
        office.must("seat at kiosk", player=str(number), box=table.box)
    said = office.said(office.do("seat at kiosk", player="3", box=table.box))
    assert "at most 8 players at one table" in said
    said = office.said(office.do("seat at kiosk", player="1", box=table.box))
    assert "expected another table, found Table 2" in said
    said = office.said(office.do("seat at kiosk", player="3", box="c" * 64))
    assert "an enrolled table" in said


def test_a_draw_has_no_players_at_a_screen(tmp_path: Path) -> None:
    with open_office(tmp_path) as office:
        office.event.begin(style="swiss", options={}, games=3)
        office.must("enter player", name="Ada")
        assert "Plays there" not in office.page()
        said = office.said(office.do("seat at kiosk", player="1", box=BOX))
        assert "a duplicate event" in said


def test_the_result_says_who_chose_at_which_table(office: Office, table: KioskTable) -> None:
    assert table.choose(1).status == 200
    assert table.choose(2, do=["5+9/4"]).status == 200
    office.event.clock.shift_ms += 60_000
    office.event.wait_until(lambda state: state.data.open_roll is None)
    result = office.client.get("/result").text
    assert "Ada: 1 choice was made at the screen of Table 2" in result
    assert "Cleo: 1 choice" not in result


def test_a_table_learns_how_many_choose_there(office: Office, table: KioskTable) -> None:
    path = f"/boxes/{table.box}"
    assert table.client.send("GET", path).body["kiosk"] == 2
    office.must("seat at kiosk", player="1")
    assert table.client.send("GET", path).body["kiosk"] == 1
