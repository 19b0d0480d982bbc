# SPDX-License-Identifier: MIT
"""
The errors of dicebell, sorted by who can act on them.

A `RefusedError` belongs to the person who asked: wrong input, work already in progress, or a
missing device. A `RuleError` belongs to a player. Both say what was expected and what was
found. Doubts about dice are values of a reading, not errors. The drivers define the faults of
devices (`hardware.camera`, `hardware.panel`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from controller.base.languages.message import message
from controller.base.languages.shown_text import escape_unseen

_KEPT = "\u200c\u200d\u2068\u2069\u202f"
"""Joiners, isolates that end, and the space before a sign: parts of names and of messages."""


class DicebellError(Exception):
    """Base of all errors that dicebell raises on purpose."""


class RefusedError(DicebellError):
    """
    Something that a person asked for is refused; one line on a terminal, status 400 on a page.

    Args:
        expected: What would have been right.
        found: What was found instead.
        where: File and line, key or option; empty if the caller adds it.
    """

    def __init__(self, *, expected: str, found: str, where: str = "") -> None:
        self.expected = expected
        self.found = found
        self.where = where
        text = message("expected {expected}, found {found}", expected=expected, found=found)
        super().__init__(message("{where}: {error}", where=where, error=text) if where else text)

    def at(self, where: str) -> Self:
        """Return the same error with its position named."""
        return type(self)(expected=self.expected, found=self.found, where=where)


class InputError(RefusedError, ValueError):
    """Input from outside is not what it must be."""


@contextmanager
def refuse_os_errors(expected: str, where: str | Path = "") -> Iterator[None]:
    """Raise an OSError within as an `InputError`: what the system says is what was found."""
    try:
        yield
    except OSError as error:
        found = error.strerror or str(error)
        raise InputError(expected=expected, found=found, where=str(where)) from error


class BusyError(RefusedError):
    """The same work is already in progress; ask again later."""


class UnavailableError(RefusedError):
    """A device or a service that is needed is missing or not working."""


def format_one_line(text: str, most: int) -> str:
    """Escape and shorten an untrusted text to `most` characters for one line of a terminal."""
    shown = escape_line(text)
    return shown if len(shown) <= most else f"{shown[:most]}..."


def escape_line(text: str) -> str:
    """Return untrusted text without the characters that would disturb a terminal or a log."""
    return "".join(
        char if char.isprintable() or char in _KEPT else f"\\x{ord(char):02x}"
        for char in escape_unseen(text)
    )


class RuleError(DicebellError, ValueError):
    """The rules of the game do not allow an action."""


class IllegalActionError(RuleError):
    """
    An action that the rules do not allow now was asked for; nothing has changed.

    `expected` are the actions and events that would have been legal, `state` the position in a
    few words, so that the message stands alone.
    """

    def __init__(self, *, player: str, action: str, expected: Sequence[str], state: str) -> None:
        self.player = player
        self.action = action
        self.expected = tuple(expected)
        self.state = state
        allowed = ", ".join(self.expected) if self.expected else "nothing"
        super().__init__(f"expected {allowed}, found {action!r} by {player}, in {state}")
