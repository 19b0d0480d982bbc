# SPDX-License-Identifier: MIT
"""Read players, their records, their games against each other and their dice from the index."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any, TypeAlias

from controller.base.rebuilt_database import list_marks
from controller.history import views
from controller.history.dice_counts import count_dice
from controller.history.fairness.verdict import DiceCounts, judge_dice
from controller.history.game_queries import describe_variant, get_title
from controller.history.index.game_reader import OPPONENTS
from controller.history.index.store import BEST_ROLLS
from controller.history.people import People

_Looks = tuple[str, ...]

_Top: TypeAlias = tuple[int | None, str, int]
NO_RESULT: _Top = (None, "", 0)


@dataclass(slots=True)
class _VariantGames:
    """One player's finished games of one variant, and what they made of their rolls there."""

    results: list[tuple[int, int]] = field(default_factory=list)
    alone: list[tuple[int, int]] = field(default_factory=list)
    games: int = 0
    wins: int = 0
    counts_up: bool = True
    best: list[views.BestRoll] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)


def list_players(db: sqlite3.Connection, people: People) -> tuple[views.PlayerEntry, ...]:
    """Return all players, the one with the newest game first."""
    rows = db.execute(
        "SELECT look, COUNT(*), SUM(s.counts), SUM(s.counts AND g.seats > 1 AND place = 1"
        " AND json_extract(options, ?) IS NULL), MAX(started_ms), MAX(number)"
        " FROM seats s JOIN games g USING (number) GROUP BY look",
        (f"$.{OPPONENTS}",),
    ).fetchall()
    by_look = {look: counts for look, *counts in rows}
    entries = [
        (max(by_look[look][4] for look in looks), _add_up(shown, [by_look[one] for one in looks]))
        for shown, looks in people.list_shown()
    ]
    return tuple(entry for _, entry in sorted(entries, key=lambda pair: -pair[0]))


def read_player(db: sqlite3.Connection, people: People, name: str) -> views.PlayerStatistics | None:
    """Return everything about a player; None if screens show no such name."""
    looks = people.find_looks(name)
    if not looks:
        return None
    shown = next(entry for entry, own in people.list_shown() if own == looks)
    entry = next(entry for entry in list_players(db, people) if entry.name == shown)
    variants = _read_variants(db, looks)
    turns = sorted(ms for games in variants.values() for ms in games.turns)
    (first_ms,) = db.execute(
        "SELECT MIN(started_ms) FROM seats JOIN games USING (number)"
        f" WHERE look IN ({list_marks(looks)})",
        looks,
    ).fetchone()
    return views.PlayerStatistics(
        entry=entry,
        first_ms=first_ms,
        variants=tuple(
            _describe_games(key, games)
            for key, games in sorted(variants.items(), key=lambda one: -len(one[1].results))
            if games.results
        ),
        opponents=_list_opponents(db, people, shown, looks),
        dice=count_dice(db, looks),
        turn_ms=median_low(turns) if turns else None,
        turns=len(turns),
    )


def compare_players(
    db: sqlite3.Connection, people: People, player: str, opponent: str
) -> views.HeadToHead | None:
    """Return the games of two players against each other; None if either is unknown."""
    looks, others = people.find_looks(player), people.find_looks(opponent)
    if not looks or not others:
        return None
    shown = {own: name for name, own in people.list_shown()}
    pairs = [row[1:] for row in _read_pairs(db, looks) if row[0] in others]
    return _compare(shown[looks], shown[others], pairs)


def _add_up(shown: str, rows: Sequence[Sequence[int]]) -> views.PlayerEntry:
    games, finished, wins = (sum(row[column] for row in rows) for column in range(3))
    return views.PlayerEntry(shown, games, finished, wins, max(row[3] for row in rows))


def _read_variants(db: sqlite3.Connection, looks: _Looks) -> dict[tuple[str, str], _VariantGames]:
    of_player = f"look IN ({list_marks(looks)})"
    variants: dict[tuple[str, str], _VariantGames] = {}
    games = db.execute(
        "SELECT game, options, number, total, place, g.seats, counts_up FROM seats s"
        f" JOIN games g USING (number) WHERE {of_player} AND s.counts ORDER BY number",
        looks,
    )
    for game, options, number, total, place, seats, counts_up in games:
        found = variants.setdefault((game, options), _VariantGames())
        found.results.append((number, total))
        found.counts_up = found.counts_up and bool(counts_up)
        if seats == 1:
            found.alone.append((number, total))
        else:
            found.games += 1
            found.wins += place == 1
    gains = db.execute(
        "SELECT game, options, number, roll, dice, action, gain, at_ms FROM seats s"
        " JOIN games g USING (number) JOIN gains USING (number, seat)"
        f" WHERE {of_player} AND s.counts ORDER BY gain DESC, number",
        looks,
    )
    for game, options, number, roll, dice, action, gain, at_ms in gains:
        best = variants[game, options].best
        if len(best) < BEST_ROLLS:
            best.append(views.BestRoll(number, roll, tuple(json.loads(dice)), action, gain, at_ms))
    turns = db.execute(
        "SELECT game, options, ms FROM seats JOIN games USING (number)"
        f" JOIN turns USING (number, seat) WHERE {of_player}",
        looks,
    )
    for game, options, ms in turns:
        variants.setdefault((game, options), _VariantGames()).turns.append(ms)
    return variants


