# SPDX-License-Identifier: MIT
"""An event is the same however its journals are applied again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.entries.event_entries import GameForfeited, PenaltyGiven
from controller.tournament.entries.game_entries import GameClosed, RollRuling
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerReturned,
    TokenIssued,
)
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event


@pytest.fixture(scope="module")
def played() -> PlayedEvent:
    """Return two games of six players with latecomers, leavers, a correction and a penalty."""
    event, chance = (
        PlayedEvent(duplicate_event(scoring="match_points"), players=6),
        random.Random(5),
    )
    event.open_game(1)
    event.throw("11234")
    event.choose_randomly(chance)
    event.write(PlayerLeft(3))
    roll = event.throw("22345")
    event.choose_randomly(chance, 0.5)
    correction = event.send(
        event.table.add(
            "correction", by="Olga", reason="a cocked die", was="22345", roll="22346", undone=[]
        )
    )
    event.run_out()
    assert roll.seq < correction.seq
    (review,) = event.state.list_reviews()
    event.write(
        RollRuling(1, 2, "recompute", "Olga", "seen", faces="22346", cause=review.concern.cause)
    )
    event.write(PlayerReturned(3))
    event.play_game(chance, 0.8)
    event.open_game(2)
    event.play_game(chance)
    event.write(PenaltyGiven(2, 10, "Olga", "late"))
    event.write(GameForfeited(4, 2, "Olga", "left the hall"))
    return event


def rebuild(event: PlayedEvent, order: list[bool]) -> EventState:
    """Return the event from its journals, interleaved: true applies the next line of a table."""
    state = EventState()
    lines, entries = iter(event.lines), iter(event.entries)
    for is_line in [*order, *[True] * len(event.lines)]:
        if is_line:
            for box, line in [next(lines, ("", None))]:
                if line is not None:
                    state.apply_table_line(box, line)
        elif (entry := next(entries, None)) is not None:
            state.apply(entry)
    state.apply_all(entries)
    return state


@settings(max_examples=8, deadline=None)
@given(order=st.lists(st.booleans(), max_size=600))
def test_any_order_of_the_journals_gives_the_same_event(
    played: PlayedEvent, order: list[bool]
) -> None:
    rebuilt, state = rebuild(played, order), played.state
    assert rebuilt.compute_standings() == state.compute_standings()
    assert rebuilt.list_reviews() == state.list_reviews()
    assert rebuilt.list_due(10**13) == state.list_due(10**13)
    for game, same in zip(rebuilt.data.games, state.data.games, strict=True):
        assert game.sheets == same.sheets
        assert game.missed == same.missed
        assert [list_totals(game, player) for player in range(1, 7)] == [
            list_totals(same, player) for player in range(1, 7)
        ]


def list_totals(game: DuplicateGame, player: int) -> list[int | None]:
    return [game.total_after(player, rolls) for rolls in range(1, game.counted + 1)]


def test_an_entry_that_does_not_follow_is_named(played: PlayedEvent) -> None:
    state = EventState()
    state.apply_all(played.entries[:4])
    with pytest.raises(ValueError, match=r"entry 6, joined\.player: expected 3, found 5"):
        state.apply(played.entries[6])


@pytest.mark.parametrize("absence", ["nothing", "worst", "below_mean"])
@pytest.mark.parametrize(("scoring", "unit"), [("sum", "points"), ("match_points", "millionths")])
def test_a_curve_ends_at_the_standings(scoring: str, unit: str, absence: str) -> None:
    """Also after a game without a roll, and after a ruling on an earlier game."""
    begun = duplicate_event(scoring=scoring, absence=absence)
    event, chance = PlayedEvent(begun, players=4), random.Random(6)
    event.open_game(1)
    event.write(GameClosed(1, "Olga", "the wrong table"))
    for number in (2, 3):
        event.open_game(number)
        if number == 3:
            event.play_roll(chance)
            event.write(PlayerLeft(4))
        event.play_game(chance, 0.9)
        event.write(RollRuling(number, 2, "recompute", "Olga", "seen", faces="11111"))
    event.write(PenaltyGiven(2, 10, "Olga", "late"))
    standings = event.state.compute_standings()
    assert (standings.unit, standings.games) == (unit, 3)
    for row in standings.rows:
        last = event.state.list_curve(row.player)[-1]
        assert (last.game, last.score) == (3, row.score)
        assert row.games[0] is None
        assert last.place <= row.place


def test_a_forfeited_game_is_no_part_of_the_field() -> None:
    event = PlayedEvent(duplicate_event(scoring="match_points"), players=3)
    event.open_game(1)
    event.play_game(random.Random(8))
    best = event.state.compute_standings().rows[0]
    assert best.score == 1_000_000
    event.write(GameForfeited(best.player, 1, "Olga", "left the hall"))
    rows = {row.player: row for row in event.state.compute_standings().rows}
    assert (rows[best.player].games, rows[best.player].score) == ((None,), 0)
    assert sorted(row.score for row in rows.values()) == [0, 0, 1_000_000]


def test_a_player_has_one_phone() -> None:
    event = PlayedEvent(duplicate_event())
    event.write(PlayerJoined(1, "Ada", "d" * 64))
    assert event.state.find_player_by_token("d" * 64) == 1
    event.write(TokenIssued(1, "e" * 64))
    assert event.state.find_player_by_token("e" * 64) == 1
    assert event.state.find_player_by_token("d" * 64) is None
    assert event.state.find_player_by_token("") is None
