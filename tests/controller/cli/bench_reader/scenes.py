# SPDX-License-Identifier: MIT
"""Scenes and readings made by hand, so that a test says itself what is true."""

from __future__ import annotations

import numpy as np

from vision.reading import DieReading, Doubt, DoubtKind, Polarity, TrayReading
from vision.training.scenes import DieState, RenderedScene, TrueDie

EDGE_PX = 20.0


def shot_die(face: int, x: float, *, is_light: bool = True) -> TrueDie:
    corners = np.array([(x - 10, 40.0), (x + 10, 40.0), (x + 10, 60.0), (x - 10, 60.0)])
    center = corners.mean(axis=0)
    pips = np.tile(center, (face, 1))
    return TrueDie(
        face=face,
        state=DieState.FLAT,
        is_light=is_light,
        colour="white",
        quad_px=corners,
        foot_px=center,
        flat_axes_px=np.eye(2) * EDGE_PX,
        flat_foot_px=center,
        tilt_deg=0.0,
        visible=1.0,
        contrast=150.0,
        pips_px=pips,
    )


def shot(
    *dice: TrueDie, expect: int | None = None, doubt: str | None = None, seed: int = 7
) -> RenderedScene:
    image, owner = np.full((100, 200, 3), 90, np.uint8), np.zeros((100, 200), np.int16)
    return RenderedScene(image, dice, owner, expect=len(dice), doubt=doubt, seed=7)


def read_die(face: int, x: float, polarity: Polarity = Polarity.LIGHT) -> DieReading:
    corners = ((x, 50.0),) * 4
    return DieReading(
        face, polarity, "white", (x, 50.0), corners, 0.0, EDGE_PX, (0.0, 0.0), confidence=1.0
    )


def reading(*dice: DieReading, doubts: tuple[DoubtKind, ...] = ()) -> TrayReading:
    return TrayReading(dice, tuple(Doubt(kind, "look there") for kind in doubts))
