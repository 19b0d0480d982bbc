# SPDX-License-Identifier: MIT
"""The tables of an event: their numbers, their keys, and what their journals say."""

from __future__ import annotations

from dataclasses import dataclass

from controller.tournament.entries.fields import Source
from controller.tournament.state.box_lines import BoxLines, ThrownRoll


@dataclass(slots=True)
class EnrolledTable:
    box: str  # The key that it signs with, which names it.
    number: int  # Its number in draws.
    name: str
    # Another key that it showed, and that no official has accepted; empty without.
    new_key: str = ""


class Boxes:
    """All tables. A table that has got another key is known by its earlier keys too."""

    def __init__(self) -> None:
        self._tables: dict[str, EnrolledTable] = {}
        self._lines: dict[str, BoxLines] = {}

    def list_tables(self) -> tuple[EnrolledTable, ...]:
        """Return the tables in the order of their numbers."""
        tables = {id(table): table for table in self._tables.values()}
        return tuple(sorted(tables.values(), key=lambda table: table.number))

    def list_keys(self) -> tuple[str, ...]:
        """Return every key that a table has or had."""
        return tuple(self._tables)

    def find(self, box: str) -> EnrolledTable | None:
        """Return the table that has or had this key."""
        return self._tables.get(box)

    def is_still(self, box: str) -> bool:
        """Return whether nothing that a table sends counts: unknown, or with another key."""
        table = self._tables.get(box)
        return table is None or table.new_key != "" or table.box != box

    def is_same(self, one: str, other: str) -> bool:
        """Return whether two keys are those of one table."""
        table = self._tables.get(one)
        return table is not None and table is self._tables.get(other)

    def add(self, box: str, number: int, name: str) -> None:
        """Enrol a table, or rename it; 0 is the number it has, or the next free one."""
        known = self._tables.get(box)
        if known is not None:
            known.name, known.number = name, number or known.number
            return
        numbers = {table.number for table in self._tables.values()}
        free = next(each for each in range(1, len(numbers) + 2) if each not in numbers)
        self._tables[box] = EnrolledTable(box, number or free, name)

    def show_key(self, box: str, key: str) -> None:
        """Record that a table signs with another key; its own key again ends that."""
        table = self._tables[box]
        table.new_key = "" if key == table.box else key

    def accept_key(self, box: str, key: str) -> None:
        table = self._tables[box]
        table.box, table.new_key = key, ""
        self._tables[key] = table

    def lines_of(self, box: str) -> BoxLines:
        """Return what the journal of a table says, enrolled or not: their order is free."""
        return self._lines.setdefault(box, BoxLines(box))

    def list_lines(self) -> tuple[tuple[str, BoxLines], ...]:
        """Return what every enrolled table's journal says, by its key."""
        return tuple((box, lines) for box, lines in self._lines.items() if box in self._tables)

    def find_roll(self, source: Source) -> ThrownRoll | None:
        """Return the roll that a source names; None if it has not come or is not in memory."""
        lines = self._lines.get(source.box)
        roll = lines.find_roll(source.seq) if lines else None
        return roll if roll and roll.source == source else None

    def find_picture(self, source: Source) -> str:
        """Return the digest of a roll's picture; empty without one, or if it is not in memory."""
        roll = self.find_roll(source)
        return roll.picture if roll else ""
