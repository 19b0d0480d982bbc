# SPDX-License-Identifier: MIT
"""Small events: everybody plays the rolls of one table, or games at tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from controller.games.contract import Options
from controller.journal.hashchain import Entry
from controller.tournament.entries.draw_entries import DrawAnnounced, DrawMade, DrawPublished
from controller.tournament.entries.event_entries import EventBegun, EventResult, PenaltyGiven
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    CostsFound,
    GameClosed,
    GameOpened,
    RollRuling,
)
from controller.tournament.entries.player_entries import PlayerJoined, SectionNamed, TeamNamed
from controller.tournament.results.play_costs.costs_codec import (
    answer_question,
    decode_answer,
    encode_costs,
    encode_question,
)
from controller.tournament.results.play_costs.field_costs import list_sheets
from controller.tournament.state.duplicate import solo
from controller.tournament.state.next_draw import compute_draw, needs_dice
from tests.controller.tournament.event_tables import duplicate_event
from tests.support.random_journal import RandomGame, lying
from tests.support.recorded_event import RecordedEvent, RecordedTable, record_event

WHY = "seen by two officials"
ROUNDS = {"duplicate": 0, "tables": 1, "knock_out": 2, "round_robin": 1, "swiss": 1}
"""How many rounds `play_cup` plays in each style; a knock-out of three players has two."""


def play_duplicate_cup(folder: Path) -> RecordedEvent:
    """Play a duplicate game of two over the rolls of a table, with a ruling and a result."""
    with record_event(folder) as event:
        table = event.add_table()
        _begin(event, duplicate_event(games=1, tie_break="costs", absence="worst"), ("Ada", "Ben"))
        _play_duplicate(event, table)
        event.write(_judge(event))
        _end(event)
    return event


def play_team_cup(folder: Path) -> RecordedEvent:
    """Play a duplicate game of two sections and two teams, of which the best members count."""
    with record_event(folder) as event:
        table = event.add_table()
        _begin(event, duplicate_event(games=1, team_best=1), ("Ada", "Ben", "Cleo", "Dora"))
        for number in range(1, 5):
            event.write(SectionNamed(number, "Juniors" if number < 3 else "Ladies", "Olga"))
            event.write(TeamNamed(number, "Club A" if number % 2 else "Club B", "Olga"))
        _play_duplicate(event, table)
        event.write(*(PenaltyGiven(number, 10 * number, "Olga", WHY) for number in range(1, 5)))
        event.write(TeamNamed(4, "Club A", "Olga"))
        _end(event)
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
        _begin(event, begun, [f"Player {each}" for each in range(1, 9)])
        _draw(event, tables[0])
        seats = event.state.data.rounds.published[-1].tables
        for table, players in list(zip(tables, seats, strict=True))[:played]:
            _play_table(event, table, players, seed=5)
        if played == len(tables):
            _end(event)
    return event


def play_announced_cup(folder: Path) -> RecordedEvent:
    """Draw eight players by announced rolls; the table throws one more before the desk has them."""
    with record_event(folder) as event:
        table = event.add_table()
        begun = EventBegun(1, "Cup", "tables", "choice", {}, 1, seeding="announced")
        _begin(event, begun, [f"Player {each}" for each in range(1, 9)])
        table.add("game", {"game": "dice", "players": ["Olga"], "options": {"dice": 5}})
        event.send(table)
        event.write(DrawAnnounced(1, table.box, len(table.entries), "Olga"))
        for held, faces in (("", "13446"), *product(("throw",), ("22356", "12345", "11466"))):
            _throw(table, faces, held)
        table.add("closed")
        event.send(table)
        event.write_due()
    return event


def play_cup(folder: Path, style: str, game: str, options: Options) -> RecordedEvent:
    """Play an event of three players, of one game or round; a knock-out to its winner."""
    with record_event(folder) as event:
        table = event.add_table()
        _begin(event, EventBegun(1, "Cup", style, game, options, 1), ("Ada", "Ben", "Cleo"))
        if style == "duplicate":
            _play_duplicate(event, table)
        for _ in range(ROUNDS[style]):
            _play_round(event, table)
        _end(event)
    return event


def play_corrected_cup(folder: Path) -> RecordedEvent:
    """Play a game of Black'n'White whose last roll loses nothing until it is corrected."""
    options = {"chips_per_player": 1}
    with record_event(folder) as event:
        table = event.add_table()
        begun = EventBegun(1, "Cup", "round_robin", "black-n-white", options, 1)
        _begin(event, begun, ("Ada", "Ben"))
        _draw(event, table)
        (seats,) = event.state.data.rounds.published[-1].tables
        _play_table(event, table, seats, seed=43, mischief=0.3)
        _end(event)
    return event


def _begin(event: RecordedEvent, begun: EventBegun, names: Sequence[str]) -> None:
    event.write(begun, *(PlayerJoined(each, name) for each, name in enumerate(names, start=1)))


def _end(event: RecordedEvent) -> None:
    event.write(EventResult(event.state.compute_standings().list_places(), by="Olga"))


def _play_duplicate(event: RecordedEvent, table: RecordedTable) -> None:
    """Let everybody choose from a few rolls of a table, and rule on what is doubtful."""
    begun = event.state.data.event
    play = RandomGame(table, begun.game, players=1, options=begun.options, seed=4, mischief=0.0)
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


def _play_round(event: RecordedEvent, table: RecordedTable) -> None:
    """Play a round at one table; who is equal in a knock-out plays again."""
    _draw(event, table)
    played = event.state.data.rounds.published[-1]
    while not played.is_complete:
        for seats in played.tables:
            _play_table(event, table, seats, seed=len(table.entries))


def _play_table(
    event: RecordedEvent,
    table: RecordedTable,
    players: Sequence[int],
    *,
    seed: int,
    mischief: float = 0.0,
) -> None:
    data = event.state.data
    names = tuple(data.people.find(player).name for player in players)
    play = RandomGame(
        table,
        data.event.game,
        players=len(names),
        names=names,
        options=data.event.options,
        seed=seed,
        mischief=mischief,
    )
    play.play()
    table.sign()
    event.send(table)


def _draw(event: RecordedEvent, table: RecordedTable) -> None:
    """Draw and publish the next round, by dice that a table throws if it needs any."""
    data = event.state.data
    faces, sources = "", tuple[Source, ...]()
    if needs_dice(data):
        faces = "13446"
        table.add("game", {"game": "dice", "players": ["Olga"], "options": {"dice": 5}})
        thrown = _throw(table, faces)
        table.add("closed")
        event.send(table)
        sources = (table.source(thrown),)
    drawn = compute_draw(data, faces)
    number = len(data.rounds.published) + 1
    event.write(DrawMade(number, drawn.tables, faces, sources, drawn.byes))
    event.write(DrawPublished(number, "Olga"))


def _throw(table: RecordedTable, faces: str, held: str = "") -> Entry:
    body = {"by": "Olga", "held": held, "roll": faces, "by_hand": "", "doubts": [], "picture": ""}
    return table.add("roll", {**body, "lie": lying(faces)})


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
