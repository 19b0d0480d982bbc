# SPDX-License-Identifier: MIT
"""Why an entry that was proposed is refused: a code for programs, one line for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, TypeAlias

from controller.base.errors import InputError

Code: TypeAlias = Literal[
    "seat", "late", "early", "twice", "annulled", "illegal", "unknown", "closed", "order", "rule"
]
"""
What is wrong: another player's seat; after the clock; too early; twice; an annulled roll; against
the rules of the game; nothing that the event knows; already over; out of order; against the
options of the event.
"""


class RefusedEntryError(InputError):
    """
    An entry does not follow from those before it.

    Args:
        expected: What would have been right.
        found: What stands there.
        where: The kind and the key.
        code: The kind of mistake.
    """

    def __init__(
        self, *, expected: str, found: str, where: str = "", code: Code = "unknown"
    ) -> None:
        super().__init__(expected=expected, found=found, where=where)
        self.code = code

    def at(self, where: str) -> Self:
        """Return the same error with its position named."""
        return type(self)(expected=self.expected, found=self.found, where=where, code=self.code)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposed entry that was refused."""

    code: Code
    error: InputError

    @property
    def text(self) -> str:
        """The one line for people; a message that a page translates."""
        text: str = self.error.args[0]
        return text


def refuse_entry(code: Code, expected: str, found: object, where: str) -> RefusedEntryError:
    """Return the error of an entry; `where` is its kind, a full stop and the key."""
    shown = found if isinstance(found, str) else str(found)
    return RefusedEntryError(expected=expected, found=shown, where=where, code=code)
