# SPDX-License-Identifier: MIT
"""
Measure whether somebody gains by not playing: duplicate events with one player who is absent.

The sheets are real games of Choice. Every sequence of rolls is played by several players of each
strength, who choose by the values of the coach as opponents of the table do, or at random. Events
draw their games from these sequences. Each event is counted twice, with the player present and
absent, by the rule that counts real events; the difference is what the absence gained.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from statistics import fmean
from typing import ClassVar

from controller.cli.arguments import whole_number_type
from controller.cli.bench_reader.benchmark import Benchmark, Metric, option
from controller.coach.choice.coach import load_choice_coach
from controller.tournament.standings.absence import count_absences, list_with_place, measure_game
from controller.tournament.standings.match_points import MILLION, sum_shares
from controller.tournament.state.duplicate import solo
from tests.bench.played_games import Chooser, GradedPlayer, Mean, RandomPlayer

SEED = 1
GAMES = 6
DICE = 5
RULES = ("worst", "below_mean")
SURE = 4.0
"""A gain is one if it is more than so many standard errors: hundreds are looked at."""

Totals = tuple[int, ...]
"""What a sheet counts after each roll, until it is finished."""
Sheets = Mapping[str, Sequence[Totals]]
"""The sheets of a sequence of rolls, by the strength of who played them."""


@dataclass(frozen=True, slots=True)
class Absence:
    """How a player did not play a game whole: left it before a roll, or forfeited it at its end."""

    missed: int | None  # How many rolls they had played; None for a forfeit.


Game = Sequence[Totals]
"""The sheets of a game; the first one is of the player who may be absent."""


Leave = Callable[[Sequence[Game]], list[Absence | None]]
"""Decides which games of an event the first player misses rolls of."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an event brought a player."""

    points: float
    places: float  # Places before the last one; shared ones count their middle.
    share: float  # Share of the field beaten, in per cent.
    has_place: bool


SHEETS: Mapping[str, int] = {"strong": 8, "casual": 4, "beginner": 3, "random": 2}
"""How many sheets of a sequence each strength plays."""
STRENGTHS = tuple(SHEETS)
FIELDS: Mapping[str, Sequence[str]] = {
    "mixed field": ("strong", "strong", "casual", "casual", "casual", "beginner", "beginner"),
    "strong field": ("strong",) * 7,
    "one opponent": ("casual",),
}
"""The strengths of the others."""
UNITS = ("points", "places", "share")
ERROR = ", standard error"


@dataclass(frozen=True, kw_only=True)
class Absences(Benchmark):
    """Count duplicate events with a player who leaves, pauses, misses rolls or forfeits, and
    without; what that gained in points, places, and per cent of the field beaten."""

    name: ClassVar[str] = "absence"
    events: int = option(2000, "events (%(default)s)", whole_number_type(2))
    sequences: int = option(
        60, "sequences of rolls that games are drawn from (%(default)s)", whole_number_type(GAMES)
    )

    def measure(self) -> Iterator[Metric]:
        pool = play_sequences(self.sequences)
        yield Metric("events", self.events)
        yield Metric("games of each", GAMES)
        yield Metric("sequences of rolls", len(pool))
        for strength in STRENGTHS:
            ends = [sheet[-1] for each in pool for sheet in each[strength]]
            yield Metric(f"points of a whole game, {strength}", round(fmean(ends)))
        for rule, others, strength in product(RULES, FIELDS, STRENGTHS):
            for way, gains in self._count_gains(pool, rule, others, strength).items():
                for unit, mean in list_means(gains):
                    name = name_gain(rule, others, strength, way, unit)
                    yield Metric(name, round(mean.value, 3), most=round(SURE * mean.error, 3))
                    yield Metric(f"{name}{ERROR}", round(mean.error, 3))

    def run(self, *, as_json: bool) -> int:
        """Measure and print, gains as tables for people; return the exit status."""
        if as_json:
            return super().run(as_json=True)
        metrics = list(self.measure())
        values = {each.name: each.value for each in metrics}
        sys.stdout.write("".join(_list_lines(values)))
        failures = [failure for each in metrics if (failure := each.find_failure())]
        sys.stderr.write("".join(f"failed: {each}\n" for each in failures))
        return int(bool(failures))

    def _count_gains(
        self, pool: Sequence[Sheets], rule: str, others: str, strength: str
    ) -> dict[str, list[Outcome]]:
        """Return what each way of being absent gained in each event."""
        gains: dict[str, list[Outcome]] = {way: [] for way in WAYS}
        for number in range(self.events):
            chance = random.Random(f"{SEED} {others} {strength} {number}")
            games = draw_games(pool, (strength, *FIELDS[others]), chance)
            present = count_event(games, [None] * GAMES, rule)
            for way, leave in WAYS.items():
                gains[way].append(subtract(count_event(games, leave(games), rule), present))
        return gains


