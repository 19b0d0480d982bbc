# SPDX-License-Identifier: MIT
"""
A player's sheet as the pages draw it.

A phone shows at once what a choice would mark. So each row has the points of one and of two
further marks, and no page needs to know how a game counts.
"""

from __future__ import annotations

from typing import Any

from controller.games import require_game
from controller.games.choice.sheet import count_points
from controller.games.contract import GameState
from controller.games.ui import TurnContext
from controller.tournament.duplicate.solo import PLAYER

MOST_MARKS = 2
"""That many marks a choice adds to one row at most: two equal pairs."""


def view_sheet(position: GameState, game: str) -> dict[str, Any]:
    """Return the sheet as a table's pages draw it; rows of totals have `ahead` besides."""
    view = require_game(game).ui.create_view(position, TurnContext(chooser=PLAYER))
    sheet: dict[str, Any] = dict(view.sheet(PLAYER))
    if sheet["kind"] == "choice":
        sheet["rows"] = [{**row, "ahead": _list_ahead(row)} for row in sheet["rows"]]
    return sheet


def _list_ahead(row: dict[str, Any]) -> list[int]:
    return [count_points(row["sum"], row["marks"] + more) for more in range(1, MOST_MARKS + 1)]
