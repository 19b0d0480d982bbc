# SPDX-License-Identifier: MIT
"""
Everything that can happen to a table, as frozen values.

The cameras, the panel, the pages and the command line all end here: one thread
takes events one after the other, so the order of events is the whole history.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

KEPT, TURNED, PLACED, UNSEEN = "kept", "turned", "placed", "unseen"
"""How a die came to lie where it lies, if it was not seen to be thrown there."""


class Key(Enum):
    """The four buttons, wherever they are pressed: panel, keyboard or touch."""

    LEFT = "left"
    RIGHT = "right"
    CONFIRM = "confirm"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class TrayDie:
    """
    A die as it was read, with its place: enough to score it and to know it again.

    The place is in pixels of the picture, the angle 0 up to 90 degrees. A die that was entered
    by hand has no place: its edge is 0.

    `origin` is how it came there, seen from the dice that the table knew to lie there: `kept`
    (the same die with the same face, pushed a little or not), `turned` (stayed, but shows another
    face; `was` is the one before, else 0), `thrown`, `placed` (a hand set it there), `unseen` (not
    seen on its way, without evidence of a hand), or empty where nobody compared. `confidence_ppm`
    is how well its pips agree with the number's pattern, in millionths.
    """

    face: int
    polarity: str
    colour: str
    center_px: tuple[float, float] = (0.0, 0.0)
    angle_deg: float = 0.0
    edge_px: float = 0.0
    origin: str = ""
    was: int = 0
    confidence_ppm: int = 0


@dataclass(frozen=True, slots=True)
class TrayDoubt:
    """Why something in the tray is not certain, where, and what a person can do."""

    kind: str
    text: str
    center_px: tuple[float, float] | None = None
    radius_px: float = 0.0


@dataclass(frozen=True, slots=True)
class RejectedShape:
    """What was looked at and is no die: why, and where in the picture."""

    reason: str
    center_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """
    What else there is to say of a picture that was read, for those who look at it later.

    Attributes:
        crop_px: Where what is stored of it lies in the camera's frame: x, y, width and height.
        frame_wh: Width and height of that frame; all of these are 0 where none is stored.
        clip: Digest of the stored clip of the throw; empty where there is none.
        rejected: What was taken for no die.
    """

    crop_px: tuple[int, int, int, int] = (0, 0, 0, 0)
    frame_wh: tuple[int, int] = (0, 0)
    clip: str = ""
    rejected: tuple[RejectedShape, ...] = ()


NO_PICTURE_INFO = PictureInfo()
"""Of a reading without a picture."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Players sit down to a game."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MotionStarted:
    """Something moves in the tray: dice, a hand."""


@dataclass(frozen=True, slots=True)
class MotionStopped:
    """Nothing moves any more; the dice are being read."""


@dataclass(frozen=True, slots=True)
class DiceRead:
    """
    Several frames at rest agreed on every die in view; no dice is a reading too.

    `picture` is the digest of the stored picture that was read, empty where none is kept.
    """

    dice: tuple[TrayDie, ...]
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO


@dataclass(frozen=True, slots=True)
class ReadingDoubtful:
    """The tray is at rest, but not everything in it is certain; `dice` could be read."""

    doubts: tuple[TrayDoubt, ...]
    dice: tuple[TrayDie, ...] = ()
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO


@dataclass(frozen=True, slots=True)
class FacesEntered:
    """
    An official enters what lies in the tray by hand, because the camera cannot be certain.

    `reason` is more than what the doubts say already; empty for none.
    """

    roll: str
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RollCorrected:
    """
    An official says what the last taken roll shows, and why it was taken wrongly.

    Where the order of dice means nothing, the faces are best given in the order in which the roll
    was shown: so it is known which of the dice was wrong.
    """

    roll: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReviewRequested:
    """
    Somebody wants to see the last taken roll once more, while play waits.

    `panel` as in `KeyPressed`.
    """

    panel: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """
    A camera or disk is gone or useless: what happened, and what to do.

    `kind` is the same in a word that counts and conditions go by: `gone`, `dark`, `refuses`, ...
    """

    device: str
    what: str
    remedy: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class DeviceBack:
    """That device works again."""

    device: str


@dataclass(frozen=True, slots=True)
class RecalibrationRequested:
    """Camera or tray were moved, and are to stay so: find the tray where it is now."""


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """
    One of the four buttons was pressed.

    `panel` is the number of the player's own panel that it is on, counted from 1 in the order
    of the seats; none on the table's panel, the keyboard and the screen, which are everybody's.
    """

    key: Key
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class ButtonStuck:
    """A button of a panel is stuck, so that it presses nothing; `panel` as in `KeyPressed`."""

    key: Key
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class ButtonReleased:
    """That button can be pressed again."""

    key: Key
    panel: int | None = None


@dataclass(frozen=True, slots=True)
class DieTapped:
    """A player taps a die on the screen; what that means is the game's: pair it, keep it."""

    index: int


@dataclass(frozen=True, slots=True)
class ChoiceTapped:
    """A player taps a legal choice on the screen: the cursor goes there, nothing is confirmed."""

    index: int


@dataclass(frozen=True, slots=True)
class JokerTapped:
    """A player taps one of their jokers on the screen, or the tapped one again to leave it."""

    joker: str


@dataclass(frozen=True, slots=True)
class GamePicked:
    """In the lobby: this game shall be played."""

    game: str


@dataclass(frozen=True, slots=True)
class OptionPicked:
    """In the lobby: the game shall be played with this value of an option."""

    option: str
    value: bool | int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """In the lobby: this player sits here, counted clockwise from 0; no name frees the seat."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class StartRequested:
    """In the lobby: start the game that was put together there."""


@dataclass(frozen=True, slots=True)
class ActionRequested:
    """A player asks for an action by its notation, from a page or a program."""

    by: str
    action: str


@dataclass(frozen=True, slots=True)
class UndoRequested:
    """Take the last confirmed action back."""


@dataclass(frozen=True, slots=True)
class PauseRequested:
    """Stop reading until somebody goes on; `panel` as in `KeyPressed`."""

    panel: int | None = None


@dataclass(frozen=True, slots=True)
class ResumeRequested:
    """Go on after a pause."""


@dataclass(frozen=True, slots=True)
class GameClosed:
    """Leave the game, finished or not, and go back to the lobby."""


Event: TypeAlias = (
    GameStarted
    | MotionStarted
    | MotionStopped
    | DiceRead
    | ReadingDoubtful
    | FacesEntered
    | RollCorrected
    | ReviewRequested
    | DeviceLost
    | DeviceBack
    | RecalibrationRequested
    | KeyPressed
    | ButtonStuck
    | ButtonReleased
    | DieTapped
    | ChoiceTapped
    | JokerTapped
    | GamePicked
    | OptionPicked
    | SeatTaken
    | StartRequested
    | ActionRequested
    | UndoRequested
    | PauseRequested
    | ResumeRequested
    | GameClosed
)
