# SPDX-License-Identifier: MIT
"""
A journalled game under other names, as screens show renamed and forgotten people.

The journal itself never changes. So the entries of such a game do not match their links any more;
they are only shown, and nothing is verified by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.base.errors import InputError
from controller.journal.hashchain import Body, Entry, Value
from controller.journal.records.from_journal import JournalGame

_NAMED = frozenset(
    {"players", "opponents", "by", "undone", "result", "totals", "winners", "losers"}
)
"""The keys of entries that hold names of players; a roll by hand names an official."""


def rename_players(game: JournalGame, names: Sequence[str]) -> JournalGame:
    """Return a game whose players have these names, clockwise; InputError if two are equal."""
    old = game.header.players
    if tuple(names) == old:
        return game
    if len(names) != len(old) or len(set(names)) != len(old):
        expected = f"{len(old)} different names of players"
        raise InputError(expected=expected, found=", ".join(names) or "none", where="--player")
    new = dict(zip(old, map(str, names), strict=True))
    return JournalGame(
        game.number,
        _rename_entry(game.start, new),
        tuple(_rename_entry(entry, new) for entry in game.entries),
    )


def _rename_entry(entry: Entry, new: Mapping[str, str]) -> Entry:
    return replace(entry, body=_rename_body(entry.body, new))


def _rename_body(body: Body, new: Mapping[str, str], named: frozenset[str] = _NAMED) -> Body:
    return {key: _rename(key, value, new) if key in named else value for key, value in body.items()}


def _rename(key: str, value: Value, new: Mapping[str, str]) -> Value:
    """Rename whom the value of a key names: a text, a list, or what is within objects."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, Mapping):
        if key == "totals":
            return {new.get(name, name): total for name, total in value.items()}
        return _rename_body(value, new, _NAMED | {"name"} if key == "opponents" else _NAMED)
    return [_rename(key, each, new) for each in value] if isinstance(value, Sequence) else value
