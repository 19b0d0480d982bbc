# SPDX-License-Identifier: MIT
"""How a table is, as one value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Health:
    """
    How a table is.

    Attributes:
        wrong: What is wrong with the program, in words; none where it is well.
        loop: `live`, or for how long nothing was heard of it.
        camera: `live`, `starting`, `ended` (a recording), the fault it has, or as `loop`.
        journal: `live`, or what is wrong with the disk.
        phase: What the table does.
        frames: Pictures that the camera delivered since the start.
        up_s: Seconds since the start.
        version: Of the program.
    """

    wrong: tuple[str, ...]
    loop: str
    camera: str
    journal: str
    phase: str
    frames: int
    up_s: float
    version: str