def name_gain(*parts: str) -> str:
    return "gain, " + ", ".join(parts)


def _list_lines(values: Mapping[str, float]) -> Iterator[str]:
    for name, value in values.items():
        if not name.startswith("gain"):
            yield f"{name:34}{value:9,}\n"
    for rule, others, unit in product(RULES, FIELDS, UNITS):
        heads = "".join(f"{each:>17}" for each in STRENGTHS)
        yield f"\n{f'{rule}, {others}: {unit}':34}{heads}\n"
        for way in WAYS:
            names = (name_gain(rule, others, each, way, unit) for each in STRENGTHS)
            cells = "".join(f"{_format_gain(values, name):>17}" for name in names)
            yield f"{way:34}{cells}\n"


def _format_gain(values: Mapping[str, float], name: str) -> str:
    if name not in values:
        return "no place"
    digits = 0 if name.endswith("points") else 2
    return f"{values[name]:.{digits}f} ±{values[f'{name}{ERROR}']:.{digits}f}"


def play_sequences(count: int) -> list[Sheets]:
    """Return the sheets of each strength for this many sequences of rolls."""
    coach = load_choice_coach()
    pool: list[Sheets] = []
    for number in range(count):
        chance = random.Random(f"{SEED} {number}")
        choosers: dict[str, Chooser] = {
            "strong": GradedPlayer(coach, "strong", chance),
            "casual": GradedPlayer(coach, "casual", chance),
            "beginner": GradedPlayer(coach, "beginner", chance),
            "random": RandomPlayer(chance),
        }
        pool.append(
            {
                each: [play_sheet(f"{SEED} {number}", choose) for _ in range(SHEETS[each])]
                for each, choose in choosers.items()
            }
        )
    return pool


def play_sheet(seed: str, choose: Chooser) -> Totals:
    """Play the rolls that follow from a seed; return the total after each."""
    dice = random.Random(f"rolls {seed}")
    position = solo.start_sheet("choice", {"jokers": False})
    totals = []
    while not solo.is_finished(position):
        dealt = solo.give_roll(position, "".join(sorted(dice.choices("123456", k=DICE))))
        position = solo.play_action(dealt, choose(dealt, solo.PLAYER))
        totals.append(solo.count_total(position))
    return tuple(totals)


def draw_games(
    pool: Sequence[Sheets], strengths: Sequence[str], chance: random.Random
) -> list[Game]:
    """Return the games of an event; nobody has the sheet of another."""
    games: list[Game] = []
    for sheets in chance.sample(pool, GAMES):
        left = {each: chance.sample(found, len(found)) for each, found in sheets.items()}
        games.append([left[strength].pop() for strength in strengths])
    return games


def count_event(games: Sequence[Game], absences: Sequence[Absence | None], rule: str) -> Outcome:
    """Count an event by its rule; return what it brought the first player."""
    fields, rolls = [], []
    players = range(len(games[0]))
    for sheets, absence in zip(games, absences, strict=True):
        rolls.append(max(len(sheet) for sheet in (sheets[1:] if absence else sheets)))
        missed = {0: absence.missed} if absence and absence.missed is not None else {}
        forfeits = {0} if absence and absence.missed is None else set()

        def total_after(player: int, after: int, sheets: Game = sheets) -> int | None:
            return sheets[player][min(after, len(sheets[player])) - 1] if after else None

        fields.append(measure_game(total_after, players, rolls[-1], missed, forfeits))
    whole = [field.whole for field in fields]
    absent = count_absences(fields, players, rule)
    points = [sum(game.get(each, 0) for game in chain(whole, absent)) for each in players]
    shares = sum_shares(whole, players, {}, absent)
    with_place = list_with_place(players, whole, rolls)
    keys = [(each in with_place, points[each]) for each in players]
    places = sum(key < keys[0] for key in keys[1:]) + sum(key == keys[0] for key in keys[1:]) / 2
    share = 100 * shares.to_millionths(shares.scores[0]) / MILLION
    return Outcome(points[0], places, share, 0 in with_place)


