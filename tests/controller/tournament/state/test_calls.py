# SPDX-License-Identifier: MIT
"""Calls for an official, by players and by tables: who, where, when, and who went there."""

from __future__ import annotations

from controller.journal.hashchain import build_next_entry
from controller.tournament.entries.call_entries import CallAnswered, OfficialCalled
from controller.tournament.entries.event_entries import EventResult
from controller.tournament.state.calls import find_last_call
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, ChainedTable, PlayedEvent, duplicate_event
from tests.controller.tournament.state.test_table_rounds import begin_event, play_round


def test_a_player_calls_and_an_official_goes_there() -> None:
    event = begin_event(8)
    play_round(event)
    event.write(OfficialCalled(3))
    (call,) = event.state.data.calls
    seats = event.state.data.rounds.published[-1].tables[call.table - 1]
    assert 3 in seats
    assert call.names == tuple(f"Player {number}" for number in seats)
    assert (call.number, call.at_ms, call.is_open) == (1, event.now_ms, True)
    refusal = event.refuse(OfficialCalled(3), seat=3)
    assert refusal.text == "called.player: expected one open call, found another"
    event.now_ms += 60_000
    event.write(CallAnswered(1, "Olga"))
    assert (call.answered_by, call.answered_ms - call.at_ms) == ("Olga", 60_000)
    again = event.refuse(CallAnswered(1, "Eve"))
    assert again.text == "call_answered.call: expected an open call, found Olga"
    event.write(OfficialCalled(3))
    assert find_last_call(event.state.data, 3) is event.state.data.calls[1]


def test_a_table_calls_by_a_line_of_its_journal() -> None:
    event = PlayedEvent(duplicate_event(), players=2)
    event.send(event.table.add("called"))
    event.send(event.table.add("joined", address="", key="", name=""))
    line = event.send(event.table.add("called"))
    assert event.write_due() == ["called"], "a call of another event is not one of this"
    (call,) = event.state.data.calls
    assert (call.player, call.box, call.table) == (0, BOX, 1)
    event.send(event.table.add("called"))
    assert event.write_due() == ["called"]
    event.write(CallAnswered(1, "Olga"))
    assert [each.answered_by for each in event.state.data.calls] == ["Olga", "Olga"]
    assert event.refuse(OfficialCalled(source=event.table.source(line))).code == "twice"


def test_calls_before_the_event_and_after_its_result() -> None:
    event = PlayedEvent(duplicate_event(), players=2)
    event.write(EventResult(event.state.compute_standings().list_places(), "Olga"))
    event.send(event.table.add("called"))
    event.write(OfficialCalled(1))
    assert event.write_due() == ["called"]
    event.write(CallAnswered(1, "Olga"))
    assert [call.is_open for call in event.state.data.calls] == [False, True]

    early = EventState()
    table = ChainedTable()
    line = table.add("called")
    early.apply_table_line(BOX, line)
    enrolled = {"box": BOX, "name": "Table 1"}
    early.apply(build_next_entry(None, at_ms=1, kind="enrolled", body=enrolled))
    assert early.list_due(1) == (due := OfficialCalled(source=table.source(line)),)
    assert early.check(due, 1) is None
    refusal = early.check(OfficialCalled(1), 1)
    assert refusal is not None
    assert refusal.code == "unknown", "nobody has joined"


def test_a_phone_calls_for_its_own_player_alone() -> None:
    event = PlayedEvent(duplicate_event(), players=2)
    line = event.table.add("called")
    source = event.table.source(event.send(line))
    for entry in (OfficialCalled(2), OfficialCalled(source=source), CallAnswered(1, "Olga")):
        assert event.refuse(entry, seat=1).code == "seat"
    assert event.check(OfficialCalled(1), seat=1) is None
    for entry in (OfficialCalled(3), CallAnswered(1, "Olga")):
        assert event.refuse(entry).code == "unknown"
