# SPDX-License-Identifier: MIT
"""The health of a table as one value."""

from __future__ import annotations

from dataclasses import dataclass

LIVE = "live"
"""The state of a part that works."""


@dataclass(frozen=True, slots=True)
class Health:
    """
    The health of a table; the keys of the answer of `/healthz`.

    Attributes:
        wrong: What is wrong with the program, in words; `None` if it is well.
        loop: `live`, or for how long its heartbeat is overdue.
        camera: `live`, `starting`, `ended` (a recording), the fault it has, or as `loop`.
        journal: `live`, or what is wrong with the disk.
        tournament: `off`, `live`, or why the journal does not reach the desk of the tournament.
        phase: The phase of the table.
        frames: Frames since the start.
        up_s: Seconds since the start.
        version: Of the program.
        clock: `live`, or the year that the wall clock shows if it cannot be right.
        mqtt: `off`, `connecting`, `live`, or why not in a word or two, without addresses.
        peripherals: `live`, or which of them cannot be used, with the reason and the remedy.
    """

    wrong: tuple[str, ...]
    loop: str
    camera: str
    journal: str
    tournament: str
    phase: str
    frames: int
    up_s: float
    version: str
    clock: str
    mqtt: str
    peripherals: str = LIVE
