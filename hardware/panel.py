# SPDX-License-Identifier: MIT
"""Define a panel: up to four push buttons, each perhaps with a lamp."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Button(Enum):
    LEFT = "left"
    RIGHT = "right"
    CONFIRM = "confirm"
    BACK = "back"


HELD_APART = frozenset({Button.LEFT, Button.BACK})
"""Buttons whose hold has its own meaning, so a hold is not a press as well."""


@dataclass(frozen=True, slots=True)
class _ButtonEvent:
    button: Button
    at_s: float


@dataclass(frozen=True, slots=True)
class Press(_ButtonEvent):
    """
    A button went down, debounced. `at_s` is the time of its first contact.

    The event comes at once; for a button in `HELD_APART` only at its release, if that was no hold.
    """


@dataclass(frozen=True, slots=True)
class Hold(_ButtonEvent):
    """A button has been down for the hold time."""


@dataclass(frozen=True, slots=True)
class Stuck(_ButtonEvent):
    """A button is down too long, or was down at the start; no more events until it is free."""


@dataclass(frozen=True, slots=True)
class Freed(_ButtonEvent):
    """A stuck button was released and works again."""


PanelEvent = Press | Hold | Stuck | Freed


class PanelLostError(OSError):
    """A panel, a light or a buzzer is missing, cannot be used, or has vanished while in use."""

    def __init__(self, *, panel: str, what: str, mend: str) -> None:
        self.panel = panel
        self.what = what
        self.mend = mend
        super().__init__(f"{panel}: {what}; {mend}")


class Panel(Protocol):
    """
    Buttons that deliver events, and lamps that can be lit.

    Every call but `close` may raise `PanelLostError`, after which only `close` is of use.
    """

    def event(self, timeout_s: float) -> PanelEvent | None:
        """
        Return the next event in order of time; None if none came within `timeout_s`.

        Closing the panel ends the wait, with None.
        """

    def buttons(self) -> Mapping[Button, bool]:
        """Return every existing button, and whether it makes contact now."""

    def lamps(self) -> frozenset[Button]:
        """Return the buttons that have a lamp."""

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        """Light the lamps of these buttons and no others."""

    def close(self) -> None:
        """Release the pins, lamps dark; safe to call twice."""
