# SPDX-License-Identifier: MIT
"""Phones join, take seats and play for nobody but their own player."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from werkzeug.test import TestResponse

from controller.base.settings import Phones
from controller.table import events as on
from controller.table.events import Key
from controller.table.state import Lobby, Phase, TableState, require_game
from controller.table.view.viewer import WATCHER
from tests.support.page_table import PageTable
from tests.support.table import (
    finished_table,
    lobby_of,
    play,
    rolled_table,
    table,
    throw_of,
)
from tests.webui.visitors import CODE, LAPTOP, PHONE, PIN, FakeAccess, Visitor, app_of


class JoiningTable:
    def __init__(self, state: TableState, phones: Phones = Phones.PLAY) -> None:
        self.table, self.access = PageTable(state), FakeAccess()
        self._app = app_of(self.table, self.access, phones=phones)
        self.box = Visitor(self._app, "127.0.0.1", "127.0.0.1:8080")
        self.official = Visitor(self._app, LAPTOP)
        if phones is Phones.PLAY:
            self.official.enters(pin=PIN)

    def phone(self, player: str = "", name: str = "phone") -> Visitor:
        """Return a phone that has entered the code, at its player's seat if one is named."""
        visitor = Visitor(self._app, PHONE)
        visitor.set_cookie("dicebell-phone", name)
        if player:
            assert visitor.sits_down(player).status_code == 200
        return visitor

    def stranger(self) -> Visitor:
        return Visitor(self._app, PHONE)

    def send(self, visitor: Visitor, player: str, **command: object) -> tuple[int, str]:
        """Send a command about what the table asks this player; return status and reason."""
        question = self.table.snapshot(player)["question"]
        answer = visitor.post("/command", {**command, "about": question})
        return answer.status_code, answer.get_json().get("error", "")


@pytest.fixture
def lobby() -> JoiningTable:
    return JoiningTable(lobby_of("Ada", "Ben"))


@pytest.fixture
def game() -> JoiningTable:
    return JoiningTable(rolled_table("13446"))


def seated(at: JoiningTable) -> tuple[str, ...]:
    return at.access.seats.list_players()


def test_a_phone_takes_the_seat_of_a_player_once(game: JoiningTable) -> None:
    game.phone("Ada")
    answer = game.phone(name="phone 2").sits_down("Ada")
    assert answer.status_code == 409
    assert "Another phone plays for Ada" in answer.get_json()["error"]
    assert game.phone(name="phone 2").sits_down("ben").get_json() == {"player": "Ben"}
    assert sorted(seated(game)) == ["Ada", "Ben"]


def test_in_the_lobby_a_new_name_gets_a_seat(lobby: JoiningTable) -> None:
    assert lobby.phone().sits_down("  Zoë ").get_json() == {"player": "Zoë"}
    assert lobby.table.state.lobby.seats[-1] == "Zoë"
    assert seated(lobby) == ("Zoë",)
    for number in range(6):
        lobby.phone(name=f"phone {number}").sits_down(f"Player {number}")
    answer = lobby.phone(name="phone late").sits_down("Late")
    assert (answer.status_code, "All seats are taken" in answer.get_json()["error"]) == (400, True)


def test_in_a_game_no_new_name_gets_a_seat(game: JoiningTable) -> None:
    answer = game.phone().sits_down("Zoë")
    assert answer.status_code == 400
    assert "This game is on already" in answer.get_json()["error"]
    assert seated(game) == ()


def test_in_just_dice_a_phone_joins_with_a_new_name() -> None:
    game = JoiningTable(play(table("Ada", game="dice"), *throw_of("13446")))
    assert game.phone().sits_down("  Zoë ").get_json() == {"player": "Zoë"}
    assert require_game(game.table.state).players == ("Ada", "Zoë")
    answer = game.phone(name="phone 2").sits_down("x" * 41)
    assert (answer.status_code, seated(game)) == (400, ("Zoë",))


@pytest.mark.parametrize("name", ["", "x" * 41, "a\nb"])
def test_what_is_no_name_is_refused(lobby: JoiningTable, name: str) -> None:
    assert lobby.phone().sits_down(name).status_code == 400
    assert seated(lobby) == ()


