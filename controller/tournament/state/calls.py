# SPDX-License-Identifier: MIT
"""Calls for an official: the queue of those that are open, and their history."""

from __future__ import annotations

from typing import assert_never

from controller.base.languages.message import message
from controller.tournament.entries.call_entries import CallAnswered, CallEntry, OfficialCalled
from controller.tournament.entries.fields import Source
from controller.tournament.state.event_data import Call, EventData
from controller.tournament.state.refusal import refuse_entry, require_enrolled, require_player


def check_call_entry(data: EventData, entry: CallEntry) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    match entry:
        case OfficialCalled():
            if entry.source is None:
                _check_player(data, entry)
            else:
                _check_table(data, entry, entry.source)
        case CallAnswered():
            if entry.call > len(data.calls):
                expected = message("a call from 1 to {most}", most=str(len(data.calls)))
                raise refuse_entry("unknown", expected, entry.call, "call_answered.call")
            call = data.calls[entry.call - 1]
            if not call.is_open:
                expected, found = message("an open call"), call.answered_by
                raise refuse_entry("twice", expected, found, "call_answered.call")
        case _:
            assert_never(entry)


def apply_call_entry(data: EventData, entry: CallEntry, at_ms: int) -> None:
    """Change the event by an entry that was checked and has this time."""
    match entry:
        case OfficialCalled():
            data.calls.append(_build_call(data, entry, at_ms))
            if entry.source is not None:
                data.called.add(entry.source.link)
        case CallAnswered():
            caller = data.calls[entry.call - 1]
            for call in data.calls:
                if call.is_open and (call.player, call.box) == (caller.player, caller.box):
                    call.answered_by, call.answered_ms = entry.by, at_ms
        case _:
            assert_never(entry)


def find_last_call(data: EventData, player: int) -> Call | None:
    """Return a player's newest call; None without one."""
    return next((call for call in reversed(data.calls) if call.player == player), None)


def list_due_calls(data: EventData) -> list[OfficialCalled]:
    """Return the calls of tables that are not in the event's journal yet."""
    return [
        OfficialCalled(source=source)
        for box, lines in data.boxes.list_lines()
        if not data.boxes.is_still(box)
        for source in lines.calls
        if source.link not in data.called
    ]


def _check_player(data: EventData, entry: OfficialCalled) -> None:
    require_player(data, entry.player, "called.player")
    last = find_last_call(data, entry.player)
    if last is not None and last.is_open:
        expected, found = message("one open call"), message("another")
        raise refuse_entry("twice", expected, found, "called.player")


def _check_table(data: EventData, entry: OfficialCalled, source: Source) -> None:
    if entry.player:
        expected = message("a player or a table")
        raise refuse_entry("rule", expected, message("both"), "called.player")
    require_enrolled(data, source.box, "called.source")
    if source.link in data.called:
        expected, found = message("a new line"), source.seq
        raise refuse_entry("twice", expected, found, "called.source")


def _build_call(data: EventData, entry: OfficialCalled, at_ms: int) -> Call:
    """Return a call with its table: the one that called, or where the player sits now."""
    published = data.rounds.published
    tables = published[-1].tables if published else []
    table = data.boxes.find(entry.source.box) if entry.source else None
    number = table.number if table else 0
    for each, seats in enumerate(tables, start=1):
        if entry.player in seats:
            number = each
    seats = tables[number - 1] if 1 <= number <= len(tables) else []
    names = tuple(data.people.find(player).name for player in seats)
    return Call(len(data.calls) + 1, at_ms, entry.player, table.box if table else "", number, names)
