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
    ActionRequested,
    ButtonReleased,
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
    MotionStarted,
    MotionStopped,
    OptionPicked,
    PauseRequested,
    ReadingDoubtful,
    RecalibrationRequested,
    ResumeRequested,
    ReviewRequested,
    RollCorrected,
    SeatTaken,
    StartRequested,
    UndoRequested,
)
from controller.table.game_ui import move_cursor
from controller.table.handlers import Step, choices, interruptions, lobby, reviews, rolls
from controller.table.pointing import show_choices_of
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
        return _press_key(state, event.key)
    if not turns.may_press(state, event.key, event.panel):
        return turns.reject_press(state, event.key, event.panel), ()
    after, effects = _press_own_key(state, event.key, turns.player_at(state, event.panel))
    return after, tuple(journal_entries.with_panel(event.panel, entry) for entry in effects)


def _press_key(state: TableState, key: Key) -> Step:
    handler = _KEYS.get((state.phase, key))
    if handler is not None:
        return handler(state)
    if key is Key.BACK and game_flow.find_undoable(state):
        return choices.undo_action(state)
    return state, ()


def _press_own_key(state: TableState, key: Key, player: str | None) -> Step:
    """Return what a key does on a player's own panel, where it is theirs."""
    if state.phase is not Phase.CHOOSING or player is None or player == state.chooser:
        return _press_key(state, key)
    return choices.undo_action(state) if key is Key.BACK else (show_choices_of(state, player), ())


_KEYS: Mapping[tuple[Phase, Key], Callable[[TableState], Step]] = {
    **{(Phase.LOBBY, key): lobby.make_lobby_key(key) for key in Key},
    (Phase.IN_HAND, Key.BACK): rolls.return_dice,
    (Phase.STRAIGHTEN, Key.CONFIRM): rolls.confirm_disputed_roll,
    (Phase.READING, Key.CONFIRM): rolls.confirm_reading,
    (Phase.CHOOSING, Key.LEFT): lambda state: (move_cursor(state, max(state.cursor, 0) - 1), ()),
    (Phase.CHOOSING, Key.RIGHT): lambda state: (move_cursor(state, state.cursor + 1), ()),
    (Phase.CHOOSING, Key.CONFIRM): choices.confirm_choice,
    (Phase.CHOOSING, Key.BACK): choices.press_back,
    (Phase.GAME_OVER, Key.CONFIRM): lobby.close_game,
    (Phase.REVIEW, Key.CONFIRM): reviews.end_review,
    (Phase.PAUSED, Key.CONFIRM): interruptions.resume_play,
    (Phase.PAUSED, Key.BACK): lobby.close_game,
    (Phase.FAULT, Key.CONFIRM): interruptions.start_recalibration,
}

_HANDLERS: Mapping[type[Event], Callable[[TableState, Event], Step]] = {
    GameStarted: lobby.on_game_started,
    StartRequested: lobby.on_start_requested,
    GamePicked: lobby.on_lobby_changed,
    OptionPicked: lobby.on_lobby_changed,
    SeatTaken: lobby.on_lobby_changed,
    JokerTapped: choices.on_joker_tapped,
    MotionStarted: rolls.on_motion_started,
    MotionStopped: rolls.on_motion_stopped,
    DiceRead: rolls.on_dice_read,
    ReadingDoubtful: rolls.on_reading_doubtful,
    FacesEntered: rolls.on_faces_entered,
    RollCorrected: reviews.on_roll_corrected,
    ReviewRequested: reviews.on_review_requested,
    KeyPressed: _on_key,
    DieTapped: choices.on_die_tapped,
    ChoiceTapped: choices.on_choice_tapped,
    ActionRequested: choices.on_action_requested,
    UndoRequested: choices.on_undo_requested,
    PauseRequested: interruptions.on_pause_requested,
    ResumeRequested: interruptions.on_resume_requested,
    GameClosed: lobby.on_game_closed,
    DeviceLost: interruptions.on_device_lost,
    DeviceBack: interruptions.on_device_back,
    RecalibrationRequested: interruptions.on_recalibration_requested,
    ButtonStuck: interruptions.on_button_stuck,
    ButtonReleased: interruptions.on_button_released,
}
