# SPDX-License-Identifier: MIT
"""
Measure how far the reader shifts the shares of faces: by its doubts, and by what it misreads.

A face that is doubted more often than others is rarer among the dice that count. Only clean trays
are taken, because a table's tray is one. Dice of one scene are believed or doubted together, so
the standard errors are those of scenes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from controller.cli.bench_reader.scene_accuracy import CLEAN, NO_DICE, SceneResult


@dataclass(frozen=True, slots=True)
class FaceShift:
    """Shares of the faces 1 to 6, from 0 to 1; empty if no scene was believed."""

    dice: int  # Dice of all scenes.
    believed: int  # Dice that were read in scenes without a doubt.
    true: tuple[float, ...] = ()  # The share of each face among all dice.
    read: tuple[float, ...] = ()  # The share of each among the believed ones, as read.
    shifts: tuple[float, ...] = ()  # By how much the share as read is above the true one.
    errors: tuple[float, ...] = ()  # The standard error of each shift.


def measure_face_shift(results: Iterable[SceneResult]) -> FaceShift:
    """Return how far the reader shifts the shares of faces on clean trays."""
    clean = [result for result in results if result.kind == CLEAN]
    dice = np.array([result.dice for result in clean] or [NO_DICE])
    believed = np.array([result.believed for result in clean] or [NO_DICE])
    if not believed.sum():
        return FaceShift(int(dice.sum()), 0)
    true, read = (counts.sum(axis=0) / counts.sum() for counts in (dice, believed))
    # How much each scene adds to the difference of the two ratios.
    added = (believed - believed.sum(axis=1, keepdims=True) * read) / believed.sum()
    added -= (dice - dice.sum(axis=1, keepdims=True) * true) / dice.sum()
    errors = np.sqrt((added**2).sum(axis=0))
    rounded = (tuple(np.round(one, 5).tolist()) for one in (true, read, read - true, errors))
    return FaceShift(int(dice.sum()), int(believed.sum()), *rounded)
