# SPDX-License-Identifier: MIT
"""
A game before it starts: its options, its dice and its screen.

The registry in `controller.games` lists one `Game` for each room. All other code finds a
game there by its key and never names its types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from controller.games.contract import FreeThrows, GameState, OptionRule, Options
from controller.games.dice import make_roll, parse_roll, roll_text
from controller.games.ui import GameUI


class Game(Protocol):
    """The rules of one game, without state; texts of dice are for games without colours."""

    @property
    def key(self) -> str:
        """The name in records and on the command line, such as `choice`."""

    @property
    def title(self) -> str:
        """What people call it."""

    @property
    def options(self) -> Mapping[str, OptionRule]:
        """Its options by name, in the order in which a lobby shows them."""

    @property
    def players_range(self) -> tuple[int, int | None]:
        """Fewest and most players; None for no limit."""

    @property
    def chooses_together(self) -> bool:
        """Whether all players choose from the same roll, in any order."""

    @property
    def polarities(self) -> tuple[str, ...]:
        """A full throw's dice in the record's order: `light`, `dark` or, without meaning, empty."""

    @property
    def ui(self) -> GameUI[Any]:
        """What a screen asks of this game; it takes this game's positions only."""

    def start(self, players: Sequence[str], options: Options) -> GameState:
        """Return the position before the first roll; InputError if names or options do not fit."""

    def die_text(self, face: int, polarity: str) -> str:
        """Write one die as a roll has it: `4`, or `w4` if colours count."""
        return str(face)

    def roll_text(self, faces: Sequence[int], polarities: Sequence[str]) -> str:
        """Write parallel faces and polarities as a record does; InputError if they do not fit."""
        return roll_text(make_roll(faces))

    def parse_roll(self, text: str) -> tuple[str, ...]:
        """Read a roll: each die by its `die_text`, in the record's order; otherwise InputError."""
        return tuple(roll_text(parse_roll(text, count=len(self.polarities))))


def list_polarities(game: Game, position: GameState | None) -> tuple[str, ...]:
    """Return the dice of a full throw at a position, as `Game.polarities` lists them."""
    if position is not None and isinstance(position, FreeThrows):
        return ("",) * position.dice_count
    return game.polarities
