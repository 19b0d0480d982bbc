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

from controller.games import GAMES
from controller.games.contract import GameState, Option
from controller.games.ui import EMPTY_SELECTION, Selection
from controller.table.events import (
    NO_PICTURE_INFO,
    PLACED,
    UNSEEN,
    ButtonStuck,
    DeviceLost,
    PictureInfo,
    TrayDie,
    TrayDoubt,
)

MOVED = "moved"
"""The kind of fault that a new calibration mends."""


class Phase(Enum):
    """
    What the table is doing.

    `AWAITING_JOKER`: a player waits for dice of their own while the others choose from the roll.
    `IN_HAND`: a player has taken dice out of the tray to throw them again; the others stay.
    `REVIEW`: the last roll is looked at once more, and play waits.
    """

    LOBBY = "lobby"
    AWAITING_ROLL = "awaiting roll"
    AWAITING_JOKER = "awaiting joker"
    IN_HAND = "in hand"
    ROLLING = "rolling"
    SETTLING = "settling"
    READING = "reading"
    STRAIGHTEN = "straighten"
    CHOOSING = "choosing"
    GAME_OVER = "game over"
    REVIEW = "review"
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
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmedAction:
    """An action that can still be taken back, with the position before it."""

    by: str
    action: str
    before: GameState


@dataclass(frozen=True, slots=True)
class PlayerCursor:
    """How far a player has come in choosing: where their cursor is, and what they tapped."""

    player: str
    cursor: int = 0
    selection: Selection = EMPTY_SELECTION


@dataclass(frozen=True, slots=True)
class PrivateDice:
    """Dice that a joker brought one player, while the others keep the roll as it was."""

    player: str
    dice: tuple[TrayDie, ...]


@dataclass(frozen=True, slots=True)
class LastRoll:
    """
    The last taken roll with all that it takes to take it differently.

    Attributes:
        by: Who rolled.
        roll: The faces as they count, in the record's text form.
        dice: The same dice as the screen shows them, where they lay in the picture.
        before: The position before the roll, after an action that followed from its kept dice.
        rolled: The roll that everybody looked at before it.
        own: Dice that jokers had brought single players before it.
        picture: Digest of the picture that was read; empty for none.
        shot: What else there is to say of that picture.
        was: The faces as they were taken first; empty where nobody corrected them.
        reason: Why they were corrected, or entered by hand; empty where nobody said it.
        is_reviewed: Whether a review of just these faces has ended.
    """

    by: str
    roll: str
    dice: tuple[TrayDie, ...]
    before: GameState
    roll_dice: tuple[TrayDie, ...]
    private_dice: tuple[PrivateDice, ...]
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO
    was: str = ""
    reason: str = ""
    is_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """
    A review of the last roll that is open.

    Attributes:
        by: Who asked for it; empty where that is not known.
        resume: The phase to go back to.
        is_corrected: Whether an official has corrected the roll meanwhile.
    """

    by: str
    resume: Phase
    is_corrected: bool = False


@dataclass(frozen=True, slots=True)
class RepairMemory:
    """
    What is remembered of a rest in doubt, while people put right what they are asked to.

    Attributes:
        certain: The dice that were read there.
        unasked: Those of them that a hand set without being asked to.
        is_asked: Whether the table asks for a hand that sets dice straight.
    """

    certain: tuple[TrayDie, ...]
    unrequested: tuple[TrayDie, ...]
    is_requested: bool


@dataclass(frozen=True, slots=True)
class LastReported:
    """The last reading that the journal holds without its being taken: a rest is told once."""

    dice: tuple[TrayDie, ...]
    doubts: tuple[TrayDoubt, ...]


@dataclass(frozen=True, slots=True)
class Lobby:
    """
    The game that is being put together with the buttons.

    Attributes:
        game: Its key.
        options: Its options by name, those that are not at their default.
        seats: Who would sit down, clockwise.
        focus: The line that the buttons change, counted from the first; -1 is the last, start.
    """

    game: str = next(iter(GAMES))
    options: tuple[tuple[str, Option], ...] = ()
    seats: tuple[str, ...] = ("Ada", "Ben")
    focus: int = -1


