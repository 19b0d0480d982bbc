# SPDX-License-Identifier: MIT
"""
What follows by itself at a moment: rolls opened and closed, games ended, results of tables.

These are proposals like any other. Each is checked and written before the next is asked for,
because one may end what another rests on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import DrawMade, TableResult
from controller.tournament.entries.game_entries import (
    GameClosed,
    ReserveOpened,
    RollClosed,
    RollOpened,
)
from controller.tournament.standings.event_scores import BLACK_N_WHITE
from controller.tournament.standings.table_points import list_losers
from controller.tournament.state.box_lines import GameEnd, ThrownRoll
from controller.tournament.state.calls import list_due_calls
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import SEED_ROLLS, build_seeded_draw, list_seeds
from controller.tournament.state.refusal import RefusedEntryError
from controller.tournament.state.rounds import Round

SECOND_MS = 1000


def list_due(data: EventData, now_ms: int) -> tuple[EventEntry, ...]:
    """Return what should be written now; empty if everything waits."""
    calls = list_due_calls(data)
    if data.begun is None or data.result is not None:
        return tuple(calls)
    if data.event.style == "duplicate":
        game = data.open_game
        entry = _find_due(data, game, now_ms) if game else None
        return (*calls, *((entry,) if entry else ()))
    in_time = (result for result, is_late in _list_ends(data) if not is_late)
    return (*calls, *_list_draws(data), *in_time)


def find_next_due(data: EventData) -> int | None:
    """Return when the clock alone makes something due; None if it never does."""
    game = data.open_game
    roll = game.open_roll if game else None
    if roll is None:
        return None
    return roll.find_deadline(data.people.list_present())


def _find_due(data: EventData, game: DuplicateGame, now_ms: int) -> EventEntry | None:
    until_ms = now_ms + data.event.clock_s * SECOND_MS
    roll = game.open_roll
    if roll is not None:
        if roll.needs_reserve and (thrown := _find_next_roll(data, game)):
            return ReserveOpened(game.number, roll.number, thrown.faces, thrown.source, until_ms)
        deadline = roll.find_deadline(data.people.list_present())
        is_over = deadline is not None and deadline <= now_ms
        return RollClosed(game.number, roll.number) if is_over else None
    if not game.needs_roll(data.people.list_present()):
        return GameClosed(game.number) if game.rolls else None
    if thrown := _find_next_roll(data, game):
        number = len(game.rolls) + 1
        return RollOpened(game.number, number, thrown.faces, thrown.source, until_ms)
    return None


def _find_next_roll(data: EventData, game: DuplicateGame) -> ThrownRoll | None:
    """Return the oldest roll of the game's table that is not used; None if it has to throw."""
    table = data.boxes.find(game.box)
    if table is None or table.new_key:
        return None
    lines = data.boxes.lines_of(table.box)
    return next(lines.list_shared_after(data.last_line_of(game)), None)


def _list_draws(data: EventData) -> Iterator[DrawMade]:
    """Yield the draft that the announced rolls give, as soon as the last of them has fallen."""
    rolls = list_seeds(data)
    if len(rolls) == SEED_ROLLS:
        # The organiser's page says why there is none.
        with suppress(RefusedEntryError):
            yield build_seeded_draw(data, rolls)


def list_overtime(data: EventData) -> Iterator[TableResult]:
    """Yield the results of the running round that ended too late to count by themselves."""
    return (result for result, is_late in _list_ends(data) if is_late)


def _list_ends(data: EventData) -> Iterator[tuple[TableResult, bool]]:
    """Yield the results of the running round that have come, and whether they are too late."""
    published = data.rounds.published
    if not published or published[-1].is_complete:
        return
    last = published[-1]
    used = {
        result.source.link
        for each in published
        for result in each.recorded.values()
        if result.source
    }

    def is_over(end: GameEnd) -> bool:
        return data.event.round_end == "stop" and 0 < last.until_ms < end.at_ms

    new = (
        end
        for box, lines in data.boxes.list_lines()
        if not data.boxes.is_still(box)
        for end in lines.ends
        if end.game == data.event.game and end.source.link not in used
    )
    # The newest end of the same players counts, but none after the clock before one in time.
    ends = {frozenset(end.totals): end for end in sorted(new, key=is_over, reverse=True)}
    for number, seats in enumerate(last.tables, start=1):
        names = [data.people.find(player).name for player in seats]
        end = ends.get(frozenset(names))
        if number not in last.recorded and end is not None:
            result = _build_result(data, last, number, names, end)
            if result is not None:
                yield result, is_over(end)


def _build_result(
    data: EventData, last: Round, number: int, names: list[str], end: GameEnd
) -> TableResult | None:
    seats = last.tables[number - 1]
    points = tuple(end.totals[name] for name in names)
    losers: tuple[int, ...] = ()
    if data.event.game == BLACK_N_WHITE:
        losers = tuple(seats[names.index(name)] for name in end.losers if name in names)
    elif data.event.style == "knock_out":
        losers = list_losers(dict(zip(seats, points, strict=True)))
        if len(losers) != 1:
            # Equal results decide nothing: the two play again.
            return None
    return TableResult(last.number, number, points, losers, end.source)
