# SPDX-License-Identifier: MIT
"""
The results of tables as a list: one row for each player of each table of each round.

Before a table has a result its points are empty, so the list that is exported is the form to fill
in. What comes back as it was changes nothing. The results of a duplicate event follow from the
choices of its players, and cannot be entered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.games.player_names import compute_look
from controller.journal.records.record import format_value
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import TableResult
from controller.tournament.server.event_runner import Plan
from controller.tournament.server.lists.list_file import (
    ListRow,
    decode_list,
    read_csv,
    write_csv,
)
from controller.tournament.state.event_data import EventData
from controller.tournament.state.refusal import STYLE_NAMES
from controller.tournament.state.rounds import Round
from controller.tournament.state.state import EventState

NEEDED = ("round", "table", "player", "points")
COLUMNS = ("round", "table", "player", "name", "points", "lost", "reason")
FORMAT = 1


def build_result_csv(state: EventState) -> bytes:
    """Return the newest result of every table; its points are empty before."""
    rows = _list_rows(state.data)
    return write_csv([COLUMNS, *([_write_cell(row[column]) for column in COLUMNS] for row in rows)])


def build_result_json(state: EventState) -> bytes:
    """Return the same as JSON; points are null before a result."""
    event = state.data.begun.name if state.data.begun else None
    listed = {"dicebell_results": FORMAT, "event": event, "rows": [*_list_rows(state.data)]}
    return json.dumps(listed, ensure_ascii=False, indent=1).encode() + b"\n"


def plan_results(content: bytes, by: str, reason: str) -> Plan:
    """
    Return what enters the results of a list.

    Args:
        content: CSV or JSON.
        by: The official who brings it.
        reason: Why it is entered by hand; a reason in the list counts before this one.

    Raises:
        InputError: It is no such list.
    """
    is_json = decode_list(content).lstrip().startswith("{")
    others = [column for column in COLUMNS if column not in NEEDED]
    rows = _read_json(content) if is_json else read_csv(content, NEEDED, others)
    return lambda state: [*_list_entries(state.data, rows, by, reason)]


def _list_rows(data: EventData) -> Iterator[dict[str, int | str | bool | None]]:
    for played in data.rounds.published:
        for number, seats in enumerate(played.tables, start=1):
            result = played.recorded.get(number)
            for seat, player in enumerate(seats):
                yield {
                    "round": played.number,
                    "table": number,
                    "player": player,
                    "name": data.people.find(player).name,
                    "points": result.points[seat] if result else None,
                    "lost": bool(result and player in result.losers),
                    "reason": result.reason if result else "",
                }


def _write_cell(value: int | str | bool | None) -> int | str:
    if isinstance(value, bool):
        return "x" if value else ""
    return "" if value is None else value


def _read_json(content: bytes) -> list[ListRow]:
    expected = message("the results of an event as JSON")
    try:
        listed = json.loads(decode_list(content))
    except (ValueError, RecursionError) as error:
        raise InputError(expected=expected, found=str(error)) from error
    if listed.get("dicebell_results") != FORMAT or not isinstance(listed.get("rows"), list):
        found = message("no {name}", name=f'"dicebell_results": {FORMAT}, "rows"')
        raise InputError(expected=expected, found=found)
    return [_read_object(number, each) for number, each in enumerate(listed["rows"], start=1)]


def _read_object(number: int, found: object) -> ListRow:
    where = message("row {number}", number=str(number))
    if not isinstance(found, dict) or not {*NEEDED} <= {*found} <= {*COLUMNS}:
        expected = message("the keys {names}", names=", ".join(COLUMNS))
        raise InputError(expected=expected, found=format_value(found), where=where)
    for column, value in found.items():
        if not isinstance(value, int | str | None):
            expected = message("a number or a text")
            raise InputError(
                expected=expected, found=f"{column}: {format_value(value)}", where=where
            )
    return ListRow(where, {column: str(_write_cell(value)) for column, value in found.items()})


def _list_entries(
    data: EventData, rows: Sequence[ListRow], by: str, reason: str
) -> Iterator[tuple[Message, EventEntry]]:
    if data.begun is None or data.begun.style == "duplicate":
        found = STYLE_NAMES[data.begun.style] if data.begun else message("none")
        raise InputError(expected=message("an event with draws"), found=found)
    by_table: dict[tuple[int, int], list[ListRow]] = {}
    for row in rows:
        by_table.setdefault(_find_table(data, row), []).append(row)
    for (round, table), of_table in by_table.items():
        played = data.rounds.published[round - 1]
        result = _build_result(data, of_table, played, table, by, reason)
        known = played.recorded.get(table)
        if result and not (
            known and (known.points, {*known.losers}) == (result.points, {*result.losers})
        ):
            yield of_table[0].where, result


def _find_table(data: EventData, row: ListRow) -> tuple[int, int]:
    """Return the numbers of the round and the table that a row is about."""
    published = data.rounds.published
    round, table = row.read_whole("round"), row.read_whole("table")
    if not 1 <= round <= len(published):
        expected = message("a published round, from 1 to {most}", most=str(len(published)))
        raise row.refuse(expected, str(round))
    most = len(published[round - 1].tables)
    if not 1 <= table <= most:
        raise row.refuse(message("a table from 1 to {most}", most=str(most)), str(table))
    return round, table


def _build_result(
    data: EventData, rows: Sequence[ListRow], played: Round, table: int, by: str, reason: str
) -> TableResult | None:
    """Return the result that the rows of a table give; None if all of them are empty."""
    seats = played.tables[table - 1]
    by_player: dict[int, ListRow] = {}
    for row in rows:
        player = row.read_whole("player")
        if player not in seats or player in by_player:
            expected = message(
                "each player of table {table} once: {players}",
                table=table,
                players=", ".join(map(str, seats)),
            )
            raise row.refuse(expected, str(player))
        by_player[player] = row
        name = data.people.find(player).name
        if row.read("lost") not in ("", "x"):
            raise row.refuse(message("x for a player who lost, or nothing"), row.read("lost"))
        if row.read("name") and compute_look(row.read("name")) != compute_look(name):
            expected = message("{name}, who is player {player}", name=name, player=player)
            raise row.refuse(expected, row.read("name"))
    if missing := [player for player in seats if player not in by_player]:
        expected = message("a row for player {player}", player=missing[0])
        raise rows[-1].refuse(expected, message("none"))
    if not any(row.read("points") for row in rows):
        return None
    reasons = [row.read("reason") for row in rows]
    try:
        return TableResult(
            played.number,
            table,
            tuple(by_player[player].read_whole("points") for player in seats),
            tuple(player for player in seats if by_player[player].read("lost")),
            by=by,
            reason=next(filter(None, reasons), reason),
        )
    except InputError as error:
        raise error if isinstance(error.where, Message) else error.at(rows[0].where) from error
