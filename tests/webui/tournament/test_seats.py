# SPDX-License-Identifier: MIT
"""After a draw every table of the round knows who sits there, and its kiosk seats them."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.base.errors import InputError
from controller.cli.event.server import EventOptions, EventServer, open_event_server
from controller.table.events import DealingChanged, PartChanged, PlayersSeated, SeatTaken
from controller.table.state import Phase, TableState
from controller.tournament.entries.draw_entries import DrawMade, DrawPublished, TableResult
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.entries.game_entries import GameClosed, GameOpened
from controller.tournament.entries.player_entries import PlayerJoined
from controller.tournament.sending import journal_sender, uplink
from controller.tournament.server.official_view import build_official_view
from controller.tournament.server.shared_view import find_seats, is_dealing
from controller.tournament.state.next_draw import compute_draw
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, duplicate_event
from tests.support.running_event import EventClock, RunningEvent
from tests.support.sending_table import SendingTable, wait_for
from tests.support.table import CONFIRM, play
from tests.support.tournament_store import wait_until_open
from tests.webui.fakes import FakeTable
from tests.webui.test_service_pages import FakeService
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.tournament import journal_routes
from webui.tournament.server import TournamentServer

Hall = tuple[RunningEvent, EventServer, SendingTable]
"""An event, its desk, and a table that asks the desk often."""

SEATED = PlayersSeated("Autumn cup", 1, 1, "choice", (("jokers", True),), ("Ada", "Ben", "Cem"))


def draw(event: RunningEvent) -> tuple[str, ...]:
    faces, source = "13446", event.table.source(event.table.throw("13446"))
    event.wait_until(lambda state: len(state.data.people) == 3)
    drawn = event.runner.read(lambda state: compute_draw(state.data, faces))
    event.write(DrawMade(1, drawn.tables, faces, (source,), drawn.byes))
    event.write(DrawPublished(1, "Olga"))
    people = event.runner.read(lambda state: state.data.people.list_players())
    names = {player.number: player.name for player in people}
    return tuple(names[player] for player in drawn.tables[0])


@contextlib.contextmanager
def serve_as_the_command(data: Path) -> Iterator[tuple[RunningEvent, EventServer]]:
    """Give an event on a server that is put together as `dicebell desk` does it."""
    refused: list[InputError] = []
    with open_event_server(
        EventOptions(data), TournamentServer("127.0.0.1", 0), refused.append
    ) as served:
        thread = threading.Thread(target=served.run)
        thread.start()
        try:
            wait_until_open(served.event.store, refused)
            event = RunningEvent(served.event.store, served.event.runner, EventClock())
            served.event.runner.listen(event.notify)
            yield event, served
        finally:
            served.server.stop()
            thread.join()


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(journal_sender, "ASK_AGAIN_S", 0.05)
    (data := tmp_path / "event").mkdir()
    table = SendingTable(tmp_path / "table")
    with contextlib.closing(table), serve_as_the_command(data) as (event, served):
        yield event, served, table


def begin_rounds(event: RunningEvent, table: SendingTable) -> None:
    """Begin an event of three at a table, with one more table."""
    event.write(duplicate_event(style="tables", table_size=3, games=2))
    for number, name in enumerate(("Ada", "Ben", "Cem"), start=1):
        event.write(PlayerJoined(number, name))
    event.store.enrol(table.key.public_hex, "Table 1").result()
    event.store.enrol(BOX, "Table that seeds").result()


def ask(served: EventServer, key: str) -> dict[str, Any]:
    told: dict[str, Any] = httpx.get(f"{served.server.url}boxes/{key}", trust_env=False).json()
    return told


def ask_seats(served: EventServer, table: SendingTable) -> object:
    return ask(served, table.key.public_hex)["seats"]


def test_a_table_learns_who_sits_there(hall: Hall) -> None:
    event, served, table = hall
    begin_rounds(event, table)
    assert ask_seats(served, table) is None
    table.uplink.join(served.server.url, served.event.receiver.read_code(), "Table 1")
    players = draw(event)
    wait_for(lambda: bool(table.seated))
    assert set(players) == {"Ada", "Ben", "Cem"}
    assert table.seated[0] == PlayersSeated(
        "Autumn cup", 1, 1, "choice", (("jokers", True),), players
    )
    event.write(TableResult(1, 1, (3, 2, 1), by="Olga", reason="on paper"))
    event.wait_until(lambda state: state.data.rounds.published[0].recorded)
    assert ask_seats(served, table) is None


def test_a_table_learns_that_it_deals(hall: Hall) -> None:
    event, served, table = hall
    event.write(duplicate_event(games=2))
    event.store.enrol(table.key.public_hex, "Table 1").result()
    table.uplink.join(served.server.url, served.event.receiver.read_code(), "Table 1")
    event.write(GameOpened(1, table.key.public_hex, 0, by="Olga"))
    wait_for(lambda: bool(table.seated))
    event.write(GameClosed(1, "Olga", "a test"))
    wait_for(lambda: len(table.seated) == 2)
    event.write(GameOpened(2, table.key.public_hex, 0, by="Olga"))
    wait_for(lambda: len(table.seated) == 3)
    table.uplink.leave()
    wait_for(lambda: len(table.seated) == 4)
    assert table.seated == [DealingChanged(each) for each in (True, False, True, False)]


def test_a_table_learns_where_the_event_stands(hall: Hall) -> None:
    event, served, table = hall
    begin_rounds(event, table)
    table.uplink.join(served.server.url, served.event.receiver.read_code(), "Table 1")
    wait_for(lambda: len(table.parts) == 1)
    draw(event)
    wait_for(lambda: len(table.parts) == 2)
    assert ask(served, BOX)["part"]["state"] == "free"
    event.write(TableResult(1, 1, (3, 2, 1), by="Olga", reason="on paper"))
    wait_for(lambda: len(table.parts) == 3)
    rows = event.runner.read(lambda state: state.compute_standings().rows)
    event.write(EventResult(tuple((r.player, r.place, r.score) for r in rows), by="Olga"))
    wait_for(lambda: len(table.parts) == 4)
    table.uplink.leave()
    wait_for(lambda: len(table.parts) == 5)
    about = ("Autumn cup", 1, 2, 1, f"{served.server.url}result")
    before = PartChanged("before", "Autumn cup", 0, *about[2:])
    after = [PartChanged(state, *about) for state in ("seated", "played", "over")]
    assert table.parts == [before, *after, PartChanged()]


def test_a_table_takes_the_answers_of_an_older_desk(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says who sits there and whether the table deals, and nothing of a part."""
    monkeypatch.setattr(journal_routes, "_describe_part", describe_as_before)
    event, served, table = hall
    event.write(duplicate_event(games=2))
    event.store.enrol(table.key.public_hex, "Table 1").result()
    assert "part" not in ask(served, table.key.public_hex)
    table.uplink.join(served.server.url, served.event.receiver.read_code(), "Table 1")
    event.write(GameOpened(1, table.key.public_hex, 0, by="Olga"))
    wait_for(lambda: bool(table.seated))
    assert table.seated == [DealingChanged(True)]
    assert table.parts == []


