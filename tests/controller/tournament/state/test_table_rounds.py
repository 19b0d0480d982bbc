# SPDX-License-Identifier: MIT
"""Events with draws: seeded by thrown dice, drafted, published, scored from the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pytest

from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import (
    DrawMade,
    DrawPublished,
    FixedTable,
    ForbiddenPair,
    PlayersSwapped,
    TableResult,
    TableRuling,
)
from controller.tournament.entries.event_entries import EventBegun, EventResult, GameForfeited
from controller.tournament.entries.fields import Source
from controller.tournament.entries.player_entries import PlayerJoined, PlayerLeft, PlayerWithdrawn
from controller.tournament.state.next_draw import compute_draw, needs_dice
from controller.tournament.state.rounds import Round
from tests.controller.tournament.event_tables import BOX, PlayedEvent

WHY = "seen by two officials"


def begin_event(players: int, **changes: object) -> PlayedEvent:
    keys: dict[str, object] = {
        "format": 1,
        "name": "Autumn cup",
        "style": "tables",
        "game": "wuerfelspiel",
        "options": {},
        "games": 3,
    }
    return PlayedEvent(EventBegun(**{**keys, **changes}), players)  # type: ignore[arg-type]


def draw(event: PlayedEvent, faces: str = "13446") -> DrawMade:
    """Throw the dice of a draw where it needs any; return the draft that follows from them."""
    data, sources = event.state.data, tuple[Source, ...]()
    if needs_dice(data):
        event.send(event.table.begin("dice"))
        sources = (event.table.source(event.send(event.table.throw(faces))),)
    faces = faces if sources else ""
    drawn = compute_draw(data, faces)
    number = len(data.rounds.published) + 1
    return DrawMade(number, drawn.tables, faces, sources, drawn.byes, drawn.half_byes)


def publish(event: PlayedEvent) -> Round:
    event.write(draw(event))
    event.write(DrawPublished(event.state.data.rounds.rounds[-1].number, "Olga"))
    return event.state.data.rounds.published[-1]


def finish(
    event: PlayedEvent,
    seats: Sequence[int],
    totals: Sequence[int],
    begun: Mapping[str, object] = MappingProxyType({}),
    **end: object,
) -> None:
    """Let a table's journal say how its game began and ended."""
    names = [event.state.data.people.find(player).name for player in seats]
    game = event.state.data.event.game
    event.send(event.table.add("game", game=game, players=names, options={}, **begun))
    result = {"totals": dict(zip(names, totals, strict=True)), "winners": [], "losers": [], **end}
    event.send(event.table.add("action", by=names[0], do="chance*3", result=result))


def play_round(event: PlayedEvent) -> Round:
    """Publish a round; at each table the results are 100 less from seat to seat."""
    played = publish(event)
    for seats in played.tables:
        finish(event, seats, [400 - 100 * seat for seat in range(len(seats))])
    event.write_due()
    assert played.is_complete
    return played


def scores(event: PlayedEvent) -> Mapping[int, int]:
    return {row.player: row.score for row in event.state.compute_standings().rows}


def refused(event: PlayedEvent, entry: EventEntry) -> str:
    return event.refuse(entry).text


def test_three_rounds_from_the_dice_to_the_result() -> None:
    event = begin_event(14)
    met: set[frozenset[int]] = set()
    for _ in range(3):
        played = play_round(event)
        pairs = {
            frozenset({one, other}) for table in played.tables for one in table for other in table
        }
        pairs = {pair for pair in pairs if len(pair) == 2}
        assert not met & pairs
        met |= pairs
    standings = event.state.compute_standings()
    assert (standings.unit, standings.games, len(standings.rows)) == ("table_points", 3, 14)
    assert sum(row.score for row in standings.rows) == 3 * 14 * 12
    assert [row.score for row in standings.rows] == sorted(scores(event).values(), reverse=True)
    event.write(EventResult(standings.list_places(), "Olga"))


def test_the_result_of_a_table_names_its_line() -> None:
    event = begin_event(7)
    played = publish(event)
    finish(event, played.tables[0], [10, 40, 30, 20])
    (due,) = event.state.list_due(event.now_ms)
    assert isinstance(due, TableResult)
    assert (due.table, due.points) == (1, (10, 40, 30, 20))
    assert due.source == event.table.source(event.table.entries[-1])
    event.write(due)
    assert dict(played.totals_of(1)) == dict(zip(played.tables[0], (10, 40, 30, 20), strict=True))
    assert scores(event)[played.tables[0][1]] == 24
    assert not played.is_complete


