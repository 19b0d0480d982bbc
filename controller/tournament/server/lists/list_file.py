# SPDX-License-Identifier: MIT
"""
Rows of a list that somebody brings: CSV as spreadsheets write it.

A line that is wrong is refused with its number, what was expected there, and what stood there.
Commas, semicolons and tabs separate cells, whichever the first line has most of.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from controller.base.csv_cells import defuse_cells, restore_cell
from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.games.player_names import clean_line
from controller.tournament.server.official_requests import parse_whole

_SEPARATORS = ",;\t"
ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of a list; a column that the list lacks is empty."""

    where: Message  # Its line, for people.
    cells: Mapping[str, str]

    def read(self, column: str) -> str:
        """Return a cell with single spaces between its words."""
        return clean_line(" ".join(self.cells.get(column, "").split()))

    def read_whole(self, column: str) -> int:
        """Return a whole number; InputError if the cell holds something else, or nothing."""
        try:
            return parse_whole(self.read(column), column)
        except InputError as error:
            raise self.refuse(error.expected, f"{column}: {error.found}") from error

    def refuse(self, expected: str, found: str) -> InputError:
        """Return the error of this row."""
        return InputError(expected=expected, found=found, where=self.where)


def name_line(number: int) -> Message:
    """Return where in a list something stands."""
    return message("line {number}", number=str(number))


def decode_list(content: bytes) -> str:
    """Return the text of a list; InputError if it is not UTF-8, with or without a mark."""
    text = content.decode("utf-8-sig", errors="replace")
    # A browser that reads a file as text puts this character in place of other bytes.
    before, wrong, _ = text.partition("\N{REPLACEMENT CHARACTER}")
    if wrong:
        expected, found = message("a list in UTF-8"), message("other bytes")
        raise InputError(expected=expected, found=found, where=name_line(before.count("\n") + 1))
    return text


def read_csv(content: bytes, needed: Sequence[str], others: Sequence[str]) -> list[ListRow]:
    """
    Return the rows of a list, without empty ones.

    Args:
        needed: The columns that the first line must name.
        others: Further ones that it may name.

    Raises:
        InputError: It is no such list.
    """
    text = decode_list(content)
    first = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    lines, number = [], 1
    try:
        for cells in reader:
            lines.append((name_line(number), [restore_cell(cell) for cell in cells]))
            number = reader.line_num + 1
    except csv.Error as error:
        expected = message("a line of a list")
        raise InputError(expected=expected, found=str(error), where=name_line(number)) from error
    head = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    _check_head(head, needed, others)
    return [
        ListRow(where, _name_cells(where, head, cells))
        for where, cells in lines[1:]
        if any(cell.strip() for cell in cells)
    ]


def write_csv(rows: Iterable[Sequence[int | str]]) -> bytes:
    """Return a list with its head, in UTF-8 with a mark that spreadsheets look for."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(map(defuse_cells, rows))
    return text.getvalue().encode("utf-8-sig")


def _check_head(head: Sequence[str], needed: Sequence[str], others: Sequence[str]) -> None:
    where = name_line(1)
    if missing := [column for column in needed if column not in head]:
        expected = message("the columns {names}", names=", ".join(needed))
        found = message("no {name}", name=missing[0])
        raise InputError(expected=expected, found=found, where=where)
    for number, column in enumerate(head):
        if column not in (*needed, *others) or column in head[:number]:
            expected = message(
                "each of these columns once: {names}", names=", ".join([*needed, *others])
            )
            raise InputError(expected=expected, found=repr(column[:40]), where=where)


def _name_cells(where: Message, head: Sequence[str], cells: Sequence[str]) -> Mapping[str, str]:
    if len(cells) != len(head):
        expected = message("{count} cells", count=str(len(head)))
        raise InputError(expected=expected, found=str(len(cells)), where=where)
    return dict(zip(head, cells, strict=True))
