# SPDX-License-Identifier: MIT
"""Read times and the records of the whole table from the index."""

from __future__ import annotations

import json
import sqlite3

from controller.history.dice_counts import count_dice
from controller.history.fairness.verdict import DiceCounts, judge_dice
from controller.history.game_queries import describe_variant, get_title
from controller.history.people import People
from controller.history.views import DiceStatistics, TableStatistics, VariantRecord

NO_DICE = DiceStatistics(
    0, 0, (0, 0, 0, 0, 0, 0), {}, {}, 0, 0, 1.0, judge_dice(DiceCounts((0,) * 6)), (), ()
)
EMPTY_TABLE = TableStatistics({}, 0, 0, (), NO_DICE, None)


def read_table(db: sqlite3.Connection, people: People) -> TableStatistics:
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
    alone = " AND g.seats = 1" if is_alone else ""
    row = db.execute(
        "SELECT total, name, look, number FROM seats s JOIN games g USING (number)"
        f" WHERE game = ? AND options = ? AND s.counts{alone}"
        " ORDER BY total DESC, number LIMIT 1",
        (game, options),
    ).fetchone()
    return (row[0], people.find_shown(row[1], row[2]), row[3]) if row else None
