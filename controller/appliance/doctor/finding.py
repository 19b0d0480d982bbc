# SPDX-License-Identifier: MIT
"""The findings of the checks: level, observation, remedy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from controller.base.languages.message import Message
from controller.history.report.texts import TimeFormat


class Level(Enum):
    """The level of a finding: works, worth knowing, or broken."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class DiagnosticFinding:
    subject: str  # The subject, such as `camera`.
    level: Level
    what: str
    mend: str = ""  # The remedy; empty if there is nothing to do.


def ok(subject: str, what: str) -> DiagnosticFinding:
    return DiagnosticFinding(subject, Level.OK, what)


def note(subject: str, what: str, mend: str = "") -> DiagnosticFinding:
    """Return a finding that is worth knowing, with an optional remedy."""
    return DiagnosticFinding(subject, Level.NOTE, what, mend)


def wrong(subject: str, what: str, mend: str) -> DiagnosticFinding:
    return DiagnosticFinding(subject, Level.WRONG, what, mend)


def word_times(text: str) -> str:
    """Return a text with its ISO times as people write them, in the zone of this machine."""
    if not isinstance(text, Message):
        return text
    values = {name: _word_time(value) for name, value in text.values.items()}
    return Message(text.template, values, text.plural, text.number)


def _word_time(value: object) -> object:
    """Return the words for a value that is a whole ISO time; any other value as it is."""
    if not isinstance(value, str) or "T" not in value:
        return value
    try:
        moment = datetime.fromisoformat(value).astimezone()
    except (ValueError, OverflowError):
        return value
    assert moment.tzinfo is not None, "astimezone gives every time a zone"
    return TimeFormat(moment.tzinfo).moment(int(moment.timestamp() * 1000))
