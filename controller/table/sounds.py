# SPDX-License-Identifier: MIT
"""
Choose the sound for a change of the table's state.

Each event plays at most one sound, the most important one: first the end of a game, then a
doubt, then the bell that opens a game, a taken roll, the next player's turn, and a choice.
"""

from __future__ import annotations

from controller.table.effects import SoundCue
from controller.table.state import Phase, TableState
from controller.table.turns import next_player

_NEEDS_A_HAND = (Phase.STRAIGHTEN, Phase.REVIEW, Phase.FAULT)


def choose_sound(before: TableState, after: TableState) -> SoundCue | None:
    """Return the sound for the step from one state to the next; None for silence."""
    if _is_over(after) and not _is_over(before):
        return SoundCue.END
    if after.phase in _NEEDS_A_HAND and after.phase is not before.phase:
        return SoundCue.DOUBT
    if after.game is None or _is_over(after):
        return None
    if before.game is None or _is_over(before):
        return SoundCue.BELL
    if after.rolls > before.rolls:
        return SoundCue.ROLL_TAKEN
    turn = next_player(after)
    if turn and turn != next_player(before):
        return SoundCue.YOUR_TURN
    return SoundCue.CHOICE if len(after.steps) > len(before.steps) else None


def _is_over(state: TableState) -> bool:
    return state.game is not None and state.game.outcome() is not None
