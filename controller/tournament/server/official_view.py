# SPDX-License-Identifier: MIT
"""What officials see of an event: its games, its players, and what waits for a decision."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from controller.games import GAMES
from controller.games.contract import Json
from controller.games.free_dice.game import FREE_DICE
from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.results.result_sheet import name_match_tie_breaks
from controller.tournament.server.shared_view import (
    build_shared_view,
    count_choices,
    describe_round,
    name_table,
)
from controller.tournament.state.appeals import (
    is_open_appeal,
    is_open_to_appeal,
    list_restorable,
    name_ruled,
)
from controller.tournament.state.box_lines import RollConcern
from controller.tournament.state.check_in import list_missing
from controller.tournament.state.due import list_overtime
from controller.tournament.state.event_data import Call, EventData
from controller.tournament.state.next_draw import needs_dice
from controller.tournament.state.rounds import Round
from controller.tournament.state.state import EventState


def build_official_view(state: EventState, now_ms: int = 0) -> dict[str, Json]:
    """
    Return everything that the officials' page shows, as plain values; `now_ms` is the time.

    `event` is null before the event began; beside it there are then the `games` that it may be of
    and the `calls`.
    What a form lets people choose from is in pairs: the value, and the text that stands for it.
    """
    data = state.data
    calls = [_describe_call(data, call) for call in data.calls]
    if data.begun is None:
        games = [[key, game.title] for key, game in GAMES.items() if key != FREE_DICE.key]
        tie_breaks = list(name_match_tie_breaks())
        return {"event": None, "games": games, "tie_breaks": tie_breaks, "calls": calls}
    draft, players = data.rounds.draft, data.people.list_players()
    awaited = data.open_game.list_awaited() if data.open_game else ()
    published = data.rounds.published[-1] if data.rounds.published else None
    until_ms = published.until_ms if published else 0
    return {
        **build_shared_view(state),
        **count_choices(state),
        # Players without a phone from whom the open roll awaits a choice.
        "alone": [
            [each.number, each.name] for each in map(data.people.find, awaited) if not each.token
        ],
        "seats": list(_name_seats(data, published)) if published else [],
        "tables": [[table.box, name_table(table)] for table in data.boxes.list_tables()],
        "kiosks": [
            [player, data.people.find(player).name, name_table(table)]
            for table in data.boxes.list_tables()
            for player in data.list_at_kiosk(table.box)
        ],
        "sections": data.people.sections.list_names(),
        "teams": data.people.teams.list_names(),
        "names": [[each.number, f"{each.number} · {each.name}"] for each in players],
        "seeds": [
            [table.box, f"{name_table(table)}: {newest.faces}"]
            for table in data.boxes.list_tables()
            if (newest := data.boxes.lines_of(table.box).newest)
        ],
        "played": len(data.games),
        "needs_dice": data.event.style != "duplicate" and needs_dice(data),
        "announces": data.event.seeding == "announced" and needs_dice(data),
        "is_announced_again": bool(data.rounds.list_steps(len(data.rounds.published) + 1)),
        "appeals": [
            _describe_appeal(data, number)
            for number in data.appeals
            if is_open_appeal(data, number)
        ],
        "appealable": [
            [number, name_ruled(data, ruling)]
            for number, ruling in enumerate(data.rulings, start=1)
            if is_open_to_appeal(data, number)
        ],
        "round_ends_at": _format_time(until_ms),
        "round_left_ms": max(0, until_ms - now_ms),
        "overtime": [[each.table, list(each.points)] for each in list_overtime(data)],
        "missing": [[each, data.people.find(each).name] for each in list_missing(data)],
        "checked_in": [
            [each, data.people.find(each).name] for each in sorted(data.rounds.checked_in or ())
        ],
        "can_leave_out": needs_dice(data),
        "half_byes": data.event.half_byes,
        "asked": [
            [round, player, data.people.find(player).name]
            for round, players in sorted(data.rounds.asked.items())
            for player in sorted(players)
        ],
        "draft": describe_round(data, draft) if draft else None,
        "rows": [row.to_plain() for row in state.compute_standings().rows],
        "reviews": [
            {
                "game": review.game,
                "roll": review.roll,
                "is_reserve": review.is_reserve,
                "counts": review.counts,
                "is_contradiction": review.is_contradiction,
                **_describe_concern(data, review.concern),
            }
            for review in state.list_reviews()
        ],
        "calls": calls,
        "annulled": [
            [each.game, each.roll, data.games[each.game - 1].rolls[each.roll - 1].faces]
            for each in list_restorable(data)
        ],
        "concerns": [_describe_concern(data, each) for each in state.list_table_concerns()],
    }


def _name_seats(data: EventData, drawn: Round) -> Iterator[Json]:
    """Yield the number of each table of a round, and its number, name and players."""
    names = {table.number: name_table(table) for table in data.boxes.list_tables()}
    for number, seats in enumerate(drawn.tables, start=1):
        players = ", ".join(data.people.find(player).name for player in seats)
        yield [number, f"{names.get(number, number)}: {players}"]


def _describe_appeal(data: EventData, number: int) -> Mapping[str, Json]:
    ruling = data.rulings[number - 1]
    return {
        "ruling": number,
        "player": data.people.find(data.appeals[number].player).name,
        "what": name_ruled(data, ruling),
        "is_of_event": isinstance(ruling, RollRuling),
        "decision": ruling.decision,
        "by": ruling.by,
        "reason": ruling.reason,
    }


def _describe_call(data: EventData, call: Call) -> Mapping[str, Json]:
    """Return who called from where: the table by its number and name, and who sat there."""
    table = data.boxes.find(call.box)
    return {
        "number": call.number,
        "is_open": call.is_open,
        "player": data.people.find(call.player).name if call.player else "",
        "table": name_table(table) if table else str(call.table or ""),
        "names": list(call.names),
        "at": _format_time(call.at_ms),
        "by": call.answered_by,
        "answered": _format_time(call.answered_ms),
    }


def _format_time(at_ms: int) -> str:
    return time.strftime("%H:%M", time.localtime(at_ms / 1000))


def _describe_concern(data: EventData, concern: RollConcern) -> Mapping[str, Json]:
    table = data.boxes.find(concern.cause.box)
    return {
        "concern": concern.concern,
        "table": name_table(table) if table else "",
        "was": concern.was,
        "faces": concern.faces,
        "by": concern.by,
        "reason": concern.reason,
        "picture": concern.picture,
        "box": concern.cause.box,
        "seq": concern.cause.seq,
        "link": concern.cause.link,
    }
