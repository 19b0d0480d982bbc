# SPDX-License-Identifier: MIT
"""
What the event loop must do after an event.

The machine itself touches nothing. It lists what must be on the disk before a screen may
show the new state. Lamps and screens follow from the state, sounds from its change
(`controller.table.sounds`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.journal.hashchain import Body


@dataclass(frozen=True, slots=True)
class PendingEntry:
    """
    An entry to write, after the picture that it names.

    Attributes:
        kind: What the entry is about.
        body: The entry's own fields.
        picture: Digest of the picture that must be on the disk first; empty for none.
    """

    kind: str
    body: Body
    picture: str = ""


class SoundCue(Enum):
    """A sound that the table plays once, when something happens."""

    BELL = "bell"
    ROLL_TAKEN = "roll taken"
    CHOICE = "choice"
    YOUR_TURN = "your turn"
    DOUBT = "doubt"
    END = "end"
