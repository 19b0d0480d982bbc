# SPDX-License-Identifier: MIT
"""One call for an official."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Call:
    """A call, with where it came from as it was then."""

    number: int
    at_ms: int
    player: int  # 0 if a table called.
    box: str  # The table that called, or that of the player; empty if it is not known.
    table: int  # Its number in draws; 0 if it is not known.
    names: tuple[str, ...]  # Who sat there.
    answered_by: str = ""  # The official; empty while it is open.
    answered_ms: int = 0

    @property
    def is_open(self) -> bool:
        return not self.answered_by
