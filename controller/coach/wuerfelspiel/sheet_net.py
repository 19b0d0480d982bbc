# SPDX-License-Identifier: MIT
"""A net that says how many points a sheet of Würfelspiel will still bring, if it is played well."""

from __future__ import annotations

import numpy as np

from controller.coach.net_weights import Weights, finish_rows
from controller.coach.wuerfelspiel.sheet_key import DICE_COUNTS, SheetKey
from controller.coach.wuerfelspiel.turn import UPPER, Values
from controller.games.dice import FACES
from controller.games.wuerfelspiel.sheet import BONUS_FROM, COLUMNS, ROWS

_COLUMNS = np.arange(COLUMNS)
_GAINS = np.array(FACES)[:, None] * np.arange(DICE_COUNTS)


class SheetNet:
    """The net; its first layer adds a row for each filled cell, and one for each upper total."""

    def __init__(self, weights: Weights) -> None:
        arrays = weights.arrays
        self._upper, self._cells, self._bias = (arrays[k] for k in ("upper", "cells", "bias"))
        self._layers = weights.list_layers()

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
        return finish_rows(rows, self._layers).reshape(COLUMNS * len(ROWS), DICE_COUNTS)
