# SPDX-License-Identifier: MIT
"""Everything that can happen to a table; one thread handles it in its order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

CAMERA, DISK = "camera", "disk"  # Devices without which play waits.
BUTTONS = "buttons"
LAMPS = "lamps"
LIGHT = "light"
BUZZER = "buzzer"
GROUND = "ground"
"""The felt as the table learnt it: lost while light or camera are not as they were."""
KEPT, TURNED, PLACED, UNSEEN = "kept", "turned", "placed", "unseen"
"""The origin of a die that was not seen to be thrown."""


class Key(Enum):
    """The four buttons, wherever they are pressed: panel, keyboard or touch."""

    LEFT = "left"
    RIGHT = "right"
    CONFIRM = "confirm"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class TrayDie:
    """A die in the tray as it was read, with its position: enough to score it and to match it."""

    face: int
    polarity: str
    colour: str
    center_px: tuple[float, float] = (0.0, 0.0)  # In the picture.
    angle_deg: float = 0.0  # 0 up to 90.
    edge_px: float = 0.0  # 0 for a die that was entered by hand: it has no position.
    # Compares it with the dice that the table knew: `kept` (same die, same face, even if pushed a
    # little), `turned` (it stayed but shows another face), `thrown`, `placed` (set by a hand),
    # `unseen` (its path is missing, without evidence of a hand), or empty if it was not compared.
    origin: str = ""
    was: int = 0  # The old face of a die that was turned, else 0.
    confidence_ppm: int = 0  # How well its pips match the pattern of its face, in millionths.


@dataclass(frozen=True, slots=True)
class TrayDoubt:
    """Why something in the tray is not certain, its position, and what to do about it."""

    kind: str
    text: str
    center_px: tuple[float, float] | None = None
    radius_px: float = 0.0


@dataclass(frozen=True, slots=True)
class RejectedShape:
    """A shape that was examined and is no die: why, and its position in the picture."""

    reason: str
    center_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class TrayLift:
    """A doubt that what was learnt removed, its position, and how clear it was in millionths."""

    kind: str
    center_px: tuple[float, float]
    radius_px: float
    share_ppm: int


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """What is known of a picture that was read, beside its dice."""

    # The stored part of the camera's frame: x, y, width and height.
    crop_px: tuple[int, int, int, int] = (0, 0, 0, 0)
    # Width and height of that frame; all of these are 0 if no picture is stored.
    frame_wh: tuple[int, int] = (0, 0)
    clip: str = ""  # Digest of the stored clip of the throw; empty if there is none.
    rejected: tuple[RejectedShape, ...] = ()  # Shapes that are no dice.
    table_model: str = ""  # Digest of what the table had learnt; empty if nothing.
    background: str = ""  # Digest of the picture of its ground; empty if it was not used.
    lifts: tuple[TrayLift, ...] = ()  # Doubts that were removed because of that.


NO_PICTURE_INFO = PictureInfo()  # For a reading without a picture.


@dataclass(frozen=True, slots=True)
class Event:
    """What one thread handles in its order; each kind is a class of its own."""


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """A program starts a game; the table itself plays those players who have a grade."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, bool | int] = field(default_factory=dict)
    grades: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MotionStarted(Event):
    """Something moves in the tray: dice, a hand."""


@dataclass(frozen=True, slots=True)
class MotionStopped(Event):
    """Nothing moves any more; the dice are being read."""


@dataclass(frozen=True, slots=True)
class DiceRead(Event):
    """
    Several frames agreed on every die in view, if any; `picture` is the stored one's digest.

    `hider` has the place of the die that may hide a missing one; it is no doubt of its own.
    """

    dice: tuple[TrayDie, ...]
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO
    hider: TrayDoubt | None = None


@dataclass(frozen=True, slots=True)
class ReadingDoubtful(Event):
    """The tray is at rest, but not everything in it is certain; `dice` could be read."""

    doubts: tuple[TrayDoubt, ...]
    dice: tuple[TrayDie, ...] = ()
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO


@dataclass(frozen=True, slots=True)
class FacesEntered(Event):
    """An official enters the dice by hand; `reason` adds to the doubts, empty for none."""

    roll: str
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RollCorrected(Event):
    """
    An official corrects the faces of the last roll and gives the reason.

    If the order of dice means nothing, give the faces in the order of the screen: then the table
    knows which die was wrong.
    """

    roll: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReviewRequested(Event):
    """A player wants to see the last roll again; `panel` and `by` as in `KeyPressed`."""

    panel: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class DeviceLost(Event):
    """A camera or disk is lost or useless; `kind` is a word: `gone`, `dark`, `refuses`, ..."""

    device: str
    what: str
    remedy: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class DeviceBack(Event):
    """That device works again."""

    device: str


@dataclass(frozen=True, slots=True)
class PeripheralLost(Event):
    """A device, see `KeyPressed`, cannot be used; play goes on. The texts are the driver's."""

    device: str
    what: str
    remedy: str
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class PeripheralBack(Event):
    """That peripheral works again."""

    device: str
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class RecalibrationRequested(Event):
    """Camera or tray were moved for good: find the tray in its new position."""


