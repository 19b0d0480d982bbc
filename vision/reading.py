# SPDX-License-Identifier: MIT
"""
What the reader says about one picture of the tray, as values.

A die is *read* only when its pips lie as that number's pips lie. Everything
else that might be a die is a doubt with its kind and place, never a guess; and
what was looked at and dropped stays in the reading as `rejected`.
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


class Origin(Enum):
    """
    How a die came to lie where it lies, seen from one rest to the next.

    `UNSEEN`: it was not seen on its way, and no evidence of a hand was found.
    """

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
    """
    One die that was read with certainty.

    Attributes:
        face: The number up, 1 to 6.
        polarity: Whether the body is lighter or darker than the pips.
        colour: The body's colour in one word: white, black, red, ...
        center_px: Centre of the top face, x and y, in pixels of the given picture.
        corners_px: The top face's four corners, clockwise in the picture.
        angle_deg: Turn of the face against the picture's x axis, 0 up to 90.
        edge_px: Length of a face edge in pixels.
        center_mm: Centre on the felt. Without a calibration the scale comes from the dice
            themselves, so it is good for comparing rests, not for measuring trays.
        confidence: How well the pips agree with the number's pattern, 0 to 1.
        origin: How it came there; none on a single picture.
        was: The face that it showed before it was turned or knocked away; 0 where it was not.
    """

    face: int
    polarity: Polarity
    colour: str
    center_px: Point
    corners_px: tuple[Point, Point, Point, Point]
    angle_deg: float
    edge_px: float
    center_mm: Point
    confidence: float
    origin: Origin | None = None
    was: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """
    Something that keeps the reading from being certain.

    Attributes:
        kind: Why.
        text: What a person sees there and can do about it, one short sentence.
        center_px: Where, in pixels of the given picture; none when it concerns the whole tray.
        radius_px: How far around the place it reaches; 0 for the whole tray.
    """

    kind: DoubtKind
    text: str
    center_px: Point | None = None
    radius_px: float = 0.0


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that was looked at and is no die, with the reason."""

    reason: str
    center_px: Point
    radius_px: float


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long one stage of the reader took."""

    stage: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class TrayReading:
    """
    Everything the reader says about one picture.

    Attributes:
        dice: Every die read with certainty, from left to right.
        doubts: What keeps it from being certain; empty when `status` is not unsure.
        rejected: Candidates that are no dice.
        stages: Time by stage, in the order they ran.
        picture_wh: Width and height of the picture in pixels.
    """

    dice: tuple[DieReading, ...]
    doubts: tuple[Doubt, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    stages: tuple[StageTime, ...] = ()
    picture_wh: tuple[int, int] = (0, 0)

    @property
    def status(self) -> Status:
        """The reading in one word."""
        if self.doubts:
            return Status.UNSURE
        return Status.READ if self.dice else Status.EMPTY

    @property
    def reason(self) -> str | None:
        """Why it is unsure, all doubts in one line; none when it is not."""
        return "; ".join(f"{doubt.kind.value}: {doubt.text}" for doubt in self.doubts) or None

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that were read, sorted."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def elapsed_ms(self) -> float:
        """The reading alone, without decoding the file."""
        return sum(stage.elapsed_ms for stage in self.stages)
