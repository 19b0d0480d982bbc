# SPDX-License-Identifier: MIT
"""Entries about calls: who wants an official to come, and which official goes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import MOST_PLAYERS, OFFICIAL_RULE, EntryBase
from controller.tournament.entries.fields import MOST_TIME_MS, Source, with_rule


@dataclass(frozen=True, slots=True)
class OfficialCalled(EntryBase):
    """A player or a table called an official; calls count from 1."""

    kind: ClassVar[str] = "called"
    player: int = with_rule(rules.whole(0, MOST_PLAYERS), default=0)  # 0 if a table called.
    # The line of the table that called; None if a player did.
    source: Source | None = with_rule(rules.optional(rules.source), default=None)


@dataclass(frozen=True, slots=True)
class CallAnswered(EntryBase):
    """An official goes to who called; it ends all open calls of the same caller."""

    kind: ClassVar[str] = "call_answered"
    call: int = with_rule(rules.whole(1, MOST_TIME_MS))
    by: str = with_rule(OFFICIAL_RULE)


CallEntry: TypeAlias = OfficialCalled | CallAnswered
