# SPDX-License-Identifier: MIT
"""Read the thrown dice from the index, and judge them: all together, by set, and by colour."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.base.rebuilt_database import list_marks
from controller.history.fairness.dice_names import FIRST_DICE, name_dice
from controller.history.fairness.repeat_test import Repeats
from controller.history.fairness.verdict import DiceCounts, describe_verdict, judge_dice
from controller.history.views import ColourVerdict, DiceStatistics, Faces, SetVerdict

ONE_DIE = 0.99
"""In this share of throws a colour must have exactly one die to be one; colours are misread."""

# Tables of thrown dice: by what the rows of a set are grouped, and what is added up.
_ADDED_UP = {
    "faces": ("colour", "SUM(f1), SUM(f2), SUM(f3), SUM(f4), SUM(f5), SUM(f6), SUM(lone)"),
    "hands": ("dice", "SUM(throws), SUM(pairs)"),
    "repeats": ("lay", "SUM(dice), SUM(equal), SUM(opposite)"),
    "unsure": ("''", "SUM(dice), SUM(untold)"),
}


def count_dice(
    db: sqlite3.Connection, looks: Sequence[str] = (), until_game: int = 0
) -> DiceStatistics:
    """Return the thrown dice, of all sets together and of each, by one person or everybody."""
    joined, conditions, values = "", ["1"], list[str | int](looks)
    if looks:
        joined = " JOIN seats USING (number, seat)"
        conditions.append(f"look IN ({list_marks(looks)})")
    if until_game:
        conditions.append("number <= ?")
        values.append(until_game)
    end = f"{joined} WHERE {' AND '.join(conditions)}"
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    everything = _Tally()
    for table, (group, added) in _ADDED_UP.items():
        rows = db.execute(
            f"SELECT dice_set, {group}, {added} FROM {table}{end} GROUP BY dice_set, {group}",
            values,
        )
        for dice_set, key, *numbers in rows:
            for tally in (tallies[dice_set], everything):
                tally.add(table, key, numbers)
    sums = db.execute(
        f"SELECT dice, sum, SUM(times) FROM sums{end} GROUP BY dice, sum ORDER BY dice, sum", values
    ).fetchall()
    counted = everything.build_counts()
    sets = _judge_sets(db, tallies)
    verdict = sets[0].verdict if len(sets) == 1 else judge_dice(counted)
    return DiceStatistics(
        rolls=sum(row[2] for row in sums),
        dice=sum(counted.faces),
        faces=everything.faces,
        by_colour=dict(everything.list_colours()),
        sums=_fill_sums(sums),
        unsure=counted.unsure,
        untold=counted.untold,
        chance=verdict.chance,
        verdict=verdict,
        said=describe_verdict(verdict, counted),
        sets=sets,
    )


@dataclass(slots=True)
class _Tally:
    """What is added up of the throws of some dice; the last number of a colour is `lone`."""

    colours: dict[str, list[int]] = field(default_factory=dict)
    hands: dict[int, list[int]] = field(default_factory=dict)
    repeats: dict[str, list[int]] = field(default_factory=dict)
    unsure: dict[str, list[int]] = field(default_factory=dict)

    def add(self, table: str, key: str | int, numbers: Sequence[int]) -> None:
        of_table: dict[str | int, list[int]] = getattr(
            self, "colours" if table == "faces" else table
        )
        before = of_table.get(key, [0] * len(numbers))
        of_table[key] = [one + more for one, more in zip(before, numbers, strict=True)]

    @property
    def faces(self) -> Faces:
        return _to_faces([sum(column) for column in zip(*self.colours.values(), strict=True)])

    def list_colours(self) -> list[tuple[str, Faces]]:
        """Return the thrown faces of each colour, the most frequent first."""
        found = [(colour, _to_faces(row)) for colour, row in self.colours.items() if any(row[:6])]
        return sorted(found, key=lambda one: -sum(one[1]))

    def is_one_die(self, colour: str) -> bool:
        """Return whether as good as every throw has exactly one die of this colour."""
        throws = sum(row[0] for row in self.hands.values())
        return bool(colour) and self.colours[colour][6] >= ONE_DIE * throws

    def build_counts(self) -> DiceCounts:
        unsure, untold = self.unsure.get("", (0, 0))
        return DiceCounts(
            faces=self.faces,
            unsure=unsure,
            untold=untold,
            pairs={dice: (throws, pairs) for dice, (throws, pairs) in self.hands.items()},
            repeats={tuple(map(int, lay)): Repeats(*row) for lay, row in self.repeats.items()},
        )


def _judge_sets(db: sqlite3.Connection, tallies: dict[str, _Tally]) -> tuple[SetVerdict, ...]:
    """Return the verdict on each set, the one on the table first, then the newest."""
    since = dict(db.execute("SELECT name, since_ms FROM dice_sets ORDER BY entry"))
    current = next(
        (row[0] for row in db.execute("SELECT name FROM dice_sets ORDER BY entry DESC LIMIT 1")), ""
    )
    # The dictionary has the order of first use; the times are those of the last one.
    names = sorted({*tallies, current}, key=lambda name: (name == current, since.get(name, 0)))
    return tuple(
        _judge_set(
            name, tallies.get(name, _Tally()), since.get(name, 0), is_current=name == current
        )
        for name in reversed(names)
    )


def _judge_set(name: str, tally: _Tally, since_ms: int, *, is_current: bool) -> SetVerdict:
    counted = tally.build_counts()
    verdict = judge_dice(counted)
    colours = tally.list_colours()
    return SetVerdict(
        name=name,
        label=name or FIRST_DICE,
        since_ms=since_ms,
        is_current=is_current,
        faces=tally.faces,
        unsure=counted.unsure,
        untold=counted.untold,
        verdict=verdict,
        said=describe_verdict(verdict, counted),
        colours=tuple(_judge_colour(tally, colour) for colour, _ in colours)
        if len(colours) > 1
        else (),
    )


def _judge_colour(tally: _Tally, colour: str) -> ColourVerdict:
    """Judge the dice of a colour; unsure ones may have had any colour."""
    faces = _to_faces(tally.colours[colour])
    unsure, untold = tally.unsure.get("", (0, 0))
    counted = DiceCounts(faces, unsure, untold)
    verdict = judge_dice(counted)
    is_one_die = tally.is_one_die(colour)
    return ColourVerdict(
        colour=colour,
        label=name_dice(colour, is_one_die=is_one_die),
        is_one_die=is_one_die,
        faces=faces,
        verdict=verdict,
        said=describe_verdict(verdict, counted, is_one_die=is_one_die),
    )


def _to_faces(row: Sequence[int]) -> Faces:
    one, two, three, four, five, six = row[:6] or (0,) * 6
    return one, two, three, four, five, six


def _fill_sums(rows: Sequence[tuple[int, int, int]]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the sums by the number of dice, with those that never came between others."""
    counts = {(dice, total): times for dice, total, times in rows}
    return {
        dice: tuple((total, counts.get((dice, total), 0)) for total in range(dice, 6 * dice + 1))
        for dice in sorted({dice for dice, _, _ in rows})
    }
