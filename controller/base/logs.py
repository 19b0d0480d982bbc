# SPDX-License-Identifier: MIT
"""
The program's log: one line an event.

A line is a constant text and then fields, `what happened key=value`, for people to read and for
programs to search. Under systemd a line begins with its level as `<N>`; at a terminal it begins
with the time. No line names a player.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections import deque
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TextIO, TypeAlias

from controller.base.errors import escape_line

Field: TypeAlias = str | int | float | bool | None

NAME = "dicebell"  # The logger of the whole program; a module's own is below it.

RECENT_LINES_LIMIT = 200

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG_PRIORITY = 7
_PLAIN = re.compile(r"[\w.:/@%+,\[\]-]+")


class Log:
    """The log of a part of the program, such as `camera`; `what` happened is a constant text."""

    def __init__(self, part: str) -> None:
        self._log = logging.getLogger(f"{NAME}.{part}")

    def info(self, what: str, /, **fields: Field) -> None:
        self.write(logging.INFO, what, **fields)

    def warning(self, what: str, /, **fields: Field) -> None:
        self.write(logging.WARNING, what, **fields)

    def error(self, what: str, /, **fields: Field) -> None:
        self.write(logging.ERROR, what, **fields)

    def write(self, level: int, what: str, /, **fields: Field) -> None:
        """Log an event of a level that is known only now."""
        self._log.log(level, "%s", what, extra={"fields": fields})

    def exception(self, what: str, error: BaseException, /, **fields: Field) -> None:
        """Log an error of the program with its traceback."""
        self._log.error("%s", what, exc_info=error, extra={"fields": fields})

    def critical(self, what: str, error: BaseException) -> None:
        """Log what ends the process, with the traceback of its error."""
        self._log.critical("%s", what, exc_info=error)


def set_up_logs(
    *,
    level: int = logging.INFO,
    stream: TextIO | None = None,
    environment: Mapping[str, str] = os.environ,
) -> RecentLines:
    """
    Set up logging, again if need be; return the last lines from now on, for a page.

    Libraries log only warnings. `JOURNAL_STREAM` in the environment means that systemd reads
    them.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter(for_journal="JOURNAL_STREAM" in environment))
    recent = RecentLines()
    logging.captureWarnings(True)
    root = logging.getLogger()
    root.handlers[:] = [handler, recent]
    root.setLevel(logging.WARNING)
    logging.getLogger(NAME).setLevel(level)
    return recent


@dataclass(frozen=True, slots=True)
class LogLine:
    """A logged event."""

    level: int  # A level of `logging`.
    text: str  # Its lines, as at a terminal.


class RecentLines(logging.Handler):
    def __init__(self, most: int = RECENT_LINES_LIMIT) -> None:
        super().__init__()
        self.setFormatter(LineFormatter(for_journal=False))
        self._lines: deque[LogLine] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; the oldest one is dropped."""
        self._lines.append(LogLine(record.levelno, self.format(record)))

    def lines(self) -> tuple[LogLine, ...]:
        """Return them, oldest first; may be called from any thread."""
        with self.lock or nullcontext():
            return tuple(self._lines)


class LineFormatter(logging.Formatter):
    """Formats an event as lines; `for_journal` each begins with its level, as systemd reads it."""

    def __init__(self, *, for_journal: bool) -> None:
        super().__init__(datefmt="%H:%M:%S")
        self._for_journal = for_journal

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of an event without a line break at its end."""
        text = f"{record.getMessage()}{_fields_text(record)}"
        if record.exc_info:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        if self._for_journal:
            prefix = f"<{priority(record.levelno)}>{_part(record)}: "
            # systemd reads every line on its own, so each one needs its level.
            return "\n".join(prefix + line for line in text.splitlines())
        level = f" {record.levelname.lower()}" if record.levelno > logging.INFO else ""
        return f"{self.formatTime(record, self.datefmt)} {_part(record)}:{level} {text}"


def priority(level: int) -> int:
    """Return the level as syslog counts it: 2 critical, 3 error, 4 warning, 6 info, 7 debug."""
    for least, number in _PRIORITIES:
        if level >= least:
            return number
    return _DEBUG_PRIORITY


def field_text(value: Field) -> str:
    """Format the value of a field; in quotes if it is not one word."""
    if isinstance(value, bool):
        return str(value).lower()
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escape_line(escaped)}"'


def _part(record: logging.LogRecord) -> str:
    return record.name.removeprefix(f"{NAME}.")


def _fields_text(record: logging.LogRecord) -> str:
    fields: Mapping[str, Field] = getattr(record, "fields", {})
    return "".join(f" {name}={field_text(value)}" for name, value in fields.items())
