# SPDX-License-Identifier: MIT
"""
What the event loop must do after an event.

The machine itself touches nothing. It lists what must be on the disk before a screen may
show the new state. Lamps and screens follow from the state, sounds from its change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from controller.journal.hashchain import Body
from controller.table.state import Phase, TableState
from controller.table.turns import next_player


@dataclass(frozen=True, slots=True)
class PendingEntry:
    """An entry to write, after the picture that it names."""

    kind: str  # What the entry is about.
    body: Body = field(default_factory=dict)  # The entry's own fields.
    picture: str = ""  # Digest of the picture that must be on the disk first; empty for none.


class SoundCue(Enum):
    """A sound that the table plays once, when something happens."""

    BELL = "bell"
    ROLL_TAKEN = "roll taken"
    CHOICE = "choice"
    YOUR_TURN = "your turn"
    DOUBT = "doubt"
    END = "end"


_NEEDS_A_HAND = (Phase.STRAIGHTEN, Phase.REVIEW, Phase.FAULT)


def choose_sound(before: TableState, after: TableState) -> SoundCue | None:
    """
    Return the sound for the step from one state to the next; None for silence.

    Each event plays at most one sound, the most important one: first the end of a game, then a
    doubt, then the bell that opens a game, a taken roll, the next player's turn, and a choice.
    """
    if _is_over(after) and not _is_over(before):
        return SoundCue.END
    if after.phase in _NEEDS_A_HAND and after.phase is not before.phase:
        return SoundCue.DOUBT
    if after.play.position is None or _is_over(after):
        return None
    if before.play.position is None or _is_over(before):
        return SoundCue.BELL
    if after.play.rolls > before.play.rolls:
        return SoundCue.ROLL_TAKEN
    turn = next_player(after)
    if turn and turn != next_player(before):
        return SoundCue.YOUR_TURN
    return SoundCue.CHOICE if len(after.play.steps) > len(before.play.steps) else None


def _is_over(state: TableState) -> bool:
    return state.play.position is not None and state.play.position.outcome() is not None
