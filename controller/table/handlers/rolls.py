# SPDX-License-Identifier: MIT
"""Dice move, come to rest and become a roll of the game."""

from __future__ import annotations

from dataclasses import replace

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import message
from controller.base.settings.choices import Confirm
from controller.table import events as on
from controller.table import game_flow, journal_entries, requested_dice
from controller.table.choosing import find_ended_round
from controller.table.dice.held import NewRoll, all_dice_present, infer_hold_of_entry, may_rethrow
from controller.table.dice.placed import mark_still_placed, note_placed, remember_repair
from controller.table.dice.positions import is_same_reading
from controller.table.dice.roll_check import (
    check_roll,
    record_idle_dice,
    record_idle_doubt,
    show_doubt,
)
from controller.table.events import TrayDie
from controller.table.handlers import Step, handles, refuse
from controller.table.refusal_text import explain_refusal
from controller.table.state import Phase, TableReading, TableState, require_game

_REPAIR_PHASES = (Phase.STRAIGHTEN, Phase.ROLLING, Phase.SETTLING)


@handles(on.MotionStarted)
def on_motion_started(state: TableState, event: on.MotionStarted) -> Step:
    if state.phase is Phase.CHOOSING and not may_take_dice(state):
        # A player who chooses does not use the tray; the dice may be put away already.
        return state, ()
    # The memory of a doubt holds during its repair, not for another throw.
    memory = state.repair_memory if state.phase in _REPAIR_PHASES else None
    return replace(
        state, phase=Phase.ROLLING, reading=TableReading(), repair_memory=memory, notice=None
    ), ()


def may_take_dice(state: TableState) -> bool:
    """Return whether the player who chooses may take dice out of the tray too."""
    is_person = state.chooser not in state.play.opponent_names
    return state.is_returning or (is_person and may_rethrow(require_game(state), state.chooser))


def must_return_dice(state: TableState) -> bool:
    """Return whether dice that are in a hand must first come back to their positions."""
    return may_take_dice(state) and not all_dice_present(state)


@handles(on.MotionStopped)
def on_motion_stopped(state: TableState, event: on.MotionStopped) -> Step:
    return replace(state, phase=Phase.SETTLING), ()


@handles(on.DiceRead)
def on_dice_read(state: TableState, event: on.DiceRead) -> Step:
    if not _expects_roll(state):
        return _journal_once(record_idle_dice(state, event))
    event = replace(event, dice=mark_still_placed(state.repair_memory, event.dice))
    verdict = check_roll(state, event)
    if not isinstance(verdict, NewRoll):
        shown = replace(verdict, picture=event.picture, picture_info=event.picture_info)
        return _journal_once(_with_repair_memory(state, shown))
    read = replace(
        state,
        reading=TableReading(event.dice, held_action=verdict.held_action),
        picture=event.picture,
        picture_info=event.picture_info,
        notice=None,
    )
    if state.setup.confirm is Confirm.BUTTON:
        return _journal_once(replace(read, phase=Phase.READING))
    return confirm_reading(read)


def _expects_roll(state: TableState) -> bool:
    if state.phase is Phase.AWAITING_JOKER:
        # Dice that are set by hand need no throw, and may have been set out of view.
        return bool(state.play.roller and require_game(state).required_dice(state.play.roller))
    return state.phase in (Phase.SETTLING, Phase.STRAIGHTEN)


@handles(on.ReadingDoubtful)
def on_reading_doubtful(state: TableState, event: on.ReadingDoubtful) -> Step:
    if state.phase not in (Phase.SETTLING, Phase.STRAIGHTEN):
        return record_idle_doubt(state, event), ()
    event = replace(event, dice=mark_still_placed(state.repair_memory, event.dice))
    return _journal_once(_with_repair_memory(state, show_doubt(state, event)))


