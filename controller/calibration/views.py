# SPDX-License-Identifier: MIT
"""What the calibration page shows, as plain values that go to a browser as JSON."""

from __future__ import annotations

from typing import Literal, TypedDict

Place = tuple[float, float]


class MarkerView(TypedDict):
    """A corner card that is seen: its number and its marker's corners in the picture."""

    number: int
    corners_px: list[Place]


class TrayView(TypedDict):
    """
    The tray: its felt's corners in the picture, its size, and how it was found.

    `remark` is what is odd about it without being wrong; empty for nothing.
    """

    corners_px: list[Place]
    felt_mm: Place
    by: Literal["cards", "hand"]
    remark: str


class LightView(TypedDict):
    """Something to be better about the light, where, and what to do; no place: everywhere."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ExposureView(TypedDict):
    """How far exposure and white balance are fixed, and what came of it in words."""

    state: Literal["open", "running", "fixed", "odd"]
    text: str


class InspectionView(TypedDict):
    """
    What the newest picture says.

    `picture_wh` is its size, zeros while there is none. `problem` says why there is no tray.
    `best` is the best `sharpness` since the page was opened. `edge_mm` is the edge of the dice,
    0 while nobody knows it; `edge_is_said` tells whether a person set it, and the same for
    corners and felt. `saved_at` is when the calibration that counts was made; empty before one.
    """

    picture_wh: tuple[int, int]
    markers: list[MarkerView]
    tray: TrayView | None
    problem: str
    sharpness: float
    best: float
    light: list[LightView]
    exposure: ExposureView
    edge_mm: float
    edge_is_said: bool
    corners_are_said: bool
    felt_is_said: bool
    saved_at: str


class DieMark(TypedDict):
    """A die that was read, and where its face is in the picture."""

    face: int
    center_px: Place
    corners_px: list[Place]


class DoubtMark(TypedDict):
    """Something that is not certain, and where; no place: the whole tray."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ReadingView(TypedDict):
    """
    A test reading; `status` is empty while there is no tray to read in.

    `remark` is what is odd about the picture without being wrong; empty for nothing.
    """

    status: str
    dice: list[DieMark]
    doubts: list[DoubtMark]
    remark: str


class FaceView(TypedDict):
    """
    A face of the throw that waits for its confirmation.

    `number` is what it counts as, 0 where it is left out; `read` is what was read, 0 where the
    reader was in doubt, and then `doubt` says why.
    """

    number: int
    read: int
    doubt: str
    center_px: tuple[float, float]
    edge_px: float


class OwnDiceView(TypedDict):
    """
    How far the owner's dice are known.

    `kept` is how many faces the table knows, `throws` how many throws were confirmed since.
    `faces` are those of the throw that waits, with `picture_wh` the size of its picture; zeros
    where none waits. `is_enough` tells whether each number was seen often enough.
    """

    text: str
    kept: int
    throws: int
    is_enough: bool
    faces: list[FaceView]
    picture_wh: tuple[int, int]
