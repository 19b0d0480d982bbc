# SPDX-License-Identifier: MIT
"""
Dice that a program asks for: one player throws them once, between two games of people.

The request becomes a game of Just dice that its first roll ends. So it is read, doubted, journalled
and proved like any other roll. The lobby stays as the people left it.
"""

from __future__ import annotations

from dataclasses import replace

from controller.errors import InputError
from controller.games.contract import GameState
from controller.games.player_names import is_visible
from controller.languages.message import message
from controller.table import game_flow
from controller.table.state import DiceRequest, Phase, TableState
from controller.table.view.types import NAME_LONGEST

GAME = "dice"

REASON_LONGEST = 120
"""The most characters that a screen shows of the reason."""


def take_request(state: TableState, request: DiceRequest) -> TableState:
    """
    Return the table that waits for the dice that a program asked for.

    Raises:
        InputError: The table is not between two games, or the request is not a number of dice
            from 1 to 20, a name and a reason of one line each.
    """
    if not is_free(state):
        found = message("a game that is played or can be continued")
        raise InputError(expected=message("a table between two games"), found=found)
    return start_request(state, request, build_position(request))


def is_free(state: TableState) -> bool:
    """Return whether a program may ask for dice now: nobody plays, and no game waits."""
    is_answered = state.phase is Phase.GAME_OVER and state.request is not None
    return is_answered or (state.phase is Phase.LOBBY and state.parked is None)


def build_position(request: DiceRequest) -> GameState:
    """
    Return the position before the dice are thrown.

    Raises:
        InputError: The request cannot be shown or thrown.
    """
    _require_line(request.player, NAME_LONGEST, "player")
    _require_line(request.reason, REASON_LONGEST, "reason")
    options = {"dice": request.count, "once": True}
    return game_flow.start_position(GAME, (request.player,), options)


def start_request(state: TableState, request: DiceRequest, position: GameState) -> TableState:
    """Return the table at this position; its lobby and its list of names stay as they were."""
    after = game_flow.start_game(state, GAME, position)
    return replace(after, request=request, lobby=state.lobby, known_players=state.known_players)


def _require_line(text: str, longest: int, where: str) -> None:
    """Check that a text can be shown on one line."""
    if text.isprintable() and is_visible(text) and text == text.strip() and len(text) <= longest:
        return
    expected = message("1 to {most} characters on one line", most=longest)
    raise InputError(expected=expected, found=repr(text), where=where)
