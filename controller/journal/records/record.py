# SPDX-License-Identifier: MIT
"""
The lines of a game record: one header, then one event a line, and nothing else.

Reading is strict, because a record is proof: an unknown key, a repeated key or a torn line
is an error. The rules decide whether an event is legal, not this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.languages.shown_text import escape_unseen
from controller.base.strict_json import HalfCharacterError, require_whole_characters
from controller.games.contract import ActionEvent, GameEvent, Options, RollEvent

VERSION = 1

_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """The first line of a record, before the rules check its names and options."""

    game: str
    players: tuple[str, ...]
    options: Options


def record_text(header: RecordHeader, events: Iterable[GameEvent]) -> str:
    """Write a whole record; every line ends with a line feed."""
    lines = [header_text(header), *(event_text(event) for event in events)]
    return "".join(f"{line}\n" for line in lines)


def header_text(header: RecordHeader) -> str:
    """Write the first line of a record, without its end."""
    return _format_line(
        {
            "record": VERSION,
            "game": header.game,
            "players": list(header.players),
            "options": dict(header.options),
        }
    )


def event_text(event: GameEvent) -> str:
    """Write one event as a line, without its end."""
    if isinstance(event, RollEvent):
        by_hand = {"by_hand": event.by_hand} if event.by_hand else {}
        return _format_line({"by": event.by, "roll": event.roll, **by_hand})
    return _format_line({"by": event.by, "do": event.action})


def parse_header(line: bytes) -> RecordHeader:
    """Read the first line, perhaps without options; InputError if it is no header of version 1."""
    fields = _parse_object(line)
    _require_keys(fields, required=("record", "game", "players"), optional=("options",))
    version = fields["record"]
    if type(version) is not int or version != VERSION:
        raise InputError(expected=str(VERSION), found=format_value(version), where="record")
    return RecordHeader(
        game=_string(fields, "game"), players=_players(fields), options=_options(fields)
    )


def parse_event(line: bytes) -> GameEvent:
    """Read one line after the first; InputError if it is no roll and no action."""
    fields = _parse_object(line)
    if "roll" in fields:
        _require_keys(fields, required=("by", "roll"), optional=("by_hand",))
        by_hand = _string(fields, "by_hand") if "by_hand" in fields else ""
        return RollEvent(_string(fields, "by"), _string(fields, "roll"), by_hand)
    _require_keys(fields, required=("by", "do"))
    return ActionEvent(_string(fields, "by"), _string(fields, "do"))


def format_value(value: object) -> str:
    """Write any value for a message: on one line, and cut if it is long."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def _format_line(fields: Mapping[str, object]) -> str:
    """Return a line of JSON, in which escapes stand for what would disturb a reader's screen."""
    text = json.dumps(fields, ensure_ascii=False)
    return escape_unseen(text, lambda sign: json.dumps(sign)[1:-1])


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(expected="every key once", found=f"{format_value(twice)} again")
    return fields


# Built once: json.loads would build a decoder for every line.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def _parse_object(line: bytes) -> dict[str, object]:
    try:
        text = line.decode("utf-8")
        value = _DECODER.decode(text)
        require_whole_characters(text, value)
    except UnicodeDecodeError as error:
        raise InputError(expected="text in UTF-8", found=format_value(line)) from error
    except InputError:
        raise
    except HalfCharacterError as error:
        raise InputError(expected=message("whole characters"), found=error.args[0]) from error
    # Not only broken JSON: also a number of thousands of digits, and brackets nested too deep.
    except (ValueError, RecursionError) as error:
        torn = "" if line.endswith(b"\n") else " (the file is torn here)"
        raise InputError(expected=f"a JSON object{torn}", found=format_value(line)) from error
    if not isinstance(value, dict):
        raise InputError(expected="a JSON object", found=format_value(value))
    return value


def _require_keys(
    fields: Mapping[str, object], *, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    keys = set(fields)
    if not set(required) <= keys <= {*required, *optional}:
        wanted = ", ".join((*required, *(f"{key} (optional)" for key in optional)))
        found = format_value(", ".join(fields)) if fields else "no keys"
        raise InputError(expected=f"the keys {wanted}", found=found)


def _string(fields: Mapping[str, object], key: str) -> str:
    value = fields[key]
    if not isinstance(value, str):
        raise InputError(expected="a string", found=format_value(value), where=key)
    return value


def _players(fields: Mapping[str, object]) -> tuple[str, ...]:
    value = fields["players"]
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(expected="a list of names", found=format_value(value), where="players")
    return tuple(value)


def _options(fields: Mapping[str, object]) -> dict[str, bool | int]:
    value = fields.get("options", {})
    if not isinstance(value, dict):
        raise InputError(expected="an object", found=format_value(value), where="options")
    for key, setting in value.items():
        if not isinstance(setting, bool | int):
            raise InputError(
                expected="true, false or a whole number",
                found=f"{format_value(setting)} at {format_value(key)}",
                where="options",
            )
    return value