@pytest.mark.parametrize("begun", [{"hints": True}, {"opponents": [{"name": "Pascal"}]}])
def test_a_game_for_training_is_no_result_of_a_round(begun: Mapping[str, object]) -> None:
    event = begin_event(7)
    played = publish(event)
    finish(event, played.tables[0], [10, 40, 30, 20], begun)
    assert not list(event.state.list_due(event.now_ms))
    finish(event, played.tables[0], [40, 30, 20, 10])
    (due,) = event.state.list_due(event.now_ms)
    assert isinstance(due, TableResult)
    assert due.points == (40, 30, 20, 10)


def test_a_draw_that_does_not_follow_from_its_dice_is_refused() -> None:
    event = begin_event(8)
    made = draw(event)
    swapped = (made.tables[1], made.tables[0])
    wrong = DrawMade(1, swapped, made.faces, made.sources)
    assert "expected the tables that the dice give, found others" in refused(event, wrong)
    assert "13446, found 11111" in refused(event, DrawMade(1, made.tables, "11111", made.sources))
    assert "the faces of dice" in refused(event, DrawMade(1, made.tables))
    assert "draw.round: expected 1, found 2" in refused(
        event, DrawMade(2, made.tables, made.faces, made.sources)
    )
    event.write(made)
    assert "rolls that seeded no draw yet" in refused(event, made)


def test_a_draft_can_be_drawn_again_and_swapped() -> None:
    event = begin_event(8)
    event.write(draw(event))
    first = event.state.data.rounds.draft
    event.write(draw(event, "11122"))
    draft = event.state.data.rounds.draft
    assert draft is not None
    assert draft is not first
    one, other = draft.tables[0][0], draft.tables[1][3]
    event.write(PlayersSwapped(1, (one, other), "Olga", WHY))
    assert (draft.tables[0][0], draft.tables[1][3]) == (other, one)
    mates = (draft.tables[0][0], draft.tables[0][1])
    assert "players of different tables" in refused(event, PlayersSwapped(1, mates, "Olga", WHY))
    event.write(DrawPublished(1, "Olga"))
    assert "expected a draft" in refused(event, PlayersSwapped(1, (one, other), "Olga", WHY))


def test_who_left_cannot_be_published() -> None:
    event = begin_event(8)
    event.write(draw(event))
    event.write(PlayerLeft(3))
    assert "expected a draft with players who are here, found Player 3" in refused(
        event, DrawPublished(1, "Olga")
    )
    event.write(draw(event))
    event.write(DrawPublished(1, "Olga"))
    assert 3 not in event.state.data.rounds.published[0].list_seated()


def test_the_next_draw_waits_for_all_results() -> None:
    event = begin_event(8)
    played = publish(event)
    finish(event, played.tables[0], [4, 3, 2, 1])
    event.write_due()
    assert "the results of all tables of round 1" in refused(event, draw(event))


def test_a_correction_counts_until_the_next_draw_is_published() -> None:
    event = begin_event(8)
    played = play_round(event)
    first = played.tables[0][0]
    turned = TableResult(1, 1, (100, 200, 300, 400), by="Olga", reason="read backwards")
    for half in (TableResult(1, 1, (1, 2, 3, 4), by="Olga"), TableResult(1, 1, (1, 2, 3, 4))):
        assert "an official and a reason" in refused(event, half)
    event.write(turned)
    assert scores(event)[first] == 0
    play_round(event)
    before = scores(event)
    event.write(TableResult(1, 1, (400, 300, 200, 100), by="Olga", reason="as it was"))
    assert scores(event) == before
    assert played.recorded[1].points == (400, 300, 200, 100)
    assert played.results[1] == turned


def test_a_latecomer_needs_an_official() -> None:
    event = begin_event(8)
    play_round(event)
    assert "an official who lets a latecomer in" in refused(event, PlayerJoined(9, "Late"))
    event.write(PlayerJoined(9, "Late", by="Olga"))
    event.write(PlayerWithdrawn(2, "Olga", WHY))
    seated = publish(event).list_seated()
    assert 9 in seated
    assert 2 not in seated


def test_who_forfeits_a_round_gets_nothing_for_it() -> None:
    event = begin_event(4)
    seats = play_round(event).tables[0]
    event.write(GameForfeited(seats[0], 1, "Olga", WHY))
    assert [scores(event)[player] for player in seats] == [0, 24, 16, 8]
    event.write(GameForfeited(seats[0], 1, "Olga", WHY, is_lifted=True))
    assert [scores(event)[player] for player in seats] == [24, 16, 8, 0]


