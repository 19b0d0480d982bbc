# SPDX-License-Identifier: MIT
"""
The course of a game at the table: sat down, rolled, acted, taken back, closed.

The machine takes these steps when they happen, and a restart takes the same ones from
the journal; so what a table comes back to is what it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller import games
from controller.errors import InputError
from controller.games.contract import ActionEvent, GameState, RollEvent
from controller.table.events import SeenDie, UndoAsked
from controller.table.lie import together
from controller.table.state import NO_SLOTS, Confirmed, Phase, TableState, require_game
from controller.table.transitions import TRANSITIONS
from controller.table.view.shape import SEATS_MOST


def phase_of(position: GameState) -> Phase:
    """Return the phase that a game's position calls for."""
    if position.outcome() is not None:
        return Phase.GAME_OVER
    return Phase.CHOOSING if position.expects().do else Phase.AWAITING_ROLL


def opening(game: str, players: Sequence[str], options: Mapping[str, bool | int]) -> GameState:
    """
    Return the position before the first roll of a game that this table can seat.

    Raises:
        InputError: No such game or option, or names that cannot play it.
    """
    rules = games.require_game(game)
    if len(players) > SEATS_MOST:
        found = str(len(players))
        raise InputError(expected=f"1 to {SEATS_MOST} players", found=found, where="players")
    return rules.start(players, options)


def calm_phase(state: TableState) -> Phase:
    """Return where play goes on after an interruption: a throw not seen whole is thrown again."""
    return Phase.LOBBY if state.game is None else phase_of(state.game)


def seated(state: TableState, game: str, position: GameState) -> TableState:
    """Return the table with a new game on it; dice that lie in the tray are not its roll."""
    return TableState(
        phase=phase_of(position),
        confirm=state.confirm,
        seats=position.players,
        game_key=game,
        game=position,
        lie=state.lie,
    )


def rolled(
    state: TableState, *, by: str, roll: str, dice: tuple[SeenDie, ...], by_hand: str
) -> TableState:
    """
    Return the table with a roll taken; `state.seen` is how the dice lie.

    Raises:
        IllegalActionError: The rules do not allow this roll now.
    """
    position = require_game(state).apply(RollEvent(by, roll))
    return replace(
        state,
        phase=phase_of(position),
        game=position,
        rolls=state.rolls + 1,
        undoable=(),
        rolled=dice,
        lie=state.seen,
        by_hand=by_hand,
        cursor=0,
        slots=NO_SLOTS,
        doubts=(),
        notice=None,
    )


def acted(state: TableState, *, by: str, action: str) -> TableState:
    """
    Return the table after a confirmed action.

    Raises:
        IllegalActionError: The rules do not allow it now.
    """
    before = require_game(state)
    position = before.apply(ActionEvent(by, action))
    return replace(
        state,
        phase=phase_of(position),
        game=position,
        undoable=(*state.undoable, Confirmed(by, action, before)),
        cursor=0,
        slots=NO_SLOTS,
        notice=None,
    )


def undo_now(state: TableState) -> Confirmed | None:
    """Return the action that can be taken back in this phase; none if there is none."""
    may_undo = UndoAsked in TRANSITIONS[state.phase]
    return state.undoable[-1] if state.undoable and may_undo else None


def taken_back(state: TableState) -> TableState:
    """Return the table as it was before the last confirmed action; there must be one."""
    *others, last = state.undoable
    return replace(
        state,
        phase=phase_of(last.before),
        game=last.before,
        undoable=tuple(others),
        lie=together(state.lie, state.seen),
        cursor=0,
        slots=NO_SLOTS,
        doubts=(),
        notice=None,
    )


def cleared(state: TableState) -> TableState:
    """Return the empty table; the same players may sit down again."""
    lie = together(state.lie, state.seen)
    return TableState(confirm=state.confirm, seats=state.seats, lie=lie)


def dice_by_hand(roll: str) -> tuple[SeenDie, ...]:
    """Return dice without a place for faces that a person entered."""
    return tuple(SeenDie(int(sign), "light", "white") for sign in roll if sign.isdecimal())
