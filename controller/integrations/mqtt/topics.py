# SPDX-License-Identifier: MIT
"""The topics of one table, all below the topic of its settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableTopics:
    root: str  # The prefix of every topic.

    @property
    def availability(self) -> str:
        """Whether the table is connected, retained: `online` or `offline`."""
        return f"{self.root}/availability"

    @property
    def state(self) -> str:
        """The table now, retained."""
        return f"{self.root}/state"

    @property
    def health(self) -> str:
        """What works and what does not, retained."""
        return f"{self.root}/health"

    def event(self, kind: str) -> str:
        """What happened, of one type; never retained."""
        return f"{self.root}/event/{kind}"
