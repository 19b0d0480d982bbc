# SPDX-License-Identifier: MIT
"""Read dice, times and the records of the whole table from the index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from controller.fairness.verdict import describe_verdict, judge_dice
from controller.history.game_queries import describe_variant, get_title
from controller.history.people import People
from controller.history.statistics_views import DiceStatistics, TableStatistics, VariantRecord
from controller.languages.message import Message

_Faces = tuple[int, int, int, int, int, int]

NO_DICE = DiceStatistics(0, 0, (0, 0, 0, 0, 0, 0), {}, {}, 0, 1.0, judge_dice((0,) * 6), (), {})
EMPTY_TABLE = TableStatistics({}, 0, 0, (), NO_DICE, None)


def count_dice(db: sqlite3.Connection, looks: Sequence[str] = ()) -> DiceStatistics:
    """Return the dice that a person threw, or everybody without looks."""
    of_player = ""
    if looks:
        marks = ", ".join("?" * len(looks))
        of_player = f" JOIN seats USING (number, seat) WHERE look IN ({marks})"
    colours = db.execute(
        "SELECT colour, SUM(f1), SUM(f2), SUM(f3), SUM(f4), SUM(f5), SUM(f6)"
        f" FROM faces{of_player} GROUP BY colour",
        looks,
    ).fetchall()
    colours.sort(key=lambda row: -sum(row[1:]))
    rows = db.execute(
        f"SELECT dice, sum, SUM(times) FROM sums{of_player} GROUP BY dice, sum ORDER BY dice, sum",
        looks,
    ).fetchall()
    faces = _add_faces([row[1:] for row in colours])
    hands = db.execute(
        f"SELECT dice, SUM(throws), SUM(pairs), SUM(unsure) FROM hands{of_player} GROUP BY dice",
        looks,
    ).fetchall()
    unsure = sum(row[0] * row[3] for row in hands)
    by_colour = {row[0]: _add_faces([row[1:]]) for row in colours}
    verdict = judge_dice(faces, unsure, {row[0]: (row[1], row[2]) for row in hands})
    return DiceStatistics(
        rolls=sum(row[2] for row in rows),
        dice=sum(faces),
        faces=faces,
        by_colour=by_colour,
        sums=_fill_sums(rows),
        unsure=unsure,
        chance=verdict.chance,
        verdict=verdict,
        said=describe_verdict(verdict, faces, unsure),
        said_by_colour=_judge_colours(by_colour) if len(by_colour) > 1 else {},
    )


def read_table(db: sqlite3.Connection, people: People) -> TableStatistics:
    """Return everything about the table."""
    rows = db.execute("SELECT status, COUNT(*) FROM games GROUP BY status").fetchall()
    rolls, played_ms = db.execute("SELECT SUM(rolls), SUM(played_ms) FROM games").fetchone()
    (turns,) = db.execute("SELECT COUNT(*) FROM turns").fetchone()
    middle = db.execute(
        "SELECT ms FROM turns ORDER BY ms LIMIT 1 OFFSET ?", (max(0, turns - 1) // 2,)
    )
    return TableStatistics(
        games=dict(rows),
        rolls=rolls or 0,
        played_ms=played_ms or 0,
        records=_list_records(db, people),
        dice=count_dice(db),
        turn_ms=next((row[0] for row in middle), None),
    )


def _list_records(db: sqlite3.Connection, people: People) -> tuple[VariantRecord, ...]:
    rows = db.execute(
        "SELECT game, options, COUNT(DISTINCT number), AVG(total), MIN(counts_up)"
        " FROM seats s JOIN games g USING (number) WHERE s.counts GROUP BY game, options"
        " ORDER BY 3 DESC"
    ).fetchall()
    records = []
    for game, options, games, average, counts_up in rows:
        best = _find_best(db, people, game, options)
        alone = _find_best(db, people, game, options, is_alone=True)
        has_record = bool(counts_up) and alone is not None and alone[0] > 0
        records.append(
            VariantRecord(
                game=game,
                title=get_title(game),
                variant=describe_variant(game, json.loads(options)),
                games=games,
                average=average if counts_up else None,
                best=best[0] if best and counts_up else None,
                best_player=best[1] if best and counts_up else "",
                best_game=best[2] if best and counts_up else 0,
                record=alone[0] if alone and has_record else None,
                record_player=alone[1] if alone and has_record else "",
                record_game=alone[2] if alone and has_record else 0,
            )
        )
    return tuple(records)


def _find_best(
    db: sqlite3.Connection, people: People, game: str, options: str, *, is_alone: bool = False
) -> tuple[int, str, int] | None:
    """Return the best result of a variant with its player and game; None without games."""
    alone = " AND g.seats = 1" if is_alone else ""
    row = db.execute(
        "SELECT total, name, look, number FROM seats s JOIN games g USING (number)"
        f" WHERE game = ? AND options = ? AND s.counts{alone}"
        " ORDER BY total DESC, number LIMIT 1",
        (game, options),
    ).fetchone()
    return (row[0], people.find_shown(row[1], row[2]), row[3]) if row else None


def _add_faces(rows: Sequence[Sequence[int]]) -> _Faces:
    one, two, three, four, five, six = (sum(row[face] for row in rows) for face in range(6))
    return one, two, three, four, five, six


def _judge_colours(by_colour: Mapping[str, _Faces]) -> dict[str, tuple[Message, ...]]:
    """Return what there is against the dice of single colours."""
    judged = {colour: judge_dice(faces) for colour, faces in by_colour.items()}
    return {
        colour: describe_verdict(verdict, by_colour[colour])
        for colour, verdict in judged.items()
        if verdict.is_suspect
    }


def _fill_sums(rows: Sequence[tuple[int, int, int]]) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return the sums by the number of dice, with those that never came between others."""
    counts = {(dice, total): times for dice, total, times in rows}
    return {
        dice: tuple((total, counts.get((dice, total), 0)) for total in range(dice, 6 * dice + 1))
        for dice in sorted({dice for dice, _, _ in rows})
    }
