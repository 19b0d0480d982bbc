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
    """
    How it goes, and why.

    Attributes:
        state: How it goes.
        reason: Why it does not go on, in a sentence; empty if all is well.
        address: Of the server; empty for none.
        sent: Entries that the server has confirmed.
    """

    state: UplinkState = UplinkState.OFF
    reason: str = ""
    address: str = ""
    sent: int = 0

    def describe(self) -> str:
        """Return it in a few words, as in `/healthz`."""
        return f"{self.state.value}: {self.reason}" if self.reason else self.state.value
