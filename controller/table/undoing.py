# SPDX-License-Identifier: MIT
"""
Take back a choice of a person.

Opponents choose after people and never take anything back. So an undo of a person's choice takes
back with it what opponents chose since then; they choose again, and the same if nothing changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.base.errors import IllegalActionError, InputError
from controller.games.contract import ActionEvent, GameEvent, GameState
from controller.table.dice.positions import merge_dice
from controller.table.events import UndoRequested
from controller.table.game_flow import move_to, replay_steps
from controller.table.state import THROW_PHASES, Play, TableReading, TableState
from controller.table.transitions import TRANSITIONS


@dataclass(frozen=True, slots=True)
class UndoneAction:
    action: ActionEvent  # The person's.
    answers: tuple[ActionEvent, ...]  # What opponents chose after it, oldest first.
    steps: tuple[GameEvent, ...]  # The steps without all of these.
    position: GameState  # What these steps lead to.


def find_undoable(state: TableState, by: str = "") -> ActionEvent | None:
    """Return the last undoable action in this phase, of this or any person; None without one."""
    found = find_undone(state.play, by) if UndoRequested in TRANSITIONS[state.phase] else None
    return found.action if found else None


def undo_action(state: TableState, by: str = "") -> TableState:
    """
    Return the table without the last action of this or any person; later ones of others stay.

    InputError if there is none.
    """
    found = find_undone(state.play, by)
    if found is None:
        raise InputError(expected="an action that can be undone", found="none")
    after = move_to(state, found.position, found.steps)
    if after.phase is state.phase and state.phase in THROW_PHASES:
        return after
    lie = merge_dice(state.dice_on_felt, state.reading.dice)
    return replace(after, dice_on_felt=lie, reading=TableReading(state.reading.dice))


def find_undone(play: Play, by: str) -> UndoneAction | None:
    """Return what an undo takes back in any phase; None if there is nothing."""
    later: set[str] = set()
    for index, step in reversed(list(enumerate(play.steps))):
        # A player's private roll followed from what they did before it, and cannot be repeated.
        is_last_of_player = step.by not in later
        later.add(step.by)
        is_wanted = step.by not in play.opponent_names and by in ("", step.by)
        if isinstance(step, ActionEvent) and is_last_of_player and is_wanted:
            answers = _list_answers(play, index)
            rest = (
                *play.steps[:index],
                *(one for one in play.steps[index + 1 :] if one not in answers),
            )
            position = _replay_without(play, index, rest)
            if position is not None:
                return UndoneAction(step, answers, rest, position)
    return None


def _list_answers(play: Play, index: int) -> tuple[ActionEvent, ...]:
    """Return what opponents chose after a step, unless their own dice followed from it."""
    found: list[ActionEvent] = []
    rolled: set[str] = set()
    for step in reversed(play.steps[index + 1 :]):
        if not isinstance(step, ActionEvent):
            rolled.add(step.by)
        elif step.by in play.opponent_names - rolled:
            found.append(step)
    return tuple(reversed(found))


def _replay_without(play: Play, index: int, rest: Sequence[GameEvent]) -> GameState | None:
    """Return the position that the other steps lead to; None if they do not stand alone."""
    is_open = play.position is not None and bool(play.position.faces)
    if index < len(rest) and not is_open:
        return None
    try:
        return replay_steps(play, rest)
    except IllegalActionError:
        return None
