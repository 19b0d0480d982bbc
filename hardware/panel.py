# SPDX-License-Identifier: MIT
"""What every panel is: up to four push buttons, each perhaps with a lamp."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Button(Enum):
    """The four buttons, by what they are for."""

    LEFT = "left"
    RIGHT = "right"
    CONFIRM = "confirm"
    BACK = "back"


HELD_APART = frozenset({Button.LEFT, Button.BACK})
"""Buttons whose hold means something of its own, so that it is not a press as well."""


@dataclass(frozen=True, slots=True)
class Press:
    """
    A button went down, bounce taken out. `at_s` is when it first made contact.

    It is told at once; of a button in `HELD_APART` only when it lets go, if that is no hold.
    """

    button: Button
    at_s: float


@dataclass(frozen=True, slots=True)
class Hold:
    """A button has been down for the hold time."""

    button: Button
    at_s: float


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button is down longer than anybody presses, or was from the start; it tells no more."""

    button: Button
    at_s: float


@dataclass(frozen=True, slots=True)
class Freed:
    """A button that was stuck has let go and is pressed like any other again."""

    button: Button
    at_s: float


PanelEvent = Press | Hold | Stuck | Freed


class PanelLostError(OSError):
    """
    A panel, a light or a buzzer is not there, or cannot be used; told when it is made.

    Args:
        panel: Its section in the settings.
        what: What happened, in words.
        mend: What a person can do about it.
    """

    def __init__(self, *, panel: str, what: str, mend: str) -> None:
        self.panel = panel
        self.what = what
        self.mend = mend
        super().__init__(f"{panel}: {what}; {mend}")


class Panel(Protocol):
    """Buttons that are asked for events, and lamps that are told what to show."""

    def event(self, timeout_s: float) -> PanelEvent | None:
        """
        Return the next thing that a button did, in order of time; none if nothing came in time.

        Closing the panel ends the waiting, with none.
        """
        ...

    def buttons(self) -> Mapping[Button, bool]:
        """Return every button that is there, and whether it makes contact at this moment."""
        ...

    def lamps(self) -> frozenset[Button]:
        """Return the buttons that have a lamp."""
        ...

    def show_lamps(self, lit: AbstractSet[Button]) -> None:
        """Light the lamps of these buttons and no others."""
        ...

    def close(self) -> None:
        """Release the pins, lamps dark; safe to call twice."""
        ...
