# SPDX-License-Identifier: MIT
"""
The reading of one picture of the tray, as values.

A die is *read* only if its number is certain. Anything else that might be a die is a doubt with
its kind and position, never a guess. Candidates that were dropped stay in the reading as
`rejected`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Point = tuple[float, float]


class Polarity(Enum):
    """Which is lighter, the body or its pips. Black'n'White calls them white and black."""

    LIGHT = "light"
    DARK = "dark"


class DoubtKind(Enum):
    """Why something in the tray is not certain."""

    COCKED = "cocked"
    STACKED = "stacked"
    TOUCHING = "touching"
    GLARE = "glare"
    FOREIGN_OBJECT = "foreign object"
    OFF_THE_FELT = "off the felt"
    COUNT = "count"
    UNSURE = "unsure"
    PLACED = "placed"
    NO_DOME = "no dome"


class Origin(Enum):
    """How a die came to its position; `UNSEEN`: not seen moving, and without evidence of a hand."""

    PRESENT = "present"
    THROWN = "thrown"
    KEPT = "kept"
    TURNED = "turned"
    PLACED = "placed"
    UNSEEN = "unseen"


class Status(Enum):
    """The reading in one word: all dice certain, no die in view, or neither."""

    READ = "read"
    EMPTY = "empty"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die that was read with certainty."""

    face: int  # The number up, 1 to 6.
    polarity: Polarity
    colour: str  # The body's colour in one word: white, black, red, ...
    center_px: Point  # Centre of the top face, x and y, in pixels of the picture.
    corners_px: tuple[Point, Point, Point, Point]  # Of the top face, clockwise in the picture.
    angle_deg: float  # Turn of the face against the picture's x axis, 0 up to 90.
    edge_px: float  # Length of a face edge in pixels.
    # Centre on the felt. Without a calibration the scale comes from the dice themselves, so it
    # serves to compare rests, not to measure trays.
    center_mm: Point
    confidence: float  # Probability that the number is right, 0 to 1.
    origin: Origin | None = None  # How it came there; `None` for a single picture.
    was: int = 0  # The face before it was turned or knocked away; 0 if it was not.


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that keeps the reading from being certain."""

    kind: DoubtKind
    text: str
    center_px: Point | None = None  # Where, in pixels of the picture; `None` for the whole tray.
    radius_px: float = 0.0  # Its extent; 0 for the whole tray.


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that is no die, with the reason."""

    reason: str
    center_px: Point
    radius_px: float


class LiftKind(Enum):
    """Why something is no die of a table that was learnt, is one, or why its die is flat."""

    BACKGROUND = "background"
    SIZE = "size"
    INSIDE = "inside a die"
    FOOT = "foot"
    DIE = "die"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Lift:
    """A doubt that was removed because of what the table learnt."""

    kind: LiftKind
    center_px: Point
    radius_px: float
    # How clear it was. Of a place on the background the share that differs; of an object of another
    # size or inside a die its edge, or its area inside, as a share; of a foot its correction as a
    # share of an edge; of a die that looked stacked while none is missing, how much it did.
    share: float


@dataclass(frozen=True, slots=True)
class DomeFoot:
    """Where a dome stands: the circle in which it meets the felt, in pixels of the picture."""

    center_px: Point
    outline_px: tuple[Point, ...]  # Corners of a polygon on it, in order.
    support: float  # Share of it that is seen, 0 to 1.


@dataclass(frozen=True, slots=True)
class StageTime:
    stage: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class TrayReading:
    """The whole reading of one picture."""

    dice: tuple[DieReading, ...]  # Every die read with certainty, from left to right.
    doubts: tuple[Doubt, ...] = ()  # Why it is not certain; empty unless `status` is unsure.
    rejected: tuple[Rejected, ...] = ()  # Candidates that are no dice.
    stages: tuple[StageTime, ...] = ()
    picture_wh: tuple[int, int] = (0, 0)
    lifts: tuple[Lift, ...] = ()  # Doubts that were removed because of what the table learnt.
    # Whether the light or the camera changed so much that the table's background was not used.
    is_background_sick: bool = False
    table_model: str = ""  # SHA-256 of what the table had learnt; empty if nothing.
    background: str = ""  # SHA-256 of the picture of its ground; empty if it was not used.
    dome: DomeFoot | None = None  # Over the dice; `None` if there is none, or it was not found.

    @property
    def status(self) -> Status:
        if self.doubts:
            return Status.UNSURE
        return Status.READ if self.dice else Status.EMPTY

    @property
    def reason(self) -> str | None:
        """All doubts in one line, or `None` without doubts."""
        return "; ".join(f"{doubt.kind.value}: {doubt.text}" for doubt in self.doubts) or None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that were read, sorted."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def elapsed_ms(self) -> float:
        """Duration of the reading, without decoding the file."""
        return sum(stage.elapsed_ms for stage in self.stages)