@dataclass(frozen=True, slots=True)
class TableState:
    """
    Everything a table knows.

    Attributes:
        phase: What it is doing.
        confirm: How certain readings are taken.
        see_every_throw: Whether a die that was not seen to be thrown is a doubt.
        lobby: The next game as it is being put together; the last one stands ready.
        known: Names of players who sat at this table, the last ones first.
        game_key: Which game is played; empty in the lobby.
        game: The game's position; none in the lobby.
        rolls: How many rolls were taken in this game.
        undoable: Actions since the last roll, oldest first.
        rolled: The dice of the last taken roll that everybody looks at, as the screen shows them.
        own: Dice that jokers brought single players since then.
        lie: Dice that lie in the tray and are no new roll as long as they lie there unmoved: the
            last taken roll, and whatever was read there while no throw was under way.
        seen: The dice as last read at rest, taken or not.
        doubts: What kept the last reading from being certain.
        mending: What is remembered of that reading until the throw is over; none without doubts.
        picture: Digest of the picture of the last reading.
        shot: What else there is to say of that picture.
        told: The last reading that was journalled without being taken.
        by_hand: Who entered or corrected the taken roll by hand; empty where the camera read it.
        last_roll: The last taken roll; none before the first one of a game.
        review: The review of that roll that is open; none if nobody asked for one.
        cursor: Index of the choice under the cursor; -1 while dice are being tapped.
        tapped: What a player has tapped on the screen.
        looked_at: Whose choices the screen shows because they asked for it on a panel of their
            own; empty for the first of those who may choose.
        aside: How far others have come who may choose too, but are not shown.
        held: The action that the dice which stayed amount to, while the others are in the hand or
            the roll waits to be confirmed; empty for none.
        is_returning: Whether taken dice are being put back as they lay.
        notice: What a person must know now.
        stuck: Buttons that are stuck, oldest first.
        faults: Devices that are lost, oldest first.
        resume: The phase to go back to after a fault.
        is_recalibrating: Whether the tray is being looked for where it is now.
    """

    phase: Phase = Phase.LOBBY
    confirm: Confirm = Confirm.AUTO
    see_every_throw: bool = False
    lobby: Lobby = Lobby()
    known_players: tuple[str, ...] = ()
    game_key: str = ""
    game: GameState | None = None
    rolls: int = 0
    undoable: tuple[ConfirmedAction, ...] = ()
    roll_dice: tuple[TrayDie, ...] = ()
    private_dice: tuple[PrivateDice, ...] = ()
    dice_on_felt: tuple[TrayDie, ...] = ()
    dice_read: tuple[TrayDie, ...] = ()
    doubts: tuple[TrayDoubt, ...] = ()
    repair_memory: RepairMemory | None = None
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO
    last_reported: LastReported | None = None
    by_hand: str = ""
    last_roll: LastRoll | None = None
    review: Review | None = None
    cursor: int = 0
    selection: Selection = EMPTY_SELECTION
    active_chooser: str = ""
    other_cursors: tuple[PlayerCursor, ...] = ()
    held_action: str = ""
    is_returning: bool = False
    notice: Notice | None = None
    stuck_buttons: tuple[ButtonStuck, ...] = ()
    faults: tuple[DeviceLost, ...] = ()
    resume: Phase = Phase.LOBBY
    is_recalibrating: bool = False

    @property
    def may_recalibrate(self) -> bool:
        """Whether camera or tray were moved, so that the tray can be looked for anew."""
        return bool(self.faults) and self.faults[-1].kind == MOVED and not self.is_recalibrating

    @property
    def thrower(self) -> str | None:
        """Whose dice are thrown next: who owes a roll, else who may throw some of them again."""
        return self.roller or self.chooser

    @property
    def is_only_placed(self) -> bool:
        """Whether nothing is in doubt but that dice were thrown: a press lets them count."""
        kinds = {doubt.kind for doubt in self.doubts}
        return bool(kinds) and kinds <= {PLACED, UNSEEN}

    @property
    def shown_dice(self) -> tuple[TrayDie, ...]:
        """The dice that whoever chooses now chooses from, as the screen shows them."""
        own = next((own.dice for own in self.private_dice if own.player == self.chooser), None)
        return self.roll_dice if own is None else own

    @property
    def chooser(self) -> str | None:
        """Who chooses now: who asked to, else the first clockwise from the roller who may act."""
        acting = self.game.expects().do if self.game else {}
        return self.active_chooser if self.active_chooser in acting else next(iter(acting), None)

    @property
    def roller(self) -> str | None:
        """Who is to throw now."""
        return next(iter(self.game.expects().roll), None) if self.game else None


def require_game(state: TableState) -> GameState:
    """Return the game's position in a phase that cannot be without one."""
    assert state.game is not None, f"no game in phase {state.phase.value}"
    return state.game
