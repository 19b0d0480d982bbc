# SPDX-License-Identifier: MIT
"""Entries about players: when they are allowed, and what they do."""

from __future__ import annotations

from typing import assert_never

from controller.base.languages.message import message
from controller.tournament.entries.player_entries import (
    GroupEntry,
    KioskSeated,
    PersonNamed,
    PlayerEntry,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
    PlayerWithdrawn,
    SectionNamed,
    TeamNamed,
    TokenIssued,
)
from controller.tournament.state.event_data import EventData, Withdrawal
from controller.tournament.state.people import Groups, People
from controller.tournament.state.refusal import (
    refuse_entry,
    require_known_player,
    require_no_result,
    require_player,
    require_style,
)

MOST_AT_KIOSK = 8
"""Players who choose at one table's screen: all within the clock of a roll, one after the other."""


def check_player_entry(data: EventData, entry: PlayerEntry) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    if isinstance(entry, PlayerJoined):
        _check_joined(data, entry)
        return
    if isinstance(entry, PersonNamed):
        _check_person(data, entry)
        return
    if isinstance(entry, GroupEntry):
        _check_group(data, entry)
        return
    player = require_player(data, entry.player, f"{entry.kind}.player")
    match entry:
        case PlayerRenamed():
            _require_free_name(data, entry)
        case TokenIssued():
            _require_new_phone(data, entry)
        case PlayerLeft():
            if player.is_away:
                expected = message("a player who is here")
                raise refuse_entry("twice", expected, player.name, "left.player")
        case PlayerReturned():
            if not player.is_away:
                expected = message("a player who left")
                raise refuse_entry("twice", expected, player.name, "returned.player")
        case PlayerWithdrawn():
            pass
        case KioskSeated():
            _check_kiosk(data, entry)
        case _:
            assert_never(entry)


def apply_player_entry(data: EventData, entry: PlayerEntry) -> None:
    """Change the event by an entry that was checked."""
    match entry:
        case PlayerJoined():
            data.people.add(entry.name, entry.token)
            if data.rounds.rounds:
                data.rounds.late[entry.player] = len(data.rounds.rounds)
        case PlayerRenamed():
            data.people.rename(entry.player, entry.name)
        case TokenIssued():
            data.people.set_token(entry.player, entry.token)
        case PlayerLeft():
            data.people.set_away(entry.player, is_away=True)
            data.rounds.check_out(entry.player)
        case PlayerReturned():
            data.people.set_away(entry.player, is_away=False)
        case PlayerWithdrawn():
            data.withdrawals.append(_build_withdrawal(data, entry))
            data.people.withdraw(entry.player)
            data.rounds.check_out(entry.player)
        case PersonNamed():
            data.people.set_key(entry.player, entry.key)
        case SectionNamed() | TeamNamed():
            find_groups(data.people, entry).set(entry.player, entry.group)
            if data.games or data.rounds.published:
                data.regrouped.append(entry)
        case KioskSeated():
            data.people.set_kiosk(entry.player, entry.box)
        case _:
            assert_never(entry)


def _build_withdrawal(data: EventData, entry: PlayerWithdrawn) -> Withdrawal:
    rounds, games = data.rounds.published, [each for each in data.games if each.rolls]
    if rounds:
        return Withdrawal(entry, rounds[-1].number, 0, rounds[-1].is_complete)
    if not games:
        return Withdrawal(entry, 0, 0, is_over=False)
    last = games[-1]
    return Withdrawal(entry, last.number, len(last.rolls) if last.is_open else 0, not last.is_open)


def find_groups(people: People, entry: GroupEntry) -> Groups:
    """Return what an entry changes: the sections, or the teams."""
    return people.sections if isinstance(entry, SectionNamed) else people.teams


def _check_joined(data: EventData, entry: PlayerJoined) -> None:
    require_no_result(data, entry)
    if entry.player != len(data.people) + 1:
        expected = str(len(data.people) + 1)
        raise refuse_entry("order", expected, entry.player, "joined.player")
    _require_free_name(data, entry)
    _require_new_phone(data, entry)
    if data.event.style in ("knock_out", "round_robin") and data.rounds.published:
        expected = message("a player who joined before the first round")
        raise refuse_entry("late", expected, entry.name, "joined.name")
    if data.event.style in ("tables", "swiss") and data.rounds.published and not entry.by:
        expected = message("an official who lets a latecomer in")
        raise refuse_entry("late", expected, entry.name, "joined.by")


def _check_person(data: EventData, entry: PersonNamed) -> None:
    require_known_player(data, entry.player, "person.player")
    if entry.key == data.people.find(entry.player).key:
        found = entry.key or message("none")
        raise refuse_entry("twice", message("another key"), found, "person.key")
    other = data.people.find_by_key(entry.key)
    if other not in (None, entry.player):
        raise refuse_entry("twice", message("a key that nobody has"), entry.key, "person.key")


def _check_group(data: EventData, entry: GroupEntry) -> None:
    require_no_result(data, entry)
    require_known_player(data, entry.player, f"{entry.kind}.player")
    if entry.group == find_groups(data.people, entry).find(entry.player):
        found = entry.group or message("none")
        where = f"{entry.kind}.{entry.kind}"
        raise refuse_entry("twice", message("another one than now"), found, where)


def _check_kiosk(data: EventData, entry: KioskSeated) -> None:
    where = "kiosk_seat.box"
    if entry.box == data.people.find(entry.player).kiosk:
        table = data.boxes.find(entry.box)
        raise refuse_entry(
            "twice", message("another table"), table.name if table else message("none"), where
        )
    if not entry.box:
        return
    require_style(data, ("duplicate",), entry.kind)
    if data.boxes.is_still(entry.box):
        raise refuse_entry("unknown", message("an enrolled table"), entry.box[:8], where)
    seated = len(data.list_at_kiosk(entry.box))
    if seated >= MOST_AT_KIOSK:
        expected = message("at most {most} players at one table", most=str(MOST_AT_KIOSK))
        raise refuse_entry("rule", expected, str(seated), where)


def _require_free_name(data: EventData, entry: PlayerJoined | PlayerRenamed) -> None:
    if data.people.find_by_name(entry.name) not in (None, entry.player):
        expected = message("a name that nobody has")
        raise refuse_entry("twice", expected, entry.name, f"{entry.kind}.name")


def _require_new_phone(data: EventData, entry: PlayerJoined | TokenIssued) -> None:
    if data.people.find_by_token(entry.token) is not None:
        expected = message("a new phone")
        raise refuse_entry("twice", expected, entry.token[:8], f"{entry.kind}.token")
