# SPDX-License-Identifier: MIT
"""The history as programs get it; `openapi.json` describes every key."""

from __future__ import annotations

from controller.history.views import GameRolls, GameSummary, IndexProgress, PlayerEntry

_GAME_KEYS = (
    *("number", "game", "title", "variant", "options", "status", "started_ms", "ended_ms"),
    *("played_ms", "rolls", "winners", "losers", "marked_rolls"),
)
_PLAYER_KEYS = ("name", "games", "finished", "wins", "last_ms")
"""What programs get: the history may know more than they were promised."""

_PICTURES = "/api/v1/pictures"


def view_game(game: GameSummary) -> dict[str, object]:
    return {
        **{key: getattr(game, key) for key in _GAME_KEYS},
        "players": [
            {
                "name": None if each.is_forgotten else each.name,
                "total": each.total,
                "place": each.place,
                "opponent": each.is_opponent,
            }
            for each in game.players
        ],
        "training": game.has_hints,
    }


def view_game_rolls(game: GameRolls) -> dict[str, object]:
    """Return a game roll by roll; of an open game without the choices, which may be secret."""
    is_over = game.summary.status in ("left", "finished")
    return {
        **view_game(game.summary),
        "start": list(game.start),
        "decisive": game.decisive if game.decisive >= 0 else None,
        "roll_list": [
            {
                "number": roll.number,
                "entry": roll.seq,
                "at_ms": roll.at_ms,
                "seat": roll.seat,
                "faces": list(roll.faces),
                "dice": list(roll.dice),
                "was": list(roll.was),
                "corrected_by": roll.corrected_by or None,
                "by_hand": roll.by_hand or None,
                "in_doubt": roll.is_doubted,
                "picture": f"{_PICTURES}/{roll.picture}.jpg" if roll.picture else None,
                "choices": [
                    {"seat": each.seat, "action": each.action, "gain": each.gain, "entry": each.seq}
                    for each in roll.choices
                    if is_over
                ],
                "totals": list(roll.totals) if is_over else [],
            }
            for roll in game.rolls
        ],
    }


def view_index(progress: IndexProgress) -> dict[str, object]:
    """Return how much of the journal the lists of games and players cover."""
    return {key: getattr(progress, key) for key in ("state", "percent", "problem")}


def view_player(player: PlayerEntry) -> dict[str, object]:
    return {key: getattr(player, key) for key in _PLAYER_KEYS}