def test_without_the_code_nobody_takes_or_frees_a_seat(game: JoiningTable) -> None:
    game.phone("Ada")
    assert game.stranger().sits_down("Ben").status_code == 403
    assert game.stranger().post("/join/free", {"player": "Ada"}).status_code == 403
    assert game.phone("Ben", "phone 2").post("/join/free", {"player": "Ada"}).status_code == 403
    assert sorted(seated(game)) == ["Ada", "Ben"]


@pytest.mark.parametrize("who", ["box", "official"])
def test_box_and_officials_free_a_stolen_seat(game: JoiningTable, who: str) -> None:
    thief = game.phone("Ada")
    visitor: Visitor = getattr(game, who)
    assert visitor.post("/join/free", {"player": "Ada"}).status_code == 200
    assert game.send(thief, "Ada", do="choose", index=0)[0] == 403
    game.phone("Ada", "phone 2")


def test_a_phone_gives_its_seat_up(game: JoiningTable) -> None:
    phone = game.phone("Ada")
    assert phone.post("/join/leave", {}).status_code == 200
    assert seated(game) == ()


def test_every_command_is_its_own_players(game: JoiningTable) -> None:
    """Whatever the request says, the seat says who it is."""
    ben = game.phone("Ben")
    for command, event in [
        ({"do": "choose", "index": 2}, on.ChoiceTapped(2, by="Ben")),
        ({"do": "tap", "die": 1}, on.DieTapped(1, by="Ben")),
    ]:
        assert game.send(ben, "Ben", **command) == (200, "")
        assert game.table.sent[-1] == event
    assert game.send(ben, "Ben", do="choose", index=1, by="Ada")[0] == 400
    action = game.table.snapshot("Ada")["choices"][0]["action"]
    game.send(ben, "Ben", do="action", by="Ada", action=action)
    acted = game.table.state.play.position
    assert acted is not None
    assert "Ada" not in acted.acted


@pytest.mark.parametrize(
    "command",
    [
        {"do": "undo"},
        {"do": "seat", "seat": 0, "name": "Zoë"},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "close"},
    ],
)
def test_what_belongs_to_the_box_is_refused(game: JoiningTable, command: dict[str, object]) -> None:
    phone = game.phone("Ada")
    sent = list(game.table.sent)
    status, error = game.send(phone, "Ada", **command)
    assert (status, "Only the table's own screen" in error) == (403, True)
    assert game.table.sent == sent


def test_keys_of_a_paused_game_are_no_players(game: JoiningTable) -> None:
    phone = game.phone("Ada")
    game.table.happen(on.PauseRequested())
    for key in ("confirm", "back"):
        assert game.send(phone, "Ada", do="press", key=key)[0] == 403
    assert game.table.state.phase is Phase.PAUSED


def test_the_phone_that_started_the_game_pauses_and_leaves_it(lobby: JoiningTable) -> None:
    ada, ben = lobby.phone("Ada"), lobby.phone("Ben", "phone 2")
    assert lobby.send(ada, "Ada", do="begin") == (200, "")
    assert lobby.table.state.phase is Phase.AWAITING_ROLL
    for command, event in [
        ("pause", on.PauseRequested()),
        ("resume", on.ResumeRequested()),
        ("close", on.GameClosed()),
    ]:
        assert lobby.send(ben, "Ben", do=command)[0] == 403
        assert lobby.send(ada, "Ada", do=command) == (200, "")
        assert lobby.table.sent[-1] == event


def test_the_phone_that_started_the_game_parks_it(lobby: JoiningTable) -> None:
    ada, ben = lobby.phone("Ada"), lobby.phone("Ben", "phone 2")
    assert lobby.send(ada, "Ada", do="begin") == (200, "")
    assert lobby.send(ben, "Ben", do="leave")[0] == 403
    assert lobby.send(ada, "Ada", do="leave") == (200, "")
    assert lobby.table.sent[-1] == on.GameLeft()
    assert lobby.table.state.phase is Phase.LOBBY
    assert lobby.table.state.parked is not None


