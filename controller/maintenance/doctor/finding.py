# SPDX-License-Identifier: MIT
"""What the doctor says of one thing: how it is, what was found, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How a thing is: it works, it is worth knowing, or it has to be mended."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One line of the doctor.

    Attributes:
        subject: What was looked at, such as `camera`.
        level: How it is.
        what: What was found.
        mend: What a person can do about it; empty if nothing is to be done.
    """

    subject: str
    level: Level
    what: str
    mend: str = ""


def ok(subject: str, what: str) -> Finding:
    """Return that a thing works."""
    return Finding(subject, Level.OK, what)


def note(subject: str, what: str, mend: str = "") -> Finding:
    """Return that something is worth knowing, and what might be done about it."""
    return Finding(subject, Level.NOTE, what, mend)


def wrong(subject: str, what: str, mend: str) -> Finding:
    """Return that something does not work, and what to do about it."""
    return Finding(subject, Level.WRONG, what, mend)
