# SPDX-License-Identifier: MIT
"""
Find texts in a view that no catalogue can translate.

A view is walked as a screen gets it. A text for people must be a `Message`, a name of a
player, or figures; and the template of each message must stand in the code as a literal,
because only such templates come into the catalogues.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from babel.messages.extract import extract_from_file

from controller.base.languages.message import Message

ROOT = Path(__file__).parents[4]

TEXT_KEYS = frozenset(
    "headline hint text mend heading lines title label value values progress problem result "
    "left right confirm back undo since".split()
)
"""The keys of a view whose values people read."""

_KEYWORDS = {"message": None, "plural_message": (1, 2)}


def find_bare_texts(view: object, names: Collection[str] = (), *, key: str = "") -> list[str]:
    """Return every text that cannot be translated, with its key."""
    if isinstance(view, Message):
        return [f"{key}: {text!r}" for text in _list_bare_values(view, names)]
    if isinstance(view, Mapping):
        return [
            text for name, part in view.items() for text in find_bare_texts(part, names, key=name)
        ]
    if isinstance(view, list | tuple):
        return [text for part in view for text in find_bare_texts(part, names, key=key)]
    is_bare = key in TEXT_KEYS and isinstance(view, str) and not _is_plain(view, names)
    return [f"{key}: {view!r}"] if is_bare else []


def list_messages(view: object) -> Iterator[Message]:
    """Yield every message of a view, and the messages among their values."""
    if isinstance(view, Message):
        yield view
        view = view.values
    parts = view.values() if isinstance(view, Mapping) else view
    if isinstance(parts, str) or not hasattr(parts, "__iter__"):
        return
    for part in parts:
        yield from list_messages(part)


def find_unknown_templates(view: object, folders: Collection[str]) -> set[str]:
    """Return the templates in a view that stand nowhere in the modules of these folders."""
    known = {template for folder in folders for template in list_templates(folder)}
    templates = {text.template for text in list_messages(view)}
    return {template for template in templates - known if has_words(template)}


@cache
def list_templates(folder: str) -> frozenset[str]:
    """Return the templates that the modules of a folder have as literals."""
    found = set()
    for file in (ROOT / folder).rglob("*.py"):
        for _, template, _, _ in extract_from_file("python", str(file), keywords=_KEYWORDS):
            found.add(template if isinstance(template, str) else template[0])
    return frozenset(found)


def has_words(template: str) -> bool:
    """Return whether a template has words of its own, not just values one after the other."""
    words = "".join(literal for literal, *_ in Formatter().parse(template))
    return any(sign.isalpha() for sign in words)


def _list_bare_values(text: Message, names: Collection[str]) -> Iterator[str]:
    for value in text.values.values():
        if isinstance(value, Message):
            yield from _list_bare_values(value, names)
        elif isinstance(value, str) and not _is_plain(value, names):
            yield value


def _is_plain(text: str, names: Collection[str]) -> bool:
    return text in names or not any(sign.isalpha() for sign in text)
