# SPDX-License-Identifier: MIT
"""
What can go wrong, sorted by whose fault it is.

Wrong input belongs to the user, an illegal action to a player; both are normal
answers that say what was expected, where, and what stood there. Doubts about
the dice are values of a reading and no errors at all. Faults of devices are
told by the drivers (`hardware.camera`, `hardware.panel`).
"""

from __future__ import annotations

from collections.abc import Sequence


class DicebellError(Exception):
    """Root of all errors that dicebell raises on purpose."""


class InputError(DicebellError, ValueError):
    """
    Something given from outside is not what it must be.

    Args:
        expected: What would have been right, in words.
        found: What stood there, as it stood there.
        where: File and line, key or option; empty where the caller adds it.
    """

    def __init__(self, *, expected: str, found: str, where: str = "") -> None:
        self.expected = expected
        self.found = found
        self.where = where
        place = f"{where}: " if where else ""
        super().__init__(f"{place}expected {expected}, found {found}")

    def at(self, where: str) -> InputError:
        """Return the same error with its place named."""
        return InputError(expected=self.expected, found=self.found, where=where)


def format_one_line(text: str, most: int) -> str:
    """
    Write any text on one line of a terminal, and not without end.

    Args:
        text: What may come from a file that anybody wrote.
        most: So many signs are written.
    """
    shown = "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
    return shown if len(shown) <= most else f"{shown[:most]}..."


class RuleError(DicebellError, ValueError):
    """The rules of the game do not allow what was asked."""


class IllegalActionError(RuleError):
    """
    A player asked for what the rules refuse now; the state is as it was.

    Args:
        player: Who asked.
        action: What was asked, in the game's notation.
        expected: Every action or event that would have been legal, as text.
        state: The position in a few words, so that the message stands alone.
    """

    def __init__(self, *, player: str, action: str, expected: Sequence[str], state: str) -> None:
        self.player = player
        self.action = action
        self.expected = tuple(expected)
        self.state = state
        allowed = ", ".join(self.expected) if self.expected else "nothing"
        super().__init__(f"expected {allowed}, found {action!r} by {player}, in {state}")
