# SPDX-License-Identifier: MIT
"""The kinds of values of a key: how each is read, written and described."""

from __future__ import annotations

import json
import os
from dataclasses import Field
from enum import Enum
from pathlib import Path

from controller.base.languages.message import chain_messages, join_words, message
from controller.base.settings.key_spec import KeySpec
from controller.base.settings.schema import NO_PIN, Value


def get_spec(key: Field[Value]) -> KeySpec:
    known = key.metadata["about"]
    assert isinstance(known, KeySpec)
    return known


def convert_value(key: Field[Value], raw: object) -> Value | None:
    """Convert a TOML value to the type of its key; `None` if it is not allowed."""
    default = key.default
    if isinstance(default, Enum):
        return next((choice for choice in type(default) if choice.value == raw), None)
    if isinstance(default, bool) or isinstance(raw, bool):
        return raw if isinstance(raw, bool) and isinstance(default, bool) else None
    if isinstance(default, int):
        return raw if isinstance(raw, int) and _is_allowed(get_spec(key), raw) else None
    if isinstance(default, float):
        if not isinstance(raw, int | float) or not _is_allowed(get_spec(key), raw):
            return None
        return float(raw)
    if not isinstance(raw, str) or (default and not raw):
        return None
    if get_spec(key).choices and raw not in get_spec(key).choices:
        return None
    # Without this a folder named "~" would be created silently.
    return Path(os.path.expanduser(raw)) if isinstance(default, Path) else raw


def describe_allowed(key: Field[Value]) -> str:
    """Describe the allowed values of a key in the words of the file."""
    if isinstance(key.default, Enum):
        return join_words([format_toml(choice) for choice in type(key.default)], "or")
    if isinstance(key.default, bool):
        return message("true or false")
    if get_spec(key).choices:
        choices = join_words([format_toml(choice) for choice in get_spec(key).choices], "or")
        return _with_unit(choices, key)
    if isinstance(key.default, int | float):
        return _allowed_number(key)
    return message("text in quotes, not empty") if key.default else message("text in quotes")


def format_toml(value: object) -> str:
    if isinstance(value, Enum):
        return format_toml(value.value)
    if not isinstance(value, str | Path):
        return str(value).lower() if isinstance(value, bool) else str(value)
    # A JSON string is a TOML string, except for the one character that TOML escapes.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_allowed(limits: KeySpec, number: float) -> bool:
    if limits.choices:
        return number in limits.choices
    assert limits.span is not None, "a number has a range"
    low, high = limits.span
    return low <= number <= high or (limits.is_pin and number == NO_PIN)


def _allowed_number(key: Field[Value]) -> str:
    limits = get_spec(key)
    assert limits.span is not None, "a number has a range"
    low, high = limits.span
    if limits.is_pin:
        return message(
            "{none} for none, or a pin from {low} to {high}", none=NO_PIN, low=low, high=high
        )
    if isinstance(key.default, float):
        return _with_unit(message("a number from {low} to {high}", low=low, high=high), key)
    return _with_unit(message("a whole number from {low} to {high}", low=low, high=high), key)


def _with_unit(allowed: str, key: Field[Value]) -> str:
    unit = get_spec(key).unit
    return chain_messages([allowed, f"({unit})"]) if unit else allowed
