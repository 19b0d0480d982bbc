# SPDX-License-Identifier: MIT
"""
What a table says without a screen, from what became of it.

One sound at the most for each thing that happens, the one that matters most: the end of a
game over a doubt, a doubt over a roll that was taken, that over whose turn it is.
"""

from __future__ import annotations

from controller.table.effects import SoundCue
from controller.table.state import Phase, TableState
from controller.table.turns import next_player

_NEEDS_A_HAND = (Phase.STRAIGHTEN, Phase.REVIEW, Phase.FAULT)


def choose_sound(before: TableState, after: TableState) -> SoundCue | None:
    """Return what is to be heard when one state follows another; none if nothing is."""
    if _is_over(after) and not _is_over(before):
        return SoundCue.END
    if after.phase in _NEEDS_A_HAND and after.phase is not before.phase:
        return SoundCue.DOUBT
    if after.game is None or _is_over(after):
        return None
    if after.rolls > before.rolls:
        return SoundCue.ROLL_TAKEN
    turn = next_player(after)
    return SoundCue.YOUR_TURN if turn and turn != next_player(before) else None


def _is_over(state: TableState) -> bool:
    return state.game is not None and state.game.outcome() is not None
