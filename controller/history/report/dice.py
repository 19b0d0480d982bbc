# SPDX-License-Identifier: MIT
"""
What the throws of a table say about the dice of a game in a report.

Every throw up to the end of that game counts and none after it, so a report says the same however
far the journal has grown.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.history.dice_counts import count_dice
from controller.history.index.journal_index import HistoryIndex
from controller.history.views import SetVerdict


@dataclass(frozen=True, slots=True)
class DiceLine:
    """What is said of some dice; `label` names them, and is empty if there are no others."""

    label: str
    said: tuple[str, ...]


def build_dice_report(folder: Path, number: int) -> tuple[DiceLine, ...]:
    """Return what is said of the dice thrown in a game; slower in a folder without an index."""
    index = HistoryIndex(folder, in_memory=True)
    try:
        index.catch_up()
        db = index.store.db
        of_game = {
            row[0] for row in db.execute("SELECT dice_set FROM faces WHERE number = ?", (number,))
        }
        sets = count_dice(db, until_game=number).sets
    except (sqlite3.Error, OSError):
        # A report is useful without this part.
        return ()
    finally:
        index.close()
    return tuple(line for one in sets if one.name in of_game for line in _list_lines(one))


def _list_lines(dice_set: SetVerdict) -> Iterator[DiceLine]:
    yield DiceLine(dice_set.label if dice_set.name else "", dice_set.said)
    for colour in dice_set.colours:
        if colour.verdict.is_suspect or colour.is_one_die:
            yield DiceLine(colour.label, colour.said)
