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
    """
    The tray: its felt's corners in the picture, its size, and how it was found.

    `remark` is something odd that is no error; may be empty.
    """

    corners_px: list[Place]
    felt_mm: Place
    by: Literal["cards", "hand"]
    remark: str


class DomeView(TypedDict):
    """The dome: its outline and middle in the picture, its inner diameter, how it was found."""

    middle_px: Place
    outline_px: list[Place]
    diameter_mm: float
    by: Literal["sight", "hand"]


class LightView(TypedDict):
    """A fault of the light, its position, and what to do; `None`: everywhere."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ExposureView(TypedDict):
    """The state of locking exposure and white balance, and its result in words."""

    state: Literal["open", "running", "fixed", "odd"]
    text: str


class InspectionView(TypedDict):
    """
    The inspection of the newest picture.

    `picture_wh` is its size, zeros while there is none. `problem` says why there is no tray.
    `best` is the best `sharpness` since the page was opened. `edge_mm` is the edge of the dice,
    0 if unknown. `edge_is_said` is whether a person entered it; the same for corners and felt.
    `saved_at` is when the current calibration was made; empty before the first.
    `under_dome` is whether this table has a dome; `dome` is `None` if it was not found.
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
    under_dome: bool
    dome: DomeView | None


class DieMark(TypedDict):
    """A die and the position of its face in the picture."""

    face: int
    center_px: Place
    corners_px: list[Place]


class SpotMark(TypedDict):
    """A doubt or a rejected candidate and its position; `None`: the whole tray."""

    kind: str
    text: str
    center_px: Place | None
    radius_px: float


class ReadingView(TypedDict):
    """
    A trial reading; `status` is empty while there is no tray.

    `remark` is something odd that is no error; may be empty.
    """

    status: str
    dice: list[DieMark]
    doubts: list[SpotMark]
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

    `kept` is the number of throws that the table learnt from, `throws` of those confirmed since.
    `faces` and `picture_wh`, the size of its picture, belong to the throw that waits for
    confirmation; empty and zeros without one. `is_enough`: no more throws are wanted.
    """

    text: str
    kept: int
    throws: int
    is_enough: bool
    faces: list[FaceView]
    picture_wh: tuple[int, int]
