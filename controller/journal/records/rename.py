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


def rename_players(game: JournalGame, names: Sequence[str]) -> JournalGame:
    """
    Return a game whose players have these names, clockwise.

    Args:
        names: One for each player.

    Raises:
        InputError: There are more or fewer names than players, or two are equal.
    """
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


def _rename_body(body: Body, new: Mapping[str, str]) -> Body:
    return {
        key: _RENAMES[key](value, new) if key in _RENAMES else value for key, value in body.items()
    }


def _rename_text(value: Value, new: Mapping[str, str]) -> Value:
    return new.get(value, value) if isinstance(value, str) else value


def _rename_list(value: Value, new: Mapping[str, str]) -> Value:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    return [_rename_text(each, new) for each in value]


def _rename_choices(value: Value, new: Mapping[str, str]) -> Value:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    return [_rename_object(each, new) for each in value]


def _rename_object(value: Value, new: Mapping[str, str]) -> Value:
    return _rename_body(value, new) if isinstance(value, Mapping) else value


def _rename_opponents(value: Value, new: Mapping[str, str]) -> Value:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    return [
        {**each, "name": _rename_text(each.get("name", ""), new)}
        if isinstance(each, Mapping)
        else each
        for each in value
    ]


def _rename_keys(value: Value, new: Mapping[str, str]) -> Value:
    if not isinstance(value, Mapping):
        return value
    return {new.get(name, name): total for name, total in value.items()}


_RENAMES = {
    "players": _rename_list,
    "opponents": _rename_opponents,
    "by": _rename_text,
    "undone": _rename_choices,
    "result": _rename_object,
    "totals": _rename_keys,
    "winners": _rename_list,
    "losers": _rename_list,
}
"""The keys of entries that hold names of players; a roll by hand names an official."""
