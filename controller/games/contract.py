# SPDX-License-Identifier: MIT
"""
What a game answers, whatever its rules are.

"May I?" is separate from "do it": `expects` lists everything that is legal now,
for everybody; `apply` refuses the rest and leaves the state it was given alone.
The end of a game is a value that says who won.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar, runtime_checkable

Option: TypeAlias = bool | int
Options: TypeAlias = Mapping[str, Option]
Json: TypeAlias = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


@dataclass(frozen=True, slots=True)
class RollEvent:
    """The dice as read: who threw them, and what they show in the record's text form."""

    by: str
    roll: str


@dataclass(frozen=True, slots=True)
class ActionEvent:
    """What a player does, in the game's notation."""

    by: str
    action: str


GameEvent: TypeAlias = RollEvent | ActionEvent


@dataclass(frozen=True, slots=True)
class Expects:
    """
    What the table waits for.

    Attributes:
        roll: Who may roll now.
        do: Every player who may act, clockwise from the roller, with all of their legal actions.
    """

    roll: tuple[str, ...] = ()
    do: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended; several winners share the win."""

    winners: tuple[str, ...]
    losers: tuple[str, ...] = ()


@runtime_checkable
class GameState(Protocol):
    """A position of one game; frozen, equal by value, different for every game."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names in clockwise order."""
        ...


State = TypeVar("State", bound=GameState)


class Game(Protocol[State]):
    """One game's rules. Implementations hold no state of their own."""

    @property
    def key(self) -> str:
        """The name in records and on the command line, such as `choice`."""
        ...

    @property
    def players_range(self) -> tuple[int, int]:
        """Fewest and most players."""
        ...

    @property
    def dice_count(self) -> int:
        """How many dice lie in the tray after a throw."""
        ...

    def start(self, players: Sequence[str], options: Options) -> State:
        """
        Return the position before the first roll.

        Raises:
            InputError: The names are empty, not unique, too few or too many, or an option is
                unknown or has a wrong value.
        """
        ...

    def options_of(self, state: State) -> Options:
        """Return every option with the value this game is played with."""
        ...

    def expects(self, state: State) -> Expects:
        """Return everything that is legal now."""
        ...

    def legal_actions(self, state: State, player: str) -> tuple[str, ...]:
        """Return what this player may do now, in the order the rules list it."""
        ...

    def apply(self, state: State, event: GameEvent) -> State:
        """
        Return the position after the event; the given one stays as it was.

        Raises:
            IllegalActionError: The rules do not allow it now.
        """
        ...

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        """Write dice as read (parallel faces and `light`/`dark`) in the record's text form."""
        ...

    def totals(self, state: State) -> dict[str, int]:
        """Return each player's result as it would count now."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended; none while it goes on."""
        ...

    def sheet(self, state: State, player: str) -> Mapping[str, Json]:
        """Return one player's sheet in full, as records print it."""
        ...
