# SPDX-License-Identifier: MIT
"""What the table remembers of readings that are no roll."""

from __future__ import annotations

from dataclasses import dataclass

from controller.table.events import TrayDie, TrayDoubt


@dataclass(frozen=True, slots=True)
class RepairMemory:
    """
    What the table remembers of a doubtful reading while the players repair it.

    Attributes:
        certain: The dice that could be read.
        unrequested: Those of them that a hand set without a request.
        is_requested: Whether the table asks for a hand that straightens dice.
    """

    certain: tuple[TrayDie, ...]
    unrequested: tuple[TrayDie, ...]
    is_requested: bool


@dataclass(frozen=True, slots=True)
class LastReported:
    """The last journalled reading that is no roll; the same one is not journalled twice."""

    dice: tuple[TrayDie, ...]
    doubts: tuple[TrayDoubt, ...]
