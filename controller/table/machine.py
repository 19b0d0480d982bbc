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

from controller.table import entries
from controller.table.choosing import with_cursor
from controller.table.choosing.looking import looked_at
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
from controller.table.play import course, turns
from controller.table.state import Phase, TableState
from controller.table.steps import Step, acting, interrupting, reviewing, seating, throwing
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
    return after, tuple(entries.pressed_on(event.panel, entry) for entry in effects)


def _pressed(state: TableState, key: Key) -> Step:
    handler = _KEYS.get((state.phase, key))
    if handler is not None:
        return handler(state)
    if key is Key.BACK and course.undo_now(state):
        return acting.undone(state)
    return state, ()


def _pressed_by(state: TableState, key: Key, player: str | None) -> Step:
    """Return what a key does on a player's own panel, where it is theirs."""
    if state.phase is not Phase.CHOOSING or player is None or player == state.chooser:
        return _pressed(state, key)
    return acting.undone(state) if key is Key.BACK else (looked_at(state, player), ())


_KEYS: Mapping[tuple[Phase, Key], Callable[[TableState], Step]] = {
    **{(Phase.LOBBY, key): seating.lobby_key(key) for key in Key},
    (Phase.IN_HAND, Key.BACK): throwing.put_back,
    (Phase.STRAIGHTEN, Key.CONFIRM): throwing.confirm_dispute,
    (Phase.READING, Key.CONFIRM): throwing.confirm_reading,
    (Phase.CHOOSING, Key.LEFT): lambda state: (with_cursor(state, max(state.cursor, 0) - 1), ()),
    (Phase.CHOOSING, Key.RIGHT): lambda state: (with_cursor(state, state.cursor + 1), ()),
    (Phase.CHOOSING, Key.CONFIRM): acting.confirm_choice,
    (Phase.CHOOSING, Key.BACK): acting.back_pressed,
    (Phase.GAME_OVER, Key.CONFIRM): seating.closed,
    (Phase.REVIEW, Key.CONFIRM): reviewing.ended,
    (Phase.PAUSED, Key.CONFIRM): interrupting.resumed,
    (Phase.PAUSED, Key.BACK): seating.closed,
    (Phase.FAULT, Key.CONFIRM): interrupting.recalibrating,
}

_HANDLERS: Mapping[type[Event], Callable[[TableState, Event], Step]] = {
    GameStarted: seating.on_game_started,
    StartAsked: seating.on_start_asked,
    GamePicked: seating.on_lobby_changed,
    OptionPicked: seating.on_lobby_changed,
    SeatTaken: seating.on_lobby_changed,
    JokerTapped: acting.on_joker_tapped,
    MotionSeen: throwing.on_motion_seen,
    MotionStopped: throwing.on_motion_stopped,
    DiceRead: throwing.on_dice_read,
    ReadingDoubtful: throwing.on_reading_doubtful,
    FacesEntered: throwing.on_faces_entered,
    RollCorrected: reviewing.on_roll_corrected,
    ReviewAsked: reviewing.on_review_asked,
    KeyPressed: _on_key,
    DieTapped: acting.on_die_tapped,
    ChoiceTapped: acting.on_choice_tapped,
    ActionAsked: acting.on_action_asked,
    UndoAsked: acting.on_undo,
    PauseAsked: interrupting.on_pause,
    ResumeAsked: interrupting.on_resume,
    GameClosed: seating.on_game_closed,
    DeviceLost: interrupting.on_device_lost,
    DeviceBack: interrupting.on_device_back,
    RecalibrateAsked: interrupting.on_recalibrate,
    ButtonStuck: interrupting.on_button_stuck,
    ButtonFreed: interrupting.on_button_freed,
}