def describe_as_before(state: EventState, key: str) -> dict[str, object]:
    return {"seats": find_seats(state, key), "deals": is_dealing(state, key), "kiosk": 0}


@pytest.mark.parametrize(
    "told",
    [
        None,
        "over",
        {"state": "over"},
        {"state": "later", "event": "Cup", "number": 1, "count": 2, "table": 1},
        {"state": "over", "event": 5, "number": 1, "count": 2, "table": 1},
        {"state": "over", "event": "Cup", "number": "1", "count": 2, "table": 1},
    ],
)
def test_a_part_that_is_not_understood_is_none(told: object) -> None:
    """A newer desk may have other states, and the table shows what it showed without them."""
    assert journal_sender.parse_part(told, "https://cup.example.org/result") == PartChanged()


def test_what_older_tables_read_stays_as_it_was(tmp_path: Path) -> None:
    (data := tmp_path / "event").mkdir()
    with serve_as_the_command(data) as (event, served):
        event.write(duplicate_event(games=2))
        event.store.enrol(BOX, "Table 1").result()
        event.write(GameOpened(1, BOX, 0, by="Olga"))
        told = ask(served, BOX)
        part = {"state": "deals", "event": "Autumn cup", "number": 1, "count": 2, "table": 1}
        assert told.pop("part") == part
        older = event.runner.read(lambda state: describe_as_before(state, BOX))
        assert {key: told[key] for key in older} == older


def test_a_table_calls_an_official(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press at the kiosk reaches the desk with the number, the name and the players."""
    monkeypatch.setattr(journal_sender, "ASK_AGAIN_S", 0.05)
    monkeypatch.setattr(uplink, "CALL_PAUSE_S", math.inf)
    (data := tmp_path / "event").mkdir()
    table = SendingTable(tmp_path / "table")
    service = replace(FakeService(tmp_path).parts, uplink=table.uplink)
    kiosk = create_app(FakeTable().running, None, FakeAccess(), service=service).test_client()
    with contextlib.closing(table), serve_as_the_command(data) as (event, served):
        assert kiosk.get("/official").get_json() == {"is_joined": False, "plays_here": False}
        refused = kiosk.post("/official", json={}).get_json()
        assert "expected a table that has joined a tournament" in refused["error"]
        begin_rounds(event, table)
        table.uplink.join(served.server.url, served.event.receiver.read_code(), "Table 1")
        table.write_later_entries()
        players = draw(event)
        assert kiosk.get("/official").get_json() == {"is_joined": True, "plays_here": False}
        for _ in range(2):
            answer = kiosk.post("/official", json={})
            assert answer.get_json() == {"said": "An official has been called."}
        table.write_later_entries()
        event.wait_until(lambda state: state.data.calls)
        assert table.kinds.count("called") == 1
        view: dict[str, Any] = {**event.runner.read(build_official_view)}
        (call,) = view["calls"]
        assert (call["table"], call["names"], call["player"]) == ("1 · Table 1", [*players], "")


def test_a_kiosk_seats_the_players_and_one_press_starts() -> None:
    state = play(TableState(), SEATED)
    assert (state.lobby.game, state.lobby.seats) == ("choice", ("Ada", "Ben", "Cem"))
    started = play(state, CONFIRM)
    assert started.phase is Phase.AWAITING_ROLL
    assert started.play.position is not None
    assert started.play.position.players == SEATED.players
    assert started.play.position.options == {"jokers": True}


def test_players_change_the_lobby_until_the_next_round() -> None:
    state = play(TableState(), SEATED, SeatTaken(0, "Zoe"), SEATED)
    assert state.lobby.seats == ("Zoe", "Ben", "Cem")
    again = play(state, replace(SEATED, round=2))
    assert again.lobby.seats == ("Ada", "Ben", "Cem")
    assert play(again, CONFIRM, replace(SEATED, round=3)).phase is Phase.AWAITING_ROLL
