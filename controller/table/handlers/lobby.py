# SPDX-License-Identifier: MIT
"""The lobby: players choose a game, start it and leave it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.coach import coaches
from controller.coach.opponent import GRADES, Opponent, create_opponent
from controller.games.contract import GameState
from controller.table import events as on
from controller.table import game_flow, journal_entries, lobby
from controller.table.effects import PendingEntry
from controller.table.events import Key
from controller.table.handlers import Step, handles, refuse
from controller.table.handlers.requests import end_request
from controller.table.handlers.rolls import must_return_dice
from controller.table.state import Lobby, Phase, TableState, require_game


@handles(on.GameStarted)
def on_game_started(state: TableState, event: on.GameStarted) -> Step:
    return _start_game(state, event)


@handles(on.StartRequested)
def on_start_requested(state: TableState, event: on.StartRequested) -> Step:
    return _start_from_lobby(state)


def _start_from_lobby(state: TableState) -> Step:
    if wrong := lobby.find_problem(state.lobby):
        return refuse(state, wrong)
    new, options = state.lobby, lobby.resolve_options(state.lobby)
    start = on.GameStarted(new.game, new.seats, options, dict(new.grades))
    return _start_game(state, start, has_hints=new.has_hints and lobby.has_coach(new))


def _start_game(state: TableState, start: on.GameStarted, *, has_hints: bool = False) -> Step:
    try:
        position = game_flow.start_position(start.game, start.players, start.options)
        opponents = _create_opponents(start, position)
    except InputError as error:
        return refuse(state, error.args[0])
    if state.parked is not None and not state.lobby.asks_end:
        # A game ends for good only if somebody has answered that question.
        return replace(state, lobby=replace(state.lobby, asks_end=True), notice=None), ()
    begun = game_flow.start_game(
        state, start.game, position, opponents=opponents, has_hints=has_hints
    )
    entry = journal_entries.game_entry(start.game, position, opponents, has_hints=has_hints)
    return begun, (entry,)


def _create_opponents(start: on.GameStarted, position: GameState) -> tuple[Opponent, ...]:
    if not start.grades:
        return ()
    coach = coaches.find_coach(start.game, position.options)
    if coach is None:
        raise InputError(expected="a game with opponents", found=start.game)
    if not (set(start.grades) <= set(start.players) and set(start.grades.values()) <= set(GRADES)):
        expected = f"a grade of a player, one of {', '.join(GRADES)}"
        raise InputError(expected=expected, found=str(dict(start.grades)))
    return tuple(create_opponent(name, grade, coach) for name, grade in start.grades.items())


@handles(on.GamePicked)
def on_game_picked(state: TableState, event: on.GamePicked) -> Step:
    return _change_lobby(state, lambda: lobby.with_game(state.lobby, event.game))


@handles(on.OptionPicked)
def on_option_picked(state: TableState, event: on.OptionPicked) -> Step:
    return _change_lobby(state, lambda: lobby.with_option(state.lobby, event.option, event.value))


@handles(on.SeatTaken)
def on_seat_taken(state: TableState, event: on.SeatTaken) -> Step:
    seat, name, grade = event.seat, event.name, event.grade
    if lobby.Line("seat", seat=seat) not in lobby.list_lines(state.lobby):
        return refuse(state, message("This seat is not there. Choose another one."))
    if grade:
        return _change_lobby(state, lambda: lobby.with_opponent(state.lobby, seat, grade))
    if wrong := lobby.find_name_problem(state.lobby, seat, name):
        return refuse(state, wrong)
    return _change_lobby(state, lambda: lobby.with_seat(state.lobby, seat, name))


def _change_lobby(state: TableState, change: Callable[[], Lobby]) -> Step:
    try:
        changed = change()
    except InputError as error:
        return refuse(state, error.args[0])
    return replace(state, lobby=replace(changed, continues=False, asks_end=False), notice=None), ()


@handles(on.NamesChanged)
def on_names_changed(state: TableState, event: on.NamesChanged) -> Step:
    """Offer people as the screens show them; forgotten ones leave the seats of the next game."""
    grades = dict(state.lobby.grades)
    named = (
        (name,) if name in grades else lobby.rename_people((name,), event)
        for name in state.lobby.seats
    )
    seats = tuple(dict.fromkeys(chain.from_iterable(named)))
    offered = replace(state.lobby, seats=seats, asks_end=False)
    return replace(state, setup=replace(state.setup, shown_names=event), lobby=offered), ()


@handles(on.PlayersSeated)
def on_players_seated(state: TableState, event: on.PlayersSeated) -> Step:
    """Seat the players of a round, once; afterwards the lobby is theirs to change."""
    if state.phase is not Phase.LOBBY:
        # After a restart, only this says what the game is for.
        is_new = not state.play.is_of_round and game_flow.is_of_round(
            event, state.play.game_key, require_game(state).players
        )
        play = replace(state.play, is_of_round=True)
        return (replace(state, play=play) if is_new else state), ()
    if state.lobby.seated == event:
        return state, ()
    try:
        seated = lobby.seat_players(state.lobby, event)
    except InputError as error:
        return refuse(state, error.args[0])
    return replace(state, lobby=seated, notice=None, is_idle=False), ()


@handles(on.DealingChanged)
def on_dealing_changed(state: TableState, event: on.DealingChanged) -> Step:
    return replace(state, setup=replace(state.setup, is_dealing=event.is_dealing)), ()


@handles(on.PartChanged)
def on_part_changed(state: TableState, event: on.PartChanged) -> Step:
    """Take note of it; the game of a tournament that is over stays as it is until it is left."""
    is_over = event.state == "over"
    was_dealt = is_over and (state.play.was_dealt or state.setup.part.state in ("deals", "dealt"))
    setup, play = replace(state.setup, part=event), replace(state.play, was_dealt=was_dealt)
    return replace(state, setup=setup, play=play), ()


@handles(on.ScreenIdled)
def on_screen_idled(state: TableState, event: on.ScreenIdled) -> Step:
    """Let the screen show its demonstration, unless it must show that something is wrong."""
    troubles = state.troubles
    if troubles.stuck_buttons or troubles.lost_peripherals or troubles.faults:
        return state, ()
    offered = replace(state.lobby, asks_end=False)
    return replace(state, lobby=offered, is_idle=True, notice=None), ()


def make_lobby_key(key: Key) -> Callable[[TableState], Step]:
    """Return what one of the four buttons does in the lobby."""

    def press(state: TableState) -> Step:
        if state.lobby.asks_end:
            kept = replace(state, lobby=replace(state.lobby, asks_end=False))
            return _start_from_lobby(state) if key is Key.CONFIRM else (kept, ())
        if lobby.wants_start(state.lobby, key):
            return _continue_game(state) if state.lobby.continues else _start_from_lobby(state)
        if key is Key.CONFIRM and lobby.focused_index(state.lobby) == lobby.last_index(state.lobby):
            return refuse(state, lobby.find_problem(state.lobby))
        changed = lobby.press_key(state.lobby, key, lobby.list_known_names(state))
        return replace(state, lobby=changed, notice=None), ()

    return press


@handles(on.GameClosed)
def on_game_closed(state: TableState, event: on.GameClosed) -> Step:
    return close_game(state)


@handles(on.GameLeft)
def on_game_left(state: TableState, event: on.GameLeft) -> Step:
    return leave_game(state)


def leave_game(state: TableState) -> Step:
    """Return the empty table; an open game can be continued from its lobby."""
    if state.play.request is not None:
        return end_request(state, "refused")
    if state.play.position is None or state.play.position.outcome() is not None:
        return close_game(state)
    return game_flow.park_game(state), (PendingEntry("parked"),)


@handles(on.GameContinued)
def on_game_continued(state: TableState, event: on.GameContinued) -> Step:
    return _continue_game(state)


def _continue_game(state: TableState) -> Step:
    """Return the table as the players left it; dice of a held roll go back first."""
    if state.parked is None:
        return refuse(state, message("There is no game to continue."))
    after = game_flow.continue_game(state)
    after = replace(after, is_returning=must_return_dice(after))
    return after, (PendingEntry("continued"),)


def play_again(state: TableState) -> Step:
    """Start the same game again; the player next to its starter begins."""
    if state.play.request is not None:
        return close_game(state)
    position = require_game(state)
    starter, *others = position.players
    grades = {one.name: one.grade for one in state.play.opponents}
    again = on.GameStarted(state.play.game_key, (*others, starter), position.options, grades)
    return _start_game(game_flow.end_game(state), again, has_hints=state.play.has_hints)


def close_game(state: TableState) -> Step:
    """Return the empty table; a request that is closed is refused."""
    if state.play.request is not None:
        return end_request(state, "refused")
    return game_flow.end_game(state), (PendingEntry("closed"),)
