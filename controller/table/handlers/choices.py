# SPDX-License-Identifier: MIT
"""Players choose by cursor, by touch or from their own page, and undo their choices."""

from __future__ import annotations

from dataclasses import replace

from controller.errors import IllegalActionError
from controller.languages.message import message
from controller.table import game_flow, journal_entries
from controller.table.choosing import list_choices, move_cursor, restore_cursors, tap_die, tap_joker
from controller.table.dice.held import all_dice_present
from controller.table.events import (
    ActionRequested,
    ChoiceTapped,
    DieTapped,
    JokerTapped,
    UndoRequested,
)
from controller.table.handlers import Step
from controller.table.handlers.rolls import may_take_dice
from controller.table.refusal_text import explain_refusal
from controller.table.state import Notice, TableState


def press_back(state: TableState) -> Step:
    """Free what was tapped, or undo the last action."""
    if state.selection.is_any:
        return move_cursor(state, 0), ()
    return undo_action(state)


def confirm_choice(state: TableState) -> Step:
    """Apply the choice under the cursor."""
    choices = list_choices(state)
    if state.cursor < 0 or not choices:
        text = message("Nothing is selected yet.")
        remedy = message("Tap the dice, or use the arrows.")
        return replace(state, notice=Notice("info", text, remedy)), ()
    assert state.chooser is not None
    return _apply_action(state, state.chooser, choices[state.cursor].action)


def on_action_requested(state: TableState, event: ActionRequested) -> Step:
    return _apply_action(state, event.by, event.action)


def _apply_action(state: TableState, by: str, action: str) -> Step:
    try:
        after = game_flow.apply_action(state, by=by, action=action)
    except IllegalActionError as error:
        return replace(state, notice=Notice("refused", explain_refusal(error))), ()
    # Another player may have been quicker, on their own page or panel.
    after = restore_cursors(state, after, by)
    return after, (journal_entries.action_entry(after, by=by, action=action),)


def on_undo_requested(state: TableState, event: UndoRequested) -> Step:
    return undo_action(state)


def undo_action(state: TableState) -> Step:
    """Return the table before the last confirmed action."""
    if not state.undoable:
        return replace(state, notice=Notice("info", message("There is nothing to undo."))), ()
    last = state.undoable[-1]
    after = game_flow.undo_action(state)
    # Dice that are in a hand already must first come back to their positions.
    is_returning = may_take_dice(after) and not all_dice_present(after)
    entry = journal_entries.undo_entry(by=last.by, action=last.action)
    return replace(after, is_returning=is_returning), (entry,)


def on_die_tapped(state: TableState, event: DieTapped) -> Step:
    return tap_die(state, event.index), ()


def on_choice_tapped(state: TableState, event: ChoiceTapped) -> Step:
    if not 0 <= event.index < len(list_choices(state)):
        text = message("This choice is no longer there.")
        return replace(state, notice=Notice("refused", text)), ()
    return move_cursor(state, event.index), ()


def on_joker_tapped(state: TableState, event: JokerTapped) -> Step:
    return tap_joker(state, event.joker), ()
