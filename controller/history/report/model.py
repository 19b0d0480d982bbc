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
from controller.table.events import TrayDie
from controller.table.view.types import OutcomeView


@dataclass(frozen=True, slots=True)
class ReportMarker:
    """A position in the stored picture that is in doubt or was rejected as a die, and why."""

    text: str
    x_px: float
    y_px: float
    radius_px: float


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """One reading of dice at rest."""

    picture: ReportPicture  # The picture that was read, if it still exists.
    dice: tuple[TrayDie, ...]  # Every die in it, with its position there.
    doubts: tuple[str, ...]  # The doubts, in words.
    doubted: tuple[ReportMarker, ...]  # The positions of those doubts that have one.
    rejected: tuple[ReportMarker, ...]  # What was rejected as a die.
    lifts: tuple[ReportMarker, ...]  # Doubts that what the table had learnt removed.
    # Whether the table had learnt something, and the reading needed none of it.
    is_certain_alone: bool
    clip: str  # Digest of the throw's clip; empty if there is none.
    clip_note: str  # Why the clip is unavailable; empty if it is available.


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
    kind: ClassVar[str] = "roll"
    number: int  # Counts the rolls of the game from 1.
    seq: int  # The number of its entry in the journal.
    at: str
    by: str  # The player who threw.
    faces: tuple[str, ...]  # Its dice before any correction, each as in a record.
    fixes: tuple[Correction, ...]  # Its corrections in order; the last one counts.
    by_hand: str  # Who entered it by hand; empty if the camera read it.
    reason: str  # The given reason for that; may be empty.
    held: str  # What was held before it, in words; empty if there was no choice.
    panel: int  # The player's panel that confirmed it; 0 if none.
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
    kind: ClassVar[str] = "choice"
    at: str
    by: str
    action: str  # In the game's notation.
    text: str  # The same in words.
    gain: str  # Its points with their sign; empty if it has none by itself.
    panel: int  # The player's panel that confirmed it; 0 if none.
    is_undone: bool  # Whether it was undone, or dropped by a correction of its roll.


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
    title: str
    players: tuple[str, ...]  # Who played, clockwise.
    options: tuple[str, ...]  # The options in words, those with their values.
    began: str  # Date and time of day.
    ended: str  # The same of its last entry.
    chapters: tuple[RollSection, ...]  # What happened, in order.
    outcome: OutcomeView | None  # Its result; `None` for an unfinished game.
    sheets: tuple[PlayerSheet, ...]
    board: BoardView | None
    rolls: int
    stopped: str  # Why the report ends before the entries do; empty if it does not.
