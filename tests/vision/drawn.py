# SPDX-License-Identifier: MIT
"""Plain drawn trays for tests: felt, walls, dice, and the troubles that real pictures have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Frame, Image

SIZE_WH = (640, 360)
EDGE_PX = 30.0

_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A white die seen from above; place in pixels."""

    face: int
    x: float
    y: float
    angle_deg: float = 20.0


FIVE = (
    DrawnDie(1, 120, 90),
    DrawnDie(2, 240, 250),
    DrawnDie(3, 330, 120, 65.0),
    DrawnDie(5, 450, 240),
    DrawnDie(6, 520, 110, 5.0),
)


def draw_tray(
    dice: Sequence[DrawnDie] = FIVE,
    *,
    noise_seed: int | None = None,
    noise: float = 4.0,
    light: float = 1.0,
    banding: float = 0.0,
    phase: float = 0.0,
    camera_xy: tuple[float, float] = (0.0, 0.0),
    plain: bool = False,
) -> Image:
    """Draw the tray."""
    picture = _felt(plain)
    for die in dice:
        _draw_die(picture, die)
    x, y = camera_xy
    shift = np.array([[1.0, 0.0, -x], [0.0, 1.0, -y]])
    seen = cv2.warpAffine(picture, shift, SIZE_WH, borderMode=cv2.BORDER_REFLECT).astype(np.float32)
    rows = np.arange(SIZE_WH[1], dtype=np.float32)[:, None, None]
    seen *= light * (1.0 + banding * np.sin(2 * np.pi * (rows / 200.0 + phase)))
    if noise_seed is not None:
        seen += noise * np.random.default_rng(noise_seed).standard_normal(seen.shape, np.float32)
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


def make_frames(images: Sequence[Image], *, fps: float = 30.0, first: int = 0) -> list[Frame]:
    """Number pictures and time them."""
    return [Frame(image, n / fps, n) for n, image in enumerate(images, start=first)]


def _felt(plain: bool) -> Image:
    width, height = SIZE_WH
    picture = np.full((height, width, 3), (60, 110, 50), np.uint8)
    if plain:
        return picture
    grain = np.random.default_rng(7).integers(0, 24, (height // 6, width // 6, 1))
    broad = cv2.resize(grain.astype(np.uint8), SIZE_WH, interpolation=cv2.INTER_CUBIC)
    picture = cv2.add(picture, cv2.merge([broad, broad, broad])).astype(np.uint8)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (40, 80, 140), 40)
    for x in range(10, width, 90):
        cv2.line(picture, (x, 0), (x + 12, 18), (20, 40, 70), 3)
        cv2.line(picture, (x, height), (x + 12, height - 18), (20, 40, 70), 3)
    return picture


def _draw_die(picture: Image, die: DrawnDie) -> None:
    turn = np.deg2rad(die.angle_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    # Sixteenths of a pixel, so that dice can creep.
    middle = np.array([die.x, die.y])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ rotation.T * EDGE_PX / 2 + middle
    cv2.fillPoly(
        picture, [np.rint(corners * 16).astype(np.int32)], (235, 240, 240), cv2.LINE_AA, shift=4
    )
    for pip in _PIPS[die.face]:
        x, y = np.rint((np.array(pip) @ rotation.T * EDGE_PX / 4 + middle) * 16).astype(int)
        cv2.circle(picture, (int(x), int(y)), 48, (30, 30, 30), -1, cv2.LINE_AA, shift=4)
