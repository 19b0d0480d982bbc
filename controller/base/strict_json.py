# SPDX-License-Identifier: MIT
r"""
Parse JSON from outside, and refuse what no text can hold.

JSON can write half a character, such as "\ud800", and Python reads it. But no file, database or
page can hold it, so it would fail far away from who sent it. Here it is as wrong as broken JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from controller.base.languages.message import message

_HALF = ("\\ud", "\\uD")


class HalfCharacterError(ValueError):
    """A text holds one half of a surrogate pair."""


def parse_json(
    content: str | bytes, build_object: Callable[[list[tuple[str, object]]], object] | None = None
) -> Any:
    """Return a JSON text's value; ValueError for no JSON or bad bytes, RecursionError if deep."""
    text = content if isinstance(content, str) else content.decode("utf-8-sig")
    value = json.loads(text, object_pairs_hook=build_object)
    require_whole_characters(text, value)
    return value


def require_whole_characters(text: str, value: object) -> None:
    """Check that no text in a parsed value has half a character; otherwise HalfCharacterError."""
    # Only an escape can bring one in, and hardly any text has one.
    if any(half in text for half in _HALF):
        written = json.dumps(value, ensure_ascii=False)
        try:
            written.encode()
        except UnicodeEncodeError as error:
            code = f"U+{ord(written[error.start]):04X}"
            raise HalfCharacterError(message("half a character ({place})", place=code)) from error
