# SPDX-License-Identifier: MIT
"""
The worked example of Würfelspiel, for the help: what a column is worth, and where a roll goes.

The sheet is the one that the page of the game counts, in turn 19. A dash there is an empty cell
here, although the page shows a zero in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from controller.base.languages.message import Message, message
from controller.games.contract import RollEvent
from controller.games.ui import ExampleStep, TurnContext, show_example
from controller.games.wuerfelspiel.notation import Cell, cell_text
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.games.wuerfelspiel.sheet import WuerfelspielSheet
from controller.games.wuerfelspiel.view import WuerfelspielGameView

_PLAYER = "Ada"
_CELLS: Mapping[str, tuple[int | None, int | None, int | None]] = {
    "ones": (2, 3, None),
    "twos": (2, None, None),
    "threes": (6, 12, 12),
    "fours": (None, None, 12),
    "fives": (None, 15, 15),
    "sixes": (12, None, 24),
    "three": (None, None, 25),
    "fullhouse": (None, 25, 25),
    "small": (None, 30, 30),
    "large": (None, None, 40),
    "chance": (None, None, 24),
}


@cache
def build_example() -> tuple[ExampleStep, ...]:
    return (
        _show_step(
            "",
            "",
            message("Three columns"),
            message("Column 1 counts once, column 2 twice, column 3 three times."),
            message("22 + 2 × 85 + 3 × 242 = 918 points."),
            message("The upper rows of column 3 make 63, which brings its bonus of 35."),
        ),
        _show_step(
            "12555",
            "hold 555",
            message("Throw again"),
            message("The fives stay, the other two dice are thrown again."),
            message("That is allowed twice. Each free cell shows what the dice would count there."),
        ),
        _show_step(
            "22555",
            cell_text(Cell("three", 2)),
            message("Choose a cell"),
            message("The full house is free in column 1 only: 25 points."),
            message("3 of a kind counts all dice, 19, and twice in column 2: 38 points."),
        ),
    )


def _show_step(roll: str, action: str, heading: Message, *lines: Message) -> ExampleStep:
    position = WuerfelspielState((_PLAYER,), (_fill_sheet(),))
    if roll:
        position = position.apply(RollEvent(_PLAYER, roll))
    turn = TurnContext(chooser=_PLAYER, is_choosing=bool(roll), faces=position.faces, action=action)
    dice = [(face, "light") for face in position.faces]
    return show_example(WuerfelspielGameView(position, turn), position, dice, heading, *lines)


def _fill_sheet() -> WuerfelspielSheet:
    sheet = WuerfelspielSheet()
    for row, cells in _CELLS.items():
        for column, points in enumerate(cells, start=1):
            if points is not None:
                sheet = sheet.fill(row, column, points)
    return sheet
