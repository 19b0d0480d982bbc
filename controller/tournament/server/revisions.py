# SPDX-License-Identifier: MIT
"""How often each part of an event has changed, so that a page is sent only what is new."""

from __future__ import annotations

from collections import Counter

from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.game_entries import ChoiceMade, ReserveAsked
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
    TokenIssued,
)

PeopleEntry = PlayerJoined | PlayerLeft | PlayerRenamed | PlayerReturned | TokenIssued


class Revisions:
    """
    Numbers that only grow; one thread counts, any thread reads.

    Attributes:
        shared: What everybody sees: rolls, games, names, standings.
        urgent: The part of it that no page may show late; all but who comes and goes.
        choices: How many have chosen from the open roll.
        tables: Lines of tables: silent ones, doubtful rolls.
        players: What each player did, by number.
    """

    def __init__(self) -> None:
        self.shared = 0
        self.urgent = 0
        self.choices = 0
        self.tables = 0
        self.players: Counter[int] = Counter()

    def note_entry(self, entry: EventEntry) -> None:
        """Count an entry of the event's own journal."""
        if isinstance(entry, ChoiceMade | ReserveAsked):
            self.choices += 1
            self.players[entry.player] += 1
            return
        if isinstance(entry, PeopleEntry):
            self.players[entry.player] += 1
        else:
            self.urgent += 1
        self.shared += 1

    def note_table_line(self) -> None:
        self.tables += 1

    def note_everything(self) -> None:
        """Count that the event was built again."""
        self.shared += 1
        self.urgent += 1
        self.tables += 1
