# SPDX-License-Identifier: MIT
"""A drawn table: an uneven felt on which five dice are thrown, with their faces as drawn."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.faces import make_face
from tests.vision.mapped import upright_map
from vision.face import Face
from vision.frame import Image
from vision.table_model.background import Background, GroundLevels
from vision.table_model.confirmed import ConfirmedThrow
from vision.table_model.model import TableModel, learn_table

EDGE_PX = 60.0
TRAY = upright_map()
"""A felt of 600 x 450 pixels in the middle of 640 x 480, with dice of 60 pixels."""

PLACES = ((110, 90), (300, 130), (500, 100), (160, 260), (420, 280), (320, 380), (520, 390))


def lay_dice(number: int, *, left_out: Sequence[int] = ()) -> list[FaceDrawing]:
    """Return the five dice of a throw; each throw has them in other positions."""
    rng = np.random.default_rng(number)
    places = rng.permutation(len(PLACES))[:5]
    return [
        FaceDrawing(
            1 + int(rng.integers(6)),
            PLACES[k][0] + float(rng.uniform(-20, 20)),
            PLACES[k][1] + float(rng.uniform(-20, 20)),
            angle_deg=float(rng.uniform(0, 90)),
        )
        for k in places
        if k not in left_out
    ]


def draw_throw(
    dice: Sequence[FaceDrawing],
    *,
    seed: int = 1,
    light: float = 1.0,
    marks: Sequence[FaceDrawing] = (),
) -> Image:
    """Return a picture of dice, and of marks on the ground below them, in uneven light."""
    image = drawn_tray([*marks, *dice], seed=seed).astype(np.float64)
    slope = np.linspace(0.9, 1.1, image.shape[1])[None, :, None]
    return np.asarray(np.clip(np.rint(image * slope * light), 0, 255), np.uint8)


def faces_of(dice: Sequence[FaceDrawing]) -> list[Face]:
    """Return the upper faces of drawn dice."""
    return [
        make_face(die.x, die.y, number=die.number, edge_px=die.edge_px, turn_deg=die.angle_deg)
        for die in dice
    ]


def confirm(dice: Sequence[FaceDrawing], image: Image) -> ConfirmedThrow:
    """Return a throw with the faces as drawn."""
    return ConfirmedThrow.of(image, faces_of(dice), TRAY)


def fair_throws(count: int = 5, *, marks: Sequence[FaceDrawing] = ()) -> list[ConfirmedThrow]:
    """Return throws that differ in their noise and a little in their light."""
    throws = []
    for number in range(count):
        dice = lay_dice(number)
        image = draw_throw(dice, seed=number, light=1.0 - 0.02 * number, marks=marks)
        throws.append(confirm(dice, image))
    return throws


def learn_ground(throws: Sequence[ConfirmedThrow]) -> Background:
    """Return the background of throws that suffice for one."""
    return GroundLevels(
        [one.image for one in throws], [one.dice for one in throws], TRAY
    ).take_ground()


def fair_model() -> TableModel:
    """Return what five fair throws teach."""
    model = learn_table(fair_throws(), TRAY)
    assert model is not None
    return model


def draw_object(image: Image, center: tuple[int, int], level: float, *, side: int = 40) -> Image:
    """Return the picture with a square object as dark as a share of the ground."""
    changed = image.copy()
    x, y = center[0] - side // 2, center[1] - side // 2
    changed[y : y + side, x : x + side] = cv2.convertScaleAbs(
        changed[y : y + side, x : x + side], alpha=level
    )
    return changed