@dataclass(frozen=True, slots=True)
class KeyPressed(Event):
    """
    One of the four buttons was pressed.

    `panel` is the number of a player's own panel, from 1 in the order of the seats. It is None for
    the table's panel, the keyboard and the screen, which all players share. `by` is the player
    whose own phone sent it; empty for everything else. What a phone sends acts on that player's
    own cursor and moves no other.
    """

    key: Key
    panel: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class ButtonStuck(Event):
    """A button of a panel is stuck, so that it presses nothing; `panel` as in `KeyPressed`."""

    key: Key
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class ButtonReleased(Event):
    """That button can be pressed again."""

    key: Key
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class DieTapped(Event):
    """A player taps a die; the game decides what that selects. `by` as in `KeyPressed`."""

    index: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceTapped(Event):
    """A player taps a legal choice: the cursor moves, nothing is confirmed. `by` as before."""

    index: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class JokerTapped(Event):
    """A player taps one of their jokers, or the tapped one again to put it back. `by` as before."""

    joker: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class PlayerTapped(Event):
    """Somebody at the shared screen wants to see this player's choices there."""

    player: str


@dataclass(frozen=True, slots=True)
class PhonesBound(Event):
    """Only these players have a phone: the screen offers itself first to others. Not journalled."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamesChanged(Event):
    """The lobby shall hide or rename people, by the looks of their names; it is not journalled."""

    hidden: frozenset[str] = frozenset()
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GamePicked(Event):
    """In the lobby: this game shall be played."""

    game: str


@dataclass(frozen=True, slots=True)
class OptionPicked(Event):
    """In the lobby: the game shall be played with this value of an option."""

    option: str
    value: bool | int


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """In the lobby: who sits here, from 0 clockwise: a person, an opponent of a grade, or none."""

    seat: int
    name: str
    grade: str = ""


@dataclass(frozen=True, slots=True)
class StartRequested(Event):
    """In the lobby: start the game."""


@dataclass(frozen=True, slots=True)
class ActionRequested(Event):
    """
    A player asks for an action by its notation, from a page, a program or an opponent.

    A refusal is shown only where it comes `from_phone`. An opponent's counts at its `position`.
    """

    by: str
    action: str
    from_phone: bool = False
    position: object = None


@dataclass(frozen=True, slots=True)
class UndoRequested(Event):
    """Undo the last undoable action: that of a player who takes it back, or anybody's if empty."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class PauseRequested(Event):
    """Stop reading until a player resumes; `panel` as in `KeyPressed`."""

    panel: int | None = None
    is_for_calibration: bool = False


@dataclass(frozen=True, slots=True)
class ResumeRequested(Event):
    """Resume after a pause."""


@dataclass(frozen=True, slots=True)
class GameClosed(Event):
    """End the game for good, finished or not, and go back to the lobby."""


@dataclass(frozen=True, slots=True)
class GameLeft(Event):
    """Leave the game: the lobby offers to continue it, unless it is over."""


@dataclass(frozen=True, slots=True)
class GameCounted(Event):
    """End the game early: it counts as it stands."""


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody sits down at a game that has begun, if its rules allow that."""

    name: str


@dataclass(frozen=True, slots=True)
class GameContinued(Event):
    """In the lobby: continue the game that was left last."""


@dataclass(frozen=True, slots=True)
class DiceRequested(Event):
    """Another program asks for one roll, while no game is played."""

    dice: int  # The number of dice.
    name: str  # For whom they are thrown.
    why: str  # The reason, for the people at the table; may be empty.
    by: str  # The name of the program's token.
    is_answered: bool = False  # At the table: whether its roll is taken, and shown for a while.


@dataclass(frozen=True, slots=True)
class RequestEnded(Event):
    """The request for dice ends; `answered` only clears its answer from the screen."""

    outcome: Literal["withdrawn", "refused", "expired", "answered"]


@dataclass(frozen=True, slots=True)
class PlayersSeated(Event):
    """A tournament seats the players of a round at this table."""

    event: str  # The name of the tournament.
    round: int  # The number of the round.
    table: int  # The number of this table in it.
    game: str  # The key of the game.
    # Its options by name, those that are not at their default.
    options: tuple[tuple[str, bool | int], ...]
    players: tuple[str, ...]  # Clockwise.


@dataclass(frozen=True, slots=True)
class DealingChanged(Event):
    """A tournament takes the throws of this table for all its players, or no longer."""

    is_dealing: bool


PART_STATES = ("before", "seated", "played", "free", "draws", "deals", "dealt", "over")


@dataclass(frozen=True, slots=True)
class PartChanged(Event):
    """
    A tournament stands elsewhere for this table.

    `seated` and `played` are about its players of this round, `free` is a round without any. It
    `draws` with rolls for the next draw, `deals` a game to all players, and has `dealt` it.
    """

    state: str = ""  # One of `PART_STATES`; empty if the table has no part in it.
    event: str = ""  # The name of the tournament.
    number: int = 0  # The number of the round, or of the game that all play.
    count: int = 0  # How many of them there are.
    table: int = 0  # The number of this table.
    result: str = ""  # Where the result is to be read.


TournamentNews = PlayersSeated | DealingChanged | PartChanged


@dataclass(frozen=True, slots=True)
class ScreenIdled(Event):
    """Nobody has used the table for some minutes."""


@dataclass(frozen=True, slots=True)
class ScreenTouched(Event):
    """Somebody uses the box's own screen, in any way."""


@dataclass(frozen=True, slots=True)
class RoundSeen(Event):
    """The result of this round was on the screens long enough."""

    number: int
