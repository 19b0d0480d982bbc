# SPDX-License-Identifier: MIT
"""
The index of the history on the disk: `history.db`, a SQLite database.

Everything in it follows from the journal, so it may be deleted at any time. Games are written in
transactions, together with how far the journal was read, so a power cut leaves an older index and
never a wrong one. Each game has a digest, because SQLite does not notice a changed byte in a value.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.base.rebuilt_database import (
    delete_database,
    is_damage,
    list_marks,
    open_database,
    open_for_reading,
    require_schema,
)
from controller.games.decisive import is_higher_better
from controller.history.index.game_reader import OpenGame, compute_places
from controller.history.index.thrown_dice import DICE_TABLES, list_dice_rows
from controller.history.views import GameRoll, RollChoice

INDEX_FILE = "history.db"
SCHEMA = 4
BEST_ROLLS = 5

_TABLES = """
CREATE TABLE progress (entries INTEGER, bytes INTEGER, root BLOB, problem TEXT);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, game TEXT, options TEXT, status TEXT, started_ms INTEGER,
    ended_ms INTEGER, played_ms INTEGER, rolls INTEGER, winners TEXT, losers TEXT,
    marked INTEGER, fault_seq INTEGER, first_entry INTEGER, first_byte INTEGER,
    counts INTEGER, seats INTEGER, counts_up INTEGER, start TEXT, rolled BLOB
);
CREATE TABLE seats (
    number INTEGER, seat INTEGER, name TEXT, look TEXT, total INTEGER, place INTEGER,
    counts INTEGER, PRIMARY KEY (number, seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_a_person ON seats (look, number);
CREATE TABLE gains (
    number INTEGER, seat INTEGER, roll INTEGER, dice TEXT, action TEXT, gain INTEGER,
    at_ms INTEGER
);
CREATE INDEX gains_of_a_game ON gains (number, seat);
CREATE TABLE turns (number INTEGER, seat INTEGER, ms INTEGER);
CREATE INDEX turns_of_a_game ON turns (number, seat, ms);
CREATE INDEX turns_by_time ON turns (ms);
CREATE TABLE dice_sets (entry INTEGER, since_ms INTEGER, name TEXT);
CREATE TABLE faces (
    number INTEGER, seat INTEGER, dice_set TEXT, colour TEXT, f1 INTEGER, f2 INTEGER, f3 INTEGER,
    f4 INTEGER, f5 INTEGER, f6 INTEGER, lone INTEGER
);
CREATE INDEX faces_of_a_game ON faces (number, seat);
CREATE TABLE sums (number INTEGER, seat INTEGER, dice INTEGER, sum INTEGER, times INTEGER);
CREATE INDEX sums_of_a_game ON sums (number, seat);
CREATE TABLE hands (
    number INTEGER, seat INTEGER, dice_set TEXT, dice INTEGER, throws INTEGER, pairs INTEGER
);
CREATE INDEX hands_of_a_game ON hands (number, seat);
CREATE TABLE repeats (
    number INTEGER, seat INTEGER, dice_set TEXT, lay TEXT, dice INTEGER, equal INTEGER,
    opposite INTEGER, PRIMARY KEY (dice_set, lay, number, seat)
) WITHOUT ROWID;
CREATE INDEX repeats_of_a_game ON repeats (number, seat);
CREATE TABLE unsure (
    number INTEGER, seat INTEGER, dice_set TEXT, dice INTEGER, untold INTEGER
);
CREATE INDEX unsure_of_a_game ON unsure (number, seat);
CREATE TABLE digests (number INTEGER PRIMARY KEY, digest TEXT);
"""
_OF_A_GAME = ("games", "seats", "gains", "turns", *DICE_TABLES)
_SETS = 0  # The number under which the digest of the sets of dice stands; games count from 1.


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """How far the journal is in the index."""

    entries: int = 0
    size: int = 0  # Their bytes, with newlines.
    root: bytes = b""  # Root of the Merkle tree over them.
    problem: str = ""  # Why the journal does not verify; empty if it does.


@dataclass(frozen=True, slots=True)
class DiceSetStart:
    """The entry by which a set of dice came to the table, its time, and the name of the set."""

    entry: int
    since_ms: int
    name: str


@dataclass(frozen=True, slots=True)
class GameStart:
    """The position of a game's first entry: its number in the journal and its byte."""

    entry: int
    byte: int


class IndexStore:
    """
    The database, for one thread at a time; `IndexStore(None)`, in memory, always opens.

    sqlite3.Error if the file is in use or the disk refuses, OSError if it cannot be replaced.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._open()

    @classmethod
    def copy(cls, path: Path) -> IndexStore:
        """Return a copy of a file in memory; an empty one if the file cannot be used."""
        store = cls(None)
        try:
            with contextlib.closing(open_for_reading(path)) as db:
                require_schema(db, _TABLES, SCHEMA)
                db.backup(store.db)
        except sqlite3.Error:
            store.clear()
        return store

    @property
    def is_replaced(self) -> bool:
        """Whether another file, or none, has the name of this one by now."""
        return self.path is not None and _identify(self.path) != self._file

    def clear(self) -> None:
        """Begin again with an empty file."""
        self.db.close()
        if self.path is not None:
            delete_database(self.path)
        self._open()

    def is_sound(self) -> bool:
        """Return whether everything in it is as written; sqlite3.Error if the disk refuses."""
        try:
            require_schema(self.db, _TABLES, SCHEMA)
            checked = self.db.execute("PRAGMA integrity_check(1)").fetchone()
            numbers = [_SETS, *(row[0] for row in self.db.execute("SELECT number FROM games"))]
            written = dict(self.db.execute("SELECT number, digest FROM digests"))
            return checked == ("ok",) and written == {each: self._digest(each) for each in numbers}
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            return False

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Write everything within or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.rollback()
            raise
        self.db.commit()

    def read_progress(self) -> ReadSoFar:
        row = self.db.execute(
            "SELECT entries, bytes, root, problem FROM progress"
            # Pages ask before the index is checked, and SQLite keeps any value in any column.
            " WHERE typeof(entries) || typeof(bytes) || typeof(problem) = 'integerintegertext'"
        ).fetchone()
        return ReadSoFar(*row) if row else ReadSoFar()

    def write_progress(self, so_far: ReadSoFar) -> None:
        self.db.execute("DELETE FROM progress")
        values = (so_far.entries, so_far.size, so_far.root, so_far.problem)
        self.db.execute("INSERT INTO progress VALUES (?, ?, ?, ?)", values)

    def read_dice_sets(self) -> list[DiceSetStart]:
        """Return the sets of dice in the order in which they came to the table."""
        rows = self.db.execute("SELECT entry, since_ms, name FROM dice_sets ORDER BY entry")
        return [DiceSetStart(*row) for row in rows]

    def write_dice_sets(self, sets: Iterable[DiceSetStart]) -> None:
        self.db.execute("DELETE FROM dice_sets")
        self._insert_many("dice_sets", [(one.entry, one.since_ms, one.name) for one in sets])
        self._write_digest(_SETS)

    def find_last_start(self) -> tuple[int, GameStart]:
        """Return the number of the last game and where it begins; 0 without games."""
        row = self.db.execute(
            "SELECT number, first_entry, first_byte FROM games ORDER BY number DESC LIMIT 1"
        ).fetchone()
        return (row[0], GameStart(row[1], row[2])) if row else (0, GameStart(0, 0))

    def delete_games(self, first: int = 0) -> None:
        """Delete this game and all after it."""
        for table in (*_OF_A_GAME, "digests"):
            self.db.execute(f"DELETE FROM {table} WHERE number >= ?", (first,))

    def write_game(self, game: OpenGame, start: GameStart) -> None:
        """Write a game in place of what is there of it."""
        for table in _OF_A_GAME:
            self.db.execute(f"DELETE FROM {table} WHERE number = ?", (game.number,))
        self._insert_game(game, start)
        self._write_digest(game.number)

    def close(self) -> None:
        self.db.close()

    def _open(self) -> None:
        self.db = open_database(self.path, _TABLES, SCHEMA)
        self._file = _identify(self.path)

    def _insert_game(self, game: OpenGame, start: GameStart) -> None:
        counts = int(game.status == "finished" and game.fault_seq < 0 and not game.has_hints)
        self._insert_many("games", [_game_row(game, start, counts)])
        places, named = compute_places(game), zip(game.players, game.list_looks(), strict=True)
        self._insert_many(
            "seats",
            [
                (
                    *(game.number, seat, name, look, game.totals[seat], places[seat]),
                    counts * (seat not in game.opponents),
                )
                for seat, (name, look) in enumerate(named)
            ],
        )
        if game.fault_seq >= 0:
            return
        self._insert_many("gains", _gain_rows(game))
        if not game.is_free:
            turns = [
                (game.number, seat, ms)
                for (_, seat), ms in game.clock.turns.items()
                if seat not in game.opponents
            ]
            self._insert_many("turns", turns)
        for table, rows in list_dice_rows(game.thrown).items():
            self._insert_many(table, [(game.number, *row) for row in rows])

    def _insert_many(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            self.db.executemany(f"INSERT INTO {table} VALUES ({list_marks(rows[0])})", rows)

    def _write_digest(self, number: int) -> None:
        self.db.execute("REPLACE INTO digests VALUES (?, ?)", (number, self._digest(number)))

    def _digest(self, number: int) -> str:
        digest = hashlib.sha256()
        for table in _OF_A_GAME if number != _SETS else ("dice_sets",):
            where, values = ("number = ?", (number,)) if number != _SETS else ("1", ())
            rows = self.db.execute(f"SELECT * FROM {table} WHERE {where}", values)
            digest.update("\n".join((table, *sorted(map(repr, rows)))).encode())
        return digest.hexdigest()


def _identify(path: Path | None) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        if path is not None:
            found = path.stat()
            return found.st_dev, found.st_ino
    return None


def _game_row(game: OpenGame, start: GameStart, counts: int) -> tuple[Any, ...]:
    number, key, options, *times, winners, losers, marked, fault_seq = list_summary(game)
    # A game without winners and losers has totals that say nothing.
    has_result = bool(winners or losers)
    return (
        *(number, key, json.dumps(options), *times),
        *(json.dumps(winners), json.dumps(losers), marked, fault_seq),
        *(start.entry, start.byte, counts, len(game.players)),
        int(has_result and is_higher_better(game.totals, winners)),
        json.dumps(game.start),
        encode_rolls(game.rolls),
    )


def list_summary(game: OpenGame) -> tuple[Any, ...]:
    """Return the first columns of a game's row, which say what a list of games shows."""
    return (
        *(game.number, game.game, game.marked_options, game.status, game.started_ms),
        *(game.ended_ms, game.clock.played_ms, len(game.rolls), game.winners, game.losers),
        # Rolls that were corrected, entered by hand or in doubt.
        sum(bool(roll.was or roll.by_hand or roll.is_doubted) for roll in game.rolls),
        game.fault_seq,
    )


def _gain_rows(game: OpenGame) -> list[tuple[Any, ...]]:
    """Return the most gaining choices of every seat, with the roll of each."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for roll in game.rolls:
        for one in roll.choices:
            if one.gain > 0:
                dice = json.dumps(roll.dice)
                row = (game.number, one.seat, roll.number, dice, one.action, one.gain, one.at_ms)
                found.setdefault(one.seat, []).append(row)
    return [
        row for rows in found.values() for row in sorted(rows, key=lambda row: -row[5])[:BEST_ROLLS]
    ]


def encode_rolls(rolls: Iterable[GameRoll]) -> bytes:
    rows = [
        [getattr(roll, name) for name in _PLAIN]
        + [[[getattr(one, name) for name in RollChoice.__slots__] for one in roll.choices]]
        for roll in rolls
    ]
    return zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 1)


def decode_rolls(data: bytes) -> tuple[GameRoll, ...]:
    """Return the rolls of `encode_rolls`."""
    return tuple(_decode_roll(row) for row in json.loads(zlib.decompress(data)))


_PLAIN = tuple(name for name in GameRoll.__slots__ if name != "choices")


def _decode_roll(row: list[Any]) -> GameRoll:
    *values, choices = row
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in zip(_PLAIN, values, strict=True)
    }
    return GameRoll(**fields, choices=tuple(RollChoice(*choice) for choice in choices))
