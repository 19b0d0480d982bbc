# SPDX-License-Identifier: MIT
"""The table of solved positions, as a file."""

from __future__ import annotations

import hashlib
import io
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from controller.coach.black_n_white.positions import Position, Positions

PLAYERS = range(2, 6)
MOST_CHIPS = 2
"""The table has games with this many chips for each player; with more it would grow too large."""
_NAME = "black_n_white.npz"


@cache
def load_positions() -> tuple[Positions, str]:
    """Return the solved positions, and the SHA-256 of their file in hexadecimal."""
    content = (files("controller.coach") / "weights" / _NAME).read_bytes()
    known = {}
    with np.load(io.BytesIO(content)) as found:
        for players in PLAYERS:
            rows, losses = found[f"positions_{players}"], found[f"losses_{players}"]
            for (middle, *chips), each in zip(rows.tolist(), losses.tolist(), strict=True):
                known[Position(middle, tuple(chips))] = tuple(each)
    return Positions(known), hashlib.sha256(content).hexdigest()


def save_positions(positions: Positions, folder: Path) -> None:
    """Write the solved positions to the file that `load_positions` reads, into a folder."""
    arrays: dict[str, np.ndarray] = {}
    for players in PLAYERS:
        known = sorted(
            ((each.middle, *each.chips), losses)
            for each, losses in positions.known.items()
            if len(each.chips) == players
        )
        arrays[f"positions_{players}"] = np.array([row for row, _ in known], np.int8)
        arrays[f"losses_{players}"] = np.array([losses for _, losses in known])
    np.savez_compressed(folder / _NAME, **arrays)  # type: ignore[arg-type]