def _journal_once(after: TableState) -> Step:
    """
    Return the step that journals a reading that is shown but not taken.

    The same reading is journalled once. Otherwise a hand that passes over dice in doubt would fill
    the journal with their pictures.
    """
    if after.phase not in (Phase.READING, Phase.STRAIGHTEN):
        return after, ()
    if after.last_reported is not None and is_same_reading(after.last_reported, after.reading):
        return after, ()
    reported = replace(after, last_reported=after.reading)
    return reported, (journal_entries.reading_entry(reported),)


def _with_repair_memory(before: TableState, after: TableState) -> TableState:
    if after.phase is not Phase.STRAIGHTEN:
        return after
    return replace(after, repair_memory=remember_repair(before.repair_memory, after))


@handles(on.FacesEntered)
def on_faces_entered(state: TableState, event: on.FacesEntered) -> Step:
    if not event.by.strip():
        return refuse(state, message("Enter the name of the official."))
    try:
        dice = game_flow.build_entered_dice(state.play.game_key, event.roll)
    except InputError as error:
        return refuse(state, error.args[0])
    held = ""
    if state.play.roller is None:
        roll = state.play.rules.parse_roll(event.roll)
        found = infer_hold_of_entry(state, roll)
        if found is None:
            return refuse(state, message("The dice that were kept must be among those entered."))
        held = found
    return _take_roll(state, dice, held=held, entered=event)


def _take_roll(
    state: TableState,
    dice: tuple[TrayDie, ...],
    *,
    held: str,
    entered: on.FacesEntered | None = None,
) -> Step:
    """Apply the dice as a roll, after the hold that follows from those that stayed."""
    thrower = state.find_thrower(held)
    assert thrower is not None, "a roll is taken only while one is waited for"
    text = entered.roll if entered else _roll_text(state, dice)
    by_hand, reason = (entered.by, entered.reason) if entered else ("", "")
    try:
        before = game_flow.apply_action(state, by=thrower, action=held) if held else state
        after = game_flow.apply_roll(
            before, by=thrower, roll=text, dice=dice, by_hand=by_hand, reason=reason
        )
    except IllegalActionError as error:
        return refuse(state, explain_refusal(error))
    doubts = state.reading.doubts or note_placed(state.reading.dice)
    if state.play.request is not None:
        answer = journal_entries.answer_entry(after, by=thrower, roll=text, doubts=doubts)
        return requested_dice.answer_request(after), (answer,)
    entry = journal_entries.roll_entry(after, by=thrower, held=held, roll=text, doubts=doubts)
    return after, (entry,)


def _roll_text(state: TableState, dice: tuple[TrayDie, ...]) -> str:
    return state.play.rules.roll_text([die.face for die in dice], [die.polarity for die in dice])


def confirm_reading(state: TableState) -> Step:
    """Accept the roll on the screen."""
    return _take_roll(state, state.reading.dice, held=state.reading.held_action)


def confirm_disputed_roll(state: TableState) -> Step:
    """Accept the disputed roll: a player confirms that the dice were thrown, or count."""
    return confirm_reading(state) if state.reading.may_confirm_doubts else (state, ())


def return_dice(state: TableState) -> Step:
    """Ask a player to put the taken dice back."""
    reading = TableReading(state.reading.dice)
    asking = replace(state, phase=Phase.CHOOSING, reading=reading, is_returning=True, notice=None)
    return asking, ()


@handles(on.RoundSeen)
def on_round_seen(state: TableState, event: on.RoundSeen) -> Step:
    """Hide the result of a round, unless another one is shown by now."""
    ended = find_ended_round(state)
    is_shown = ended is not None and ended["number"] == event.number
    if not is_shown:
        return state, ()
    return replace(state, play=replace(state.play, seen_round=event.number)), ()


def confirm_round(state: TableState) -> Step:
    """Hide the result of a round."""
    ended = find_ended_round(state)
    return on_round_seen(state, on.RoundSeen(ended["number"])) if ended else (state, ())
