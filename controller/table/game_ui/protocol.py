# SPDX-License-Identifier: MIT
"""
What a screen asks of a game, whichever it is.

Each game answers in a file of its own. Everything that holds for all games alike, such as
who is on, faults, or dice that are to be put back, is said without asking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from controller.games.contract import GameOutcome
from controller.table.game_ui import OfferedChoice
from controller.table.view.types import BoardView, DieGroup, SheetView


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a player is told: what to do, readable from afar, and how that is done."""

    headline: str
    hint: str


class GameView(Protocol):
    """One game's part of a view, made for a state and the action under the cursor."""

    def sheet(self, player: str) -> SheetView:
        """Return what lies before a player, with what that action would make of it."""
        ...

    def board(self) -> BoardView | None:
        """Return what lies in the middle; none where nothing ever does."""
        ...

    def throw_prompt(self) -> Prompt:
        """Return what to tell whoever owes a throw of all the dice."""
        ...

    def choose_prompt(self) -> Prompt:
        """Return what to tell whoever chooses."""
        ...

    def describe_choice(self, choice: OfferedChoice) -> str:
        """Return a legal action in words."""
        ...

    def confirm_label(self) -> str:
        """Return what confirm does with the action under the cursor, in two or three words."""
        ...

    def groups(self) -> Mapping[int, DieGroup]:
        """Return which shown die, by index, has which part in what is tapped or chosen."""
        ...

    def progress_text(self) -> str:
        """Return how far the game is: the number of the roll, of the turn or of the round."""
        ...

    def outcome_text(self, outcome: GameOutcome) -> str:
        """Return how the game ended, in one sentence."""
        ...
