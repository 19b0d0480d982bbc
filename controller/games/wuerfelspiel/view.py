# SPDX-License-Identifier: MIT
"""
What a screen shows of Würfelspiel: the sheet of three columns, and what a throw keeps.

Every empty cell of the current player shows the points of the dice there, before any factor.
So the sheet itself is the list of choices.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from controller.base.languages.message import Message, message, plural_message
from controller.games.contract import ActionEvent, GameOutcome
from controller.games.ui import DieGroup, OfferedChoice, Prompt, TurnContext
from controller.games.wording import dice_words, winner_words
from controller.games.wuerfelspiel.notation import (
    CELLS,
    DICE_COUNT,
    Cell,
    cell_text,
    parse_cell,
    parse_hold,
)
from controller.games.wuerfelspiel.rules import THROWS, TURNS, WuerfelspielState
from controller.games.wuerfelspiel.sheet import COLUMNS, FACTORS, ROWS, WuerfelspielSheet, score_row

LABELS: Mapping[str, str] = {
    "ones": message("Ones"),
    "twos": message("Twos"),
    "threes": message("Threes"),
    "fours": message("Fours"),
    "fives": message("Fives"),
    "sixes": message("Sixes"),
    "three": message("3 of a kind"),
    "four": message("4 of a kind"),
    "fullhouse": message("Full house"),
    "small": message("Small straight"),
    "large": message("Large straight"),
    "five": message("5 of a kind"),
    "chance": message("Chance"),
}
"""The rows as people call them."""

_COLUMNS = tuple(range(1, COLUMNS + 1))
_FILL = re.compile(r"([a-z]+)\*(\d)", re.ASCII)


class CellView(TypedDict):
    """One cell of the three-column sheet."""

    points: int | None  # None while it is empty.
    offer: int | None  # What the dice would count there now, for the player who chooses.
    pending: bool  # Whether the cursor stands on it.


class RowView(TypedDict):
    """One row of the three-column sheet: its key, its printed name, its three cells."""

    key: str
    label: str
    cells: list[CellView]


class WuerfelspielSheetView(TypedDict):
    """A three-column sheet as its page shows it."""

    kind: Literal["wuerfelspiel"]
    rows: list[RowView]  # From ones to chance, without the bonus row.
    upper: list[int]  # The points of the six upper rows by column.
    bonus: list[int]  # What the bonus counts there: 0 or 35.
    bonus_after: list[int]
    columns: list[int]  # The totals with the bonus, before the factors.
    columns_after: list[int]
    factors: list[int]
    total: int
    total_after: int


@dataclass(frozen=True, slots=True)
class WuerfelspielGameView:
    game: WuerfelspielState
    turn: TurnContext

    def sheet(self, player: str) -> WuerfelspielSheetView:
        now, after = self.game.sheet_of(player), self._after().sheet_of(player)
        return {
            "kind": "wuerfelspiel",
            "rows": [self._row(row, now, chooses=self._may_write(player)) for row in ROWS],
            "upper": [now.upper(column) for column in _COLUMNS],
            "bonus": [now.bonus(column) for column in _COLUMNS],
            "bonus_after": [after.bonus(column) for column in _COLUMNS],
            "columns": [now.column_total(column) for column in _COLUMNS],
            "columns_after": [after.column_total(column) for column in _COLUMNS],
            "factors": list(FACTORS),
            "total": now.total,
            "total_after": after.total,
        }

    def board(self) -> None:
        """Nothing is in the middle."""

    def throw_prompt(self) -> Prompt:
        hint = message("All {count} dice at once, into the tray.", count=DICE_COUNT)
        if self.game.throws:
            return Prompt(message("{player}: throw all five again", player=self.turn.roller), hint)
        return Prompt(message("{player}: throw the dice", player=self.turn.roller), hint)

    def choose_prompt(self) -> Prompt:
        left, player = THROWS - self.game.throws, self.turn.chooser
        if not left:
            hint = message("No throw is left: choose a cell.")
            return Prompt(message("{player}: fill a cell", player=player), hint)
        headline = message("{player}: fill a cell or throw again?", player=player)
        return Prompt(headline, self._again_hint(left))

    def describe_choice(self, choice: OfferedChoice) -> str:
        if choice.kind == "fill":
            cell = parse_cell(choice.action)
            return _describe_cell(cell, score_row(cell.row, self.game.faces))
        kept = parse_hold(choice.action)
        if not kept:
            return _ALL
        dice, count = _dice_words(kept), DICE_COUNT - len(kept)
        return message("keep {dice}, throw {count}", dice=dice, count=count)

    def confirm_label(self) -> str:
        if self.turn.action in CELLS:
            return message("enter it")
        kept = parse_hold(self.turn.action)
        return message("keep {dice}", dice=_dice_words(kept)) if kept else _ALL

    def groups(self) -> Mapping[int, DieGroup]:
        places = range(len(self.turn.faces))
        thrown = self.turn.selection.dice
        if not thrown:
            if not self.turn.action or self.turn.action in CELLS:
                return {}
            kept = self._first_of(parse_hold(self.turn.action))
            thrown = tuple(index for index in places if index not in kept)
        return {index: "thrown" if index in thrown else "kept" for index in places}

    def progress_text(self) -> str:
        turn = self.game.turn
        if self.game.outcome() is not None:
            return message("Turn {turn} of {turns}", turn=turn, turns=TURNS)
        throw = self.game.throws if self.game.faces else self.game.throws + 1
        return message(
            "Turn {turn} of {turns}, throw {throw} of {throws}",
            turn=turn,
            turns=TURNS,
            throw=throw,
            throws=THROWS,
        )

    def outcome_text(self, outcome: GameOutcome) -> str:
        totals = self.game.totals()
        best = totals[outcome.winners[0]]
        if len(totals) == 1:
            name = outcome.winners[0]
            return message("{player} finishes with {points} points.", player=name, points=best)
        return winner_words(outcome.winners, best)

    def _after(self) -> WuerfelspielState:
        if self.turn.action not in CELLS or self.turn.chooser is None:
            return self.game
        return self.game.apply(ActionEvent(self.turn.chooser, self.turn.action))

    def _may_write(self, player: str) -> bool:
        """Return whether this player can write the dice now; dice in the hand count nowhere."""
        return player == self.turn.chooser and self.turn.is_choosing

    def _row(self, row: str, sheet: WuerfelspielSheet, *, chooses: bool) -> RowView:
        cells = [self._cell(Cell(row, column), sheet, chooses=chooses) for column in _COLUMNS]
        return {"key": row, "label": LABELS[row], "cells": cells}

    def _cell(self, cell: Cell, sheet: WuerfelspielSheet, *, chooses: bool) -> CellView:
        points = sheet.points(cell.row, cell.column)
        is_offered = chooses and points is None
        return {
            "points": points,
            "offer": score_row(cell.row, self.game.faces) if is_offered else None,
            "pending": is_offered and cell_text(cell) == self.turn.action,
        }

    def _again_hint(self, left: int) -> Message:
        kept = () if self.turn.action in CELLS else parse_hold(self.turn.action or "hold")
        if kept:
            return plural_message(
                "{dice} stays: throw the others.",
                "{dice} stay: throw the others.",
                len(kept),
                dice=_dice_words(kept),
            )
        return plural_message(
            "{count} throw left: take or tap the dice that you throw again, or choose a cell.",
            "{count} throws left: take or tap the dice that you throw again, or choose a cell.",
            left,
        )

    def _first_of(self, faces: tuple[int, ...]) -> tuple[int, ...]:
        """Return the indices of dice that show these faces; of equal dice the first ones."""
        left, found = list(faces), []
        for index, face in enumerate(self.turn.faces):
            if face in left:
                left.remove(face)
                found.append(index)
        return tuple(found)


def describe_fill(action: str) -> Message | None:
    """Return what fills a cell, legal or not, in words; None for another action."""
    found = _FILL.fullmatch(action)
    if found is None:
        return None
    row = LABELS.get(found[1], found[1])
    return message("fill {row} in column {column}", row=row, column=found[2])


def _describe_cell(cell: Cell, points: int) -> Message:
    values = {"row": LABELS[cell.row], "column": cell.column}
    if not points:
        return message("{row}, column {column}: nothing", **values)
    return plural_message(
        "{row}, column {column}: {count} point",
        "{row}, column {column}: {count} points",
        points,
        **values,
    )


def _dice_words(faces: Sequence[int]) -> str:
    return dice_words([str(face) for face in faces])


_ALL = message("throw all five")