def test_only_the_phone_that_parked_its_game_continues_it(lobby: JoiningTable) -> None:
    ada, ben = lobby.phone("Ada"), lobby.phone("Ben", "phone 2")
    lobby.send(ada, "Ada", do="begin")
    lobby.send(ada, "Ada", do="leave")
    lobby.table.happen(on.SeatTaken(0, ""))
    assert lobby.send(ben, "Ben", do="continue")[0] == 403
    assert lobby.send(ada, "Ada", do="continue") == (200, "")
    assert lobby.table.state.phase is Phase.AWAITING_ROLL


def test_at_the_end_only_the_starter_confirms_for_the_table(lobby: JoiningTable) -> None:
    ada, ben = lobby.phone("Ada"), lobby.phone("Ben", "phone 2")
    assert lobby.send(ada, "Ada", do="begin") == (200, "")
    lobby.table.put(finished_table())
    sent = list(lobby.table.sent)
    for key in Key:
        assert lobby.send(ben, "Ben", do="press", key=key.value)[0] == 403
    assert lobby.table.sent == sent
    for key in (Key.LEFT, Key.BACK):
        lobby.table.put(finished_table())
        lobby.send(ada, "Ada", do="press", key=key.value)
        assert lobby.table.sent[-1] == on.KeyPressed(key, by="Ada")
    lobby.table.put(finished_table())
    assert lobby.send(ada, "Ada", do="press", key="confirm") == (200, "")
    assert lobby.table.sent[-1] == on.KeyPressed(Key.CONFIRM)
    assert lobby.table.state.phase is Phase.AWAITING_ROLL


def test_a_phone_requests_one_review_and_is_named(game: JoiningTable) -> None:
    ben, ada = game.phone("Ben"), game.phone("Ada", "phone 2")
    last_roll = game.table.snapshot()["last_roll"]
    assert last_roll is not None
    asks = {"do": "review", "about": last_roll["name"]}
    assert ben.post("/command", asks).status_code == 200
    assert "Ben asked to see it again" in game.table.snapshot()["hint"]
    assert game.table.snapshot("Ada")["buttons"]["confirm"] is None
    assert game.send(ben, "Ben", do="press", key="confirm") == (200, "")
    assert game.table.state.phase is Phase.CHOOSING
    assert ada.post("/command", asks).status_code == 403


def test_a_refused_action_is_said_on_its_phone_alone(game: JoiningTable) -> None:
    phone = game.phone("Ben")
    game.send(phone, "Ben", do="action", by="Ada", action="11+22")
    views = {name: game.table.snapshot(name)["notice"] for name in ("", "Ada", "Ben", WATCHER)}
    assert views.pop("Ben")
    assert set(views.values()) == {None}


def test_a_start_that_is_refused_makes_no_starter() -> None:
    lobby = JoiningTable(TableState(lobby=Lobby(game="black-n-white", seats=("Ada",))))
    ada = lobby.phone("Ada")
    lobby.send(ada, "Ada", do="begin")
    assert lobby.table.state.phase is Phase.LOBBY
    assert not lobby.access.seats.is_starter("phone")


def test_only_the_answer_that_ends_a_game_makes_a_starter(lobby: JoiningTable) -> None:
    ada, ben = lobby.phone("Ada"), lobby.phone("Ben", "phone 2")
    lobby.send(ada, "Ada", do="begin")
    lobby.send(ada, "Ada", do="leave")
    assert lobby.send(ben, "Ben", do="begin") == (200, "")
    assert lobby.table.state.parked is not None
    assert not lobby.access.seats.is_starter("phone 2")
    assert lobby.send(ben, "Ben", do="begin") == (200, "")
    assert lobby.table.state.play.position is not None
    assert lobby.access.seats.is_starter("phone 2")


def test_who_does_not_play_in_this_game_has_no_say(lobby: JoiningTable) -> None:
    zoe = lobby.phone("Zoë")
    lobby.table.put(rolled_table("13446"))
    status, error = lobby.send(zoe, "Zoë", do="pause")
    assert (status, error) == (403, "Zoë does not play in this game.")


