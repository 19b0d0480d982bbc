# SPDX-License-Identifier: MIT
"""The lobby: players choose a game, start it and leave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from controller.errors import InputError
from controller.languages.message import message
from controller.table import game_flow, journal_entries, lobby
from controller.table.dice.held import all_dice_present
from controller.table.events import (
    GameClosed,
    GameContinued,
    GameLeft,
    GamePicked,
    GameStarted,
    Key,
    NamesChanged,
    OptionPicked,
    SeatTaken,
    StartRequested,
)
from controller.table.handlers import Step
from controller.table.handlers.requests import end_request
from controller.table.handlers.rolls import may_take_dice
from controller.table.request_events import PlayersSeated
from controller.table.screen_events import ScreenIdled
from controller.table.state import Lobby, Notice, TableState, require_game

_LobbyEvent: TypeAlias = GamePicked | OptionPicked | SeatTaken


def on_game_started(state: TableState, event: GameStarted) -> Step:
    return _start_game(state, event.game, event.players, event.options)


def on_start_requested(state: TableState, event: StartRequested) -> Step:
    return _start_from_lobby(state)


def _start_from_lobby(state: TableState) -> Step:
    """Start the game that the lobby shows."""
    if wrong := lobby.find_problem(state.lobby):
        return replace(state, notice=Notice("refused", wrong)), ()
    options = lobby.resolve_options(state.lobby)
    return _start_game(state, state.lobby.game, state.lobby.seats, options)


def _start_game(
    state: TableState, game: str, players: tuple[str, ...], options: Mapping[str, bool | int]
) -> Step:
    try:
        position = game_flow.start_position(game, players, options)
    except InputError as error:
        return replace(state, notice=Notice("refused", error.args[0])), ()
    return game_flow.start_game(state, game, position), (
        journal_entries.game_entry(game, position),
    )


def on_lobby_changed(state: TableState, event: _LobbyEvent) -> Step:
    """Change the lobby after a tap on a game, an option or a seat."""
    if isinstance(event, SeatTaken):
        if wrong := lobby.find_name_problem(state.lobby, event.seat, event.name):
            return replace(state, notice=Notice("refused", wrong)), ()
    try:
        changed = _change_lobby(state.lobby, event)
    except InputError as error:
        return replace(state, notice=Notice("refused", error.args[0])), ()
    return replace(state, lobby=replace(changed, continues=False), notice=None), ()


def _change_lobby(before: Lobby, event: _LobbyEvent) -> Lobby:
    match event:
        case GamePicked(game):
            return lobby.with_game(before, game)
        case OptionPicked(option, value):
            return lobby.with_option(before, option, value)
        case SeatTaken(seat, name):
            return lobby.with_seat(before, seat, name)


def on_names_changed(state: TableState, event: NamesChanged) -> Step:
    """Offer people as the screens show them; forgotten ones leave the seats of the next game."""
    seats = lobby.rename_people(state.lobby.seats, event)
    return replace(state, shown_names=event, lobby=replace(state.lobby, seats=seats)), ()


def on_players_seated(state: TableState, event: PlayersSeated) -> Step:
    """Seat the players of a round, once; afterwards the lobby is theirs to change."""
    if state.lobby.seated == event:
        return state, ()
    try:
        seated = lobby.seat_players(state.lobby, event)
    except InputError as error:
        return replace(state, notice=Notice("refused", error.args[0])), ()
    return replace(state, lobby=seated, notice=None, is_idle=False), ()


def on_screen_idled(state: TableState, event: ScreenIdled) -> Step:
    """Let the screen show its demonstration, unless it must show that something is wrong."""
    is_wrong = bool(state.stuck_buttons or state.faults)
    return (state if is_wrong else replace(state, is_idle=True, notice=None)), ()


def make_lobby_key(key: Key) -> Callable[[TableState], Step]:
    """Return what one of the four buttons does in the lobby."""

    def press(state: TableState) -> Step:
        if lobby.wants_start(state.lobby, key):
            return _continue_game(state) if state.lobby.continues else _start_from_lobby(state)
        changed = lobby.press_key(state.lobby, key, lobby.list_known_names(state))
        return replace(state, lobby=changed, notice=None), ()

    return press


def on_game_closed(state: TableState, event: GameClosed) -> Step:
    return close_game(state)


def on_game_left(state: TableState, event: GameLeft) -> Step:
    return leave_game(state)


def leave_game(state: TableState) -> Step:
    """Return the empty table; an open game can be continued from its lobby."""
    if state.request is not None:
        return end_request(state, "refused")
    if state.game is None or state.game.outcome() is not None:
        return close_game(state)
    return game_flow.park_game(state), (journal_entries.parked_entry(),)


def on_game_continued(state: TableState, event: GameContinued) -> Step:
    return _continue_game(state)


def _continue_game(state: TableState) -> Step:
    """Return the table as the players left it; dice of a held roll go back first."""
    if state.parked is None:
        text = message("There is no game to continue.")
        return replace(state, notice=Notice("refused", text)), ()
    after = game_flow.continue_game(state)
    is_returning = may_take_dice(after) and not all_dice_present(after)
    return replace(after, is_returning=is_returning), (journal_entries.continued_entry(),)


def play_again(state: TableState) -> Step:
    """Start the same game again; the player next to its starter begins."""
    if state.request is not None:
        return close_game(state)
    position = require_game(state)
    starter, *others = position.players
    again = (*others, starter)
    return _start_game(game_flow.end_game(state), state.game_key, again, position.options)


def close_game(state: TableState) -> Step:
    """Return the empty table; a request that is closed is refused."""
    if state.request is not None:
        return end_request(state, "refused")
    return game_flow.end_game(state), (journal_entries.closed_entry(),)
