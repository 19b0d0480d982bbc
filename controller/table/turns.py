# SPDX-License-Identifier: MIT
"""
Whose button it is, where players have panels of their own.

The table's panel, the keyboard and the screen are everybody's. A panel of a player's own
decides for that player and for nobody else: who may choose now chooses there, whose roll it
is confirms it there, and who chose last takes that back there. Where it is nobody's turn,
in the lobby, in a pause, in a fault and after a game, every panel works. Anybody may ask for
a review of the last roll; on a player's own panel only who asked ends it, so that nobody cuts
short what another wants to see.
"""

from __future__ import annotations

from dataclasses import replace

from controller.table.events import Key
from controller.table.game_flow import find_undoable
from controller.table.state import Notice, Phase, TableState

_SHARED_PHASES = (Phase.LOBBY, Phase.PAUSED, Phase.FAULT)


def player_at(state: TableState, panel: int) -> str | None:
    """Return who plays at this panel, the first seat's being 1; none if nobody does."""
    players = state.game.players if state.game else ()
    return players[panel - 1] if 1 <= panel <= len(players) else None


def next_player(state: TableState) -> str | None:
    """Return for whom everybody waits: who is to throw, else the first who may choose."""
    expects = state.game.expects() if state.game else None
    return next(iter(expects.roll or expects.do), None) if expects else None


def may_press(state: TableState, key: Key, panel: int) -> bool:
    """Tell whether this key does something on this player's panel now."""
    if state.phase in _SHARED_PHASES or (state.phase is Phase.GAME_OVER and key is Key.CONFIRM):
        return True
    player = player_at(state, panel)
    if state.review is not None:
        return key is Key.CONFIRM and (not state.review.by or state.review.by == player)
    return player is not None and _is_key_of(state, key, player)


def may_pause(state: TableState, panel: int) -> bool:
    """
    Tell whether the game may be paused on this player's panel now.

    A pause throws away a roll that is under way, so nobody may do that to somebody else's.
    """
    expects = state.game.expects() if state.game else None
    player = player_at(state, panel)
    return expects is not None and (player in expects.roll or player in expects.do)


def reject_press(state: TableState, key: Key, panel: int) -> TableState:
    """Return the table after a press that is not obeyed, with a hint if it is another's key."""
    if state.review is not None and key is Key.CONFIRM:
        return _with_hint(state, panel, f"{state.review.by} asked for the review, and ends it.")
    players = state.game.players if state.game else ()
    if not any(_is_key_of(state, key, player) for player in players):
        return state  # this key does nothing now, whoever presses it
    last = find_undoable(state)
    if key is Key.BACK and last is not None:
        return _with_hint(state, panel, f"{last.by} chose last, and takes that back.")
    return hint_whose_turn(state, panel)


def hint_whose_turn(state: TableState, panel: int) -> TableState:
    """Return the table that says whose turn it is to somebody who pressed on this panel."""
    return _with_hint(state, panel, f"It is {state.thrower}'s turn.")


def hint_no_player(state: TableState, panel: int) -> TableState:
    """Return the table that says so to somebody at a panel where nobody plays."""
    return _with_hint(state, panel, "")


def _with_hint(state: TableState, panel: int, text: str) -> TableState:
    is_players = player_at(state, panel) is not None
    notice = Notice("info", text if is_players else f"Nobody plays at panel {panel}.")
    return state if state.notice == notice else replace(state, notice=notice)


def _is_key_of(state: TableState, key: Key, player: str) -> bool:
    if key is Key.BACK:
        return _may_go_back(state, player)
    if state.phase is Phase.CHOOSING:
        return state.game is not None and player in state.game.expects().do
    if key is not Key.CONFIRM or player != state.thrower:
        return False
    is_disputed = bool(state.held_action) or state.is_only_placed
    return state.phase is Phase.READING or (state.phase is Phase.STRAIGHTEN and is_disputed)


def _may_go_back(state: TableState, player: str) -> bool:
    """Tell whether this player has something to free, to put back or to take back."""
    if state.phase is Phase.IN_HAND or (state.phase is Phase.CHOOSING and state.selection.is_any):
        if player == state.chooser:
            return True
    last = find_undoable(state)
    return last is not None and last.by == player
