# SPDX-License-Identifier: MIT
"""
The results of a duplicate event, and what a game counts for who did not play all of its rolls.

Totals of different rolls do not compare, so the rule of the event gives a fixed score instead. Two
ceilings keep it from being worth more than to play, as bridge keeps an average minus below a weak
session: a player counts no more than they were worth when they left, and than in their worst game.
Both are measured against those who played all rolls, because games differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt

from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.event_data import EventData


@dataclass(frozen=True, slots=True)
class FieldGame:
    """What a game came to after one of its rolls."""

    whole: Mapping[int, int]  # The total of everybody who played all rolls.
    # How far each player who left was ahead of the mean of `whole` at that moment.
    leads: Mapping[int, Fraction]


def measure_game(
    total_after: Callable[[int, int], int | None],
    players: Iterable[int],
    rolls: int,
    missed: Mapping[int, int],
    forfeits: Set[int],
) -> FieldGame:
    """
    Separate who played a game whole from everybody else with a sheet.

    Args:
        total_after: The total of a player after a number of rolls; None before their first one.
        players: Who has a sheet.
        rolls: How many rolls the game has so far.
        missed: How many rolls a player had played before the first missed one.
        forfeits: Whose sheet does not count. It is measured as if they had left at the end.
    """
    left = {each: rolls for each in players if each in forfeits}
    left |= {each: count for each, count in missed.items() if count < rolls}
    whole = {
        each: total
        for each in players
        if each not in left and (total := total_after(each, rolls)) is not None
    }
    leads = {}
    if whole:
        means = {
            count: Fraction(sum(total_after(each, count) or 0 for each in whole), len(whole))
            for count in set(left.values())
        }
        for each, count in left.items():
            # Nothing is known of who came late: their sheet began with later rolls.
            if count and (total := total_after(each, count)) is not None:
                leads[each] = total - means[count]
    return FieldGame(whole, leads)


def count_absences(
    games: Sequence[FieldGame], players: Iterable[int], rule: str
) -> list[dict[int, int]]:
    """
    Return what each game counts for everybody who did not play it whole.

    A game that no player played whole has no measure, and counts for none of them.

    Args:
        rule: `worst` or `below_mean`, as `find_fixed` counts them; `nothing` gives no score.
    """
    if rule == "nothing":
        return [{} for _ in games]
    everybody = tuple(players)
    sums = [sum(game.whole.values()) for game in games]
    worst: dict[int, Fraction | None] = {}
    counted: list[dict[int, int]] = []
    for game, total in zip(games, sums, strict=True):
        absent = [each for each in everybody if game.whole and each not in game.whole]
        fixed = find_fixed(game.whole.values(), rule) if absent else 0
        points = {}
        for player in absent:
            if player not in worst:
                worst[player] = _find_worst_lead(games, sums, player)
            leads = (worst[player], game.leads.get(player))
            mean = Fraction(total, len(game.whole))
            ceilings = (floor(mean + lead) for lead in leads if lead is not None)
            points[player] = min([fixed, *ceilings])
        counted.append(points)
    return counted


def find_fixed(results: Iterable[int], rule: str) -> int:
    """
    Return the fixed score of a game with these results; there is at least one.

    `worst` is the worst of them, `below_mean` their mean less one standard deviation, rounded down.
    """
    found = list(results)
    if rule == "worst":
        return min(found)
    count, total = len(found), sum(found)
    # The standard deviation times their number, squared: so the score is exact.
    spread = count * sum(each * each for each in found) - total * total
    root = isqrt(spread)
    rounded_up = root + (root * root < spread)
    return (total - rounded_up) // count


def list_with_place(
    players: Iterable[int], games: Iterable[Collection[int]], rolls: Sequence[int]
) -> set[int]:
    """
    Return who has a place in the ranking: half of all rolls are needed, in games played whole.

    Args:
        games: Who played each game whole; later games may be left out.
        rolls: How many rolls each game has.
    """
    played = dict.fromkeys(players, 0)
    for whole, count in zip(games, rolls, strict=False):
        for player in whole:
            played[player] += count
    return {player for player, own in played.items() if 2 * own >= sum(rolls)}


def _find_worst_lead(
    games: Sequence[FieldGame], sums: Sequence[int], player: int
) -> Fraction | None:
    """Return how far a player was ahead of the mean of all others in their worst whole game."""
    leads = (
        own - Fraction(total - own, len(game.whole) - 1)
        for game, total in zip(games, sums, strict=True)
        if (own := game.whole.get(player)) is not None and len(game.whole) > 1
    )
    return min(leads, default=None)


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
