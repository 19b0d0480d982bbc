# SPDX-License-Identifier: MIT
"""Entries about players: who joined, left, returned, withdrew; their names and groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from controller.tournament.entries import fields as rules
from controller.tournament.entries.entry_base import (
    OFFICIAL_RULE,
    PLAYER_RULE,
    REASON_RULE,
    EntryBase,
)
from controller.tournament.entries.fields import with_rule


@dataclass(frozen=True, slots=True)
class PlayerJoined(EntryBase):
    """
    A player joined, with the next free number.

    `token` is the SHA-256 of the secret that the player's phone holds; empty without a phone.
    `by` is the official who entered the player; empty if they joined by themselves.
    """

    kind: ClassVar[str] = "joined"
    player: int = with_rule(PLAYER_RULE)
    name: str = with_rule(rules.person)
    token: str = with_rule(rules.or_empty(rules.digest), default="")
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class PlayerRenamed(EntryBase):
    """A player has another name; `by` is the official, empty if they did it themselves."""

    kind: ClassVar[str] = "renamed"
    player: int = with_rule(PLAYER_RULE)
    name: str = with_rule(rules.person)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class TokenIssued(EntryBase):
    """A player has another phone: the SHA-256 of its secret. The old one is not valid any more."""

    kind: ClassVar[str] = "token"
    player: int = with_rule(PLAYER_RULE)
    token: str = with_rule(rules.digest)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class PlayerLeft(EntryBase):
    """A player pauses: the next rolls and draws go without them."""

    kind: ClassVar[str] = "left"
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class PlayerReturned(EntryBase):
    """A player who left plays again, from the next roll or draw on."""

    kind: ClassVar[str] = "returned"
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(rules.or_empty(rules.person), default="")


@dataclass(frozen=True, slots=True)
class PlayerWithdrawn(EntryBase):
    """A player is out of the event for good; the games they played count."""

    kind: ClassVar[str] = "withdrawn"
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(OFFICIAL_RULE)
    reason: str = with_rule(REASON_RULE)


@dataclass(frozen=True, slots=True)
class PersonNamed(EntryBase):
    """
    An official said which person a player is, so that a season knows them in all its events.

    `key` is a number of a club or a federation; empty takes it away.
    """

    kind: ClassVar[str] = "person"
    player: int = with_rule(PLAYER_RULE)
    key: str = with_rule(rules.person_key_or_empty)
    by: str = with_rule(OFFICIAL_RULE)


@dataclass(frozen=True, slots=True)
class SectionNamed(EntryBase):
    """An official said in which section a player is, such as the juniors; empty for none."""

    kind: ClassVar[str] = "section"
    player: int = with_rule(PLAYER_RULE)
    section: str = with_rule(rules.or_empty(rules.person))
    by: str = with_rule(OFFICIAL_RULE)

    @property
    def group(self) -> str:
        return self.section


@dataclass(frozen=True, slots=True)
class TeamNamed(EntryBase):
    """An official said for which team the results of a player count; empty for none."""

    kind: ClassVar[str] = "team"
    player: int = with_rule(PLAYER_RULE)
    team: str = with_rule(rules.or_empty(rules.person))
    by: str = with_rule(OFFICIAL_RULE)

    @property
    def group(self) -> str:
        return self.team


GroupEntry: TypeAlias = SectionNamed | TeamNamed


@dataclass(frozen=True, slots=True)
class KioskSeated(EntryBase):
    """
    A player chooses at the own screen of a table instead of a phone, which is not valid any more.

    `box` is the key of the table; empty ends it.
    """

    kind: ClassVar[str] = "kiosk_seat"
    player: int = with_rule(PLAYER_RULE)
    by: str = with_rule(OFFICIAL_RULE)
    box: str = with_rule(rules.or_empty(rules.digest), default="")


PlayerEntry: TypeAlias = (
    PlayerJoined
    | PlayerRenamed
    | TokenIssued
    | PlayerLeft
    | PlayerReturned
    | PlayerWithdrawn
    | PersonNamed
    | SectionNamed
    | TeamNamed
    | KioskSeated
)
