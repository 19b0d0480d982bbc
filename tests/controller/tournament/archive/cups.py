# SPDX-License-Identifier: MIT
"""Two small events: everybody plays the rolls of one table, and games at two tables."""

from __future__ import annotations

from pathlib import Path

from controller.tournament.duplicate import solo
from controller.tournament.event.draw_entries import DrawMade, DrawPublished
from controller.tournament.event.event_entries import EventBegun, EventResult
from controller.tournament.event.game_entries import (
    ChoiceMade,
    CostsFound,
    GameClosed,
    GameOpened,
    RollRuling,
)
from controller.tournament.event.player_entries import PlayerJoined
from controller.tournament.fold.next_draw import compute_draw
from controller.tournament.play_costs.costs_codec import (
    answer_question,
    decode_answer,
    encode_costs,
    encode_question,
)
from controller.tournament.play_costs.field_costs import list_sheets
from tests.controller.tournament.event_tables import duplicate_event
from tests.support.random_journal import RandomGame
from tests.support.recorded_event import RecordedEvent, RecordedTable, record_event

WHY = "seen by two officials"


def play_duplicate_cup(folder: Path) -> RecordedEvent:
    """Play a duplicate game of two over the rolls of a table, with a ruling and a result."""
    with record_event(folder) as event:
        table = event.add_table()
        begun = duplicate_event(games=1, tie_break="costs")
        event.write(begun, PlayerJoined(1, "Ada"), PlayerJoined(2, "Ben"))
        play = RandomGame(table, "choice", players=1, seed=4, mischief=0.0)
        event.write(GameOpened(1, table.box, 1, by="Olga"))
        for _ in range(12):
            play.play(1)
            event.send(table)
            _choose(event)
        table.sign()
        event.send(table)
        _rule(event, table)
        if event.state.data.open_game:
            event.write(GameClosed(1, by="Olga", reason=WHY))
        event.write(_judge(event))
        event.write(EventResult(event.state.compute_standings().list_places(), by="Olga"))
    return event


def play_tables_cup(folder: Path, *, played: int = 2) -> RecordedEvent:
    """
    Draw eight players to two tables by dice, and play a round of Choice.

    Args:
        folder: The event's.
        played: At how many of the tables; with one, the round is not over.
    """
    with record_event(folder) as event:
        tables = [event.add_table(), event.add_table()]
        begun = EventBegun(1, "Autumn cup", "tables", "choice", {"jokers": False}, 1)
        event.write(begun, *(PlayerJoined(each, f"Player {each}") for each in range(1, 9)))
        dice = tables[0].add("game", {"game": "dice", "players": ["Olga"], "options": {"dice": 5}})
        _throw(tables[0], "13446")
        tables[0].add("closed")
        assert dice.seq == 2
        event.send(tables[0])
        thrown = tables[0].entries[3]
        drawn = compute_draw(event.state.data, "13446")
        source = tables[0].source(thrown)
        event.write(DrawMade(1, drawn.tables, "13446", (source,), drawn.byes))
        event.write(DrawPublished(1, "Olga"))
        for table, seats in list(zip(tables, drawn.tables, strict=True))[:played]:
            names = tuple(event.state.data.people.find(player).name for player in seats)
            play = RandomGame(table, "choice", players=4, names=names, seed=5, mischief=0.0)
            play.play()
            table.sign()
            event.send(table)
        if played == len(tables):
            event.write(EventResult(event.state.compute_standings().list_places(), by="Olga"))
    return event


def _throw(table: RecordedTable, faces: str) -> None:
    from tests.support.random_journal import lying

    body = {"by": "Olga", "held": "", "roll": faces, "by_hand": "", "doubts": [], "picture": ""}
    table.add("roll", {**body, "lie": lying(faces)})


def _choose(event: RecordedEvent) -> None:
    """Let everybody who is awaited make the first choice."""
    game = event.state.data.open_game
    for player in game.list_awaited() if game and game.open_roll else ():
        assert game is not None
        legal = [each for each in solo.list_actions(game.deal(player)) if "/" in each]
        event.write(ChoiceMade(1, game.rolls[-1].number, player, (legal[0],)))
        event.write_due()


def _judge(event: RecordedEvent) -> CostsFound:
    """Return what the choices of the only game cost."""
    data = event.state.data
    question = encode_question("choice", data.event.options, list_sheets(data.games[0]))
    found = decode_answer(answer_question(question))
    assert found is not None
    return encode_costs(1, found)


def _rule(event: RecordedEvent, table: RecordedTable) -> None:
    """Decide on the rolls that were entered by hand."""
    for review in event.state.list_reviews():
        cause = review.concern.cause
        event.write(
            RollRuling(review.game, review.roll, "keep", by="Olga", reason=WHY, cause=cause)
        )
