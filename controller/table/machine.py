# SPDX-License-Identifier: MIT
"""
The table as a pure function: a state and an event give a new state and effects.

`transitions` says which events mean something in which phase; the handlers here say
what they do. Anything else leaves the state as it was, since a camera and five pages
may at any time tell things that the table has no use for. An action that the rules
refuse is a normal answer: the state stays, and a notice says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.errors import IllegalActionError, InputError
from controller.games import GAMES
from controller.table import course, entries
from controller.table.choosing import choices_now, why_refused, with_cursor, with_tap
from controller.table.effects import Journalled
from controller.table.events import (
    ActionAsked,
    ChoiceTapped,
    DeviceBack,
    DeviceLost,
    DiceRead,
    DieTapped,
    Event,
    FacesEntered,
    GameClosed,
    GameStarted,
    Key,
    KeyPressed,
    MotionSeen,
    MotionStopped,
    PauseAsked,
    ReadingDoubtful,
    ResumeAsked,
    SeenDie,
    UndoAsked,
)
from controller.table.lie import together
from controller.table.rest import Taken, judged_doubt, judged_rest, unasked_doubt, unasked_rest
from controller.table.state import (
    Confirm,
    Notice,
    Phase,
    TableState,
)
from controller.table.transitions import TRANSITIONS
from controller.table.view.shape import SEATS_MOST

Effects = tuple[Journalled, ...]
Step = tuple[TableState, Effects]


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


def _on_game_started(state: TableState, event: Event) -> Step:
    assert isinstance(event, GameStarted)
    return _started(state, event.game, event.players, event.options)


def _started(
    state: TableState, game: str, players: tuple[str, ...], options: Mapping[str, bool | int]
) -> Step:
    try:
        position = course.opening(game, players, options)
    except InputError as error:
        return replace(state, notice=Notice("refused", str(error))), ()
    return course.seated(state, game, position), (entries.game_entry(game, position),)


def _on_motion_seen(state: TableState, event: Event) -> Step:
    return replace(state, phase=Phase.ROLLING, notice=None, doubts=(), seen=()), ()


def _on_motion_stopped(state: TableState, event: Event) -> Step:
    return replace(state, phase=Phase.SETTLING), ()


def _on_dice_read(state: TableState, event: Event) -> Step:
    assert isinstance(event, DiceRead)
    if state.phase not in _THROW_PHASES:
        return unasked_rest(state, event), ()
    verdict = judged_rest(state, event)
    if not isinstance(verdict, Taken):
        return verdict, ()
    read = replace(state, seen=event.dice, picture=event.picture, doubts=(), notice=None)
    if state.confirm is Confirm.BUTTON:
        return replace(read, phase=Phase.READING), ()
    return _taken(read, read.seen, by_hand="")


def _on_reading_doubtful(state: TableState, event: Event) -> Step:
    assert isinstance(event, ReadingDoubtful)
    if state.phase not in _THROW_PHASES:
        return unasked_doubt(state, event), ()
    return judged_doubt(state, event), ()


def _on_faces_entered(state: TableState, event: Event) -> Step:
    assert isinstance(event, FacesEntered)
    if not event.by.strip():
        return replace(state, notice=Notice("refused", "Say who enters the faces.")), ()
    return _taken(state, course.dice_by_hand(event.roll), by_hand=event.by, roll=event.roll)


def _taken(state: TableState, dice: tuple[SeenDie, ...], *, by_hand: str, roll: str = "") -> Step:
    """Give the dice to the game as the roller's roll."""
    roller = state.roller
    assert roller is not None, "a roll is taken only while one is waited for"
    text = roll or GAMES[state.game_key].roll_text(
        [die.face for die in dice], [die.polarity for die in dice]
    )
    try:
        after = course.rolled(state, by=roller, roll=text, dice=dice, by_hand=by_hand)
    except IllegalActionError as error:
        return replace(state, notice=Notice("refused", why_refused(error))), ()
    return after, (entries.roll_entry(after, by=roller, roll=text, doubts=state.doubts),)


def _on_key(state: TableState, event: Event) -> Step:
    assert isinstance(event, KeyPressed)
    handler = _KEYS.get((state.phase, event.key))
    if handler is not None:
        return handler(state)
    if event.key is Key.BACK and course.undo_now(state):
        return _undone(state)
    return state, ()


def _seats_changed(state: TableState, by: int) -> Step:
    count = (len(state.seats) - 1 + by) % SEATS_MOST + 1
    spare = [name for name in _SEAT_NAMES if name not in state.seats]
    return replace(state, seats=(*state.seats, *spare)[:count], notice=None), ()


def _back_pressed(state: TableState) -> Step:
    if any(slot is not None for slot in state.slots):
        return with_cursor(state, 0), ()
    return _undone(state)


def _confirm_choice(state: TableState) -> Step:
    choices = choices_now(state)
    if state.cursor < 0 or not choices:
        text = "Two pairs are needed first."
        return replace(state, notice=Notice("info", text, "Tap four dice, or use the arrows.")), ()
    assert state.chooser is not None
    return _acted(state, state.chooser, choices[state.cursor].action)


def _on_action_asked(state: TableState, event: Event) -> Step:
    assert isinstance(event, ActionAsked)
    return _acted(state, event.by, event.action)


