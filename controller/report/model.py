# SPDX-License-Identifier: MIT
"""
What a report tells, as values: the page is made from these and from nothing else.

A chapter is a roll, or a reading that was not taken, with everything that happened up to
the next one and the sheets after it. Whatever is not believed any more stays in its place
and says so, because a report that hides a mistake is worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.games.ui import BoardView, SheetView
from controller.report.pictures import ReportPicture
from controller.table.view.types import OutcomeView


@dataclass(frozen=True, slots=True)
class ReportDie:
    """
    A die as it was read, with its place in the stored picture.

    Attributes:
        face: What it shows.
        polarity: `light` or `dark`.
        x_px: Its centre in the stored picture.
        y_px: The same, downwards.
        angle_deg: How it is turned.
        edge_px: Its edge there; 0 where it has no place.
        origin: How it came there: `thrown`, `kept`, `placed`, `turned`, `unseen` or empty.
        confidence: How well its pips agree with their pattern, such as `99.8 %`; empty for unsaid.
    """

    face: int
    polarity: str
    x_px: float
    y_px: float
    angle_deg: float
    edge_px: float
    origin: str
    confidence: str


@dataclass(frozen=True, slots=True)
class ReportMarker:
    """A place in the stored picture that is in doubt or was taken for no die, and why."""

    text: str
    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """
    What the reader said of one rest.

    Attributes:
        picture: What is left of the picture that was read.
        dice: Every die in it.
        doubts: What was not certain, in words.
        doubted: Where that was, as far as it has a place.
        rejected: What was taken for no die.
        clip: Digest of the clip of the throw; empty for none.
        clip_note: What became of it; empty where it lies beside the pictures.
    """

    picture: ReportPicture
    dice: tuple[ReportDie, ...]
    doubts: tuple[str, ...]
    doubted: tuple[ReportMarker, ...]
    rejected: tuple[ReportMarker, ...]
    clip: str
    clip_note: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A roll that an official gave other faces: who, why, and both values."""

    at: str
    by: str
    reason: str
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollItem:
    """
    A roll that was taken.

    Attributes:
        number: Counts the rolls of the game from 1.
        seq: The number of its entry in the journal.
        at: The time of day.
        by: Who threw.
        faces: Its dice as they counted when it was taken, each by its text in a record.
        fixes: What officials made of it later, in order; the last one counts.
        by_hand: Who entered it by hand; empty where the camera read it.
        reason: Why, where somebody said so.
        held: What was held before it, in words; empty where nobody had to be asked.
        panel: On which player's panel it was confirmed; 0 for none.
        seen: What the camera saw.
    """

    kind: ClassVar[str] = "roll"
    number: int
    seq: int
    at: str
    by: str
    faces: tuple[str, ...]
    fixes: tuple[Correction, ...]
    by_hand: str
    reason: str
    held: str
    panel: int
    seen: SeenPicture


@dataclass(frozen=True, slots=True)
class RejectedReading:
    """A reading that was shown, and that no roll was taken from by itself; `by` threw."""

    kind: ClassVar[str] = "untaken"
    seq: int
    at: str
    by: str
    seen: SeenPicture


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """
    What a player did.

    Attributes:
        at: The time of day.
        by: Who.
        action: In the game's notation.
        text: The same in words.
        gain: What it counted, with its sign; empty where it counts nothing by itself.
        panel: On which player's panel it was confirmed; 0 for none.
        is_undone: Whether it was taken back, or fell with the roll it was about.
    """

    kind: ClassVar[str] = "choice"
    at: str
    by: str
    action: str
    text: str
    gain: str
    panel: int
    is_undone: bool


@dataclass(frozen=True, slots=True)
class NoteItem:
    """Something else that happened; `tone` is `calm`, `hand` (somebody decided) or `fault`."""

    kind: ClassVar[str] = "note"
    at: str
    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class CheckpointItem:
    """A checkpoint as the screen showed it; `code` is the drawing of its QR code."""

    kind: ClassVar[str] = "witness"
    at: str
    size: int
    words: str
    root: str
    text: str
    code: str


Item: TypeAlias = ChoiceItem | NoteItem | CheckpointItem


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """A player's sheet after a section and before it; `is_new` if something was written since."""

    name: str
    total: int
    gain: str
    sheet: SheetView
    before: SheetView
    is_new: bool


@dataclass(frozen=True, slots=True)
class RollSection:
    """A roll or a reading, what happened until the next one, and where everybody stood then."""

    about: RollItem | RejectedReading | None
    items: tuple[Item, ...]
    progress: str
    board: BoardView | None
    sheets: tuple[PlayerSheet, ...]


@dataclass(frozen=True, slots=True)
class GameReport:
    """
    A whole game.

    Attributes:
        title: The game's name for people.
        players: Who played, clockwise.
        options: The options in words, those with their values.
        began: Date and time of day.
        ended: The same of its last entry.
        chapters: What happened, in order.
        outcome: How it ended; none for a game that did not.
        sheets: Everybody's sheet at the end.
        board: What lay in the middle at the end.
        rolls: How many rolls were taken.
        stopped: Why the story ends before the entries do; empty where it does not.
    """

    title: str
    players: tuple[str, ...]
    options: tuple[str, ...]
    began: str
    ended: str
    chapters: tuple[RollSection, ...]
    outcome: OutcomeView | None
    sheets: tuple[PlayerSheet, ...]
    board: BoardView | None
    rolls: int
    stopped: str
