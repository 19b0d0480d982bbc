# SPDX-License-Identifier: MIT
"""
The table as a pure function: a state and an event give a new state and effects.

`transitions` lists the events that mean something in each phase, `handlers` what they do.
This module connects the two. Any other event leaves the state as it was, since cameras and
pages send events at any time. An action that the rules refuse is a normal answer: the state
stays, and a notice says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.table import events as on
from controller.table import journal_entries, turns, undoing
from controller.table.choosing import may_choose, may_hide_choices, show_choices_of
from controller.table.events import Event, Key
from controller.table.handlers import (
    HANDLERS,
    Step,
    choices,
    handles,
    interruptions,
    lobby,
    requests,
    reviews,
    rolls,
)
from controller.table.state import Phase, TableState
from controller.table.transitions import TRANSITIONS


def step(state: TableState, event: Event) -> Step:
    """
    Return the table after an event, and what must be on the disk before it is shown.

    An event that means nothing in the phase returns the same object. One event leads to at most
    one entry, so it is on the disk in full or not at all.
    """
    if state.is_idle:
        return _end_idle(state, event)
    targets = TRANSITIONS[state.phase].get(type(event))
    if targets is None:
        return state, ()
    after, effects = HANDLERS[type(event)](state, event)
    assert after.phase in targets, f"{event} led from {state.phase} to {after.phase}"
    assert len(effects) <= 1, f"{event} led to {len(effects)} entries"
    return after, effects


def _end_idle(state: TableState, event: Event) -> Step:
    """Wake the screen; a press at the table and a motion in the tray do nothing else."""
    awake = replace(state, is_idle=False)
    is_press = isinstance(event, on.KeyPressed) and not event.by
    if is_press or isinstance(event, on.MotionStarted | on.ScreenTouched):
        return awake, ()
    after, effects = step(awake, event)
    return (state, ()) if after is awake else (after, effects)


@handles(on.KeyPressed)
def _on_key(state: TableState, event: on.KeyPressed) -> Step:
    if event.by:
        return _press_phone_key(state, event.key, event.by)
    if event.panel is None:
        return _press_key(state, event.key)
    if not turns.may_press(state, event.key, event.panel):
        return turns.reject_press(state, event.key, event.panel), ()
    after, effects = _press_own_key(state, event.key, turns.player_at(state, event.panel))
    return after, tuple(journal_entries.with_panel(event.panel, entry) for entry in effects)


def _press_key(state: TableState, key: Key) -> Step:
    if state.phase is Phase.CHOOSING or state.shows_choices:
        return choices.press_choice_key(state, key)
    handler = _KEYS.get((state.phase, key))
    if handler is not None:
        return handler(state)
    if key is Key.BACK and requests.may_refuse(state):
        return requests.end_request(state, "refused")
    if key is Key.BACK and undoing.find_undoable(state):
        return choices.undo_action(state)
    return state, ()


def _press_own_key(state: TableState, key: Key, player: str | None) -> Step:
    """Handle a key on a player's own panel; a first press only shows that player's choices."""
    if player is None or (state.phase, key) in _KEYS:
        return _press_key(state, key)
    is_shown = state.shows_choices and player == state.chooser
    frees = state.screen.selection.is_any or may_hide_choices(state)
    if key is Key.BACK and not (is_shown and frees):
        return choices.undo_own_action(state, player)
    return _press_key(state, key) if is_shown else (show_choices_of(state, player), ())


def _press_phone_key(state: TableState, key: Key, player: str) -> Step:
    """Handle a key on a player's own phone; what belongs to the whole table does nothing there."""
    if may_choose(state, player):
        return choices.press_phone_key(state, key, player)
    if not turns.is_phone_key(state, key, player):
        return state, ()
    handler = _KEYS.get((state.phase, key))
    return handler(state) if handler else choices.undo_on_phone(state, player)


_KEYS: Mapping[tuple[Phase, Key], Callable[[TableState], Step]] = {
    **{(Phase.LOBBY, key): lobby.make_lobby_key(key) for key in Key},
    (Phase.AWAITING_ROLL, Key.LEFT): choices.make_count_key(Key.LEFT),
    (Phase.AWAITING_ROLL, Key.RIGHT): choices.make_count_key(Key.RIGHT),
    (Phase.AWAITING_ROLL, Key.CONFIRM): rolls.confirm_round,
    (Phase.IN_HAND, Key.BACK): rolls.return_dice,
    (Phase.STRAIGHTEN, Key.CONFIRM): rolls.confirm_disputed_roll,
    (Phase.READING, Key.CONFIRM): rolls.confirm_reading,
    (Phase.GAME_OVER, Key.CONFIRM): lobby.play_again,
    (Phase.GAME_OVER, Key.LEFT): lobby.close_game,
    (Phase.REVIEW, Key.CONFIRM): reviews.end_review,
    (Phase.PAUSED, Key.CONFIRM): interruptions.resume_play,
    (Phase.PAUSED, Key.BACK): lobby.leave_game,
    (Phase.FAULT, Key.CONFIRM): interruptions.start_recalibration,
}
"""What a key does, beside the choices that a screen shows."""
