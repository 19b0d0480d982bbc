# SPDX-License-Identifier: MIT
"""
The players of an event as a list: their numbers, names, keys as persons, sections and teams.

A row belongs to the player with its number; without one to the player with its key, else to the
one with its name. Otherwise it is a new player. Only a row with a number changes a key, because
somebody else may have the same name, or takes anything away. So a list that was exported changes
nothing when it comes back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.player_entries import (
    PersonNamed,
    PlayerJoined,
    PlayerRenamed,
    SectionNamed,
    TeamNamed,
)
from controller.tournament.server.event_runner import Plan
from controller.tournament.server.lists.list_file import ListRow, read_csv, write_csv
from controller.tournament.state.people import Groups, People
from controller.tournament.state.state import EventState

COLUMNS = ("player", "name", "key")
_GROUP_COLUMNS = (SectionNamed.kind, TeamNamed.kind)


def build_player_csv(state: EventState) -> bytes:
    """Return all players; who has withdrawn is among them."""
    people = state.data.people
    # The list of an event without sections and teams stays as it was.
    used = {each.kind: groups for each, groups in _list_groups(people) if groups.names}
    rows: Iterator[list[int | str]] = (
        [each.number, each.name, each.key, *(group.find(each.number) for group in used.values())]
        for each in people.list_players()
    )
    return write_csv([[*COLUMNS, *used], *rows])


def plan_players(content: bytes, by: str) -> Plan:
    """
    Return what enters and changes the players of a list.

    Args:
        by: The official who brings it.

    Raises:
        InputError: It is no such list.
    """
    rows = read_csv(content, ["name"], ["player", "key", *_GROUP_COLUMNS])
    return lambda state: [*_list_entries(state.data.people, rows, by)]


def _list_entries(
    people: People, rows: Sequence[ListRow], by: str
) -> Iterator[tuple[Message, EventEntry]]:
    listed, count = set[int](), len(people)
    # Keys that go from one player of the list to another are free before anybody gets one.
    freed = dict(_list_freed(people, rows))
    for number, row in freed.items():
        yield row.where, PersonNamed(number, "", by)
    for row in rows:
        number = _find_player(people, row, count, freed)
        if number in listed:
            raise row.refuse(message("every player once"), row.read("name") or str(number))
        listed.add(number)
        is_new = number > len(people)
        count = max(count, number)
        name, key = row.read("name"), row.read("key")
        known = None if is_new else people.find(number)
        is_numbered = bool(row.read("player"))
        is_other = key and people.find_by_key(key) != number
        if known and known.key and is_other and not is_numbered:
            expected = message("the key {key}, or the player's number", key=known.key)
            raise row.refuse(expected, key)
        try:
            if known is None:
                yield row.where, PlayerJoined(number, name, by=by)
            elif name != known.name:
                yield row.where, PlayerRenamed(number, name, by)
            names_key = key or (is_numbered and "key" in row.cells)
            if names_key and key != (known.key if known and number not in freed else ""):
                yield row.where, PersonNamed(number, key, by)
            for entry, groups in _list_groups(people):
                group = row.read(entry.kind)
                names_group = group or (is_numbered and entry.kind in row.cells)
                if names_group and group != groups.find(number):
                    yield row.where, entry(number, group, by)
        except InputError as error:
            raise error.at(row.where) from error


def _list_freed(people: People, rows: Sequence[ListRow]) -> Iterator[tuple[int, ListRow]]:
    """Return the players who give a key that another row has away, each with the row."""
    wanted = {row.read("key").casefold() for row in rows}
    for row in rows:
        if row.read("player") and "key" in row.cells:
            number = row.read_whole("player")
            key = people.find(number).key.casefold() if 1 <= number <= len(people) else ""
            if key and key != row.read("key").casefold() and key in wanted:
                yield number, row


def _list_groups(
    people: People,
) -> tuple[tuple[type[SectionNamed], Groups], tuple[type[TeamNamed], Groups]]:
    """Return each kind of entry that puts players into groups, with the groups it changes."""
    return (SectionNamed, people.sections), (TeamNamed, people.teams)


def _find_player(people: People, row: ListRow, count: int, freed: Collection[int]) -> int:
    """Return whose row it is; the next number for a new player."""
    if not row.read("player"):
        by_key = people.find_by_key(row.read("key"))
        found = by_key if by_key not in freed else None
        return found or people.find_by_name(row.read("name")) or count + 1
    number = row.read_whole("player")
    if not 1 <= number <= count + 1:
        expected = message("a player from 1 to {most}", most=str(count + 1))
        raise row.refuse(expected, str(number))
    return number
