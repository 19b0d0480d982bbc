# SPDX-License-Identifier: MIT
"""Who sits at a table in the published round, as its kiosk shows it."""

from __future__ import annotations

from collections.abc import Mapping

from controller.games.contract import Json
from controller.tournament.state.state import EventState


def find_seats(state: EventState, box: str) -> Mapping[str, Json] | None:
    """
    Return the seats of a table; None if it has none now, or its result is there.

    The keys are those of `PlayersSeated` at the table.
    """
    data = state.data
    if data.begun is None or data.result is not None or state.is_still(box):
        return None
    table, published = data.boxes.find(box), data.rounds.published
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
