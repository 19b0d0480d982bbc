# SPDX-License-Identifier: MIT
"""One roll of a duplicate game: its dice, who is there, and what everybody chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.tournament.entries.fields import Source

Actions = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedChoice:
    """What counted for a player on a roll."""

    do: Actions
    made: Actions  # The actions that the player chose; empty if the clock ran out.

    @property
    def is_automatic(self) -> bool:
        """Whether the first legal choice replaced the player's own, or a missing one."""
        return self.do != self.made


@dataclass(slots=True)
class ReserveRoll:
    """The reserve roll for all who played the Terminator."""

    faces: str
    opened_faces: str
    source: Source
    until_ms: int


@dataclass(slots=True)
class FieldRoll:
    """A roll that is everybody's roll."""

    number: int  # Counts the rolls of the game from 1; annulled ones count too.
    faces: str  # The faces that count now, in ascending order.
    opened_faces: str
    source: Source
    until_ms: int
    present: frozenset[int]  # Who was there when it was opened, whether finished or not.
    choices: dict[int, Actions] = field(default_factory=dict)
    awaiting: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)  # Who plays the Terminator.
    reserve: ReserveRoll | None = None
    # What counts for each player, once the roll is closed.
    played: dict[int, PlayedChoice] = field(default_factory=dict)
    is_open: bool = True
    is_annulled: bool = False
    was_open: bool = False  # Whether it took choices when it was annulled.

    def deadline_of(self, player: int) -> int | None:
        """Return when the clock ends for a player; None while they wait for the reserve roll."""
        if player not in self.asked:
            return self.until_ms
        return self.reserve.until_ms if self.reserve else None

    def find_deadline(self, present: frozenset[int]) -> int | None:
        """
        Return when the clock has ended for all who are present and have still to choose.

        0 if all have chosen; None while one of them waits for the reserve roll.
        """
        awaiting = self.awaiting & present
        if self.reserve is None and not awaiting.isdisjoint(self.asked):
            return None
        shared = self.until_ms if awaiting - self.asked else 0
        own = self.reserve.until_ms if self.reserve and awaiting & self.asked else 0
        return max(shared, own)

    @property
    def needs_reserve(self) -> bool:
        """Whether the table has to throw a reserve roll."""
        is_wanted = not self.awaiting.isdisjoint(self.asked)
        return self.is_open and is_wanted and self.reserve is None

    def count_choices(self) -> Mapping[Actions, int]:
        """Return how many players each choice counts for, the most frequent first."""
        return dict(Counter(choice.do for choice in self.played.values()).most_common())
