# SPDX-License-Identifier: MIT
"""A game put together in the lobby: with the four buttons, and at any line by a finger."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.base.languages.shown_text import isolate_text
from controller.games import GAMES
from controller.games.contract import Option
from controller.table.events import Key, KeyPressed, NamesChanged
from controller.table.game_flow import end_game, start_game, start_position
from controller.table.lobby import (
    START,
    find_problem,
    focused_index,
    list_known_names,
    list_lines,
    list_names_for,
    press_key,
    resolve_options,
    with_game,
    with_option,
    with_seat,
)
from controller.table.machine import step
from controller.table.state import Lobby, Setup, TableState
from controller.table.view.lobby import label_lobby_buttons, show_lobby
from controller.table.view.types import SEATS_MOST
from controller.table.view.viewer import WATCHER
from tests.support.table import view

LEFT, RIGHT, CONFIRM, BACK = Key.LEFT, Key.RIGHT, Key.CONFIRM, Key.BACK
DEFAULTS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
TWO = Lobby(seats=("Ada", "Ben"))
BLACK_N_WHITE = with_game(TWO, "black-n-white")


def press(lobby: Lobby, *keys: Key, known: tuple[str, ...] = ()) -> Lobby:
    offered = list_known_names(TableState(setup=Setup(known_players=known)))
    for key in keys:
        lobby = press_key(lobby, key, offered)
    return lobby


def on_line(lobby: Lobby, kind: str, seat: int = -1) -> Lobby:
    """Return the lobby with the focus on a line, reached with the buttons from the first."""
    lobby = press(lobby, *[BACK] * len(list_lines(lobby)))
    for _ in list_lines(lobby):
        line = list_lines(lobby)[focused_index(lobby)]
        if line.kind == kind and seat in (-1, line.seat):
            return lobby
        lobby = press(lobby, CONFIRM)
    raise AssertionError(f"no line {kind} {seat}")


class TestLines:
    def test_go_from_the_game_over_its_options_and_seats_to_start(self) -> None:
        kinds = [line.kind for line in list_lines(TWO)]
        assert kinds == ["game", "option", "option", "option", "seat", "seat", "seat", "start"]

    def test_end_without_a_free_seat_where_everybody_sits_who_can(self) -> None:
        seats = [line for line in list_lines(Lobby(seats=DEFAULTS)) if line.kind == "seat"]
        assert len(seats) == SEATS_MOST
        five = replace(BLACK_N_WHITE, seats=DEFAULTS[:5])
        assert len([line for line in list_lines(five) if line.kind == "seat"]) == 5

    def test_confirm_goes_down_to_start_and_back_up_to_the_first(self) -> None:
        lobby = press(TWO, *[BACK] * 9)
        assert lobby.focus == 0
        down = [press(lobby, *[CONFIRM] * count).focus for count in range(1, 9)]
        assert down == [1, 2, 3, 4, 5, 6, START, START]


class TestGame:
    def test_right_goes_through_every_game_and_round(self) -> None:
        lobby = on_line(TWO, "game")
        games = [press(lobby, *[RIGHT] * count).game for count in range(len(GAMES) + 1)]
        assert games == [*GAMES, "choice"]
        assert press(lobby, LEFT).game == list(GAMES)[-1]

    def test_another_game_has_its_own_options_and_the_same_seats(self) -> None:
        chosen = with_option(Lobby(seats=("Eva",)), "jokers", True)
        other = with_game(chosen, "black-n-white")
        assert resolve_options(other) == {"chips_per_player": 2}
        assert other.seats == ("Eva",)
        assert resolve_options(with_game(other, "choice")) == {"jokers": False, "secret": False}


class TestOption:
    def test_left_and_right_go_round_its_values(self) -> None:
        lobby = on_line(TWO, "option")
        assert resolve_options(press(lobby, RIGHT)) == {"jokers": True, "secret": False}
        assert resolve_options(press(lobby, LEFT)) == {"jokers": True, "secret": False}
        assert press(lobby, RIGHT, RIGHT) == lobby

    def test_a_value_that_is_not_offered_leads_to_offered_ones(self) -> None:
        played = on_line(replace(BLACK_N_WHITE, options=(("chips_per_player", 77),)), "option")
        assert resolve_options(played) == {"chips_per_player": 77}
        values = GAMES["black-n-white"].options["chips_per_player"].values
        assert resolve_options(press(played, RIGHT)) == {"chips_per_player": values[0]}
        assert resolve_options(press(played, LEFT)) == {"chips_per_player": values[-1]}

    @pytest.mark.parametrize(
        ("option", "value"), [("chips", 2), ("jokers", 1), ("jokers", 2)], ids=str
    )
    def test_what_the_game_does_not_know_is_refused(self, option: str, value: Option) -> None:
        with pytest.raises(InputError):
            with_option(TWO, option, value)

    def test_a_number_that_the_lobby_does_not_offer_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"chips_per_player: expected one of .*, found 0"):
            with_option(BLACK_N_WHITE, "chips_per_player", 0)


class TestSeat:
    def test_right_goes_through_the_names_that_sit_nowhere_else(self) -> None:
        lobby = on_line(TWO, "seat", 1)
        names = [press(lobby, *[RIGHT] * count).seats[1] for count in range(5)]
        assert names == ["Ben", "Cleo", "Dan", "Eva", "Finn"]

    def test_freeing_a_seat_keeps_the_focus_off_other_players(self) -> None:
        lobby = on_line(Lobby(seats=("Ada", "Ben", "Cleo")), "seat", 0)
        freed = press(lobby, LEFT)
        assert freed.seats == ("Ben", "Cleo")
        assert press(freed, LEFT).seats == ("Ben", "Cleo", "Pascal")

    def test_freeing_too_many_seats_moves_the_focus_to_start(self) -> None:
        lobby = on_line(replace(BLACK_N_WHITE, seats=DEFAULTS), "seat", 0)
        assert press(lobby, LEFT).focus == START

    def test_who_sat_here_before_comes_first_and_once(self) -> None:
        assert list_known_names(TableState(setup=Setup(known_players=("Zoe", "Ben")))) == (
            "Zoe",
            "Ben",
            "Ada",
            "Cleo",
            "Dan",
            "Eva",
            "Finn",
        )
        lobby = on_line(Lobby(seats=("Ada",)), "seat", 1)
        assert press(lobby, RIGHT, known=("Zoe", "Ben")).seats == ("Ada", "Zoe")

    def test_names_that_only_a_program_could_seat_are_not_offered(self) -> None:
        known = ("x" * 41, "Zo\ne", " Ada", "")
        assert list_known_names(TableState(setup=Setup(known_players=known))) == DEFAULTS

    def test_renamed_and_forgotten_people_are_offered_so(self) -> None:
        names = NamesChanged(frozenset({"ada", "zoe"}), (("ben", "Benno"),))
        before = TableState(lobby=TWO, setup=Setup(known_players=("ZOE", "Ben", "Uma")))
        after, entries = step(before, names)
        assert entries == ()
        assert list_known_names(after) == ("Benno", "Uma", "Cleo", "Dan", "Eva", "Finn")
        assert after.lobby.seats == ("Benno",)
        position = start_position("choice", ("Uma",), {})
        assert end_game(start_game(after, "choice", position)).setup.shown_names == names

    def test_a_new_name_stands_before_the_known_ones(self) -> None:
        lobby = with_seat(TWO, 1, "Şule")
        assert press(lobby, RIGHT).seats == ("Ada", "Ben")
        assert press(with_seat(TWO, 1, "Şule"), LEFT).seats == ("Ada",)

    def test_the_buttons_go_on_where_a_finger_was(self) -> None:
        lobby = press(with_seat(TWO, 2, " Zoe "), BACK, RIGHT)
        assert lobby.seats == ("Ada", "Cleo", "Zoe")

    def test_no_name_frees_the_seat_and_the_others_move_up(self) -> None:
        assert with_seat(Lobby(seats=("Ada", "Ben", "Cleo")), 1, "").seats == ("Ada", "Cleo")

    @pytest.mark.parametrize("seat", [-1, 3, 6])
    def test_one_that_is_not_there_is_refused(self, seat: int) -> None:
        with pytest.raises(InputError, match="expected a seat that is there or free"):
            with_seat(TWO, seat, "Zoe")

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("x" * 41, "This name has 41 characters, more than 40"),
            ("Zo\ne", "a line break or another control character"),
            ("Zoe\u202e", "turns the direction of writing"),
            ("Ben\u200b", "an invisible character"),
            ("Ben ", "Ben is already at the table"),
        ],
    )
    def test_a_name_that_no_screen_can_show_or_tell_apart_is_refused(
        self, name: str, words: str
    ) -> None:
        with pytest.raises(InputError, match=words):
            with_seat(TWO, 0, name)

    def test_a_player_may_keep_the_seat(self) -> None:
        assert with_seat(TWO, 1, "Ben").seats == TWO.seats
        assert with_seat(TWO, 1, "x" * 40).seats == ("Ada", "x" * 40)


class TestProblem:
    @pytest.mark.parametrize(
        ("sits", "name"),
        [
            ("Ada", "\u0410da"),
            ("Ada", "A\u0501\u0430"),
            ("Ada\u200b", "Ada"),
            ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u0631\u0636\u0627"),
            ("Ada", "\uff21da"),
            ("Ada", "ada"),
            ("J\u00f6rg", "J\u043e\u0308rg"),
            ("Otto 1", "0tto l"),
            ("Ivan", "\u0406van"),
        ],
    )
    def test_a_name_that_looks_like_another_is_refused(self, sits: str, name: str) -> None:
        with pytest.raises(InputError, match=re.escape(f"looks just like {isolate_text(sits)}")):
            with_seat(Lobby(seats=(sits,)), 1, name)

    def test_a_combining_umlaut_becomes_the_letter(self) -> None:
        assert with_seat(Lobby(seats=("Ben",)), 1, "Jo\u0308rg").seats == ("Ben", "J\u00f6rg")
        with pytest.raises(InputError, match="is already at the table"):
            with_seat(Lobby(seats=("J\u00f6rg",)), 1, "Jo\u0308rg")

    @pytest.mark.parametrize("name", ["Andr\u00e9", "\u0410\u043d\u043d\u0430", "Adam", "Adan"])
    def test_a_name_that_looks_different_is_taken(self, name: str) -> None:
        lobby = with_seat(Lobby(seats=("Andre",)), 1, name)
        assert with_seat(lobby, 2, "Anna").seats == ("Andre", name, "Anna")

    def test_arrows_skip_names_that_look_like_another(self) -> None:
        names = list_names_for(Lobby(seats=("\u0410da", "Ben")), 1, DEFAULTS)
        assert names == ("Ben", "Cleo", "Dan", "Eva", "Finn")

    def test_says_how_many_players_are_missing(self) -> None:
        assert find_problem(Lobby(seats=())) == "Nobody sits here yet. Add a player."
        alone = replace(BLACK_N_WHITE, seats=("Ada",))
        assert find_problem(alone) == "Black'n'White is for 2 to 5 players. Add one more."

    def test_confirm_at_an_empty_table_says_it(self) -> None:
        state, _ = step(TableState(), KeyPressed(CONFIRM))
        assert state.notice is not None
        assert state.notice.text == "Nobody sits here yet. Add a player."

    def test_buttons_reach_a_parked_game_though_nobody_sits(self) -> None:
        lobby = Lobby(has_parked=True)
        assert list_lines(lobby)[focused_index(lobby)].kind == "start"

    def test_too_many_players_for_another_game_are_reported(self) -> None:
        lobby = with_game(Lobby(seats=DEFAULTS), "black-n-white")
        assert lobby.seats == DEFAULTS
        assert find_problem(lobby) == "Black'n'White is for 2 to 5 players. Free one seat."
        assert find_problem(with_seat(lobby, 5, "")) == ""


class TestView:
    def test_a_watcher_is_asked_for_nothing(self) -> None:
        shared, watched = (view(TableState(), viewer) for viewer in ("", WATCHER))
        assert watched["headline"] == shared["headline"]
        assert (bool(shared["hint"]), watched["hint"]) == (True, "")

    def test_shows_every_line_in_words(self) -> None:
        chosen = with_option(Lobby(seats=("Ada", "Zoe")), "jokers", True)
        shown = show_lobby(TableState(lobby=replace(chosen, focus=5)))
        lines = [(line["label"], line["value"], line["index"]) for line in shown["lines"]]
        assert lines == [
            ("Game", "Choice", 0),
            ("Jokers", "with", 1),
            ("Secret choices", "without", 0),
            ("Hints, for training", "without", 0),
            ("Player 1", "Ada", 0),
            ("Player 2", "Zoe", 0),
            ("Player 3", "", -1),
            ("Start", "", -1),
        ]
        assert shown["lines"][5]["values"] == ["Zoe", "Ben", "Cleo", "Dan", "Eva", "Finn"]
        assert [line["seat"] for line in shown["lines"]] == [-1, -1, -1, -1, 0, 1, 2, -1]
        assert (shown["focus"], shown["problem"]) == (5, "")

    def test_values_stand_in_the_order_of_their_words(self) -> None:
        shown = show_lobby(TableState(setup=Setup(known_players=("Zoe",))))
        assert shown["games"] == list(GAMES)
        assert shown["lines"][0]["values"] == [game.title for game in GAMES.values()]
        assert shown["lines"][1]["values"] == ["without", "with"]
        assert shown["option_values"] == {
            key: [False, True] for key in ("jokers", "secret", "hints")
        }
        assert shown["known_players"] == ["Zoe", *DEFAULTS]

    def test_a_button_without_use_is_dark(self) -> None:
        start = label_lobby_buttons(TableState(lobby=TWO))
        assert (start["left"], start["right"], start["confirm"]) == (None, None, "start game")
        first = label_lobby_buttons(TableState(lobby=on_line(TWO, "game")))
        assert first["back"] is None
        nobody = label_lobby_buttons(TableState())
        assert (nobody["right"], nobody["confirm"]) == ("next name", None)

    def test_a_new_table_seats_nobody_and_asks_for_a_name(self) -> None:
        shown = show_lobby(TableState())
        line = shown["lines"][shown["focus"]]
        assert (line["kind"], line["value"], line["values"]) == ("seat", "", list(DEFAULTS))
        assert press(Lobby(), CONFIRM, RIGHT, CONFIRM, CONFIRM) == Lobby(seats=("Ada",))


@given(
    keys=st.lists(st.sampled_from(list(Key)), max_size=40),
    known=st.lists(st.sampled_from(["Zoe", "Ben", " Ben", "", "x" * 41, "Y\n"]), unique=True).map(
        tuple
    ),
)
def test_any_keys_leave_every_player_one_seat(keys: list[Key], known: tuple[str, ...]) -> None:
    lobby = press(Lobby(seats=("Ben", "x" * 41)), BACK, *keys, known=known)
    assert len(set(lobby.seats)) == len(lobby.seats) <= SEATS_MOST
    assert "" not in lobby.seats
    shown = show_lobby(TableState(lobby=lobby, setup=Setup(known_players=known)))
    assert len(shown["lines"]) == len(list_lines(lobby))
    for line in shown["lines"]:
        assert (line["index"] >= 0) == (bool(line["value"]) and not line["opponent"])
