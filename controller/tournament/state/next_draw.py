# SPDX-License-Identifier: MIT
"""The next draw of an event: what it depends on, and the tables that follow from the dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.tournament.draws.pairings import (
    advance_bracket,
    build_bracket,
    count_rounds,
    order_players,
    pair_bracket,
    pair_round_robin,
)
from controller.tournament.draws.swiss import SwissConditions, SwissRound, draw_swiss
from controller.tournament.draws.table_draw import DrawConditions, Tables, draw_tables
from controller.tournament.entries.draw_entries import DrawMade
from controller.tournament.standings.event_scores import compute_standings, count_scores
from controller.tournament.standings.matches import list_points
from controller.tournament.state.box_lines import ThrownRoll
from controller.tournament.state.event_data import EventData
from controller.tournament.state.refusal import refuse_entry


@dataclass(frozen=True, slots=True)
class NextDraw:
    """Who sits where in the next round, and who has a bye."""

    tables: Tables
    byes: tuple[int, ...]
    half_byes: tuple[int, ...] = ()


SEED_ROLLS = 3
"""How many rolls decide an announced draw, so that the last of them is a surprise."""


def list_seeds(data: EventData) -> tuple[ThrownRoll, ...]:
    """Return the rolls that have fallen for the announced draw; at most `SEED_ROLLS`."""
    announced = data.rounds.announced
    if announced is None or data.boxes.is_still(announced.box):
        return ()
    lines = data.boxes.lines_of(announced.box)
    return tuple(islice(lines.list_seeds_from(announced.since), SEED_ROLLS))


def build_seeded_draw(data: EventData, rolls: Sequence[ThrownRoll]) -> DrawMade:
    """
    Return the draft of the next round that rolls give; without any, it follows by itself.

    Raises:
        RefusedEntryError: Nothing can be drawn now.
    """
    faces = "".join(roll.faces for roll in rolls)
    drawn = compute_draw(data, faces)
    sources = tuple(roll.source for roll in rolls)
    number = len(data.rounds.published) + 1
    return DrawMade(number, drawn.tables, faces, sources, drawn.byes, drawn.half_byes)


def needs_dice(data: EventData) -> bool:
    """Return whether the next draw needs dice; later rounds of pairs follow by themselves."""
    return data.event.style in ("tables", "swiss") or not data.rounds.published


def compute_draw(data: EventData, faces: str) -> NextDraw:
    """Return the next round by these faces; RefusedEntryError if nothing can be drawn now."""
    number = len(data.rounds.published) + 1
    if data.event.style == "tables":
        return NextDraw(_draw_tables(data, faces, number), ())
    if data.event.style == "swiss":
        return _draw_swiss(data, faces, number)
    order = compute_order(data, faces)
    if data.event.style == "knock_out":
        if sum(map(bool, order)) < 2:
            raise refuse_entry(
                "closed", message("two players who are still in"), message("the winner"), "draw"
            )
        pairing = pair_bracket(order)
    else:
        if number > count_rounds(len(order)):
            expected = message("a round from 1 to {most}", most=str(count_rounds(len(order))))
            raise refuse_entry("closed", expected, number, "draw.round")
        pairing = pair_round_robin(order, number)
        out = data.people.list_withdrawn()
        tables = tuple(pair for pair in pairing.tables if not out & set(pair))
        alone = {player for pair in pairing.tables if out & set(pair) for player in pair}
        return NextDraw(tables, tuple(sorted({*pairing.byes, *alone} - out)))
    return NextDraw(pairing.tables, pairing.byes)


def list_drawable(data: EventData) -> frozenset[int]:
    """Return who may be drawn next, here or not: who is out, or takes the round off, is not."""
    if not needs_dice(data):
        players = frozenset(compute_order(data, "")) - {0}
    else:
        players = frozenset(each.number for each in data.people.list_players()) - _list_asked(data)
    if data.event.style == "tables" and data.event.game == "black-n-white":
        players -= {player for player, lives in count_scores(data).items() if lives <= 0}
    return players - data.people.list_withdrawn()


def list_expected(data: EventData) -> frozenset[int]:
    """Return who takes part in the next draw, byes included; pairs are fixed by their first."""
    players = list_drawable(data)
    return players & data.people.list_present() if needs_dice(data) else players


def _list_asked(data: EventData) -> frozenset[int]:
    """Return who takes the next round off, here or not."""
    return frozenset(data.rounds.asked[len(data.rounds.published) + 1])


def _draw_swiss(data: EventData, faces: str, number: int) -> NextDraw:
    conditions = SwissConditions(
        tuple(sorted(list_expected(data))),
        tuple(
            SwissRound(
                tuple((one, other) for one, other in each.tables),
                each.byes,
                tuple(sorted(points.items())),
            )
            for each, points in zip(data.rounds.published, list_points(data), strict=True)
        ),
        frozenset(data.rounds.forbidden),
    )
    with _refuse_errors():
        drawn = draw_swiss(conditions, faces, number)
    half_byes = _list_asked(data) - data.people.list_withdrawn()
    return NextDraw(drawn.tables, drawn.byes, tuple(sorted(half_byes)))


def compute_order(data: EventData, faces: str) -> tuple[int, ...]:
    """Return the bracket of the next round of a knock-out, or the order of a round robin."""
    if data.rounds.published:
        if data.event.style == "round_robin":
            return data.bracket
        last = data.rounds.published[-1]
        losers = [*last.list_losers(), *data.people.list_withdrawn()]
        return advance_bracket(data.bracket, losers)
    players = sorted(data.people.list_present())
    if len(players) < 2:
        expected = message("two or more players")
        raise refuse_entry("early", expected, len(players), "draw")
    is_seeded = data.event.pairing == "standings"
    order = tuple(players) if is_seeded else order_players(players, faces, 1)
    return build_bracket(order) if data.event.style == "knock_out" else order


def _draw_tables(data: EventData, faces: str, number: int) -> Tables:
    players = list_expected(data)
    scores: dict[int, tuple[int, ...]] = {}
    if data.event.pairing == "standings":
        rows = compute_standings(data).rows
        scores = {row.player: (row.score, row.total) for row in rows}
    conditions = DrawConditions(
        tuple(sorted(players)),
        data.event.table_size,
        scores if number > 1 else {},
        [tuple(map(tuple, each.tables)) for each in data.rounds.published],
        {player: table for player, table in data.rounds.fixed.items() if player in players},
        frozenset(data.rounds.forbidden),
    )
    with _refuse_errors():
        return draw_tables(conditions, faces, number)


@contextmanager
def _refuse_errors() -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise refuse_entry("rule", error.expected, error.found, error.where or "draw") from error
