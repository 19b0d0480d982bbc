# SPDX-License-Identifier: MIT
"""Players choose: by cursor, by touch, from a page of their own; and take it back."""

from __future__ import annotations

from dataclasses import replace

from controller.errors import IllegalActionError
from controller.table import game_flow, journal_entries
from controller.table.dice.held import lies_whole
from controller.table.events import ActionAsked, ChoiceTapped, DieTapped, Event, JokerTapped
from controller.table.game_ui import choices_now, why_refused, with_cursor, with_joker, with_tap
from controller.table.handlers import Step
from controller.table.handlers.rolls import may_take_dice
from controller.table.pointing import still_pointing
from controller.table.state import Notice, TableState


def back_pressed(state: TableState) -> Step:
    """Free what was tapped, or take the last action back."""
    if state.tapped.is_any:
        return with_cursor(state, 0), ()
    return undone(state)


def confirm_choice(state: TableState) -> Step:
    """Do what is under the cursor."""
    choices = choices_now(state)
    if state.cursor < 0 or not choices:
        text = "Nothing is chosen yet."
        return replace(state, notice=Notice("info", text, "Tap on, or use the arrows.")), ()
    assert state.chooser is not None
    return _acted(state, state.chooser, choices[state.cursor].action)


def on_action_asked(state: TableState, event: Event) -> Step:
    """A page of their own, or a program, asks for a player's action."""
    assert isinstance(event, ActionAsked)
    return _acted(state, event.by, event.action)


def _acted(state: TableState, by: str, action: str) -> Step:
    try:
        after = game_flow.acted(state, by=by, action=action)
    except IllegalActionError as error:
        return replace(state, notice=Notice("refused", why_refused(error))), ()
    # Somebody may have been quicker, on a page or a panel of their own.
    after = still_pointing(state, after, by)
    return after, (journal_entries.action_entry(after, by=by, action=action),)


def on_undo(state: TableState, event: Event) -> Step:
    """Somebody takes the last action back."""
    return undone(state)


def undone(state: TableState) -> Step:
    """Return the table before the last confirmed action."""
    if not state.undoable:
        return replace(state, notice=Notice("info", "There is nothing to take back.")), ()
    last = state.undoable[-1]
    after = game_flow.taken_back(state)
    # Dice that are in a hand already must come back as they lay before anything else.
    is_returning = may_take_dice(after) and not lies_whole(after)
    entry = journal_entries.undo_entry(by=last.by, action=last.action)
    return replace(after, is_returning=is_returning), (entry,)


def on_die_tapped(state: TableState, event: Event) -> Step:
    """Somebody taps a die on the screen."""
    assert isinstance(event, DieTapped)
    return with_tap(state, event.index), ()


def on_choice_tapped(state: TableState, event: Event) -> Step:
    """Somebody taps a choice on the screen."""
    assert isinstance(event, ChoiceTapped)
    if not 0 <= event.index < len(choices_now(state)):
        return replace(state, notice=Notice("refused", "There is no such choice now.")), ()
    return with_cursor(state, event.index), ()


def on_joker_tapped(state: TableState, event: Event) -> Step:
    """Somebody taps a joker on the screen."""
    assert isinstance(event, JokerTapped)
    return with_joker(state, event.joker), ()
