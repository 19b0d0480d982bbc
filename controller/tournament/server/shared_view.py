# SPDX-License-Identifier: MIT
"""What a running event shows, as plain values: to phones, big screens, officials and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.games.contract import Json
from controller.tournament.standings.rows import Standings
from controller.tournament.state.boxes import EnrolledTable
from controller.tournament.state.check_in import list_missing
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import SEED_ROLLS, list_seeds
from controller.tournament.state.player_view import describe_field
from controller.tournament.state.rounds import Round
from controller.tournament.state.state import EventState

MOST_FIRST = 10
"""How many of the standings go with every change; all of them are a page of their own."""


MOST_MISSING = 24
"""How many of those who have not checked in are named on a big screen."""


def build_shared_view(state: EventState, *, has_groups: bool = False) -> dict[str, Json]:
    """
    Return the event as it stands.

    `event` is null before the event began, `game` before the first game of a duplicate event, its
    `roll` between rolls, `last` before the first closed roll, `round` without a published draw,
    `announced` without a draw whose rolls have been announced, `check_in` without a check-in.
    With `has_groups`, for big screens, an event with sections or teams has `groups`: the first of
    each `section`, and of the teams under null.
    """
    data = state.data
    if data.begun is None:
        return {"event": None}
    game = data.games[-1] if data.games else None
    published = data.rounds.published
    standings = state.compute_standings()
    groups = _list_groups(standings) if has_groups else []
    return {
        "event": _describe_event(data),
        "players": len(data.people),
        "present": len(data.people.list_present()),
        "game": _describe_game(data, game) if game else None,
        "round": describe_round(data, published[-1]) if published else None,
        "announced": _describe_announced(data),
        "check_in": _describe_check_in(data),
        "unit": standings.unit,
        "first": [row.to_plain() for row in standings.rows[:MOST_FIRST]],
        "is_final": data.result is not None,
        **({"groups": groups} if groups else {}),
    }


def count_choices(state: EventState) -> dict[str, Json]:
    """
    Return how many have chosen from the open roll, and how many it waits for.

    `needs_reserve` says that somebody played the Terminator, and the table throws the reserve roll.
    """
    roll = state.data.open_roll if state.data.begun else None
    if roll is None:
        return {"chosen": 0, "awaited": 0, "needs_reserve": False}
    return {
        "chosen": len(roll.choices),
        "awaited": len(roll.awaiting),
        "needs_reserve": roll.needs_reserve,
    }


def describe_roll(data: EventData, roll: FieldRoll) -> dict[str, Json]:
    """Return a roll with the table that threw it and its picture's digest, "" without one."""
    return {
        "number": roll.number,
        "faces": roll.faces,
        "opened_faces": roll.opened_faces,
        "until_ms": roll.until_ms,
        "reserve": roll.reserve.faces if roll.reserve else None,
        "reserve_until_ms": roll.reserve.until_ms if roll.reserve else None,
        "is_open": roll.is_open,
        "is_annulled": roll.is_annulled,
        "box": roll.source.box,
        "seq": roll.source.seq,
        "picture": data.boxes.find_picture(roll.source),
        "field": describe_field(roll) if not roll.is_open else [],
    }


def describe_round(data: EventData, drawn: Round) -> dict[str, Json]:
    """
    Return who sits where in a round, with the results of its tables, null before them.

    The name of a table is empty if none with its number has been enrolled.
    """
    names = {table.number: table.name for table in data.boxes.list_tables()}
    return {
        "number": drawn.number,
        "is_complete": drawn.is_complete,
        "until_ms": None if drawn.is_complete else drawn.until_ms or None,
        "tables": [
            {
                "number": number,
                "name": names.get(number, ""),
                "players": _describe_seats(data, seats),
                "points": list(drawn.recorded[number].points) if number in drawn.recorded else None,
            }
            for number, seats in enumerate(drawn.tables, start=1)
        ],
        "byes": _describe_seats(data, [*drawn.byes, *drawn.half_byes]),
    }


def find_seats(state: EventState, key: str) -> Mapping[str, Json] | None:
    """Return the seats of a table, as `PlayersSeated` has them; None if it has no seats."""
    data = state.data
    if data.begun is None or data.result is not None or state.is_still(key):
        return None
    table, published = data.boxes.find(key), data.rounds.published
    if table is None or not published:
        return None
    drawn = published[-1]
    if table.number > len(drawn.tables) or table.number in drawn.recorded:
        return None
    seats = drawn.tables[table.number - 1]
    return {
        "event": data.event.name,
        "round": drawn.number,
        "table": table.number,
        "game": data.event.game,
        "options": dict(data.event.options),
        "players": [data.people.find(player).name for player in seats],
    }


