# SPDX-License-Identifier: MIT
"""
Show a text of unknown origin inside other text without disturbing it.

A character that shows nothing makes two names look the same, and one that turns the direction of
writing turns what stands around it. Old journals hold such names, and their bytes never change, so
both are escaped where a text is shown. Text that is written from right to left is isolated, as
`<bdi>` does in a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

DIRECTION_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of writing, for a set of a regular expression."""

UNSEEN = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
"""Characters that show nothing, for the same; joiners and selectors change their neighbours."""

_START, _END = "\u2068", "\u2069"
_ISOLATES = re.compile(f"[{_START}{_END}]")
_UNSEEN = re.compile(f"[{DIRECTION_MARKS}{UNSEEN}]")
_RIGHT_TO_LEFT = ("R", "AL", "AN")


def escape_unseen(
    text: str, escape: Callable[[str], str] = lambda sign: f"\\x{ord(sign):02x}"
) -> str:
    """
    Return a text in which what shows nothing, or turns the direction, is escaped.

    Isolates stay if each of them ends: these do not turn what stands around them.
    """
    if text.isascii():
        return text
    kept = (_START, _END) if _has_whole_isolates(text) else ()
    return _UNSEEN.sub(lambda found: found[0] if found[0] in kept else escape(found[0]), text)


def isolate_text(text: str) -> str:
    """Return a text that may stand in a line: escaped, and isolated if it runs to the left."""
    shown = escape_unseen(text)
    turns = any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in shown)
    return f"{_START}{shown}{_END}" if turns and not _is_isolated(shown) else shown


def _has_whole_isolates(text: str) -> bool:
    depth = 0
    for each in _ISOLATES.findall(text):
        depth += 1 if each == _START else -1
        if depth < 0:
            return False
    return depth == 0


def _is_isolated(text: str) -> bool:
    has_marks = text.startswith(_START) and text.endswith(_END)
    return has_marks and _has_whole_isolates(text[1:-1])
