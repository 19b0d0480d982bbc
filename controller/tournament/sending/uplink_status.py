# SPDX-License-Identifier: MIT
"""How the sending of a table's journal goes, as a value for pages, health and metrics."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class UplinkState(Enum):
    """
    How it goes.

    `STOPPED` needs a person: nothing is sent to a foreign key, or after a fork. `AWAY` ends by
    itself. `CONTRADICTED` sends on, but the server showed two pasts of the event.
    """

    OFF = "off"
    CONNECTING = "connecting"
    LIVE = "live"
    CONTRADICTED = "contradicted"
    AWAY = "away"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class UplinkStatus:
    """How the sending goes, and why."""

    state: UplinkState = UplinkState.OFF
    reason: str = ""  # Why it does not go on, in a sentence; empty if all is well.
    address: str = ""  # Of the server; empty for none.
    sent: int = 0  # Entries that the server has confirmed.

    def describe(self) -> str:
        """Return it in a few words, as in `/healthz`."""
        return f"{self.state.value}: {self.reason}" if self.reason else self.state.value
