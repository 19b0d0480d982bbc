# SPDX-License-Identifier: MIT
"""
What the shell shall do because of an event.

The machine touches nothing. It says what has to be on the disk before anybody may see
its new state; lamps and screens follow from the state itself, and a sound from what became
of it (`controller.table.sounds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.journal.hashchain import Body


@dataclass(frozen=True, slots=True)
class PendingEntry:
    """
    Write this entry, and before it the picture it names, if any.

    Attributes:
        kind: What the entry is about.
        body: The entry's own fields.
        picture: Digest of the picture that has to be on the disk first; empty for none.
    """

    kind: str
    body: Body
    picture: str = ""


class SoundCue(Enum):
    """What the table says without a screen; each once, when it happens."""

    ROLL_TAKEN = "roll taken"
    YOUR_TURN = "your turn"
    DOUBT = "doubt"
    END = "end"
