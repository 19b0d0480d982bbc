# SPDX-License-Identifier: MIT
"""
What each person's choices cost over several events, game by game, from their archives.

It is what a performance rating is in backgammon: results depend on the dice, costs do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from controller.base.errors import InputError
from controller.coach.coaches import find_coach
from controller.games.player_names import compute_look
from controller.journal.hashchain import Entry
from controller.journal.records.from_journal import JournalGame, JournalGames
from controller.tournament.results.play_costs.field_costs import judge_game, judge_table
from controller.tournament.state.event_data import EventData
from controller.tournament.state.people import People
from controller.tournament.state.state import EventState

Person: TypeAlias = tuple[bool, str]
TableJournals = Mapping[str, Sequence[Entry]]
"""The entries of the journals of tables, by their keys."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One person's game."""

    name: str
    key: str  # By which officials know the person; empty without one.
    game: str
    unit: str  # What `cost` is counted in: `points` or `chance`.
    choices: int  # The person's own choices among several actions.
    best: int  # How many of them cost nothing.
    cost: float


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One person's choices in one kind of game over all events."""

    name: str  # As it was written last.
    key: str
    game: str
    unit: str
    events: int
    games: int
    choices: int  # Own choices among several actions.
    best: float  # The share that cost nothing, from 0 to 1.
    cost: float  # The mean cost of a choice.
    error: float | None  # Its standard error, from game to game; None for a single game.


def list_played(state: EventState, tables: TableJournals) -> Iterator[PlayedGame]:
    """Yield the games that a coach knows; InputError if a table's journal contradicts itself."""
    if state.data.begun is None:
        return
    if state.data.begun.style == "duplicate":
        yield from _list_duplicate(state.data)
    else:
        yield from _list_tables(state.data, tables)


def sum_season(events: Iterable[Iterable[PlayedGame]]) -> tuple[SeasonRow, ...]:
    """Return a row for each person and game, the least mean cost first."""
    found: dict[tuple[str, Person], list[tuple[int, PlayedGame]]] = defaultdict(list)
    for number, event in enumerate(events):
        for each in event:
            if each.choices:
                found[each.game, identify_person(each.name, each.key)].append((number, each))
    rows = [_sum_row(games) for games in found.values()]
    return tuple(sorted(rows, key=lambda row: (row.game, row.cost, row.name)))


def identify_person(name: str, key: str) -> Person:
    """
    Return a value that is the same for one person in all events of a season.

    The key decides; people without one are known by how their names look. A namesake who has a key
    is another person.
    """
    return bool(key), key.casefold() or compute_look(name)


def _sum_row(numbered: Sequence[tuple[int, PlayedGame]]) -> SeasonRow:
    games = [game for _, game in numbered]
    choices = sum(game.choices for game in games)
    mean = sum(game.cost for game in games) / choices
    # A ratio of two sums: what each game adds to it.
    squares = sum((game.cost - mean * game.choices) ** 2 for game in games)
    count = len(games)
    return SeasonRow(
        name=games[-1].name,
        key=games[-1].key,
        game=games[-1].game,
        unit=games[-1].unit,
        events=len({number for number, _ in numbered}),
        games=count,
        choices=choices,
        best=sum(game.best for game in games) / choices,
        cost=mean,
        error=sqrt(squares * count / (count - 1)) / choices if count > 1 else None,
    )


def _list_duplicate(data: EventData) -> Iterator[PlayedGame]:
    event = data.event
    coach = find_coach(event.game, event.options)
    if coach is None:
        return
    for game in data.games:
        if game.is_open:
            continue
        for player, own in judge_game(coach, event, game).items():
            person, costs = data.people.find(player), [*own.values()]
            yield PlayedGame(
                person.name,
                person.key,
                event.game,
                coach.unit.value,
                len(costs),
                costs.count(0.0),
                sum(costs),
            )


def _list_tables(data: EventData, tables: TableJournals) -> Iterator[PlayedGame]:
    ended: dict[str, dict[str, JournalGame]] = {}
    for played in data.rounds.published:
        for result in played.recorded.values():
            source = result.source
            if source is None:
                continue
            if source.box not in ended:
                games = JournalGames(tables.get(source.box, ()))
                ended[source.box] = {each.link: game for game in games for each in game.entries}
            if source.link in ended[source.box]:
                try:
                    yield from _list_seats(data.people, ended[source.box][source.link])
                except InputError as error:
                    raise error.at(f"table {source.box}, {error.where}") from error


def _list_seats(people: People, game: JournalGame) -> Iterator[PlayedGame]:
    account = judge_table(game)
    if account is None:
        return
    for seat, player in enumerate(account.players):
        own = [choice for choice in account.choices if choice.seat == seat]
        best = sum(not account.counts(choice) for choice in own)
        number = people.find_by_name(player.name)
        yield PlayedGame(
            player.name,
            people.find(number).key if number else "",
            account.game,
            account.unit,
            len(own),
            best,
            player.cost - player.noise,
        )
