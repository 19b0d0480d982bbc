# SPDX-License-Identifier: MIT
"""The results of a duplicate event that are compared, after its last roll or an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from controller.tournament.standings.absence import (
    FieldGame,
    count_absences,
    list_with_place,
    measure_game,
)
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.event_data import EventData

GameTotals = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class DuplicateField:
    """The games so far; one that has just begun is left out, and one without a roll is empty."""

    played: Sequence[GameTotals]  # The totals that are compared, of each game.
    absences: Sequence[GameTotals]  # What each game counts for those who did not play it whole.
    with_place: Set[int]  # Who has a place; everybody else is ranked after them.

    def list_counted(self) -> list[dict[int, int]]:
        """Return what each game counts for each player."""
        return [
            {**played, **absent} for played, absent in zip(self.played, self.absences, strict=True)
        ]


def read_field(
    data: EventData, players: Iterable[int], until: tuple[int, int] | None = None
) -> DuplicateField:
    """
    Return the results of these players.

    Args:
        until: A game and how many of its rolls count; None for everything.
    """
    everybody = tuple(players)
    rule = data.event.absence
    games = data.games[: data.event.games if until is None else until[0]]
    rolls = [game.counted for game in games]
    if until is not None:
        rolls[-1] = until[1]
    fields = [read_game(data, game, count) for game, count in zip(games, rolls, strict=True)]
    while fields and not fields[-1].whole:
        fields.pop()
    played = [field.whole for field in fields]
    with_place = {player for totals in played for player in totals}
    if rule != "nothing":
        with_place = list_with_place(everybody, played, rolls)
    return DuplicateField(played, count_absences(fields, everybody, rule), with_place)


def read_game(data: EventData, game: DuplicateGame, rolls: int) -> FieldGame:
    """Return the results of a game after the given number of rolls that count."""
    forfeits = {each for each in game.totals if game.number in data.forfeits.get(each, ())}
    # Without a rule, what was missed makes no difference.
    missed = {} if data.event.absence == "nothing" else game.missed
    return measure_game(game.total_after, game.totals, rolls, missed, forfeits)
