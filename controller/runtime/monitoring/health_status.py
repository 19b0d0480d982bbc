# SPDX-License-Identifier: MIT
"""The health of a table as one value."""

from __future__ import annotations

from dataclasses import dataclass

LIVE = "live"  # The state of a part that works.


@dataclass(frozen=True, slots=True)
class Health:
    """The health of a table; the keys of the answer of `/healthz`."""

    wrong: tuple[str, ...]  # What is wrong with the program, in words; empty if it is well.
    loop: str  # `live`, or for how long its heartbeat is overdue.
    camera: str  # `live`, `starting`, `ended` (a recording), the fault it has, or as `loop`.
    journal: str  # `live`, or what is wrong with the disk.
    tournament: str  # `off`, `live`, or why the journal does not reach the desk of the tournament.
    phase: str  # The phase of the table.
    frames: int  # Frames since the start.
    up_s: float  # Seconds since the start.
    version: str  # Of the program.
    clock: str  # `live`, or the year that the wall clock shows if it cannot be right.
    mqtt: str  # `off`, `connecting`, `live`, or why not in a word or two, without addresses.
    # `live`, or which of them cannot be used, with the reason and the remedy.
    peripherals: str = LIVE
