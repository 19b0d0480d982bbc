# SPDX-License-Identifier: MIT
"""Solve Black'n'White: no chance is in it, only time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from controller.coach.black_n_white.positions import Position, Positions
from controller.coach.black_n_white.table import MOST_CHIPS, PLAYERS, save_positions

if TYPE_CHECKING:
    from controller.coach.training.self_play import Report


def solve_black_n_white(folder: Path, report: Report) -> None:
    """Write the table of all positions into a folder."""
    positions = Positions()
    for players in PLAYERS:
        for chips in range(1, MOST_CHIPS + 1):
            positions.find(Position(players * chips, (0,) * players))
            report(f"  {players} players with {chips} chips each solved")
    save_positions(positions, folder)
