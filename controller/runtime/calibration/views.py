# SPDX-License-Identifier: MIT
"""What the calibration page shows, as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import Literal, TypedDict

Place = tuple[float, float]


class MarkerView(TypedDict):
    """A visible corner card: its number and its marker's corners in the picture."""

    number: int
    corners_px: list[Place]


class TrayView(TypedDict):
    """The tray: its felt's corners in the picture, its size, and how it was found."""

    corners_px: list[Place]
    felt_mm: Place
    by: Literal["cards", "hand"]
    remark: str  # Something odd that is no error; may be empty.


class DomeView(TypedDict):
    """The dome: its outline and middle in the picture, its inner diameter, how it was found."""

    middle_px: Place
    outline_px: list[Place]
    diameter_mm: float
    by: Literal["sight", "hand"]


class ExposureView(TypedDict):
    """The state of locking exposure and white balance, and its result in words."""

    state: Literal["open", "running", "fixed", "odd"]
    text: str


class InspectionView(TypedDict):
    picture_wh: tuple[int, int]  # Its size; zeros while there is none.
    markers: list[MarkerView]
    tray: TrayView | None
    outline_px: list[Place]  # Where the corners of an unknown felt may be; mostly empty.
    problem: str  # Why there is no tray.
    sharpness: float
    best: float  # The best `sharpness` since the page was opened.
    light: list[SpotMark]  # Faults of the light, and what to do.
    exposure: ExposureView
    edge_mm: float  # The edge of the dice; 0 if unknown.
    edge_is_said: bool  # Whether a person entered it; the same for corners and felt.
    corners_are_said: bool
    felt_is_said: bool
    saved_at: str  # When the current calibration was made; empty before the first.
    under_dome: bool  # Whether this table has a dome.
    dome: DomeView | None  # `None` if it was not found.


class DieMark(TypedDict):
    """A die and the position of its face in the picture."""

    face: int
    center_px: Place
    corners_px: list[Place]


class SpotMark(TypedDict):
    """A doubt, a rejected candidate or a fault of the light; `None`: in the whole tray."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ReadingView(TypedDict):
    status: str  # Empty while there is no tray.
    dice: list[DieMark]
    doubts: list[SpotMark]
    remark: str  # Something odd that is no error; may be empty.


class FaceView(TypedDict):
    """A face of the throw that waits for its confirmation."""

    number: int  # What it counts as; 0 if it is left out.
    read: int  # What was read; 0 if the reader was in doubt.
    doubt: str  # Why it was; empty without a doubt.
    center_px: tuple[float, float]
    edge_px: float


class OwnDiceView(TypedDict):
    """How far the owner's dice are known."""

    text: str
    kept: int  # The number of throws that the table learnt from.
    throws: int  # The number of those confirmed since.
    is_enough: bool  # No more throws are wanted.
    faces: list[FaceView]  # Those of the throw that waits for confirmation; empty without one.
    picture_wh: tuple[int, int]  # The size of its picture; zeros without one.
