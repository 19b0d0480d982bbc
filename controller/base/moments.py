# SPDX-License-Identifier: MIT
"""
Times of a journal for people: a clock may have been wrong by thousands of years.

A time that no calendar has is written as its milliseconds, so a list or a report is never refused
because of it.
"""

from __future__ import annotations

from datetime import datetime, tzinfo


def find_moment(at_ms: int, zone: tzinfo | None = None) -> datetime | None:
    """Return a moment in a zone, the one of the machine by default; None if no calendar has it."""
    try:
        return datetime.fromtimestamp(at_ms / 1000, zone).astimezone(zone)
    except (OverflowError, OSError, ValueError):
        return None


def format_moment(at_ms: int, form: str, zone: tzinfo | None = None) -> str:
    """Return a moment in a form of `strftime`; its milliseconds if no calendar has it."""
    moment = find_moment(at_ms, zone)
    return f"{at_ms} ms" if moment is None else moment.strftime(form)
