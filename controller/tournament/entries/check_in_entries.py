# SPDX-License-Identifier: MIT
"""Entries about the check-in before a draw: who says that they are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    GAME_RULE,
    OFFICIAL_RULE,
    PLAYER_RULE,
    PLAYERS_RULE,
    EntryBase,
)
from controller.tournament.entries.fields import with_rule


@dataclass(frozen=True, slots=True)
class CheckInOpened(EntryBase):
    """Everybody checks in for the draw of a round, which waits until the check-in is over."""

    kind: ClassVar[str] = "check_in"
    round: int = with_rule(GAME_RULE)
    by: str = with_rule(OFFICIAL_RULE)


@dataclass(frozen=True, slots=True)
class PlayerCheckedIn(EntryBase):
    """A player is there; `is_lifted` takes that back."""

    kind: ClassVar[str] = "checked_in"
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")
    is_lifted: bool = with_rule(rules.flag, default=False)


@dataclass(frozen=True, slots=True)
class CheckInClosed(EntryBase):
    """The check-in is over; the players in `left_out`, who were not there, pause."""

    kind: ClassVar[str] = "check_in_closed"
    round: int = with_rule(GAME_RULE)
    by: str = with_rule(OFFICIAL_RULE)
    left_out: tuple[int, ...] = with_rule(PLAYERS_RULE, default=())


CheckInEntry: TypeAlias = CheckInOpened | PlayerCheckedIn | CheckInClosed