def is_dealing(state: EventState, key: str) -> bool:
    """Return whether the event takes the throws of the table with this key now."""
    data = state.data
    game, announced = data.open_game, data.rounds.announced
    boxes = [each.box for each in (game, announced) if each is not None]
    return any(data.boxes.is_same(key, box) for box in boxes)


def describe_part(state: EventState, key: str) -> Mapping[str, Json] | None:
    """Return where the event stands for a table, as `PartChanged` has it; None without a part."""
    data = state.data
    table = data.boxes.find(key)
    if data.begun is None or table is None or state.is_still(key):
        return None
    published = data.rounds.published
    if data.event.style == "duplicate":
        game = data.games[-1] if data.games else None
        if game is None or not data.boxes.is_same(key, game.box):
            return None
        number, what = game.number, "deals" if game.is_open else "dealt"
    else:
        number = len(published)
        what = _find_part(data, table)
    return {
        "state": "over" if data.result is not None else what,
        "event": data.event.name,
        "number": number + (what == "draws"),
        "count": data.event.games,
        "table": table.number,
    }


def _find_part(data: EventData, table: EnrolledTable) -> str:
    announced, published = data.rounds.announced, data.rounds.published
    if announced is not None and data.boxes.is_same(table.box, announced.box):
        return "draws"
    if not published:
        return "before"
    if table.number > len(published[-1].tables):
        return "free"
    return "played" if table.number in published[-1].recorded else "seated"


def _list_groups(standings: Standings) -> list[Json]:
    """Return the first of each section, by its name, and the first teams."""
    sections: dict[str | None, list[Json]] = {}
    for row in sorted(standings.rows, key=lambda each: each.section):
        if row.section:
            about = {"place": row.section_place, "has_place": row.has_place}
            sections.setdefault(row.section, []).append(
                {**about, "name": row.name, "score": row.score}
            )
    for team in standings.teams:
        about = {"place": team.place, "has_place": True}
        sections.setdefault(None, []).append({**about, "name": team.team, "score": team.score})
    return [{"section": name, "rows": rows[:MOST_FIRST]} for name, rows in sections.items()]


def _describe_announced(data: EventData) -> Mapping[str, Json] | None:
    """Return the rolls that have fallen for the announced draw, and how many are missing."""
    announced = data.rounds.announced
    if announced is None:
        return None
    rolls, table = list_seeds(data), data.boxes.find(announced.box)
    return {
        "round": announced.round,
        "table": name_table(table) if table else "",
        "rolls": [roll.faces for roll in rolls],
        "missing": SEED_ROLLS - len(rolls),
    }


def _describe_check_in(data: EventData) -> Mapping[str, Json] | None:
    """Return how many are there for the next draw, and the names of some who are not."""
    here = data.rounds.checked_in
    if here is None:
        return None
    missing = list_missing(data)
    return {
        "round": len(data.rounds.published) + 1,
        "here": len(here),
        "missing": len(missing),
        "names": [data.people.find(player).name for player in missing[:MOST_MISSING]],
    }


def name_table(table: EnrolledTable) -> str:
    """Return the number of a table in draws, and its name."""
    return f"{table.number} · {table.name}" if table.name else str(table.number)


def _describe_event(data: EventData) -> Mapping[str, Json]:
    event = data.event
    return {
        "name": event.name,
        "style": event.style,
        "game": event.game,
        "options": dict(event.options),
        "games": event.games,
        "clock_s": event.clock_s,
        "scoring": event.scoring,
        "absence": event.absence,
        "round_end": event.round_end,
    }


def _describe_game(data: EventData, game: DuplicateGame) -> Mapping[str, Json]:
    closed = [roll for roll in game.rolls if not roll.is_open]
    table = data.boxes.find(game.box)
    return {
        "number": game.number,
        "is_open": game.is_open,
        "table": table.name if table else "",
        "players": sorted(game.players) if game.players else None,
        "rolls": len(game.rolls),
        "roll": describe_roll(data, game.open_roll) if game.open_roll else None,
        "last": describe_roll(data, closed[-1]) if closed else None,
    }


def _describe_seats(data: EventData, seats: Sequence[int]) -> list[Json]:
    return [{"player": player, "name": data.people.find(player).name} for player in seats]
