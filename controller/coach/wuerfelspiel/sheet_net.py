# SPDX-License-Identifier: MIT
"""A net that says how many points a sheet of Würfelspiel will still bring, if it is played well."""

from __future__ import annotations

import numpy as np

from controller.coach.net_weights import Weights
from controller.coach.wuerfelspiel.sheet_key import DICE_COUNTS, SheetKey
from controller.coach.wuerfelspiel.turn import UPPER, Values
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import BONUS_FROM, COLUMNS, ROWS

UNIT = 100.0  # Points by which the net counts.
_COLUMNS = np.arange(COLUMNS)
_GAINS = np.array(FACES)[:, None] * np.arange(DICE_COUNTS)


class SheetNet:
    """
    The net with its weights.

    Its first layer adds one row for each filled cell, and one for each column's upper total.
    """

    def __init__(self, weights: Weights) -> None:
        arrays = weights.arrays
        self._upper, self._cells, self._bias = (arrays[k] for k in ("upper", "cells", "bias"))
        self._layers = [(arrays[f"w{n}"].T.copy(), arrays[f"b{n}"]) for n in (2, 3)]

    def value_after(self, key: SheetKey) -> Values:
        """Return what comes after each cell is filled, in points, (cells, 6): see `fill`."""
        upper = np.array(key.upper)
        filled = np.array(key.filled, np.float32).reshape(COLUMNS, len(ROWS))
        base = self._bias + self._upper[_COLUMNS, upper].sum(axis=0)
        base = base + np.einsum("cr,crh->h", filled, self._cells)
        rows = np.repeat((base + self._cells)[:, :, None], DICE_COUNTS, axis=2)
        new = np.minimum(upper[:, None, None] + _GAINS, BONUS_FROM)
        old = self._upper[_COLUMNS, upper][:, None, None]
        rows[:, :UPPER] += self._upper[_COLUMNS[:, None, None], new] - old
        hidden = rows[..., :-1]
        for weights, bias in self._layers:
            hidden = np.maximum(hidden, 0) @ weights + bias
        values: Values = UNIT * (hidden[..., 0] + rows[..., -1]).astype(np.float64)
        return values.reshape(COLUMNS * len(ROWS), DICE_COUNTS)