def test_an_official_with_a_seat_plays_it_on_the_phones_page(game: JoiningTable) -> None:
    official = game.official
    official.set_cookie("dicebell-phone", "phone")
    assert official.sits_down("Ben").status_code == 200
    about = game.table.snapshot("Ben")["question"]
    body = {"do": "choose", "index": 1, "about": about}
    assert official.post("/command?seat", body).status_code == 200
    assert game.table.sent[-1] == on.ChoiceTapped(1, by="Ben")
    body = {"do": "press", "key": "right", "about": game.table.snapshot()["question"]}
    assert official.post("/command", body).status_code == 200
    assert game.table.sent[-1:] == [on.KeyPressed(Key.RIGHT)]


def test_the_way_in_is_shown_by_the_box_and_to_officials_only(lobby: JoiningTable) -> None:
    for visitor in (lobby.box, lobby.official):
        told = visitor.get("/join/link")
        assert told.headers["Cache-Control"] == "no-store"
        way = told.get_json()
        assert way["code"] == CODE
        assert way["link"].endswith(f":8080/join#code={CODE}")
        assert way["name"].endswith(".local:8080/join")
        assert visitor.get("/join/code.svg").mimetype == "image/svg+xml"
    for visitor in (lobby.stranger(), lobby.phone("Ada")):
        assert visitor.get("/join/link").status_code == 403
        assert visitor.get("/join/code.svg").status_code == 403


@pytest.mark.parametrize(
    ("phones", "words"),
    [(Phones.WATCH, "phones only watch"), (Phones.OFF, "Phones are switched off")],
)
def test_where_phones_do_not_play_the_link_says_so(phones: Phones, words: str) -> None:
    table = JoiningTable(lobby_of("Ada", "Ben"), phones)
    answer = table.stranger().opens("/join")
    assert answer.status_code == 200
    assert words in answer.get_data(as_text=True)
    assert table.phone().sits_down("Ada").status_code == 403


def test_a_phone_gets_its_own_page_and_everybody_else_the_tables(game: JoiningTable) -> None:
    for visitor, is_phone in [
        (game.phone(), True),
        (game.phone("Ada"), True),
        (game.stranger(), False),
        (game.official, False),
        (game.box, False),
    ]:
        assert ('class="phone"' in visitor.opens("/").get_data(as_text=True)) is is_phone
    assert 'data-role="guest"' in game.phone("Ada").opens("/watch").get_data(as_text=True)


def first_view(answer: TestResponse) -> dict[str, Any]:
    """Return the view that a page begins with; empty if it has none."""
    found = re.search('<meta id="first-view" content="([^"]*)">', answer.text)
    view: dict[str, Any] = json.loads(html.unescape(found[1])) if found else {}
    return view


def test_a_page_begins_with_the_view_of_its_own_viewer(game: JoiningTable) -> None:
    """So it waits for no stream, and is in no cache when the view is old."""
    ada, ben = game.phone("Ada"), game.phone("Ben", "phone 2")
    views = [first_view(visitor.opens("/")) for visitor in (ada, ben, game.official)]
    assert [view["viewer"] for view in views] == ["Ada", "Ben", ""]
    assert views[0]["seats"]["mine"] == "Ada"
    assert len(views[0]["dice"]) == 5
    assert first_view(game.official.opens("/tv"))["viewer"] is None
    assert first_view(game.stranger().opens("/watch"))["viewer"] is None
    assert ada.opens("/").headers["Cache-Control"] == "no-store"


def test_a_page_has_no_view_for_who_may_not_follow_the_table() -> None:
    closed = JoiningTable(rolled_table("13446"), Phones.OFF)
    for page in ("/", "/join", "/watch", "/tv", "/login"):
        answer = closed.stranger().opens(page)
        assert "13446" not in answer.text
        assert first_view(answer) == {}
    assert first_view(JoiningTable(rolled_table("13446")).stranger().opens("/join")) == {}