MOST_LEFT = 2
"""How many games somebody leaves who chooses when to: more may cost the place."""


def leave_games(count: int, after: int) -> Leave:
    """Return the way of leaving the first games after so many rolls; 0 is also to come late."""

    def leave(games: Sequence[Game]) -> list[Absence | None]:
        return [Absence(after) if number < count else None for number in range(len(games))]

    return leave


def pause(games: Sequence[Game]) -> list[Absence | None]:
    """Miss one roll in the middle of every third game."""
    return [
        Absence(len(own) // 2) if number % 3 == 1 else None
        for number, (own, *_) in enumerate(games)
    ]


def leave_if(share: float, is_wanted: Callable[[int, Sequence[int]], bool]) -> Leave:
    """Return the way of leaving at a part of the own game, by the own total and those of others."""

    def leave(games: Sequence[Game]) -> list[Absence | None]:
        absences: list[Absence | None] = [None] * len(games)
        for number, (own, *others) in enumerate(games):
            after = min(round(share * len(own)), len(own) - 1)
            totals = [sheet[min(after, len(sheet)) - 1] for sheet in others]
            left = sum(map(bool, absences))
            if left < MOST_LEFT and is_wanted(own[after - 1], totals):
                absences[number] = Absence(after)
        return absences

    return leave


def leave_each_at_half(games: Sequence[Game]) -> list[Absence | None]:
    """Leave every game once more than half of its rolls are played, so that none is whole."""
    return [Absence(min(max(map(len, sheets)) // 2 + 1, len(sheets[0]) - 1)) for sheets in games]


def forfeit_worst(games: Sequence[Game]) -> list[Absence | None]:
    """Ask after the last game to forfeit the one that was worst against the others."""

    def lead(game: Game) -> float:
        own, *others = (sheet[-1] for sheet in game)
        return own - fmean(others)

    worst = min(games, key=lead)
    return [Absence(None) if each is worst else None for each in games]


WAYS: Mapping[str, Leave] = {
    "late for the first game": leave_games(1, 0),
    "two games not played": leave_games(2, 0),
    "no game played": leave_games(GAMES, 0),
    "one roll of each game": leave_games(GAMES, 1),
    "one roll of two games": leave_games(2, 1),
    "a roll of two games missed": pause,
    "each game left at half": leave_each_at_half,
    "left at half when behind": leave_if(0.5, lambda own, others: own < fmean(others)),
    "left at half when far behind": leave_if(0.5, lambda own, others: own < fmean(others) - 150),
    "left near the end when behind": leave_if(0.85, lambda own, others: own < fmean(others)),
    "left before the end when last": leave_if(1.0, lambda own, others: own < min(others)),
    "left at half when ahead": leave_if(0.5, lambda own, others: own > fmean(others)),
    "worst game forfeited": forfeit_worst,
}


def subtract(absent: Outcome, present: Outcome) -> Outcome:
    """Return what it gained to be absent."""
    return Outcome(
        absent.points - present.points,
        absent.places - present.places,
        absent.share - present.share,
        absent.has_place,
    )


def list_means(gains: Sequence[Outcome]) -> Iterator[tuple[str, Mean]]:
    """Yield mean gains by their unit; without a place, points and a share are worth nothing."""
    placed = [gain for gain in gains if gain.has_place]
    if len(placed) > 1:
        yield "points", Mean.of([gain.points for gain in placed])
        yield "share", Mean.of([gain.share for gain in placed])
    yield "places", Mean.of([gain.places for gain in gains])
