# SPDX-License-Identifier: MIT
"""What other programs ask of a table: dice, or seats for the players of a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DiceRequested:
    """
    Another program asks for one roll, while no game is played.

    Attributes:
        dice: The number of dice.
        name: For whom they are thrown.
        why: The reason, for the people at the table; may be empty.
        by: The name of the program's token.
    """

    dice: int
    name: str
    why: str
    by: str


@dataclass(frozen=True, slots=True)
class RequestEnded:
    """The request for dice ends; `answered` only clears its answer from the screen."""

    outcome: Literal["withdrawn", "refused", "expired", "answered"]


@dataclass(frozen=True, slots=True)
class DiceRequest:
    """
    A request of another program for one roll; the fields are those of `DiceRequested`.

    `is_answered` means that the roll is taken, and its faces are shown for a while.
    """

    dice: int
    name: str
    why: str
    by: str
    is_answered: bool = False


@dataclass(frozen=True, slots=True)
class PlayersSeated:
    """
    A tournament seats the players of a round at this table.

    Attributes:
        event: The name of the tournament.
        round: The number of the round.
        table: The number of this table in it.
        game: The key of the game.
        options: Its options by name, those that are not at their default.
        players: Clockwise.
    """

    event: str
    round: int
    table: int
    game: str
    options: tuple[tuple[str, bool | int], ...]
    players: tuple[str, ...]
