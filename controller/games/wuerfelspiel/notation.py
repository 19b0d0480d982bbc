# SPDX-License-Identifier: MIT
"""
What a player of Würfelspiel can do, and its one text form.

`chance*3` fills the cell of a row in a column; `hold 445` keeps these faces and throws the
other dice again. Kept faces are in ascending order and equal dice are the same, so every hold
has one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.dice import Roll, roll_text
from controller.games.wuerfelspiel.sheet import COLUMNS, ROWS

DICE_COUNT = 5

_HOLD = "hold"
_HOLD_TEXT = re.compile(r"hold(?: ([1-6]{1,4}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the sheet: the key of its row, and its column from 1."""

    row: str
    column: int


def cell_text(cell: Cell) -> str:
    """Write the filling of a cell in notation, such as `chance*3`."""
    return f"{cell.row}*{cell.column}"


CELLS: Mapping[str, Cell] = {
    cell_text(cell): cell
    for cell in (Cell(row, column) for row in ROWS for column in range(1, COLUMNS + 1))
}
"""Every cell by its text, in the order of the sheet: the top row from the left, then the next."""


def parse_cell(text: str) -> Cell:
    """Read which cell is filled, in its one form; otherwise InputError."""
    if text not in CELLS:
        raise InputError(expected=message("a cell such as chance*3"), found=repr(text))
    return CELLS[text]


def hold_text(kept: Iterable[int]) -> str:
    """Write which faces are kept, fewer than five in any order, such as `hold 445`."""
    faces = roll_text(kept)
    return f"{_HOLD} {faces}" if faces else _HOLD


def parse_hold(text: str) -> Roll:
    """Read which faces are kept, smallest first; InputError for all five or other writing."""
    match = _HOLD_TEXT.fullmatch(text)
    kept = tuple(int(sign) for sign in match[1] or "") if match else ()
    if hold_text(kept) != text:
        expected = message("a hold such as hold 445, the smaller faces first")
        raise InputError(expected=expected, found=repr(text))
    return kept


@cache
def list_holds(roll: Roll) -> Mapping[str, Roll]:
    """Return every hold of these dice by its text, most kept first; cached: do not change it."""
    sizes = range(DICE_COUNT - 1, -1, -1)
    kept = (faces for size in sizes for faces in sorted(set(combinations(sorted(roll), size))))
    return {hold_text(faces): faces for faces in kept}
