# SPDX-License-Identifier: MIT
"""Write the rolls of a game into one compressed text of the index, and read them again."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any

from controller.history.views import GameRoll, RollChoice


def encode_rolls(rolls: Iterable[GameRoll]) -> bytes:
    """Return the rolls as compressed JSON."""
    rows = [
        [getattr(roll, name) for name in _PLAIN]
        + [[[getattr(one, name) for name in RollChoice.__slots__] for one in roll.choices]]
        for roll in rolls
    ]
    return zlib.compress(json.dumps(rows, ensure_ascii=False).encode(), 1)


def decode_rolls(data: bytes) -> tuple[GameRoll, ...]:
    """Return the rolls of `encode_rolls`."""
    return tuple(_decode_roll(row) for row in json.loads(zlib.decompress(data)))


_PLAIN = tuple(name for name in GameRoll.__slots__ if name != "choices")


def _decode_roll(row: list[Any]) -> GameRoll:
    *values, choices = row
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in zip(_PLAIN, values, strict=True)
    }
    return GameRoll(**fields, choices=tuple(RollChoice(*choice) for choice in choices))
