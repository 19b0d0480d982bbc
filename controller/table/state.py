# SPDX-License-Identifier: MIT
"""
Where a table stands: its phase, the game, the dice as they lie, and what was asked.

A state is a frozen value. What a screen shows is made from it, and the journal's
entries lead back to it, so there is nothing else that could be out of step.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from controller.games.contract import GameState
from controller.table.events import DeviceLost, SeenDie, SeenDoubt


class Phase(Enum):
    """What the table is doing."""

    LOBBY = "lobby"
    AWAITING_ROLL = "awaiting roll"
    ROLLING = "rolling"
    SETTLING = "settling"
    READING = "reading"
    STRAIGHTEN = "straighten"
    CHOOSING = "choosing"
    GAME_OVER = "game over"
    PAUSED = "paused"
    FAULT = "fault"


class Confirm(Enum):
    """Whether a certain reading is taken by itself, or a press confirms it."""

    AUTO = "auto"
    BUTTON = "button"


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person must know now, and what to do about it."""

    kind: Literal["info", "refused"]
    text: str
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An action that can still be taken back, with the position before it."""

    by: str
    action: str
    before: GameState


Slots = tuple[int | None, int | None, int | None, int | None]
NO_SLOTS: Slots = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class TableState:
    """
    Everything a table knows.

    Attributes:
        phase: What it is doing.
        confirm: How certain readings are taken.
        seats: Who would sit down to the next game, clockwise.
        game_key: Which game is played; empty in the lobby.
        game: The game's position; none in the lobby.
        rolls: How many rolls were taken in this game.
        undoable: Actions since the last roll, oldest first.
        rolled: The dice of the last taken roll, as the screen shows them.
        lie: Dice that lie in the tray and are no new roll as long as they lie there unmoved: the
            last taken roll, and whatever was read there while no throw was under way.
        seen: The dice as last read at rest, taken or not.
        doubts: What kept the last reading from being certain.
        picture: Digest of the picture of the last reading.
        by_hand: Who entered the taken roll by hand; empty where the camera read it.
        cursor: Index of the choice under the cursor; -1 while dice are being tapped.
        slots: The tapped dice by index: two pairs, each of two places.
        notice: What a person must know now.
        faults: Devices that are lost, oldest first.
        resume: The phase to go back to after a fault.
    """

    phase: Phase = Phase.LOBBY
    confirm: Confirm = Confirm.AUTO
    seats: tuple[str, ...] = ("Ada", "Ben")
    game_key: str = ""
    game: GameState | None = None
    rolls: int = 0
    undoable: tuple[Confirmed, ...] = ()
    rolled: tuple[SeenDie, ...] = ()
    lie: tuple[SeenDie, ...] = ()
    seen: tuple[SeenDie, ...] = ()
    doubts: tuple[SeenDoubt, ...] = ()
    picture: str = ""
    by_hand: str = ""
    cursor: int = 0
    slots: Slots = NO_SLOTS
    notice: Notice | None = None
    faults: tuple[DeviceLost, ...] = ()
    resume: Phase = Phase.LOBBY

    @property
    def chooser(self) -> str | None:
        """Who chooses now: of those who may act, the first clockwise from the roller."""
        return next(iter(self.game.expects().do), None) if self.game else None

    @property
    def roller(self) -> str | None:
        """Who is to throw now."""
        return next(iter(self.game.expects().roll), None) if self.game else None


def require_game(state: TableState) -> GameState:
    """Return the game's position in a phase that cannot be without one."""
    assert state.game is not None, f"no game in phase {state.phase.value}"
    return state.game
