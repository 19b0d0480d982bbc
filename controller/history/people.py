# SPDX-License-Identifier: MIT
"""
Who is who: the looks of names in the journal, and the people whom screens show.

A person has one look or, after a rename to another person's name, several.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from controller.games.player_names import compute_look
from controller.history.name_book import ShownNames


def list_looks(players: tuple[str, ...]) -> list[str]:
    """Return the look of each name; two that look the same in one game stay two people."""
    looks = Counter(compute_look(name) for name in players)
    return [
        look if looks[look := compute_look(name)] == 1 else f"{look}\n{name}" for name in players
    ]


@dataclass(frozen=True, slots=True)
class Person:
    look: str  # Of the name in the journal.
    name: str  # Its newest spelling there.
    shown: str  # As screens show it; empty if the person is forgotten.
    games: int


class People:
    """All people of an index, with the names that screens show."""

    def __init__(self, rows: Iterable[tuple[str, str, int]], names: ShownNames) -> None:
        self.all = tuple(
            Person(look, name, names.find_name(name, look), games) for look, name, games in rows
        )
        self._names = names
        self._looks: dict[str, list[str]] = {}
        self._shown: dict[str, str] = {}
        for person in self.all:
            if person.shown:
                key = compute_look(person.shown) if "\n" not in person.look else person.look
                self._looks.setdefault(key, []).append(person.look)
                self._shown.setdefault(key, person.shown)

    @classmethod
    def read(cls, db: sqlite3.Connection, names: ShownNames) -> People:
        """Read everybody from an index, the one with the newest game first."""
        rows = db.execute(
            # SQLite takes `name` from the row with the greatest number.
            "SELECT look, name, COUNT(*), MAX(number) AS newest FROM seats"
            " WHERE look <> '' GROUP BY look"
            " ORDER BY newest DESC, seat"
        )
        return cls([(look, name, games) for look, name, games, _ in rows], names)

    def find_shown(self, name: str, look: str) -> str:
        """Return what screens show for a seat; empty for a forgotten person."""
        return self._names.find_name(name, look)

    def find_looks(self, shown: str) -> tuple[str, ...]:
        """Return the looks of the person whom screens show under this name."""
        return tuple(self._looks.get(compute_look(shown), ()))

    def list_shown(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return every shown name with its looks, the newest game first."""
        return tuple((self._shown[key], tuple(looks)) for key, looks in self._looks.items())

    def find_in_journal(self, name: str) -> Person | None:
        """Return the person with this name in the journal; None if there is none."""
        look = compute_look(name)
        return next((person for person in self.all if person.look == look), None)
