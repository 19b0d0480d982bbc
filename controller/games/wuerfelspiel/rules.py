# SPDX-License-Identifier: MIT
"""
Würfelspiel: dice poker on a sheet of three columns that count once, twice and three times.

A turn has up to three throws of the dice that the player does not keep. It ends when the
player fills one empty cell, even for no points. All players fill 39 cells, one each turn, so
all have their last turn in the same round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from controller.base.errors import IllegalActionError, InputError
from controller.games.contract import (
    COUNT,
    ActionEvent,
    Expects,
    GameEvent,
    GameOutcome,
    GameState,
    Json,
    Options,
    RollEvent,
    find_outcome,
)
from controller.games.dice import Roll, parse_roll, roll_text
from controller.games.wuerfelspiel.notation import CELLS, DICE_COUNT, hold_text, list_holds
from controller.games.wuerfelspiel.sheet import COLUMNS, ROWS, WuerfelspielSheet, score_row

THROWS = 3
TURNS = len(ROWS) * COLUMNS


@dataclass(frozen=True, slots=True)
class WuerfelspielState:
    players: tuple[str, ...]  # The names in clockwise order.
    sheets: tuple[WuerfelspielSheet, ...]  # Their sheets, in the same order.
    roller: int = 0  # Index of the player whose turn it is.
    throws: int = 0  # How many throws of this turn have been made.
    faces: Roll = ()  # The current roll, smallest face first; empty while a throw is awaited.
    held: Roll = ()  # The faces that stay while the others are thrown, smallest first.
    is_counted: bool = False  # Whether the players ended it early: it counts as it stands.

    @property
    def options(self) -> Options:
        return {}

    @property
    def acted(self) -> tuple[str, ...]:
        """Always empty: a roll belongs to its thrower, and their action ends it."""
        return ()

    @property
    def turn(self) -> int:
        """The number of the roller's turn, 1 to 39; 39 after the end."""
        return min(TURNS - self.sheets[self.roller].empty_cells + 1, TURNS)

    def sheet_of(self, player: str) -> WuerfelspielSheet:
        return self.sheets[self.players.index(player)]

    def is_finished(self, player: str) -> bool:
        return self.sheet_of(player).is_finished or self.is_counted

    def expects(self) -> Expects:
        player = self.players[self.roller]
        if self.faces:
            return Expects(do={player: self.legal_actions(player)})
        return Expects(roll=(player,) if self._owes_roll() else ())

    def legal_actions(self, player: str) -> tuple[str, ...]:
        """Return the cells that may be filled, by row and column, then what may be kept."""
        if not self._is_on(player) or not self.faces:
            return ()
        cells = self.sheets[self.roller].cells
        empty = (text for text, points in zip(CELLS, cells, strict=True) if points is None)
        return (*empty, *self._holds())

    def player_dice(self, player: str) -> tuple[str, ...]:
        return tuple(roll_text(self.faces)) if self._is_on(player) else ()

    def dice_to_leave(self, player: str) -> tuple[str, ...]:
        return tuple(roll_text(self.held)) if self._is_on(player) else ()

    def required_dice(self, player: str) -> tuple[str, ...]:
        """Return no dice: the rules never set a die by hand."""
        self.players.index(player)
        return ()

    def hold_action(self, player: str, kept: Sequence[str]) -> str | None:
        """Return the hold of these dice; None for all five."""
        self.players.index(player)
        return hold_text(int(die) for die in kept) if len(kept) < DICE_COUNT else None

    def has_round_ended(self, before: GameState) -> bool:
        if not isinstance(before, WuerfelspielState):
            return False
        return self.throws == 0 and self.roller <= before.roller

    def apply(self, event: GameEvent) -> WuerfelspielState:
        if isinstance(event, RollEvent):
            return self._after_roll(event)
        return self._after_action(event)

    def totals(self) -> dict[str, int]:
        return {name: sheet.total for name, sheet in zip(self.players, self.sheets, strict=True)}

    def outcome(self) -> GameOutcome | None:
        """Return who won, once all cells are filled: the highest result, equal ones together."""
        is_over = all(map(self.is_finished, self.players))
        return find_outcome(self.totals()) if is_over else None

    def sheet(self, player: str) -> dict[str, Json]:
        sheet = self.sheet_of(player)
        columns = range(1, COLUMNS + 1)
        cells = [zip(ROWS, sheet.column(column), strict=True) for column in columns]
        return {
            "columns": [
                {row: points for row, points in column if points is not None} for column in cells
            ],
            "bonus": [sheet.bonus(column) for column in columns],
        }

    def _after_roll(self, event: RollEvent) -> WuerfelspielState:
        if event.by != self.players[self.roller] or not self._owes_roll():
            raise self._refusal(event)
        try:
            faces = parse_roll(event.roll, count=DICE_COUNT)
        except InputError as error:
            raise self._refusal(event, expected=(error.expected,)) from error
        if any(faces.count(face) < self.held.count(face) for face in self.held):
            raise self._refusal(event, expected=(f"a roll with {roll_text(self.held)}",))
        return replace(self, throws=self.throws + 1, faces=faces, held=())

    def _after_action(self, event: ActionEvent) -> WuerfelspielState:
        if event.action == COUNT and event.by in self.players and self.outcome() is None:
            return replace(self, throws=0, faces=(), held=(), is_counted=True)
        if event.by != self.players[self.roller] or not self.faces:
            raise self._refusal(event)
        held = self._holds().get(event.action)
        if held is not None:
            return replace(self, faces=(), held=held)
        cell = CELLS.get(event.action)
        sheet = self.sheets[self.roller]
        if cell is None or sheet.points(cell.row, cell.column) is not None:
            raise self._refusal(event, expected=self.legal_actions(event.by))
        points = score_row(cell.row, self.faces)
        return self._pass_on(sheet.fill(cell.row, cell.column, points))

    def _pass_on(self, sheet: WuerfelspielSheet) -> WuerfelspielState:
        """Return the position with the roller's new sheet, in which the next one is to throw."""
        sheets = (*self.sheets[: self.roller], sheet, *self.sheets[self.roller + 1 :])
        return WuerfelspielState(self.players, sheets, (self.roller + 1) % len(self.players))

    def _holds(self) -> Mapping[str, Roll]:
        """Return what may be kept of the roll on the table: nothing after the last throw."""
        return list_holds(self.faces) if self.throws < THROWS else {}

    def _is_on(self, player: str) -> bool:
        return self.players.index(player) == self.roller

    def _owes_roll(self) -> bool:
        """Return whether a roll is waited for; turns are even, so one full sheet means the end."""
        return not self.faces and not self.is_finished(self.players[self.roller])

    def _refusal(self, event: GameEvent, expected: Sequence[str] = ()) -> IllegalActionError:
        action = f"roll {event.roll}" if isinstance(event, RollEvent) else event.action
        return IllegalActionError(
            player=event.by,
            action=action,
            expected=expected or self._list_expected(),
            state=f"wuerfelspiel, {self._describe()}",
        )

    def _list_expected(self) -> tuple[str, ...]:
        player = self.players[self.roller]
        if self.faces:
            return (f"an action by {player}",)
        return (f"a roll by {player}",) if self._owes_roll() else ()

    def _describe(self) -> str:
        if self.faces:
            return f"turn {self.turn}, throw {self.throws}, roll {roll_text(self.faces)}"
        return f"turn {self.turn}, before a roll" if self._owes_roll() else "finished"