def _acted(state: TableState, by: str, action: str) -> Step:
    try:
        after = course.acted(state, by=by, action=action)
    except IllegalActionError as error:
        return replace(state, notice=Notice("refused", why_refused(error))), ()
    if after.chooser == state.chooser:
        # Somebody else was quicker, on a page of their own.
        after = replace(after, cursor=state.cursor, slots=state.slots)
    return after, (entries.action_entry(after, by=by, action=action),)


def _on_undo(state: TableState, event: Event) -> Step:
    return _undone(state)


def _undone(state: TableState) -> Step:
    if not state.undoable:
        return replace(state, notice=Notice("info", "There is nothing to take back.")), ()
    last = state.undoable[-1]
    return course.taken_back(state), (entries.undo_entry(by=last.by, action=last.action),)


def _on_die_tapped(state: TableState, event: Event) -> Step:
    assert isinstance(event, DieTapped)
    return with_tap(state, event.index), ()


def _on_choice_tapped(state: TableState, event: Event) -> Step:
    assert isinstance(event, ChoiceTapped)
    if not 0 <= event.index < len(choices_now(state)):
        return replace(state, notice=Notice("refused", "There is no such choice now.")), ()
    return with_cursor(state, event.index), ()


def _on_pause(state: TableState, event: Event) -> Step:
    return _interrupted(state, Phase.PAUSED), (entries.pause_entry(),)


def _interrupted(state: TableState, phase: Phase) -> TableState:
    """Stop whatever is under way; dice of a throw that was not taken lie there from now on."""
    lie = together(state.lie, state.seen)
    return replace(state, phase=phase, lie=lie, seen=(), doubts=(), notice=None)


def _on_resume(state: TableState, event: Event) -> Step:
    return _resumed(state)


def _resumed(state: TableState) -> Step:
    return replace(state, phase=course.calm_phase(state)), (entries.resume_entry(),)


def _on_game_closed(state: TableState, event: Event) -> Step:
    return _closed(state)


def _closed(state: TableState) -> Step:
    return course.cleared(state), (entries.closed_entry(),)


def _on_device_lost(state: TableState, event: Event) -> Step:
    assert isinstance(event, DeviceLost)
    others = tuple(fault for fault in state.faults if fault.device != event.device)
    stopped = _interrupted(state, Phase.FAULT)
    after = replace(stopped, resume=_after_fault(state), faults=(*others, event))
    return after, (entries.fault_entry(event),)


def _after_fault(state: TableState) -> Phase:
    if state.phase is Phase.FAULT:
        return state.resume
    # A pause is ended by those who paused, not by whoever mended the camera.
    return Phase.PAUSED if state.phase is Phase.PAUSED else course.calm_phase(state)


def _on_device_back(state: TableState, event: Event) -> Step:
    assert isinstance(event, DeviceBack)
    faults = tuple(fault for fault in state.faults if fault.device != event.device)
    if faults == state.faults:
        return state, ()
    notice = None if faults else Notice("info", f"The {event.device} is back.", "Press confirm.")
    return replace(state, faults=faults, notice=notice), (entries.back_entry(event),)


def _acknowledged(state: TableState) -> Step:
    if state.faults:
        return state, ()
    again = state.resume is Phase.AWAITING_ROLL
    notice = Notice("info", "Throw all the dice again.") if again else None
    return replace(state, phase=state.resume, notice=notice), ()


_THROW_PHASES = (Phase.SETTLING, Phase.STRAIGHTEN)
"""While a throw is under way; dice read in any other phase were not thrown for a roll."""

_SEAT_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")

_KEYS: Mapping[tuple[Phase, Key], Callable[[TableState], Step]] = {
    (Phase.LOBBY, Key.LEFT): lambda state: _seats_changed(state, -1),
    (Phase.LOBBY, Key.RIGHT): lambda state: _seats_changed(state, 1),
    (Phase.LOBBY, Key.CONFIRM): lambda state: _started(state, next(iter(GAMES)), state.seats, {}),
    (Phase.READING, Key.CONFIRM): lambda state: _taken(state, state.seen, by_hand=""),
    (Phase.CHOOSING, Key.LEFT): lambda state: (with_cursor(state, max(state.cursor, 0) - 1), ()),
    (Phase.CHOOSING, Key.RIGHT): lambda state: (with_cursor(state, state.cursor + 1), ()),
    (Phase.CHOOSING, Key.CONFIRM): _confirm_choice,
    (Phase.CHOOSING, Key.BACK): _back_pressed,
    (Phase.GAME_OVER, Key.CONFIRM): _closed,
    (Phase.PAUSED, Key.CONFIRM): _resumed,
    (Phase.PAUSED, Key.BACK): _closed,
    (Phase.FAULT, Key.CONFIRM): _acknowledged,
}

_HANDLERS: Mapping[type[Event], Callable[[TableState, Event], Step]] = {
    GameStarted: _on_game_started,
    MotionSeen: _on_motion_seen,
    MotionStopped: _on_motion_stopped,
    DiceRead: _on_dice_read,
    ReadingDoubtful: _on_reading_doubtful,
    FacesEntered: _on_faces_entered,
    KeyPressed: _on_key,
    DieTapped: _on_die_tapped,
    ChoiceTapped: _on_choice_tapped,
    ActionAsked: _on_action_asked,
    UndoAsked: _on_undo,
    PauseAsked: _on_pause,
    ResumeAsked: _on_resume,
    GameClosed: _on_game_closed,
    DeviceLost: _on_device_lost,
    DeviceBack: _on_device_back,
}
