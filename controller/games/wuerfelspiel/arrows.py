# SPDX-License-Identifier: MIT
"""
Where the arrows lead on the sheet of Würfelspiel: along its rows and columns.

Up and down go along a column of empty cells. Left and right go along a row; if the row has no
other empty cell, they lead to the nearest one of the next column. The holds are one more row
below the sheet. So down and right alone reach every offer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.games.ui import Arrows, OfferedChoice, step_arrows
from controller.games.wuerfelspiel.notation import CELLS, Cell
from controller.games.wuerfelspiel.sheet import ROWS


def find_arrows(offers: Sequence[OfferedChoice], cursor: int) -> Arrows:
    """
    Return the offers that the four arrows lead to, by index.

    Args:
        offers: The empty cells and the holds, in any order.
        cursor: The offer under the cursor; -1 for none.
    """
    cells = {CELLS[one.action]: at for at, one in enumerate(offers) if one.action in CELLS}
    holds = [at for at, one in enumerate(offers) if one.action not in CELLS]
    here = next((cell for cell, at in cells.items() if at == cursor), None)
    if here is not None:
        return {**_find_sides(cells, here), **_find_ends(cells, here, holds)}
    column = [cells[cell] for cell in _list_column(cells, min(cell.column for cell in cells))]
    return {**step_arrows(holds, cursor), "up": column[-1], "down": column[0]}


def _find_ends(cells: Mapping[Cell, int], here: Cell, holds: Sequence[int]) -> Arrows:
    """Return the arrows up and down; below the lowest cell is the best hold."""
    column = [cells[cell] for cell in _list_column(cells, here.column)]
    around = step_arrows([*column, *holds[:1]], cells[here])
    return {"up": around["left"], "down": around["right"]}


def _find_sides(cells: Mapping[Cell, int], here: Cell) -> Arrows:
    """Return the arrows left and right, to the nearest cell of each column."""
    row = ROWS.index(here.row)
    columns = sorted({cell.column for cell in cells})
    nearest = [
        min(_list_column(cells, column), key=lambda cell: abs(ROWS.index(cell.row) - row))
        for column in columns
    ]
    return step_arrows([cells[cell] for cell in nearest], cells[here])


def _list_column(cells: Mapping[Cell, int], column: int) -> list[Cell]:
    """Return the empty cells of a column from the top."""
    return [cell for cell in CELLS.values() if cell in cells and cell.column == column]
