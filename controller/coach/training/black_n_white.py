# SPDX-License-Identifier: MIT
"""Solve Black'n'White: some minutes, and no chance in it."""

from __future__ import annotations

from pathlib import Path

from controller.coach.black_n_white.positions import Position, Positions
from controller.coach.black_n_white.table import MOST_CHIPS, PLAYERS, save_positions


def solve_black_n_white(folder: Path) -> None:
    """Write the table of all positions into a folder."""
    positions = Positions()
    for players in PLAYERS:
        for chips in range(1, MOST_CHIPS + 1):
            positions.find(Position(players * chips, (0,) * players))
    save_positions(positions, folder)