def _describe_games(key: tuple[str, str], games: _VariantGames) -> views.VariantStatistics:
    game, options = key
    best_game, best = _find_best(games.results)
    record_game, record = _find_best(games.alone)
    totals = [total for _, total in games.results]
    has_record = record > 0 and games.counts_up
    return views.VariantStatistics(
        game=game,
        title=get_title(game),
        variant=describe_variant(game, json.loads(options)),
        games=games.games,
        wins=games.wins,
        average=sum(totals) / len(totals) if games.counts_up else None,
        best=best if games.counts_up else None,
        best_game=best_game if games.counts_up else 0,
        alone=len(games.alone),
        record=record if has_record else None,
        record_game=record_game if has_record else 0,
        best_rolls=tuple(games.best) if games.counts_up else (),
        turn_ms=median_low(games.turns) if games.turns else None,
        results=tuple(games.results),
    )


def _find_best(results: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return max(results, key=lambda result: (result[1], -result[0]), default=(0, 0))


def _list_opponents(
    db: sqlite3.Connection, people: People, shown: str, looks: _Looks
) -> tuple[views.HeadToHead, ...]:
    names = {look: name for name, own in people.list_shown() for look in own}
    pairs: dict[str, list[Sequence[int]]] = {}
    for look, *pair in _read_pairs(db, looks):
        if look in names and names[look] != shown:
            pairs.setdefault(names[look], []).append(pair)
    compared = (_compare(shown, name, own) for name, own in pairs.items())
    return tuple(sorted(compared, key=lambda one: (-one.games, -one.last_game)))


def _read_pairs(db: sqlite3.Connection, looks: _Looks) -> list[tuple[Any, ...]]:
    """Return each opponent's look with the number of the game, the own place and theirs."""
    return db.execute(
        "SELECT o.look, s.number, s.place, o.place FROM seats s"
        " JOIN seats o ON o.number = s.number AND o.seat <> s.seat"
        f" WHERE s.look IN ({list_marks(looks)}) AND s.counts AND s.place > 0",
        looks,
    ).fetchall()


def _compare(player: str, opponent: str, pairs: Sequence[Sequence[int]]) -> views.HeadToHead:
    ahead = Counter((own > other) - (own < other) for _, own, other in pairs)
    last = max((number for number, _, _ in pairs), default=0)
    return views.HeadToHead(player, opponent, len(pairs), ahead[-1], ahead[1], ahead[0], last)


NO_DICE = views.DiceStatistics(
    0, 0, (0, 0, 0, 0, 0, 0), {}, {}, 0, 0, 1.0, judge_dice(DiceCounts((0,) * 6)), (), ()
)
EMPTY_TABLE = views.TableStatistics({}, 0, 0, (), NO_DICE, None)


def read_table(db: sqlite3.Connection, people: People) -> views.TableStatistics:
    rows = db.execute("SELECT status, COUNT(*) FROM games GROUP BY status").fetchall()
    rolls, played_ms = db.execute("SELECT SUM(rolls), SUM(played_ms) FROM games").fetchone()
    (turns,) = db.execute("SELECT COUNT(*) FROM turns").fetchone()
    middle = db.execute(
        "SELECT ms FROM turns ORDER BY ms LIMIT 1 OFFSET ?", (max(0, turns - 1) // 2,)
    )
    return views.TableStatistics(
        games=dict(rows),
        rolls=rolls or 0,
        played_ms=played_ms or 0,
        records=_list_records(db, people),
        dice=count_dice(db),
        turn_ms=next((row[0] for row in middle), None),
    )


def _list_records(db: sqlite3.Connection, people: People) -> tuple[views.VariantRecord, ...]:
    rows = db.execute(
        "SELECT game, options, COUNT(DISTINCT number), AVG(total), MIN(counts_up)"
        " FROM seats s JOIN games g USING (number) WHERE s.counts GROUP BY game, options"
        " ORDER BY 3 DESC"
    ).fetchall()
    records = []
    for game, options, games, average, counts_up in rows:
        best = record = NO_RESULT
        if counts_up:
            best = _find_top(db, people, game, options)
            record = _find_top(db, people, game, options, is_alone=True)
        variant = describe_variant(game, json.loads(options))
        mean = average if counts_up else None
        records.append(
            views.VariantRecord(game, get_title(game), variant, games, mean, *best, *record)
        )
    return tuple(records)


def _find_top(
    db: sqlite3.Connection, people: People, game: str, options: str, *, is_alone: bool = False
) -> _Top:
    """Return the best result with its player and game; alone only a positive one is a record."""
    alone = " AND g.seats = 1 AND total > 0" if is_alone else ""
    row = db.execute(
        "SELECT total, name, look, number FROM seats s JOIN games g USING (number)"
        f" WHERE game = ? AND options = ? AND s.counts{alone}"
        " ORDER BY total DESC, number LIMIT 1",
        (game, options),
    ).fetchone()
    return (row[0], people.find_shown(row[1], row[2]), row[3]) if row else NO_RESULT