def test_limits_of_a_draw_are_entries() -> None:
    event = begin_event(12)
    event.write(FixedTable(5, 3, "Olga", "a wheelchair"))
    event.write(ForbiddenPair((1, 2), "Olga", "a family"))
    assert "expected another table than now" in refused(event, FixedTable(5, 3, "Olga", WHY))
    assert "a pair that may meet" in refused(event, ForbiddenPair((2, 1), "Olga", WHY))
    for _ in range(2):
        played = play_round(event)
        assert 5 in played.tables[2]
        assert not any({1, 2} <= set(table) for table in played.tables)
    event.write(ForbiddenPair((2, 1), "Olga", "they want to", is_lifted=True))
    lifted = ForbiddenPair((1, 2), "Olga", WHY, is_lifted=True)
    assert "expected a forbidden pair" in refused(event, lifted)
    event.write(ForbiddenPair((1, 2), "Olga", "as before"))


def test_in_black_n_white_the_loser_of_a_table_loses_a_life() -> None:
    event = begin_event(6, game="black-n-white", lives=1, games=5)
    played = publish(event)
    names = event.state.data.people.find
    for seats in played.tables:
        finish(event, seats, [0, 0, 2], losers=[names(seats[2]).name])
    event.write_due()
    out = {seats[2] for seats in played.tables}
    assert {player for player, lives in scores(event).items() if lives == 0} == out
    second = publish(event)
    assert set(second.list_seated()) == set(range(1, 7)) - out
    assert "the player who lost" in refused(event, TableResult(2, 1, (0, 0, 0, 2)))
    last = second.tables[0][0]
    event.write(TableResult(2, 1, (2, 0, 0, 0), (last,), by="Olga", reason="no camera"))
    places = {row.player: row.place for row in event.state.compute_standings().rows}
    assert places[last] == 4
    assert {places[player] for player in out} == {5}


def test_a_knock_out_from_the_draw_to_the_winner() -> None:
    event = begin_event(5, style="knock_out", pairing="standings", games=9)
    rounds = []
    while True:
        made = draw(event)
        event.write(made)
        event.write(DrawPublished(made.round, "Olga"))
        for number, pair in enumerate(made.tables, start=1):
            result = TableResult(
                made.round, number, (7, 5), (max(pair),), by="Olga", reason="on paper"
            )
            event.write(result)
        rounds.append((made.tables, made.byes))
        if len(made.tables) == 1 and not made.byes:
            break
    assert rounds == [(((4, 5),), (1, 2, 3)), (((1, 4), (2, 3)), ()), (((1, 2),), ())]
    places = {row.player: row.place for row in event.state.compute_standings().rows}
    assert places == {1: 1, 2: 2, 3: 3, 4: 3, 5: 5}
    with pytest.raises(ValueError, match="expected two players who are still in"):
        compute_draw(event.state.data, "")


def test_equal_results_decide_no_knock_out() -> None:
    event = begin_event(2, style="knock_out")
    played = publish(event)
    finish(event, played.tables[0], [50, 50])
    assert event.state.list_due(event.now_ms) == ()
    finish(event, played.tables[0], [50, 60])
    assert event.write_due() == ["table_result"]
    assert played.list_losers() == (played.tables[0][0],)


def test_a_round_robin_counts_wins_and_then_the_match_itself() -> None:
    event = begin_event(3, style="round_robin", pairing="standings")
    results = {frozenset({1, 2}): (2, 1), frozenset({2, 3}): (3, 2), frozenset({1, 3}): (1, 3)}
    for _ in range(3):
        played = publish(event)
        assert len(played.byes) == 1
        for pair in played.tables:
            winner = results[frozenset(pair)][1]
            finish(event, pair, [10 if player != winner else 5 for player in pair])
        event.write_due()
    rows = event.state.compute_standings().rows
    assert {row.player: row.score for row in rows} == {1: 2, 2: 2, 3: 2}
    assert {row.place for row in rows} == {1}
    with pytest.raises(ValueError, match="expected a round from 1 to 3, found 4"):
        compute_draw(event.state.data, "13446")


def test_doubts_of_a_table_wait_for_an_official() -> None:
    event = begin_event(4)
    thrown = event.send(event.table.throw("13446", by_hand="Olga"))
    (concern,) = event.state.list_table_concerns()
    assert concern.cause == event.table.source(thrown)
    event.write(TableRuling(concern.cause, "keep", "Olga", WHY))
    assert event.state.list_table_concerns() == ()
    assert "a line that waits" in refused(event, TableRuling(concern.cause, "keep", "Olga", WHY))


def test_an_unknown_table_has_no_result() -> None:
    event = begin_event(4)
    publish(event)
    assert "a table from 1 to 1" in refused(event, TableResult(1, 2, (4, 3, 2, 1)))
    assert "4 results" in refused(event, TableResult(1, 1, (4, 3, 2)))
    assert "no losers: points decide" in refused(event, TableResult(1, 1, (4, 3, 2, 1), (1,)))
    assert BOX in {table.box for table in event.state.data.boxes.list_tables()}
