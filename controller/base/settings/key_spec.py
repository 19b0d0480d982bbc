# SPDX-License-Identifier: MIT
"""The specification of one key of the settings: its label, purpose and allowed values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from controller.base.languages.message import Message, message

FIRST_PIN, LAST_PIN = 2, 27  # 0 and 1 belong to the board's own memory

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class KeySpec:
    label: Message  # Its name for people.
    what: Message  # Its purpose, as sentences.
    # The smallest and the largest number; `None` for other types.
    span: tuple[float, float] | None = None
    # The only allowed numbers or texts; empty if the span decides, or any text is.
    choices: tuple[int, ...] | tuple[str, ...] = ()
    unit: str = ""  # The unit of the number.
    is_pin: bool = False  # Whether it is a pin: 0 for none, or one of the span.


def setting(
    default: _Value,
    label: str,
    what: str,
    *,
    least: float = 0,
    most: float | None = None,
    choices: tuple[int, ...] | tuple[str, ...] = (),
    unit: str = "",
) -> _Value:
    """Return a key as a field of its section; choices and unit as in `KeySpec`."""
    span = None if most is None else (least, most)
    spec = KeySpec(message(label), message(what), span, choices, unit)
    return field(default=default, metadata={"about": spec})


def pin(default: int, label: str, what: str) -> int:
    """Return the key of a pin as a field of its section; the parameters are those of `setting`."""
    spec = KeySpec(message(label), message(what), (FIRST_PIN, LAST_PIN), is_pin=True)
    return field(default=default, metadata={"about": spec})
