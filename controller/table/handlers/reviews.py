# SPDX-License-Identifier: MIT
"""Reviews of the last roll, and corrections by an official."""

from __future__ import annotations

from dataclasses import replace

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import join_words, message
from controller.games.wording import dice_words
from controller.table import events as on
from controller.table import journal_entries, review, turns
from controller.table.effects import PendingEntry
from controller.table.handlers import Step, handles, refuse
from controller.table.handlers.rolls import must_return_dice
from controller.table.refusal_text import explain_refusal
from controller.table.state import LastRoll, Notice, TableState
from controller.table.view.wording import describe_actions, hide_from, name_official


@handles(on.ReviewRequested)
def on_review_requested(state: TableState, event: on.ReviewRequested) -> Step:
    by = turns.player_at(state, event.panel) if event.panel is not None else event.by
    if by is None:
        return turns.hint_no_player(state, event.panel or 0), ()
    if state.play.last_roll is None:
        return replace(state, notice=Notice("info", message("There is no roll to review yet."))), ()
    return review.start_review(state, by), (PendingEntry("review", {"by": by}),)


def end_review(state: TableState) -> Step:
    outcome = "corrected" if review.require_review(state).is_corrected else "stands"
    return review.end_review(state), (PendingEntry("reviewed", {"outcome": outcome}),)


@handles(on.RollCorrected)
def on_roll_corrected(state: TableState, event: on.RollCorrected) -> Step:
    last = state.play.last_roll
    if last is None:
        return refuse(state, message("There is no roll to correct yet."))
    if wrong := _find_missing_field(event):
        return refuse(state, wrong)
    try:
        if _is_same(state, last, event.roll):
            dice = _roll_words(state, last.roll)
            return refuse(state, message("The roll already counts as {dice}.", dice=dice))
        after = review.correct_roll(state, by=event.by, roll=event.roll, reason=event.reason)
    except InputError as error:
        return refuse(state, error.args[0])
    except IllegalActionError as error:
        return refuse(state, explain_refusal(error))
    dice = _roll_words(state, event.roll)
    by = name_official(event.by)
    text = message("{official} corrected the roll: {dice}.", official=by, dice=dice)
    notice = Notice("info", text, _undone_words(state))
    after = replace(after, notice=notice, is_returning=_is_returning(after))
    entry = journal_entries.correction_entry(after, was=last.roll, undone=state.play.undoable)
    return after, (entry,)


def _find_missing_field(event: on.RollCorrected) -> str:
    if not event.by.strip():
        return message("Enter the name of the official.")
    return "" if event.reason.strip() else message("Enter the reason.")


def _is_same(state: TableState, last: LastRoll, roll: str) -> bool:
    parse = state.play.rules.parse_roll
    return parse(last.roll) == parse(roll)


def _is_returning(after: TableState) -> bool:
    """Return whether a hand took dice because of the roll as it was read."""
    last = review.require_last_roll(after)
    is_seen = all(die.edge_px for die in last.dice)
    return is_seen and must_return_dice(after)


def _undone_words(state: TableState) -> str:
    undone = state.play.undoable
    if not undone:
        return ""
    return message(
        "Taken back: {choices}.", choices=join_words(describe_actions(undone, hide_from(state, "")))
    )


def _roll_words(state: TableState, roll: str) -> str:
    return dice_words(state.play.rules.parse_roll(roll))
