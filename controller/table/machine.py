# SPDX-License-Identifier: MIT
"""
The table as a pure function: a state and an event give a new state and effects.

`transitions` says which events mean something in which phase, `steps` what they do, and
here is which does which. Anything else leaves the state as it was, since a camera and five pages
may at any time tell things that the table has no use for. An action that the rules
refuse is a normal answer: the state stays, and a notice says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.table import game_flow, journal_entries, turns
from controller.table.events import (
    ActionAsked,
    ButtonFreed,
    ButtonStuck,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GamePicked,
    GameStarted,
    JokerTapped,
    Key,
    KeyPressed,
    MotionSeen,
    MotionStopped,
    OptionPicked,
    PauseAsked,
    ReadingDoubtful,
    RecalibrateAsked,
    ResumeAsked,
    ReviewAsked,
    RollCorrected,
    SeatTaken,
    StartAsked,
    UndoAsked,
)
from controller.table.game_ui import with_cursor
from controller.table.handlers import Step, choices, interruptions, lobby, reviews, rolls
from controller.table.pointing import looked_at
from controller.table.state import Phase, TableState
from controller.table.transitions import TRANSITIONS


def step(state: TableState, event: Event) -> Step:
    """
    Return the table after an event, and what has to be on the disk before it is shown.

    An event that means nothing in the state's phase gives back the very same state. One event
    leads to one entry at the most, so that it is on the disk whole or not at all.
    """
    targets = TRANSITIONS[state.phase].get(type(event))
    if targets is None:
        return state, ()
    after, effects = _HANDLERS[type(event)](state, event)
    assert after.phase in targets, f"{event} led from {state.phase} to {after.phase}"
    assert len(effects) <= 1, f"{event} led to {len(effects)} entries"
    return after, effects


def _on_key(state: TableState, event: Event) -> Step:
    assert isinstance(event, KeyPressed)
    if event.panel is None:
        return _pressed(state, event.key)
    if not turns.may_press(state, event.key, event.panel):
        return turns.not_theirs(state, event.key, event.panel), ()
    after, effects = _pressed_by(state, event.key, turns.player_at(state, event.panel))
    return after, tuple(journal_entries.pressed_on(event.panel, entry) for entry in effects)


def _pressed(state: TableState, key: Key) -> Step:
    handler = _KEYS.get((state.phase, key))
    if handler is not None:
        return handler(state)
    if key is Key.BACK and game_flow.undo_now(state):
        return choices.undone(state)
    return state, ()


def _pressed_by(state: TableState, key: Key, player: str | None) -> Step:
    """Return what a key does on a player's own panel, where it is theirs."""
    if state.phase is not Phase.CHOOSING or player is None or player == state.chooser:
        return _pressed(state, key)
    return choices.undone(state) if key is Key.BACK else (looked_at(state, player), ())


_KEYS: Mapping[tuple[Phase, Key], Callable[[TableState], Step]] = {
    **{(Phase.LOBBY, key): lobby.lobby_key(key) for key in Key},
    (Phase.IN_HAND, Key.BACK): rolls.put_back,
    (Phase.STRAIGHTEN, Key.CONFIRM): rolls.confirm_dispute,
    (Phase.READING, Key.CONFIRM): rolls.confirm_reading,
    (Phase.CHOOSING, Key.LEFT): lambda state: (with_cursor(state, max(state.cursor, 0) - 1), ()),
    (Phase.CHOOSING, Key.RIGHT): lambda state: (with_cursor(state, state.cursor + 1), ()),
    (Phase.CHOOSING, Key.CONFIRM): choices.confirm_choice,
    (Phase.CHOOSING, Key.BACK): choices.back_pressed,
    (Phase.GAME_OVER, Key.CONFIRM): lobby.closed,
    (Phase.REVIEW, Key.CONFIRM): reviews.ended,
    (Phase.PAUSED, Key.CONFIRM): interruptions.resumed,
    (Phase.PAUSED, Key.BACK): lobby.closed,
    (Phase.FAULT, Key.CONFIRM): interruptions.recalibrating,
}

_HANDLERS: Mapping[type[Event], Callable[[TableState, Event], Step]] = {
    GameStarted: lobby.on_game_started,
    StartAsked: lobby.on_start_asked,
    GamePicked: lobby.on_lobby_changed,
    OptionPicked: lobby.on_lobby_changed,
    SeatTaken: lobby.on_lobby_changed,
    JokerTapped: choices.on_joker_tapped,
    MotionSeen: rolls.on_motion_seen,
    MotionStopped: rolls.on_motion_stopped,
    DiceRead: rolls.on_dice_read,
    ReadingDoubtful: rolls.on_reading_doubtful,
    FacesEntered: rolls.on_faces_entered,
    RollCorrected: reviews.on_roll_corrected,
    ReviewAsked: reviews.on_review_asked,
    KeyPressed: _on_key,
    DieTapped: choices.on_die_tapped,
    ChoiceTapped: choices.on_choice_tapped,
    ActionAsked: choices.on_action_asked,
    UndoAsked: choices.on_undo,
    PauseAsked: interruptions.on_pause,
    ResumeAsked: interruptions.on_resume,
    GameClosed: lobby.on_game_closed,
    DeviceLost: interruptions.on_device_lost,
    DeviceBack: interruptions.on_device_back,
    RecalibrateAsked: interruptions.on_recalibrate,
    ButtonStuck: interruptions.on_button_stuck,
    ButtonFreed: interruptions.on_button_freed,
}
