# SPDX-License-Identifier: MIT
"""
Find the message that an English text was made of.

A journal holds English texts only. A text is recognized if exactly one known template fits it; then
its values are what stands in the template's gaps. Texts that fit none or several stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Formatter

from controller.base.languages.message import Lookup

_FEWEST_LETTERS = 12  # A template with fewer letters of its own fits too many texts.


@dataclass(frozen=True, slots=True)
class MessagePattern:
    """A template of a message with values, and the texts that it makes."""

    template: str
    texts: re.Pattern[str]


def build_patterns(templates: Iterable[tuple[str, str]]) -> tuple[MessagePattern, ...]:
    """Return the patterns of English forms, each with the template of its message."""
    found = ((template, _compile(form)) for form, template in templates if "{" in form)
    return tuple(MessagePattern(template, texts) for template, texts in found if texts)


def recognize_message(text: str, patterns: Sequence[MessagePattern], find: Lookup) -> str | None:
    """Return a text in the language of `find`; None unless exactly one pattern fits it."""
    fits = [(each, found) for each in patterns if (found := each.texts.fullmatch(text))]
    if len(fits) != 1:
        return None
    [(pattern, found)] = fits
    values = found.groupdict()
    count = values.get("count")
    number = int(count) if count is not None and count.isdecimal() else None
    return find(pattern.template, "", number).format(**values)


def _compile(form: str) -> re.Pattern[str] | None:
    """Return the pattern of a form; None if it has too few letters, or a value twice."""
    parts = list(Formatter().parse(form))
    names = [name for _, name, _, _ in parts if name]
    letters = sum(character.isalpha() for literal, *_ in parts for character in literal)
    if letters < _FEWEST_LETTERS or len(set(names)) < len(names):
        return None
    gaps = (
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "") for literal, name, *_ in parts
    )
    return re.compile("".join(gaps))
