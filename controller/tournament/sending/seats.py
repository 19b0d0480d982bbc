# SPDX-License-Identifier: MIT
"""Read what a server says about who sits at this table."""

from __future__ import annotations

from collections.abc import Mapping

from controller.table.request_events import PlayersSeated


def parse_seats(found: object) -> PlayersSeated | None:
    """Return who sits here; None if there are no seats, and for anything that is not such."""
    match found:
        case {
            "event": str(event),
            "round": int(number),
            "table": int(table),
            "game": str(game),
            "options": dict(options),
            "players": [*players],
        } if _are_texts(players) and _are_options(options):
            return PlayersSeated(event, number, table, game, tuple(options.items()), tuple(players))
    return None


def _are_texts(players: list[object]) -> bool:
    return all(isinstance(player, str) for player in players)


def _are_options(options: Mapping[object, object]) -> bool:
    return all(isinstance(name, str) for name in options) and all(
        isinstance(value, bool | int) for value in options.values()
    )
