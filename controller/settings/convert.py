# SPDX-License-Identifier: MIT
"""The kinds of values of a key: how each is read, written and described."""

from __future__ import annotations

import json
import os
from dataclasses import Field
from enum import Enum
from pathlib import Path

from controller.settings.schema import NO_PIN, KeySpec, Value


def get_spec(key: Field[Value]) -> KeySpec:
    """Return the specification of a key."""
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
    """Describe the allowed values of a key."""
    if isinstance(key.default, Enum):
        return " or ".join(format_toml(choice) for choice in type(key.default))
    if isinstance(key.default, bool):
        return "true or false"
    if isinstance(key.default, int | float):
        return _allowed_number(key)
    if get_spec(key).choices:
        return " or ".join(format_toml(choice) for choice in get_spec(key).choices)
    return "text in quotes" + (", not empty" if key.default else "")


def format_toml(value: object) -> str:
    """Format a value as TOML."""
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
    unit = f" ({limits.unit})" if limits.unit else ""
    if limits.choices:
        return " or ".join(str(choice) for choice in limits.choices) + unit
    assert limits.span is not None, "a number has a range"
    low, high = limits.span
    if limits.is_pin:
        return f"{NO_PIN} for none, or a pin from {low} to {high}"
    kind = "a number" if isinstance(key.default, float) else "a whole number"
    return f"{kind} from {low} to {high}{unit}"
