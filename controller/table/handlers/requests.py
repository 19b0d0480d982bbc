# SPDX-License-Identifier: MIT
"""Another program asks for dice; the table answers, or people and time refuse."""

from __future__ import annotations

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.table import events as on
from controller.table import journal_entries, requested_dice
from controller.table.effects import PendingEntry
from controller.table.handlers import Step, handles, refuse
from controller.table.state import THROW_PHASES, Phase, TableState


@handles(on.DiceRequested)
def on_dice_requested(state: TableState, event: on.DiceRequested) -> Step:
    try:
        after = requested_dice.start_request(state, event)
    except InputError as error:
        return refuse(state, error.args[0])
    return after, (journal_entries.request_entry(event),)


@handles(on.RequestEnded)
def on_request_ended(state: TableState, event: on.RequestEnded) -> Step:
    """End the request; an answer that is shown already ends in no other way."""
    request = state.play.request
    if request is None or request.is_answered != (event.outcome == "answered"):
        return refuse(state, message("No request waits for dice."))
    return end_request(state, event.outcome)


def may_refuse(state: TableState) -> bool:
    """Return whether back refuses the request at the table."""
    is_open = state.play.request is not None and not state.play.request.is_answered
    return is_open and state.phase in (Phase.AWAITING_ROLL, *THROW_PHASES)


def end_request(state: TableState, outcome: str) -> Step:
    """Return the table as before the request; only one without an answer needs an entry."""
    after = requested_dice.end_request(state)
    if state.play.request is not None and state.play.request.is_answered:
        return after, ()
    return after, (PendingEntry("request_ended", {"outcome": outcome}),)
