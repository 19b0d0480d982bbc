# SPDX-License-Identifier: MIT
"""
Messages: English texts that can be shown in other languages.

What the table says is a template with values. The template is the key of the catalogues. A
message is also its English text, so code that only passes texts on needs no languages; the
screen that shows a message renders it at last. Concatenation gives a plain text, which stays
English: build a message from messages instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Self, TypeAlias

from controller.base.languages.shown_text import isolate_text

Lookup: TypeAlias = Callable[[str, str, int | None], str]
"""Returns the template of a language for an English one, its plural (or empty) and a count."""

WriteValue: TypeAlias = Callable[[object], object]
"""Writes a value in a language; most values are the same in every language."""


class Number(str):
    """A number that a screen writes by its language, and English by a `spec` such as `.1f`."""

    value: float
    spec: str

    def __new__(cls, value: float, spec: str) -> Self:
        text = super().__new__(cls, format(value, spec))
        text.value, text.spec = value, spec
        return text

    def __getnewargs__(self) -> tuple[float, str]:  # type: ignore[override]
        return self.value, self.spec


class JournalledText(str):
    """An English text of a journal; a screen shows the message that it was made of, if it can."""


class Message(str):
    """A text for people."""

    template: str  # The English template, with the names of its values in braces.
    plural: str  # The template for other counts than one; empty without a count.
    number: int | None  # The count that decides between both; None without one.
    values: Mapping[str, object]  # The values by name; messages among them are rendered too.

    def __new__(
        cls, template: str, values: Mapping[str, object], plural: str = "", count: int | None = None
    ) -> Self:
        shown = {name: _show(value) for name, value in values.items()}
        text = super().__new__(cls, find_english(template, plural, count).format(**shown))
        text.template, text.plural, text.number, text.values = template, plural, count, values
        return text

    def __getnewargs__(self) -> tuple[str, Mapping[str, object], str, int | None]:  # type: ignore[override]
        return self.template, self.values, self.plural, self.number

    def render(self, find: Lookup, write: WriteValue = lambda value: value) -> str:
        """Return the text in the language of `find` and `write`."""
        values = {
            name: value.render(find, write) if isinstance(value, Message) else _show(write(value))
            for name, value in self.values.items()
        }
        return find(self.template, self.plural, self.number).format(**values)


def _show(value: object) -> object:
    """Return a value as it may stand in a sentence: a name must not turn the words around it."""
    return isolate_text(value) if type(value) is str else value


def find_english(template: str, plural: str, count: int | None) -> str:
    """Return the English template; it is the `Lookup` of English."""
    return template if count is None or count == 1 else plural


def message(template: str, **values: object) -> Message:
    """Return a message, such as `message("{player} chooses", player=name)`."""
    return Message(template, values)


def plural_message(one: str, many: str, count: int, **values: object) -> Message:
    """Return a message that depends on a number, which its templates know as `{count}`."""
    return Message(one, {"count": count, **values}, many, count)


def chain_messages(parts: Sequence[str], separator: str = " ") -> Message:
    """Join texts; each of them is rendered by itself."""
    template = separator.join(f"{{part{number}}}" for number in range(len(parts)))
    return Message(template, {f"part{number}": part for number, part in enumerate(parts)})


def percent_message(percent: float, spec: str) -> Message:
    """Write a percentage, its number by a `spec` as that of a `Number`: `99.8 %`."""
    return chain_messages([Number(percent, spec), "%"], "\u202f")


def join_words(words: Sequence[str], last: Literal["and", "or"] = "and") -> str:
    """Write a list: `1`, `1 and 3`, `1, 3 and 5`."""
    *others, end = words
    if not others:
        return end
    before = chain_messages(others, ", ")
    if last == "and":
        return message("{others} and {last}", others=before, last=end)
    return message("{others} or {last}", others=before, last=end)
