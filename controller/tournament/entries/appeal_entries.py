# SPDX-License-Identifier: MIT
"""Entries about appeals against the rulings of officials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    OFFICIAL_RULE,
    PLAYER_RULE,
    REASON_RULE,
    TIME_RULE,
    EntryBase,
)
from controller.tournament.entries.fields import MOST_TIME_MS, with_rule

UPHOLD = "uphold"
_RULING_RULE = rules.whole(1, MOST_TIME_MS)


@dataclass(frozen=True, slots=True)
class RulingAppealed(EntryBase):
    """A player appealed against a ruling; those on rolls count from 1, in order."""

    kind: ClassVar[str] = "appealed"
    ruling: int = with_rule(_RULING_RULE)
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class AppealDecided(EntryBase):
    """A second official decided on an appeal, and that is final."""

    kind: ClassVar[str] = "appeal_decided"
    ruling: int = with_rule(_RULING_RULE)
    # `uphold`, or the decision that replaces that of the ruling, which is another of its kind.
    decision: str = with_rule(
        rules.one_of(UPHOLD, "recompute", "annul", "restore", "keep", "changed")
    )
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)
    faces: str = with_rule(rules.or_empty(rules.dice), default="")  # As in `ruling`.
    until_ms: int = with_rule(TIME_RULE, default=0)  # As in `ruling`.


AppealEntry: TypeAlias = RulingAppealed | AppealDecided
