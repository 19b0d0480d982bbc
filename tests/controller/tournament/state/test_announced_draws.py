# SPDX-License-Identifier: MIT
"""The rolls that decide a draw are announced before they fall, and nothing else decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.journal.hashchain import Entry, build_next_entry
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.draw_entries import (
    DrawAnnounced,
    DrawMade,
    DrawPublished,
    PlayersSwapped,
)
from controller.tournament.entries.event_entries import TableEnrolled
from controller.tournament.results.result_sheet import list_decisions
from controller.tournament.state.next_draw import build_seeded_draw, list_seeds
from controller.tournament.state.refusal import RefusedEntryError
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, ChainedTable, PlayedEvent
from tests.controller.tournament.state.test_table_rounds import begin_event, refused

OTHER = "b" * 64
DICE = ("13446", "22356", "12345")


@pytest.fixture
def event() -> PlayedEvent:
    event = begin_event(8, seeding="announced")
    event.send(event.table.begin("dice"))
    return event


def announce(event: PlayedEvent, reason: str = "") -> DrawAnnounced:
    """Return the announcement of the next rolls of the table."""
    return DrawAnnounced(1, BOX, len(event.table.entries), "Olga", reason)


def throw(event: PlayedEvent, *rolls: str) -> None:
    for faces in rolls:
        event.throw(faces)


def chain(event: PlayedEvent, entry: EventEntry) -> Entry:
    """Return the next entry of the event's journal as an archive has it."""
    body = encode_body(entry)
    return build_next_entry(event.entries[-1], at_ms=event.now_ms, kind=entry.kind, body=body)


def test_three_announced_rolls_draw_by_themselves(event: PlayedEvent) -> None:
    event.write(announce(event))
    throw(event, *DICE[:2])
    assert not event.state.data.rounds.rounds, "nobody knows the draw before the last roll"
    throw(event, DICE[2])
    draft = event.state.data.rounds.draft
    assert draft is not None
    assert draft.faces == "".join(DICE)
    throw(event, "66666")
    assert event.state.data.rounds.draft is draft, "a later roll changes nothing"


def test_rolls_that_somebody_could_steer_do_not_decide(event: PlayedEvent) -> None:
    event.write(announce(event))
    throw(event, "12", DICE[0])
    event.throw("66666", by_hand="Hall")
    event.send(event.table.add("roll", by="Hall", roll="55555", held="again", doubts=[]))
    throw(event, "44444")
    event.send(event.table.add("correction", by="Hall", roll="33333", reason="seen"))
    for do in ("join", "count"):
        event.send(event.table.add("action", by="Hall", do="again"))
        event.send(event.table.add("undo", by="Hall", do=do))
        throw(event, "66666")
    throw(event, DICE[1])
    event.send(event.table.add("roll", by="Hall", roll=DICE[2], held="throw", doubts=[]))
    event.write_due()
    draft = event.state.data.rounds.draft
    assert draft is not None
    assert draft.faces == "".join(DICE)


def test_a_known_or_used_roll_is_refused_at_any_table(event: PlayedEvent) -> None:
    """The drafts of two tables alternate, and none of the old rolls comes back."""
    event.write(TableEnrolled(OTHER, "Table 2"))
    other = ChainedTable(OTHER)
    event.send(other.begin("dice"), OTHER)
    throw(event, *DICE)
    early = replace(announce(event), since=1)
    assert "expected a line after 3, found 1" in refused(event, early)
    event.write(announce(event))
    throw(event, *DICE)
    first = event.state.data.rounds.steps[-1]
    assert isinstance(first, DrawMade)
    again = DrawAnnounced(1, OTHER, len(other.entries), "Olga")
    assert "expected a reason" in refused(event, again)
    event.write(replace(again, reason="Ada left"))
    for faces in DICE[::-1]:
        event.send(other.throw(faces), OTHER)
    event.write_due()
    second = event.state.data.rounds.steps[-1]
    assert isinstance(second, DrawMade)
    assert {each.box for each in second.sources} == {OTHER}
    assert "expected rolls that seeded no draw yet" in refused(event, first)
    event.write(replace(announce(event), reason="Ben left"))
    assert "expected rolls that seeded no draw yet" in refused(event, first)


def test_a_draw_rests_on_exactly_the_announced_rolls(event: PlayedEvent) -> None:
    """So reads also somebody who has the journal alone."""
    throw(event, DICE[0])
    known = event.table.source(event.table.entries[-1])
    data = event.state.data
    assert "expected an announcement of the rolls" in refused(
        event, build_seeded_draw(data, [*data.boxes.lines_of(BOX).list_seeds_from(0)][-1:])
    )
    event.write(announce(event))
    for faces in DICE:
        event.send(event.table.throw(faces))
    made = build_seeded_draw(data, list_seeds(data))
    offline = EventState()
    offline.apply_all(event.entries)
    for sources, faces in (
        ((known, *made.sources[1:]), made.faces),
        (made.sources[:2], made.faces[:10]),
        (made.sources[::-1], made.faces),
        (tuple(replace(each, box=OTHER) for each in made.sources), made.faces),
        (made.sources, made.faces[:9]),
    ):
        with pytest.raises(RefusedEntryError):
            offline.apply(chain(event, replace(made, sources=sources, faces=faces)))
    offline.apply(chain(event, made))
    event.send(event.table.throw("66666"))
    rolls = [*data.boxes.lines_of(BOX).list_seeds_from(0)][-3:]
    assert "expected the next rolls after the announcement" in refused(
        event, build_seeded_draw(data, rolls)
    )


def test_what_cannot_be_drawn_is_not_announced(event: PlayedEvent) -> None:
    assert "expected 1, found 2" in refused(event, replace(announce(event), round=2))
    old = begin_event(8)
    assert "after an announcement" in refused(old, announce(old))
    alone = begin_event(1, seeding="announced")
    assert "expected two or more players" in refused(alone, announce(alone))


def test_drafts_and_swaps_are_listed_with_their_reasons(event: PlayedEvent) -> None:
    event.write(announce(event))
    throw(event, *DICE)
    event.write(announce(event, "Ada left"))
    throw(event, *DICE)
    draft = event.state.data.rounds.draft
    assert draft is not None
    pair = (draft.tables[0][0], draft.tables[1][0])
    event.write(PlayersSwapped(1, pair, "Olga", "a wheelchair"))
    event.write(DrawPublished(1, "Olga"))
    said = [(each["what"], each["reason"]) for each in list_decisions(event.state.data)]
    assert said == [
        ("Round 1: 2 drafts, 1 swap", ""),
        ("Round 1: the rolls that decide were announced at Table 1 before they fell", ""),
        ("Round 1: the rolls that decide were announced again, at Table 1", "Ada left"),
        (f"Round 1: Player {pair[0]} and Player {pair[1]} swapped seats", "a wheelchair"),
    ]
