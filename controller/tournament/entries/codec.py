# SPDX-License-Identifier: MIT
"""
The entries of an event's own journal as bodies, and back; docs/event-journal.md lists the kinds.

Everything that counts for a result stands in these entries. Lines of tables are the evidence.
Reading is strict: an unknown key, a missing one or a wrong value is an error that names it.
A kind of a later version is no error of the line; it is None, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field
from typing import Any, TypeAlias, get_args

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.journal.hashchain import Body, Entry, Value
from controller.journal.records.record import format_value
from controller.tournament.entries.appeal_entries import AppealEntry
from controller.tournament.entries.call_entries import CallEntry
from controller.tournament.entries.check_in_entries import CheckInEntry
from controller.tournament.entries.draw_entries import DrawEntry
from controller.tournament.entries.entry_base import list_fields
from controller.tournament.entries.event_entries import AboutEvent
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import GameEntry
from controller.tournament.entries.player_entries import PlayerEntry

EventEntry: TypeAlias = (
    AboutEvent | PlayerEntry | DrawEntry | GameEntry | CallEntry | CheckInEntry | AppealEntry
)
"""An entry of any kind."""

KINDS: Mapping[str, type[EventEntry]] = {each.kind: each for each in get_args(EventEntry)}
"""Every kind by its name in the journal."""


def encode_body(entry: EventEntry) -> Body:
    """Return the body of an entry; keys that have their default are absent."""
    values = [(each, getattr(entry, each.name)) for each in list_fields(type(entry))]
    return {
        each.name: _to_value(value)
        for each, value in values
        if _is_required(each) or value != each.default
    }


def decode_body(kind: str, body: Body) -> EventEntry:
    """
    Return the entry that a kind and a body stand for.

    Raises:
        InputError: There is no such kind, or the body has not exactly its keys and values.
    """
    known = KINDS.get(kind)
    if known is None:
        expected = message("one of {names}", names=", ".join(KINDS))
        raise InputError(expected=expected, found=format_value(kind), where="kind")
    keys = {each.name: each for each in list_fields(known)}
    if unknown := [key for key in body if key not in keys]:
        expected = message("no key but {names}", names=", ".join(keys))
        raise InputError(expected=expected, found=format_value(unknown[0]), where=kind)
    for name, each in keys.items():
        if _is_required(each) and name not in body:
            expected = message("the key {name}", name=name)
            raise InputError(expected=expected, found=message("none"), where=kind)
        if not _is_required(each) and name in body and body[name] == _to_value(each.default):
            expected = message("no key {name} where it has its default", name=name)
            raise InputError(expected=expected, found=format_value(body[name]), where=kind)
    # Every field checks its value, whatever the body holds.
    return known(**body)  # type: ignore[arg-type]


def decode_entry_body(entry: Entry) -> EventEntry | None:
    """
    Return what an entry of the journal says; None for a kind of a later version.

    Raises:
        InputError: It is no entry of its kind; `where` begins with its number.
    """
    if entry.kind not in KINDS:
        return None
    try:
        return decode_body(entry.kind, entry.body)
    except InputError as error:
        raise error.at(f"entry {entry.seq}, {error.where}") from error


def _is_required(each: Field[Any]) -> bool:
    return each.default is MISSING


def _to_value(value: Any) -> Value:
    if isinstance(value, Source):
        return {"box": value.box, "seq": value.seq, "link": value.link}
    if isinstance(value, tuple):
        return [_to_value(each) for each in value]
    result: Value = value
    return result
