# SPDX-License-Identifier: MIT
"""
Plain drawings of dice for the reader's tests: a ground, square bodies, round pips.

Nothing here shares code or numbers with the simulated tray. A drawing may be
seen through any affine map, so turned, slanted and side faces are drawn alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Colour = tuple[int, int, int]

GREEN_FELT: Colour = (50, 110, 40)
WHITE: Colour = (225, 230, 230)
BLACK: Colour = (35, 35, 35)
RED: Colour = (40, 30, 190)
ORANGE: Colour = (30, 150, 240)

_FINE = 4
_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class FaceDrawing:
    """
    One face of a die as it is drawn.

    Attributes:
        number: Pips on it; 0 for a blank.
        x: Centre in pixels.
        y: Centre in pixels.
        edge_px: Length of an edge, before `squash`.
        angle_deg: Turn in the picture.
        squash: Height against width, 1 seen from straight above.
        body: Its colour.
        pip: Colour of its pips.
        pip_share: Diameter of a pip against the edge.
        left_out: Pips of the pattern that are not drawn.
    """

    number: int
    x: float
    y: float
    edge_px: float = 60.0
    angle_deg: float = 0.0
    squash: float = 1.0
    body: Colour = WHITE
    pip: Colour = BLACK
    pip_share: float = 0.19
    left_out: tuple[int, ...] = ()


def drawn_tray(
    faces: list[FaceDrawing],
    *,
    size_wh: tuple[int, int] = (640, 480),
    ground: Colour = GREEN_FELT,
    seed: int = 1,
) -> Image:
    """Return a picture of these faces on an even ground, with a little blur and noise."""
    width, height = size_wh
    canvas = np.full((height * _FINE, width * _FINE, 3), ground, np.uint8)
    for face in faces:
        _draw(canvas, face)
    small = cv2.resize(canvas, size_wh, interpolation=cv2.INTER_AREA)
    grain = np.random.default_rng(seed).normal(0.0, 2.0, small.shape)
    return np.asarray(np.clip(small + grain, 0, 255), dtype=np.uint8)


def _draw(canvas: Image, face: FaceDrawing) -> None:
    turn = np.deg2rad(face.angle_deg)
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    axes = np.diag([1.0, face.squash]) @ rotate * face.edge_px * _FINE
    center = np.array([face.x, face.y]) * _FINE
    _fill(canvas, _rounded_square() @ axes.T + center, face.body)
    circle = _circle() * face.pip_share / 2.0
    for i, place in enumerate(_PIPS[face.number]):
        if i not in face.left_out:
            _fill(canvas, (circle + np.array(place) * 0.25) @ axes.T + center, face.pip)


def _fill(canvas: Image, points: NDArray[np.float64], colour: Colour) -> None:
    cv2.fillPoly(canvas, [np.rint(points).astype(np.int32)], colour)


def _circle() -> NDArray[np.float64]:
    turn = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _rounded_square(corner: float = 0.12) -> NDArray[np.float64]:
    circle = _circle()
    return np.sign(circle + 1e-9) * (0.5 - corner) + circle * corner
