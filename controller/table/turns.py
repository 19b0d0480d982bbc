# SPDX-License-Identifier: MIT
"""
Which keys do something on a player's own panel.

The table's panel, the keyboard and the screen belong to all players. A player's own panel
decides for that player only: it chooses, confirms and undoes what is theirs. In the lobby, in
a pause, in a fault and after a game, every panel works. Every player may ask for a review of
the last roll. On own panels only the player who asked ends it, so no other cuts it short.
"""

from __future__ import annotations

from dataclasses import replace

from controller.base.languages.message import message
from controller.games.contract import FreeThrows
from controller.table.choosing import as_on_phone, find_ended_round, may_choose, may_hide_choices
from controller.table.events import Event, GameCounted, Key, PlayerJoined
from controller.table.state import Notice, Phase, TableState, require_game
from controller.table.transitions import TRANSITIONS
from controller.table.undoing import find_undoable
from controller.table.view.types import SEATS_MOST

_COUNT_STEPS = {Key.LEFT: -1, Key.RIGHT: 1}
_SHARED_PHASES = (Phase.LOBBY, Phase.PAUSED, Phase.FAULT)


def player_at(state: TableState, panel: int) -> str | None:
    """Return the player at this panel, 1 for the first seat; None for a free one."""
    players = state.play.position.players if state.play.position else ()
    return players[panel - 1] if 1 <= panel <= len(players) else None


def next_player(state: TableState) -> str | None:
    """Return the player whom all wait for: who owes a roll, else the first who may choose."""
    expects = state.play.position.expects() if state.play.position else None
    return next(iter(expects.roll or expects.do), None) if expects else None


def may_press(state: TableState, key: Key, panel: int) -> bool:
    """Return whether this key does something on this panel now."""
    is_over = state.phase is Phase.GAME_OVER and key in (Key.CONFIRM, Key.LEFT)
    if state.phase in _SHARED_PHASES or is_over:
        return True
    player = player_at(state, panel)
    if state.play.review is not None:
        return key is Key.CONFIRM and (not state.play.review.by or state.play.review.by == player)
    return player is not None and is_key_of(state, key, player)


def is_phone_key(state: TableState, key: Key, player: str) -> bool:
    """
    Return whether this key does something on this player's own phone now.

    A phone decides only about what is its player's. A pause, a fault and the end of the game
    belong to the whole table.
    """
    if state.phase in _SHARED_PHASES:
        return False
    if state.play.review is not None:
        return key is Key.CONFIRM and state.play.review.by == player
    if may_choose(state, player):
        is_tapped = as_on_phone(state, player).screen.selection.is_any
        return key is not Key.BACK or is_tapped or _may_go_back(state, player)
    return is_key_of(state, key, player)


def may_pause(state: TableState, panel: int) -> bool:
    """
    Return whether this panel may pause the game now.

    A pause discards a throw that is under way, so no player may discard another's.
    """
    expects = state.play.position.expects() if state.play.position else None
    if expects is None:
        return False
    awaited = {*expects.roll, *expects.do}
    is_of_people = bool(awaited - state.play.opponent_names)
    return player_at(state, panel) in awaited or not is_of_people


def reject_press(state: TableState, key: Key, panel: int) -> TableState:
    """Return the table after a refused press, with a hint if the key belongs to another player."""
    if state.play.review is not None and key is Key.CONFIRM:
        text = message("{player} asked for this review and ends it.", player=state.play.review.by)
        return _with_hint(state, panel, text)
    players = state.play.position.players if state.play.position else ()
    if not any(is_key_of(state, key, player) for player in players):
        return state  # this key does nothing now
    last = find_undoable(state)
    if key is Key.BACK and last is not None:
        text = message("{player} chose last, so only {player} can undo it here.", player=last.by)
        return _with_hint(state, panel, text)
    return hint_whose_turn(state, panel)


def hint_whose_turn(state: TableState, panel: int) -> TableState:
    return _with_hint(state, panel, message("It is {player}'s turn.", player=state.thrower))


def hint_no_player(state: TableState, panel: int) -> TableState:
    return _with_hint(state, panel, "")


def _with_hint(state: TableState, panel: int, text: str) -> TableState:
    if player_at(state, panel) is None:
        text = message("No player sits at panel {number}.", number=panel)
    notice = Notice("info", text)
    return state if state.notice == notice else replace(state, notice=notice)


def is_key_of(state: TableState, key: Key, player: str) -> bool:
    """Return whether this key decides about something of this player's in a game."""
    if player in state.play.opponent_names:
        return False
    if key is Key.BACK:
        return _may_go_back(state, player)
    if key is Key.CONFIRM and find_ended_round(state):
        return True
    if state.phase in (Phase.CHOOSING, Phase.AWAITING_JOKER):
        return may_choose(state, player)
    # Anybody throws for an opponent, and so confirms the roll.
    if player != state.thrower and state.thrower not in state.play.opponent_names:
        return False
    if key is not Key.CONFIRM:
        return bool(find_count_change(state, key))
    is_disputed = state.phase is Phase.STRAIGHTEN and state.reading.may_confirm_doubts
    return is_disputed or state.phase is Phase.READING


def find_count_change(state: TableState, key: Key) -> str:
    """Return the action of an arrow while a throw is awaited: one die fewer or more, or empty."""
    if state.phase is not Phase.AWAITING_ROLL or state.play.request is not None:
        return ""
    if state.is_bound:
        return ""
    game = require_game(state)
    if not isinstance(game, FreeThrows) or key not in _COUNT_STEPS:
        return ""
    return game.change_count(_COUNT_STEPS[key])


def _may_go_back(state: TableState, player: str) -> bool:
    """Return whether this player has something to free, to put back or to undo."""
    is_asked = may_hide_choices(state) or (state.shows_choices and state.screen.selection.is_any)
    if player == state.chooser and (state.phase is Phase.IN_HAND or is_asked):
        return True
    return find_undoable(state, player) is not None


def may_count(state: TableState) -> bool:
    """Return whether the game can end now with the result as it stands: a roll counts in it."""
    play = state.play
    if play.position is None or play.request is not None or state.is_bound:
        return False
    is_open = play.position.outcome() is None
    return is_open and play.rolls > 0 and _allows(state, GameCounted)


def may_join(state: TableState) -> bool:
    """Return whether somebody else can sit down at the game that is played."""
    game = state.play.position
    if game is None or state.play.request is not None or state.is_bound:
        return False
    if not _allows(state, PlayerJoined):
        return False
    has_seat = game.outcome() is None and len(game.players) < SEATS_MOST
    return has_seat and isinstance(game, FreeThrows)


def _allows(state: TableState, event: type[Event]) -> bool:
    """Return whether this type of event means something now; a tournament needs its officials."""
    return event in TRANSITIONS[state.phase] and not state.play.is_of_round
