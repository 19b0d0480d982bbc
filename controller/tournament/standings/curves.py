# SPDX-License-Identifier: MIT
"""
How the standings of a duplicate event changed from roll to roll: each player's score and place.

One sorted row of scores a roll is kept, so that a curve costs a search in each row. A ruling
throws the rows away, and the next question builds them again from the sheets.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.tournament.standings.absence import read_field
from controller.tournament.standings.event_scores import sum_penalties
from controller.tournament.standings.match_points import sum_shares
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.event_data import EventData

_ABSENT = -(1 << 62)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A player's score and place in the event after a roll."""

    game: int
    roll: int
    score: int
    place: int


class FieldCurves:
    """The curves of all players of one event; `data` may change between two questions."""

    def __init__(self, data: EventData) -> None:
        self._data = data
        self._rows: list[tuple[int, int, array[int], array[int]]] = []
        self._state: tuple[int, ...] = ()

    def list_points(self, player: int) -> tuple[CurvePoint, ...]:
        """Return the points of a player, from their first roll on."""
        self._refresh()
        points = []
        for game, roll, scores, ordered in self._rows:
            score = scores[player] if player < len(scores) else _ABSENT
            if score != _ABSENT:
                place = len(ordered) - bisect_right(ordered, score) + 1
                points.append(CurvePoint(game, roll, score, place))
        return tuple(points)

    def _refresh(self) -> None:
        """Add the rows of rolls that were closed since; begin again after a ruling."""
        data = self._data
        state = (len(data.rulings), len(data.penalties), sum(map(len, data.forfeits.values())))
        if state != self._state:
            self._rows, self._state = [], state
        known = {(game, roll) for game, roll, _, _ in self._rows}
        for game in data.games:
            if game.number <= data.event.games:
                self._rows += self._build_rows(game, known)

    def _build_rows(
        self, game: DuplicateGame, known: set[tuple[int, int]]
    ) -> Iterator[tuple[int, int, array[int], array[int]]]:
        counted = [roll for roll in game.rolls if not roll.is_open and not roll.is_annulled]
        if not counted or (game.number, counted[-1].number) in known:
            return
        for index, roll in enumerate(counted, start=1):
            if (game.number, roll.number) in known:
                continue
            scores = self._score(game.number, index)
            row = array("q", [_ABSENT]) * (len(self._data.people) + 1)
            for player, score in scores.items():
                row[player] = score
            yield game.number, roll.number, row, array("q", sorted(scores.values()))

    def _score(self, game: int, rolls: int) -> Mapping[int, int]:
        """Return the scores after a roll, of everybody who had a sheet and a place by then."""
        data = self._data
        field = read_field(
            data, [each.number for each in data.people.list_players()], (game, rolls)
        )
        counted = field.list_counted()
        players = {player for each in counted for player in each} & field.with_place
        penalties = sum_penalties(data)
        if data.event.scoring == "match_points":
            shares = sum_shares(field.played, players, penalties, field.absences)
            return {player: shares.to_millionths(shares.scores[player]) for player in players}
        return {
            player: sum(each.get(player, 0) for each in counted) - penalties.get(player, 0)
            for player in players
        }
