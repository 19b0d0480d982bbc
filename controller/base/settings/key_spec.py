# SPDX-License-Identifier: MIT
"""The specification of one key of the settings: its label, purpose and allowed values."""

from __future__ import annotations

from dataclasses import dataclass

from controller.base.languages.message import Message

FIRST_PIN, LAST_PIN = 2, 27  # 0 and 1 belong to the board's own memory


@dataclass(frozen=True, slots=True)
class KeySpec:
    """
    The specification of a key.

    Attributes:
        label: Its name for people.
        what: Its purpose, as sentences.
        span: The smallest and the largest number; `None` for other types.
        choices: The only allowed numbers or texts; empty if the span decides, or any text is.
        unit: The unit of the number.
        is_pin: Whether it is a pin: 0 for none, or one of the span.
    """

    label: Message
    what: Message
    span: tuple[float, float] | None = None
    choices: tuple[int, ...] | tuple[str, ...] = ()
    unit: str = ""
    is_pin: bool = False


def describe_key(
    label: Message,
    what: Message,
    span: tuple[float, float] | None = None,
    *,
    choices: tuple[int, ...] | tuple[str, ...] = (),
    unit: str = "",
) -> dict[str, KeySpec]:
    """Return the metadata of a key's field; the parameters are those of `KeySpec`."""
    return {"about": KeySpec(label, what, span, choices, unit)}


def describe_pin(label: Message, what: Message) -> dict[str, KeySpec]:
    """Return the metadata of a field for a pin."""
    return {"about": KeySpec(label, what, (FIRST_PIN, LAST_PIN), is_pin=True)}
