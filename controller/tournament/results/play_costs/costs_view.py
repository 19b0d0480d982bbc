# SPDX-License-Identifier: MIT
"""The statistic of an event: what each player and each roll lost in the games that are over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import NamedTuple

from controller.tournament.results.play_costs.costs_codec import GameCosts
from controller.tournament.state.event_data import EventData

COST_DIGITS = 4


class GameKey(NamedTuple):
    """A game of an event; `table` is 0 in a duplicate event, else `game` is the round."""

    game: int
    table: int


@dataclass(frozen=True, slots=True)
class PlayerCost:
    """From how many rolls a player chose in all games that are over, and their mean cost."""

    player: int
    name: str
    choices: int
    cost: float

    def to_plain(self) -> dict[str, int | str | float]:
        return {**asdict(self), "cost": round(self.cost, COST_DIGITS)}


@dataclass(frozen=True, slots=True)
class RollDifficulty:
    """What was lost on a roll."""

    game: int  # The game; the round in an event at tables.
    table: int  # The table of that round; 0 in a duplicate event.
    roll: int
    faces: str  # The dice, as a record has them.
    choices: int
    best: int  # How many of them lost nothing.
    cost: float  # The mean of what they lost.

    def to_plain(self) -> dict[str, int | str | float]:
        return {**asdict(self), "cost": round(self.cost, COST_DIGITS)}


@dataclass(frozen=True, slots=True)
class EventCostsView:
    """The statistic of an event."""

    is_complete: bool = True  # Whether every game that is over is in it.
    unit: str = "points"  # What costs are counted in: `points` or `chance`.
    equal_below: float = 0.0  # Costs below count as none.
    weights: str = ""  # SHA-256 of what the coach knows; empty without one.
    players: tuple[PlayerCost, ...] = ()  # The least cost first.
    rolls: tuple[RollDifficulty, ...] = ()

    def to_plain(self) -> dict[str, object]:
        players = [player.to_plain() for player in self.players]
        return {
            **asdict(self),
            "players": players,
            "rolls": [roll.to_plain() for roll in self.rolls],
        }


def build_view(
    data: EventData, known: Mapping[GameKey, GameCosts], *, is_complete: bool
) -> EventCostsView:
    """Return the statistic of the games that are known."""
    own = defaultdict[int, list[float]](list)
    rolls: list[RollDifficulty] = []
    for key, found in known.items():
        of_roll = defaultdict[int, list[float]](list)
        seated = _match_seats(data, key, found.names)
        for seat, costs in found.costs.items():
            own[seated[seat] if key.table else seat] += costs.values()
            for number, cost in costs.items():
                of_roll[number].append(cost)
        for number, each in of_roll.items():
            thrown = found.dice or [roll.faces for roll in data.games[key.game - 1].rolls]
            best, cost = each.count(0.0), fmean(each)
            rolls.append(RollDifficulty(*key, number, thrown[number - 1], len(each), best, cost))
    players = [
        PlayerCost(player, data.people.find(player).name, len(costs), fmean(costs))
        for player, costs in own.items()
        if costs
    ]
    newest = next(iter(known.values()), None)
    return EventCostsView(
        is_complete=is_complete,
        unit=newest.unit if newest else "points",
        equal_below=newest.equal_below if newest else 0.0,
        weights=newest.weights if newest else "",
        players=tuple(sorted(players, key=lambda one: (one.cost, one.player))),
        rolls=tuple(sorted(rolls, key=lambda one: (-one.cost, one.game, one.table, one.roll))),
    )


def _match_seats(data: EventData, key: GameKey, names: Sequence[str]) -> list[int]:
    """Return the players of a table as they sat there; some may have another name since."""
    if not key.table:
        return []
    drawn = data.rounds.rounds[key.game - 1].tables[key.table - 1]
    found = [data.people.find_by_name(name) for name in names]
    rest = (player for player in drawn if player not in found)
    return [player if player in drawn else next(rest) for player in found]
