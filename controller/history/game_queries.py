# SPDX-License-Identifier: MIT
"""Read games from the index, and describe them as the pages show them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from controller.base.languages.message import chain_messages, message
from controller.base.rebuilt_database import list_marks
from controller.games import GAMES
from controller.games.contract import Option
from controller.games.decisive import find_decisive
from controller.games.wording import describe_option
from controller.history import views
from controller.history.index.game_reader import HINTS, OPPONENTS, OpenGame, compute_places
from controller.history.index.store import decode_rolls, list_summary
from controller.history.people import People

LARGEST_NUMBER = (1 << 63) - 1  # The largest number that SQLite compares.

_COLUMNS = (
    "number, game, options, status, started_ms, ended_ms, played_ms, rolls, winners, losers,"
    " marked, fault_seq"
)


def get_title(game: str) -> str:
    return GAMES[game].title if game in GAMES else game


def describe_variant(game: str, options: Mapping[str, Option]) -> str:
    """Return the options of a game in words; empty if it has none."""
    rules = GAMES[game].options if game in GAMES else {}
    parts: list[str] = [
        describe_option(rules[name].label, value)
        for name, value in options.items()
        if name in rules
    ]
    if options.get(OPPONENTS):
        parts.append(message("with opponents of the table"))
    if options.get(HINTS):
        parts.append(message("training"))
    return chain_messages(parts, ", ") if parts else ""


def list_games(
    db: sqlite3.Connection, people: People, wanted: views.GameFilter, *, offset: int, limit: int
) -> tuple[tuple[views.GameSummary, ...], int]:
    """Return a part of the wanted games, the newest first, and the number of all of them."""
    terms, values = ["1"], list[Any]()
    if wanted.player:
        looks = people.find_looks(wanted.player)
        terms.append(f"number IN (SELECT number FROM seats WHERE look IN ({list_marks(looks)}))")
        values += looks
    for column, value in (("game", wanted.game), ("status", wanted.status)):
        if value:
            terms.append(f"{column} = ?")
            values.append(value)
    where = " AND ".join(terms)
    (count,) = db.execute(f"SELECT COUNT(*) FROM games WHERE {where}", values).fetchone()
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM games WHERE {where} ORDER BY number DESC LIMIT ? OFFSET ?",
        (*values, limit, offset),
    ).fetchall()
    return _summarize_rows(db, people, rows), count


def find_game(db: sqlite3.Connection, people: People, number: int) -> views.GameSummary | None:
    row = _find_row(db, _COLUMNS, number)
    return next(iter(_summarize_rows(db, people, [row] if row else [])), None)


def read_rolls(db: sqlite3.Connection, people: People, number: int) -> views.GameRolls | None:
    """Return a game roll by roll; None if there is none."""
    summary = find_game(db, people, number)
    row = _find_row(db, "start, rolled", number)
    if summary is None or row is None:
        return None
    return _build_rolls(summary, tuple(json.loads(row[0])), decode_rolls(row[1]))


def read_open_rolls(game: OpenGame, people: People) -> views.GameRolls:
    """Return the last game roll by roll, as far as the journal goes."""
    return _build_rolls(summarize_open(game, people), game.start, tuple(game.rolls))


def summarize_open(game: OpenGame, people: People) -> views.GameSummary:
    """Return the last game, as far as the journal goes."""
    places = compute_places(game)
    looks = game.list_looks()
    seats = zip(game.players, looks, game.totals, places, strict=True)
    return _build_summary(people, list_summary(game), seats)


def _build_rolls(
    summary: views.GameSummary, start: tuple[int, ...], rolls: tuple[views.GameRoll, ...]
) -> views.GameRolls:
    curve = [roll.totals for roll in rolls]
    decisive = find_decisive(curve, summary.winners, summary.losers)
    return views.GameRolls(summary, start, rolls, decisive)


def _summarize_rows(
    db: sqlite3.Connection, people: People, rows: Iterable[tuple[Any, ...]]
) -> tuple[views.GameSummary, ...]:
    rows = tuple(rows)
    numbers = [row[0] for row in rows]
    seats: dict[int, list[tuple[str, str, int, int]]] = {}
    found = db.execute(
        "SELECT number, name, look, total, place FROM seats"
        f" WHERE number IN ({list_marks(numbers)}) ORDER BY number, seat",
        numbers,
    )
    for number, *seat in found:
        seats.setdefault(number, []).append((seat[0], seat[1], seat[2], seat[3]))
    parsed = (
        (*row[:2], json.loads(row[2]), *row[3:8], *map(json.loads, row[8:10]), *row[10:])
        for row in rows
    )
    return tuple(_build_summary(people, row, seats.get(row[0], ())) for row in parsed)


def _build_summary(
    people: People, row: tuple[Any, ...], seats: Iterable[tuple[str, str, int, int]]
) -> views.GameSummary:
    number, game, options, status, started_ms, ended_ms, played_ms, rolls = row[:8]
    winners, losers, marked, fault_seq = row[8:]
    known: views.GameStatus = status
    return views.GameSummary(
        number=number,
        game=game,
        title=get_title(game),
        variant=describe_variant(game, options),
        options={key: value for key, value in options.items() if key not in (OPPONENTS, HINTS)},
        has_hints=bool(options.get(HINTS)),
        players=tuple(
            _build_seat(people, number, *seat) for number, seat in enumerate(seats, start=1)
        ),
        status=known,
        started_ms=started_ms,
        ended_ms=ended_ms,
        played_ms=played_ms,
        rolls=rolls,
        winners=tuple(winners),
        losers=tuple(losers),
        marked_rolls=marked,
        problem=_describe_fault(fault_seq),
    )


def _build_seat(
    people: People, number: int, name: str, look: str, total: int, place: int
) -> views.SeatResult:
    shown = people.find_shown(name, look)
    is_forgotten = not shown
    if is_forgotten:
        shown = message("Player {number}", number=number)
    return views.SeatResult(shown, is_forgotten, total, place, is_opponent=not look)


def _describe_fault(seq: int) -> str:
    if seq < 0:
        return ""
    return message("Entry {seq} of the journal does not follow the rules.", seq=seq)


def find_first_byte(db: sqlite3.Connection, number: int) -> int | None:
    """Return the position of a game in the journal's file; None if the index has no such game."""
    row = _find_row(db, "first_byte", number)
    return int(row[0]) if row else None


def _find_row(db: sqlite3.Connection, columns: str, number: int) -> tuple[Any, ...] | None:
    """Return columns of a game; None for any number that no game has, however large."""
    if number > LARGEST_NUMBER:
        return None
    row: tuple[Any, ...] | None = db.execute(
        f"SELECT {columns} FROM games WHERE number = ?", (number,)
    ).fetchone()
    return row
