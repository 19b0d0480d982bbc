# SPDX-License-Identifier: MIT
"""
The contents of a report, as values: the page is made from these alone.

A section is a roll, or a rejected reading, with everything up to the next one and the sheets
after it. Values that were corrected later stay and are marked, because a report that hides a
mistake is worth nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.games.ui import BoardView, SheetView
from controller.history.report.pictures import ReportPicture
from controller.table.view.types import OutcomeView


@dataclass(frozen=True, slots=True)
class ReportDie:
    """
    A die as it was read, with its position in the stored picture.

    Attributes:
        face: 1 to 6.
        polarity: `light` or `dark`.
        x_px: Its centre in the stored picture.
        y_px: The same, downwards.
        angle_deg: Its rotation.
        edge_px: Its edge length there; 0 if it has no position.
        origin: How it came there: `thrown`, `kept`, `placed`, `turned`, `unseen` or empty.
        confidence: How well its pips match their pattern, such as `99.8 %`; empty if unknown.
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
    """A position in the stored picture that is in doubt or was rejected as a die, and why."""

    text: str
    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """
    One reading of dice at rest.

    Attributes:
        picture: The picture that was read, if it still exists.
        dice: Every die in it.
        doubts: The doubts, in words.
        doubted: The positions of those doubts that have one.
        rejected: What was rejected as a die.
        lifts: Doubts that what the table had learnt removed.
        is_certain_alone: Whether the table had learnt something, and the reading needed none of it.
        clip: Digest of the throw's clip; empty if there is none.
        clip_note: Why the clip is unavailable; empty if it is available.
    """

    picture: ReportPicture
    dice: tuple[ReportDie, ...]
    doubts: tuple[str, ...]
    doubted: tuple[ReportMarker, ...]
    rejected: tuple[ReportMarker, ...]
    lifts: tuple[ReportMarker, ...]
    is_certain_alone: bool
    clip: str
    clip_note: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a roll by an official: who, why, and both values."""

    at: str
    by: str
    reason: str
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollItem:
    """
    A roll.

    Attributes:
        number: Counts the rolls of the game from 1.
        seq: The number of its entry in the journal.
        at: The time of day.
        by: The player who threw.
        faces: Its dice before any correction, each as in a record.
        fixes: Its corrections in order; the last one counts.
        by_hand: Who entered it by hand; empty if the camera read it.
        reason: The given reason for that; may be empty.
        held: What was held before it, in words; empty if there was no choice.
        panel: The player's panel that confirmed it; 0 if none.
        seen: The reading.
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
    """A reading that was shown but did not become a roll by itself; `by` threw."""

    kind: ClassVar[str] = "untaken"
    seq: int
    at: str
    by: str
    seen: SeenPicture


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """
    An action of a player.

    Attributes:
        at: The time of day.
        by: The player.
        action: In the game's notation.
        text: The same in words.
        gain: Its points with their sign; empty if it has none by itself.
        panel: The player's panel that confirmed it; 0 if none.
        is_undone: Whether it was undone, or dropped by a correction of its roll.
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
    """Another event; `tone` is `calm`, `hand` (a person decided) or `fault`."""

    kind: ClassVar[str] = "note"
    at: str
    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class CheckpointItem:
    """A checkpoint as the screen showed it; `code` is its QR code as SVG."""

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
    """A roll or a reading, the events until the next one, and the sheets after them."""

    about: RollItem | RejectedReading | None
    items: tuple[Item, ...]
    progress: str
    board: BoardView | None
    sheets: tuple[PlayerSheet, ...]


@dataclass(frozen=True, slots=True)
class GameReport:
    """
    The report of one game.

    Attributes:
        title: The game's name for people.
        players: Who played, clockwise.
        options: The options in words, those with their values.
        began: Date and time of day.
        ended: The same of its last entry.
        chapters: What happened, in order.
        outcome: Its result; `None` for an unfinished game.
        sheets: The sheets at the end.
        board: The shared board at the end.
        rolls: Number of rolls.
        stopped: Why the report ends before the entries do; empty if it does not.
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
