# SPDX-License-Identifier: MIT
"""Somebody doubts the last roll: a review is asked for and ends, an official corrects it."""

from __future__ import annotations

from dataclasses import replace

from controller.errors import IllegalActionError, InputError
from controller.games import GAMES
from controller.table import journal_entries, review, turns
from controller.table.dice.held import lies_whole
from controller.table.events import Event, ReviewAsked, RollCorrected
from controller.table.game_ui import why_refused
from controller.table.handlers import Step
from controller.table.handlers.rolls import may_take_dice
from controller.table.state import Confirmed, LastRoll, Notice, TableState
from controller.table.wording import listed, spoken_dice


def on_review_asked(state: TableState, event: Event) -> Step:
    """A player wants to look at the last roll once more."""
    assert isinstance(event, ReviewAsked)
    by = turns.player_at(state, event.panel) if event.panel is not None else ""
    if by is None:
        return turns.hinted_nobody(state, event.panel or 0), ()
    if state.last_roll is None:
        return replace(state, notice=Notice("info", "There is no roll to review yet.")), ()
    return review.begun(state, by), (journal_entries.review_entry(by),)


def ended(state: TableState) -> Step:
    """The roll stands, or was corrected, and play goes on."""
    was_corrected = review.require_review(state).is_corrected
    return review.ended(state), (journal_entries.reviewed_entry(was_corrected=was_corrected),)


def on_roll_corrected(state: TableState, event: Event) -> Step:
    """An official says what the last roll shows."""
    assert isinstance(event, RollCorrected)
    last = state.last_roll
    if last is None:
        return _refused(state, "There is no roll to correct yet.")
    if wrong := _missing(event):
        return _refused(state, wrong)
    try:
        if _is_same(state, last, event.roll):
            return _refused(state, f"The roll counts as {_spoken(state, last.roll)} already.")
        after = review.corrected(state, by=event.by, roll=event.roll, reason=event.reason)
    except InputError as error:
        return _refused(state, str(error))
    except IllegalActionError as error:
        return _refused(state, why_refused(error))
    text = f"{event.by} corrected the roll: {_spoken(state, event.roll)}."
    notice = Notice("info", text, _taken_back(state.undoable))
    after = replace(after, notice=notice, is_returning=_is_returning(after))
    entry = journal_entries.correction_entry(after, was=last.roll, undone=state.undoable)
    return after, (entry,)


def _missing(event: RollCorrected) -> str:
    """Return what a correction is refused for before anybody looks at its faces."""
    if not event.by.strip():
        return "Say who corrects the roll."
    return "" if event.reason.strip() else "Say why the roll is corrected."


def _is_same(state: TableState, last: LastRoll, roll: str) -> bool:
    parse = GAMES[state.game_key].parse_roll
    return parse(last.roll) == parse(roll)


def _is_returning(after: TableState) -> bool:
    """Tell whether dice are in a hand that took them because of the roll as it was read."""
    last = review.require_last_roll(after)
    is_seen = all(die.edge_px for die in last.dice)
    return is_seen and may_take_dice(after) and not lies_whole(after)


def _taken_back(undone: tuple[Confirmed, ...]) -> str:
    if not undone:
        return ""
    return f"Taken back: {listed([f'{one.by} {one.action}' for one in undone])}."


def _spoken(state: TableState, roll: str) -> str:
    return spoken_dice(GAMES[state.game_key].parse_roll(roll))


def _refused(state: TableState, text: str) -> Step:
    return replace(state, notice=Notice("refused", text)), ()
