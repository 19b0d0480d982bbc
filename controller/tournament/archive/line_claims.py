# SPDX-License-Identifier: MIT
"""
What the event's own journal says of lines of its tables, to be compared with these lines.

A roll of the event, a draw, the result of a table and a ruling each name the line that they rest
on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.tournament.entries.call_entries import OfficialCalled
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import DrawMade, TableResult, TableRuling
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import ReserveOpened, RollOpened, RollRuling
from controller.tournament.standings.event_scores import BLACK_N_WHITE
from controller.tournament.state.event_data import EventData

CAUSES = ("roll", "answer", "correction", "review")
"""Kinds of lines that can be the cause of a ruling."""


@dataclass(frozen=True, slots=True)
class LineClaim:
    """What an entry of the event says of lines of tables."""

    seq: int
    kind: str
    sources: tuple[Source, ...]
    faces: str = ""  # The faces that they show together; empty if it says nothing of faces.
    is_shared: bool = False  # Whether they must be rolls of five dice for everybody.
    # The result of each player of a table's game by name; None if it says none.
    totals: Mapping[str, int] | None = None
    # Who lost it, by name; None if the line does not decide that.
    losers: frozenset[str] | None = None
    until_ms: int = 0  # When the table's game had to be over; 0 if at any time.
    is_cause: bool = False
    # The line of the table from which on its rolls decide an announced draw; None for another.
    seeds_from: int | None = None


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What a line of a table's journal is."""

    link: str
    kind: str
    at_ms: int
    faces: str = ""  # The faces of its roll in ascending order; empty if it is none.
    is_shared: bool = False  # Whether it is a roll of five dice for everybody.
    may_seed: bool = False  # Whether it may decide an announced draw.
    # The result of the game that it ended, by player; None if it ended none.
    totals: Mapping[str, int] | None = None
    losers: tuple[str, ...] = ()


def read_claim(seq: int, entry: EventEntry, data: EventData) -> LineClaim | None:
    """Return what an entry says of lines of tables, if anything; `data` is the event before it."""
    match entry:
        case RollOpened() | ReserveOpened():
            return LineClaim(seq, entry.kind, (entry.source,), entry.faces, is_shared=True)
        case DrawMade() if entry.sources:
            announced = data.rounds.announced
            since = announced.since if announced else None
            return LineClaim(seq, entry.kind, entry.sources, entry.faces, seeds_from=since)
        case TableResult() if entry.source:
            return _read_result(seq, entry, entry.source, data)
        case OfficialCalled() if entry.source:
            return LineClaim(seq, entry.kind, (entry.source,))
        case RollRuling() if entry.cause:
            return LineClaim(seq, entry.kind, (entry.cause,), is_cause=True)
        case TableRuling():
            return LineClaim(seq, entry.kind, (entry.cause,), is_cause=True)
        case _:
            return None


def list_wanted(claims: Iterable[LineClaim]) -> dict[str, set[int]]:
    """Return the numbers of the lines that claims are about, by the key of their table."""
    wanted: dict[str, set[int]] = {}
    for claim in claims:
        for source in claim.sources:
            wanted.setdefault(source.box, set()).add(source.seq)
    return wanted


def _read_result(seq: int, entry: TableResult, source: Source, data: EventData) -> LineClaim:
    """Return the claim of a result; what an official entered need not be what the line says."""
    rounds = data.rounds.published
    is_known = 1 <= entry.round <= len(rounds)
    tables = rounds[entry.round - 1].tables if is_known else ()
    if entry.by or not 1 <= entry.table <= len(tables):
        return LineClaim(seq, entry.kind, (source,))
    names = [data.people.find(player).name for player in tables[entry.table - 1]]
    totals = dict(zip(names, entry.points, strict=False))
    losers = None
    if data.event.game == BLACK_N_WHITE:
        losers = frozenset(data.people.find(player).name for player in entry.losers)
    until_ms = rounds[entry.round - 1].until_ms if data.event.round_end == "stop" else 0
    return LineClaim(seq, entry.kind, (source,), totals=totals, losers=losers, until_ms=until_ms)
