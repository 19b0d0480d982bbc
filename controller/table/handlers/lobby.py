# SPDX-License-Identifier: MIT
"""Players sit down: the lobby, and a game that starts or is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.errors import InputError
from controller.table import game_flow, journal_entries, lobby
from controller.table.events import (
    Event,
    GamePicked,
    GameStarted,
    Key,
    OptionPicked,
    SeatTaken,
)
from controller.table.handlers import Step
from controller.table.state import Lobby, Notice, TableState


def on_game_started(state: TableState, event: Event) -> Step:
    """A program asks for a game with its players and options."""
    assert isinstance(event, GameStarted)
    return _started(state, event.game, event.players, event.options)


def on_start_asked(state: TableState, event: Event) -> Step:
    """Somebody starts the game that was put together in the lobby."""
    return _started_here(state)


def _started_here(state: TableState) -> Step:
    """Start the game that was put together in the lobby."""
    if wrong := lobby.problem(state.lobby):
        return replace(state, notice=Notice("refused", wrong)), ()
    options = lobby.options_of(state.lobby)
    return _started(state, state.lobby.game, state.lobby.seats, options)


def _started(
    state: TableState, game: str, players: tuple[str, ...], options: Mapping[str, bool | int]
) -> Step:
    try:
        position = game_flow.opening(game, players, options)
    except InputError as error:
        return replace(state, notice=Notice("refused", str(error))), ()
    return game_flow.seated(state, game, position), (journal_entries.game_entry(game, position),)


def on_lobby_changed(state: TableState, event: Event) -> Step:
    """Somebody picks a game, an option or a seat with a finger."""
    try:
        changed = _changed(state.lobby, event)
    except InputError as error:
        return replace(state, notice=Notice("refused", str(error))), ()
    return replace(state, lobby=changed, notice=None), ()


def _changed(before: Lobby, event: Event) -> Lobby:
    match event:
        case GamePicked(game):
            return lobby.with_game(before, game)
        case OptionPicked(option, value):
            return lobby.with_option(before, option, value)
        case SeatTaken(seat, name):
            return lobby.with_seat(before, seat, name)
    raise AssertionError(f"{event} does not change a lobby")


def lobby_key(key: Key) -> Callable[[TableState], Step]:
    """Return what one of the four buttons does in the lobby."""

    def pressed(state: TableState) -> Step:
        if lobby.wants_start(state.lobby, key):
            return _started_here(state)
        changed = lobby.pressed(state.lobby, key, state.known)
        return replace(state, lobby=changed, notice=None), ()

    return pressed


def on_game_closed(state: TableState, event: Event) -> Step:
    """The players leave the game."""
    return closed(state)


def closed(state: TableState) -> Step:
    """Return the empty table."""
    return game_flow.cleared(state), (journal_entries.closed_entry(),)
