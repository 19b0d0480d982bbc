# SPDX-License-Identifier: MIT
"""Everybody plays the rolls of one table, each on a sheet that the engine of the game keeps."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    ReserveAsked,
    RollClosed,
    RollRuling,
)
from controller.tournament.entries.player_entries import PlayerJoined, PlayerLeft, PlayerReturned
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.player_view import build_player_view, describe_field
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event

WHY = "seen by two officials"


def begin_event(players: int = 2, *, jokers: bool = True) -> tuple[PlayedEvent, DuplicateGame]:
    event = PlayedEvent(duplicate_event(options={"jokers": jokers}), players)
    event.open_game()
    return event, event.state.data.games[0]


def sheet(game: DuplicateGame, player: int) -> object:
    return game.sheet_of(player).sheet("player")


def test_the_booklets_own_rolls_give_its_sheet() -> None:
    """The worked examples of the rules, played by two players who choose differently."""
    event, game = begin_event(jokers=False)
    event.throw("13446")
    event.choose(1, "4+10/4")
    event.choose(2, "7+10/1")
    event.throw("12245")
    event.choose(2, "3+9/2")
    event.choose(1, "4+5/5")
    first = {"4": 2, "5": 1, "10": 1}
    assert sheet(game, 1) == {
        "sums": {str(total): first.get(str(total), 0) for total in range(2, 13)},
        "fifth": {"4": 1, "5": 1},
        "jokers": [],
    }
    assert game.totals == {1: -600, 2: -800}
    assert game.rolls[0].count_choices() == {("4+10/4",): 1, ("7+10/1",): 1}


def test_a_roll_closes_when_all_have_chosen_and_the_next_waits() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.throw("12245")
    assert [roll.faces for roll in game.rolls] == ["13446"]
    event.choose(1, "4+10/4")
    assert game.open_roll is game.rolls[0]
    event.choose(2, "4+10/4")
    assert [(roll.faces, roll.is_open) for roll in game.rolls] == [
        ("13446", False),
        ("12245", True),
    ]


def test_a_choice_not_made_is_the_first_legal_one_and_marked() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "4+10/4")
    assert event.run_out() == ["roll_closed"]
    played = game.rolls[0].played
    assert played[2].do == ("4+8/6",)
    assert played[2].is_automatic
    assert not played[1].is_automatic
    assert build_player_view(event.state.data, 2)["last"] == {
        "number": 1,
        "faces": "13446",
        "do": ["4+8/6"],
        "is_automatic": True,
        "by": "",
    }
    assert describe_field(game.rolls[0]) == [
        {"do": ["4+10/4"], "players": 1},
        {"do": ["4+8/6"], "players": 1},
    ]


def test_a_corrector_needs_no_second_throw() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "corrector 6>3", "3:1 8+3/4")
    event.choose(2, "4+10/4")
    assert game.sheet_of(1).sheet("player")["jokers"] == ["terminator"]
    assert game.rolls[0].choices[1] == ("corrector 6>3", "3:1 8+3/4")


def test_one_reserve_roll_serves_all_who_asked_for_it() -> None:
    event, game = begin_event(3)
    event.throw("13446")
    event.write(ReserveAsked(1, 1, 1))
    event.write(ReserveAsked(1, 1, 3))
    event.choose(2, "4+10/4")
    refused = event.refuse(ChoiceMade(1, 1, 1, ("4+10/4",)))
    assert refused.text == "choice.do: expected the reserve roll first, found 4+10/4"
    assert event.run_out() == []
    assert build_player_view(event.state.data, 1)["roll"] == {
        "number": 1,
        "faces": "13446",
        "reserve": None,
        "is_changed": False,
        "until_ms": None,
        "plays": True,
        "chosen": None,
        "by": "",
        "awaits_reserve": True,
        "actions": [],
        "offers": [],
    }
    event.throw("66666")
    event.choose(1, "12+12/6")
    event.choose(3, "corrector 6>1", "7+12/6")
    assert [roll.is_open for roll in game.rolls] == [False]
    assert game.sheet_of(1).sheet("player")["jokers"] == ["corrector", "3:1"]
    assert game.sheet_of(3).sheet("player")["jokers"] == ["3:1"]


def test_a_terminator_without_a_reserve_roll_is_given_back() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.write(ReserveAsked(1, 1, 1))
    event.choose(2, "4+10/4")
    event.write(RollClosed(1, 1, "Olga", "the table is broken"))
    assert game.rolls[0].played[1].do == ("4+8/6",)
    assert game.sheet_of(1).sheet("player")["jokers"] == ["terminator", "corrector", "3:1"]


def test_a_latecomer_has_no_mark_of_missed_rolls() -> None:
    event, game = begin_event()
    for faces in ("13446", "12245"):
        event.throw(faces)
        assert not game.has_missed(1)
        event.run_out()
    event.write(PlayerJoined(3, "Late"))
    event.throw("11111")
    event.run_out()
    assert sum(sums(game, 3)) == 2
    assert [game.total_after(3, rolls) for rolls in (1, 2, 3)] == [None, None, 300 - 200]
    assert game.has_missed(3)
    assert not game.has_missed(1)


def test_the_game_does_not_wait_for_a_latecomer() -> None:
    """Seven times the same fifth die, then the player who was there from the start has finished."""
    event, game = begin_event(1)
    event.throw("11111")
    event.run_out()
    event.write(PlayerJoined(2, "Late"))
    for _ in range(7):
        event.throw("11111")
        event.run_out()
    assert not game.is_open
    assert len(game.rolls) == 8
    assert [sum(row) for row in (list(sums(game, 1)), list(sums(game, 2)))] == [16, 14]


def sums(game: DuplicateGame, player: int) -> list[int]:
    marks = game.sheet_of(player).sheet("player")["sums"]
    assert isinstance(marks, dict)
    return list(marks.values())


def test_who_has_finished_waits_for_the_others() -> None:
    event, game = begin_event(2, jokers=False)
    rolls = ["11123", "11123", "11145", "11145", "11156", "11126", "11134", "11134"]
    for faces in rolls:
        event.throw(faces)
        event.choose(1, next(do for do in actions(game, 1) if do.endswith("/1")))
        event.choose(2, next((do for do in actions(game, 2) if not do.endswith("/1")), "2+4/3"))
        assert game.open_roll is None
    assert build_player_view(event.state.data, 1)["is_finished"]
    assert game.is_open
    event.throw("22345")
    assert game.list_awaited() == (2,)
    assert game.rolls[-1].present == {1, 2}


def actions(game: DuplicateGame, player: int) -> tuple[str, ...]:
    return game.deal(player).legal_actions("player")


def test_who_leaves_misses_rolls_and_returns_to_the_same_sheet() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.write(PlayerLeft(2))
    event.run_out()
    event.throw("12245")
    event.run_out()
    event.write(PlayerReturned(2))
    event.throw("11111")
    event.run_out()
    assert [sorted(roll.played) for roll in game.rolls] == [[1, 2], [1], [1, 2]]
    assert game.total_after(2, 1) == game.total_after(2, 2)


def test_a_roll_does_not_wait_for_who_left() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "4+10/4")
    event.write(PlayerLeft(2))
    assert event.write_due() == ["roll_closed"]
    assert game.rolls[0].played[2].is_automatic


def test_a_correction_of_an_open_roll_lets_all_choose_again() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "4+10/4")
    until_ms = event.now_ms + 30_000
    event.write(RollRuling(1, 1, "recompute", "Olga", WHY, faces="13445", until_ms=until_ms))
    assert game.list_awaited() == (1, 2)
    assert (game.rolls[0].opened_faces, game.rolls[0].faces) == ("13446", "13445")
    event.choose(1, "4+9/4")
    event.now_ms = until_ms
    assert event.write_due() == ["roll_closed"]


def test_an_annulled_open_roll_is_replaced_by_the_next() -> None:
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "4+10/4")
    event.write(RollRuling(1, 1, "annul", "Olga", WHY))
    event.throw("11111")
    event.choose(1, "2+2/1")
    assert sum(sums(game, 1)) == 0
    event.choose(2, "2+2/1")
    assert sums(game, 1)[0] == 2


def test_an_annulment_of_a_closed_roll_is_taken_back() -> None:
    event, game = begin_event()
    for faces, do in (("13446", "4+10/4"), ("22356", "4+8/6")):
        event.throw(faces)
        event.choose(1, do)
        event.run_out()
    before = (dict(game.totals), [dict(roll.played) for roll in game.rolls])
    event.write(RollRuling(1, 1, "annul", "Olga", WHY))
    assert game.totals != before[0]
    event.write(RollRuling(1, 1, "restore", "Olga", WHY))
    assert (dict(game.totals), [dict(roll.played) for roll in game.rolls]) == before
    refusal = event.refuse(RollRuling(1, 1, "restore", "Olga", WHY))
    assert refusal.text == "ruling.roll: expected an annulled roll, found one that counts"


def test_an_open_roll_that_was_annulled_is_open_again() -> None:
    """Who had chosen need not choose again; the others have the whole clock."""
    event, game = begin_event()
    event.throw("13446")
    event.choose(1, "4+10/4")
    event.write(RollRuling(1, 1, "annul", "Olga", WHY))
    refusal = event.refuse(RollRuling(1, 1, "restore", "Olga", WHY))
    assert refusal.text.startswith("ruling.until_ms: expected a time to come")
    until_ms = event.now_ms + 30_000
    event.write(RollRuling(1, 1, "restore", "Olga", WHY, until_ms=until_ms))
    assert game.list_awaited() == (2,)
    event.choose(2, "5+9/4")
    assert not game.rolls[0].is_open
    assert (sum(sums(game, 1)), sum(sums(game, 2))) == (2, 2)


def test_an_open_roll_is_not_restored_after_the_next_one() -> None:
    event, _ = begin_event()
    event.throw("13446")
    event.write(RollRuling(1, 1, "annul", "Olga", WHY))
    event.throw("11111")
    until_ms = event.now_ms + 30_000
    assert event.refuse(RollRuling(1, 1, "restore", "Olga", WHY, until_ms=until_ms)).code == "late"


def test_a_ruling_on_an_earlier_roll_voids_what_is_illegal_now() -> None:
    """The fifth die of the open roll is legal only as long as the earlier roll has its faces."""
    event, game = begin_event(1, jokers=False)
    for faces, do in (("11234", "4+6/1"), ("22334", "5+7/2"), ("33456", "7+11/3")):
        event.throw(faces)
        event.choose(1, do)
    event.throw("14566")
    event.now_ms += 1
    event.write(PlayerJoined(2, "Late"))
    assert all(do.endswith("/1") for do in actions(game, 1))
    event.write(RollRuling(1, 1, "recompute", "Olga", WHY, faces="12345"))
    assert game.list_awaited() == (1,)
    assert game.rolls[0].played[1].is_automatic


def replay_player(game: DuplicateGame, player: int, *, jokers: bool) -> GameState | None:
    """Return a player's sheet as the engine plays the record of all rolls that count."""
    state: GameState = GAMES["choice"].start(["P"], {"jokers": jokers})
    has_played = False
    for roll in game.rolls:
        if roll.is_annulled or player not in roll.present or state.is_finished("P"):
            continue
        has_played = True
        state = state.apply(RollEvent("P", roll.faces))
        made = roll.choices.get(player)
        do = roll.played[player].do
        legal = state.legal_actions("P")
        assert do == (made if made and made[0] in legal else legal[:1])
        state = state.apply(ActionEvent("P", do[0]))
    return state if has_played else None


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    rulings=st.lists(
        st.tuples(st.integers(1, 12), st.sampled_from(["annul", "11233", "45666", "12346"])),
        max_size=3,
    ),
)
def test_a_recomputed_game_is_what_the_engine_replays(
    seed: int, rulings: list[tuple[int, str]]
) -> None:
    chance = random.Random(seed)
    event, game = begin_event(3)
    for number in range(1, 13):
        if number == 4:
            event.write(PlayerLeft(2))
        if number == 6:
            event.write(PlayerReturned(2))
            event.write(PlayerJoined(4, "Late"))
        event.throw("".join(sorted(chance.choices("123456", k=5))))
        event.choose_randomly(chance, 0.8)
        event.run_out()
    for roll, decision in rulings:
        if not game.rolls[roll - 1].is_annulled:
            is_annul = decision == "annul"
            kind, faces = ("annul", "") if is_annul else ("recompute", decision)
            event.write(RollRuling(1, roll, kind, "Olga", WHY, faces=faces))
    for player in range(1, 5):
        state = replay_player(game, player, jokers=True)
        if state is not None:
            assert state.sheet("P") == game.sheet_of(player).sheet("player")
            assert (
                state.totals()["P"] == game.totals[player] == game.total_after(player, game.counted)
            )


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_whole_game_ends_by_itself(share: float) -> None:
    event, game = begin_event(4)
    event.play_game(random.Random(2), share)
    assert all(game.sheet_of(player).is_finished("player") for player in range(1, 5))
    assert event.entries[-1].kind == "game_closed"
