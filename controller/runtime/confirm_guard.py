# SPDX-License-Identifier: MIT
"""
Keeps a confirm from reaching choices that were not looked at yet.

After a player's choice the shared screen shows the next one's. The same press, a held key or a
double press must not confirm those too. So a confirm counts only if what it confirms was shown
for a second. The keyboard, the screen and all panels share that screen; a player's own phone
shows its player's choices alone and needs no guard.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

from controller.base.languages.message import message
from controller.table.events import Event, Key, KeyPressed
from controller.table.state import Notice, Phase, TableState

LOOK_S = 1.0  # How long choices must be shown before they can be confirmed.

_Shown: TypeAlias = tuple[object, ...]


class ConfirmGuard:
    """Follows what the shared screen shows, and since when, in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._shown: _Shown = ()
        self._since_s = -math.inf

    def follow(self, state: TableState, at_s: float) -> None:
        """Note that the shared screen shows this table from a time on."""
        shown = _list_confirmable(state)
        if shown != self._shown:
            self._shown, self._since_s = shown, at_s

    def blocks(self, event: Event, at_s: float) -> bool:
        """Return whether this event, of this time, confirms what was shown too short."""
        is_shared_confirm = (
            isinstance(event, KeyPressed) and event.key is Key.CONFIRM and not event.by
        )
        return is_shared_confirm and bool(self._shown) and at_s - self._since_s < LOOK_S


def explain_block(state: TableState) -> TableState:
    """Return the table that says why a confirm did nothing."""
    if state.phase is Phase.GAME_OVER:
        text = message("The game is over. Confirm again for a rematch.")
    elif state.phase is Phase.LOBBY:
        text = message("A game would end for good. Look, then confirm.")
    else:
        text = message("These are {player}'s choices. Look, then confirm.", player=state.chooser)
    notice = Notice("info", text)
    return state if state.notice == notice else replace(state, notice=notice)


def _list_confirmable(state: TableState) -> _Shown:
    """Return what a confirm at the shared screen would be about; empty for no choice."""
    if state.phase is Phase.GAME_OVER or state.lobby.asks_end:
        return (state.phase,)
    if not state.shows_choices:
        return ()
    own = sum(step.by == state.chooser for step in state.play.steps)
    return state.chooser, state.play.rolls, own, tuple(die.face for die in state.shown_dice)
