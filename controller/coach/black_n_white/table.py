# SPDX-License-Identifier: MIT
"""
The table of solved positions, as a file.

For each number of players N: `positions_N`, int8 of shape (positions, 1 + N), the chips in the
middle and those of each player, in the order of their keys; `losses_N`, uint32 of shape (positions,
N - 1), the chances to lose of all but the last player, who has the rest, in units of 2**-32.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from controller.coach.black_n_white.positions import Position, Positions

PLAYERS = range(2, 6)
MOST_CHIPS = 5  # For each player at first: the table has no game with more.
_NAME = "black_n_white.npz"
_UNIT = 2.0**-32
_KEY_BITS = 5  # Of each number of chips in a key: at most 25 are in a game.


class StoredPositions(Positions):
    """The chances to lose in every position, looked up."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        with np.load(io.BytesIO(content)) as found:
            self._keys = {each: _list_keys(found[f"positions_{each}"]) for each in PLAYERS}
            self._losses = {each: found[f"losses_{each}"] for each in PLAYERS}

    def find(self, position: Position) -> tuple[float, ...]:
        """Return everybody's chance to lose, by `Position.chips`; KeyError if unknown."""
        count = len(position.chips)
        key = _list_keys(np.array([[position.middle, *position.chips]]))[0]
        row = int(np.searchsorted(self._keys[count], key))
        if key not in self._keys[count][row : row + 1]:
            raise KeyError(position)
        losses = (self._losses[count][row] * _UNIT).tolist()
        return (*losses, 1.0 - sum(losses))


@cache
def load_positions() -> tuple[StoredPositions, str]:
    """Return the solved positions, and the SHA-256 of their file in hexadecimal."""
    content = (files("controller.coach") / "weights" / _NAME).read_bytes()
    return StoredPositions(content), hashlib.sha256(content).hexdigest()


def save_positions(positions: Positions, folder: Path) -> None:
    """Write the solved positions to the file that `load_positions` reads, into a folder."""
    arrays: dict[str, np.ndarray] = {}
    for players in PLAYERS:
        known = [each for each in positions.known.items() if len(each[0].chips) == players]
        rows = np.array([(each.middle, *each.chips) for each, _ in known], np.int8)
        order = np.argsort(_list_keys(rows))
        losses = np.array([losses[:-1] for _, losses in known])[order]
        arrays[f"positions_{players}"] = rows[order]
        arrays[f"losses_{players}"] = np.minimum(np.rint(losses / _UNIT), 2**32 - 1).astype(
            np.uint32
        )
    np.savez_compressed(folder / _NAME, **arrays)  # type: ignore[arg-type]


def _list_keys(rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return one number for each row of chips."""
    shifts = _KEY_BITS * np.arange(rows.shape[1])
    keys: NDArray[np.int64] = (rows.astype(np.int64) << shifts).sum(axis=1)
    return keys
