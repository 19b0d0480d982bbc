# SPDX-License-Identifier: MIT
"""
Check what people propose: names and reasons that they type, and decisions on an old page.

The format of the journal allows more, because journals from before these rules are read as they
are. So this is asked only before an entry is written.
"""

from __future__ import annotations

from controller.base.languages.message import message
from controller.games.player_names import find_line_problem
from controller.tournament.entries.appeal_entries import AppealDecided
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.draw_entries import TableRuling
from controller.tournament.entries.entry_base import list_fields
from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.entries.player_entries import GroupEntry, PlayerJoined, PlayerRenamed
from controller.tournament.state.appeals import find_newest, is_open_appeal
from controller.tournament.state.event_data import EventData
from controller.tournament.state.people import People
from controller.tournament.state.player_steps import find_groups
from controller.tournament.state.refusal import refuse_entry

_TYPED = ("name", "by", "reason", "section", "team")


def require_typed_lines(entry: EventEntry) -> None:
    """Check that every typed text shows what it holds; RefusedEntryError if one does not."""
    for key in (each.name for each in list_fields(type(entry)) if each.name in _TYPED):
        line: str = getattr(entry, key)
        if line and (problem := find_line_problem(line, len(line))):
            expected = message("a text whose characters can all be seen")
            raise refuse_entry("unknown", expected, problem, f"{entry.kind}.{key}")


def require_new_look(people: People, entry: EventEntry) -> None:
    """Check that a new name looks different from every other; RefusedEntryError if not."""
    if not isinstance(entry, PlayerJoined | PlayerRenamed):
        return
    for number in people.list_alike(entry.name):
        if number != entry.player:
            expected, other = message("a name that nobody has"), people.find(number).name
            found = (
                entry.name
                if other == entry.name
                else message("{name}, which looks like {other}", name=entry.name, other=other)
            )
            raise refuse_entry("twice", expected, found, f"{entry.kind}.name")


def require_same_spelling(people: People, entry: EventEntry) -> None:
    """
    Check that a section or team has the name that the other players in it have.

    Raises:
        RefusedEntryError: It looks like that name, but is spelt differently.
    """
    if not isinstance(entry, GroupEntry):
        return
    known = find_groups(people, entry).find_spelling(entry.group, entry.player)
    if known and known != entry.group:
        where = f"{entry.kind}.{entry.kind}"
        raise refuse_entry(
            "twice", message("{name}, as others have it", name=known), entry.group, where
        )


def require_undecided(data: EventData, entry: EventEntry) -> None:
    """
    Check that a ruling may still be made, or an appeal be decided.

    Raises:
        RefusedEntryError: The line that it names is decided; or it names no newer line, and the
            roll is decided by an appeal, or waits for that; or a newer ruling closed the appeal.
    """
    if isinstance(entry, AppealDecided):
        if not is_open_appeal(data, entry.ruling):
            expected = message("an appeal against the newest ruling on its roll")
            raise refuse_entry(
                "closed", expected, message("a newer ruling"), "appeal_decided.ruling"
            )
        return
    if not isinstance(entry, RollRuling | TableRuling):
        return
    cause = entry.cause if entry.cause and data.boxes.find(entry.cause.box) else None
    is_open = cause and not data.boxes.lines_of(cause.box).is_decided(cause, data.decided)
    takes_back = isinstance(entry, RollRuling) and entry.decision == "restore"
    if cause and not is_open and not takes_back:
        expected, found = message("what nobody has decided on"), message("what is decided")
        raise refuse_entry("twice", expected, found, f"{entry.kind}.cause")
    newest = find_newest(data, entry)
    if not is_open and newest in data.final_rulings:
        expected = message("a roll without a decision on an appeal, which is final")
        raise refuse_entry("closed", expected, message("one with it"), f"{entry.kind}.roll")
    if not is_open and is_open_appeal(data, newest):
        name = data.people.find(data.appeals[newest].player).name
        expected = message("a decision on the open appeal first")
        found = message("one of {player}", player=name)
        raise refuse_entry("early", expected, found, f"{entry.kind}.roll")
