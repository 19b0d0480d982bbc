# SPDX-License-Identifier: MIT
"""
What all entries of an event have in common: how they check themselves, limits, and rules.

A kind is a frozen dataclass, and its fields are the keys of the body. A field with a default may
be absent, and is absent when it has that default: so one entry has one spelling.
"""

from __future__ import annotations

from dataclasses import Field, fields
from functools import lru_cache
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from controller.tournament.entries import fields as rules
from controller.tournament.entries.fields import MOST_TIME_MS

FORMAT = 1
MOST_PLAYERS = 20_000
MOST_GAMES = 40
MOST_ROLLS = 999
MOST_TABLES = 10_000
MOST_POINTS = 1_000_000
MOST_COUNTED = 20  # Members of a team whose results are added up.

MATCH_STYLES = ("round_robin", "swiss")
"""Everybody plays matches of two, and their points are added up."""
PAIRED_STYLES = ("knock_out", *MATCH_STYLES)
STYLES = ("duplicate", "tables", *PAIRED_STYLES)

MatchTieBreak: TypeAlias = Literal[
    "direct", "buchholz", "buchholz_cut", "sonneborn_berger", "wins", "total"
]
"""What may order equals after matches; docs/event-journal.md says what each of them counts."""
MATCH_TIE_BREAKS: tuple[MatchTieBreak, ...] = get_args(MatchTieBreak)

PLAYER_RULE = rules.whole(1, MOST_PLAYERS)
TABLE_RULE = rules.whole(1, MOST_TABLES)
GAME_RULE = rules.whole(1, MOST_GAMES)
ROLL_RULE = rules.whole(1, MOST_ROLLS)
TIME_RULE = rules.whole(0, MOST_TIME_MS)
REASON_RULE = rules.line(rules.LONGEST_REASON)
OFFICIAL_RULE = rules.person
PLAYERS_RULE = rules.different(rules.list_of(PLAYER_RULE, 0, MOST_PLAYERS))


class EntryBase:
    """The base of all kinds. A value checks itself when it is made: InputError if it is wrong."""

    __slots__ = ()

    kind: ClassVar[str]  # The name in the journal.

    def __post_init__(self) -> None:
        for each in list_fields(type(self)):
            value = getattr(self, each.name)
            checked = each.metadata[rules.RULE](value, f"{self.kind}.{each.name}")
            object.__setattr__(self, each.name, checked)


def list_fields(kind: type[EntryBase]) -> tuple[Field[Any], ...]:
    """Return the fields of a kind, which are the keys of its body."""
    return _find_fields(kind)  # type: ignore[arg-type]  # a class is hashable


@lru_cache
def _find_fields(kind: type[EntryBase]) -> tuple[Field[Any], ...]:
    return fields(kind)  # type: ignore[arg-type]
