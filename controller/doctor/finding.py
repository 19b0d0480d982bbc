# SPDX-License-Identifier: MIT
"""The findings of the checks: level, observation, remedy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """The level of a finding: works, worth knowing, or broken."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class DiagnosticFinding:
    """
    One line of the doctor.

    Attributes:
        subject: The subject, such as `camera`.
        level: The level.
        what: The observation.
        mend: The remedy; empty if there is nothing to do.
    """

    subject: str
    level: Level
    what: str
    mend: str = ""


def ok(subject: str, what: str) -> DiagnosticFinding:
    """Return a passed finding."""
    return DiagnosticFinding(subject, Level.OK, what)


def note(subject: str, what: str, mend: str = "") -> DiagnosticFinding:
    """Return a finding that is worth knowing, with an optional remedy."""
    return DiagnosticFinding(subject, Level.NOTE, what, mend)


def wrong(subject: str, what: str, mend: str) -> DiagnosticFinding:
    """Return a failed finding with its remedy."""
    return DiagnosticFinding(subject, Level.WRONG, what, mend)
