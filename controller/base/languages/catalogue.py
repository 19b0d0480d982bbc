# SPDX-License-Identifier: MIT
"""
Catalogues: the messages of one language, read from its gettext file.

A language is one file beside this module, named by its code: `de.po`. English needs none,
because its texts are the keys. `make messages` brings the files up to date with the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar, cast

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol, get_group_symbol

from controller.base.languages.codes import AUTO, ENGLISH, FOLDER, list_languages
from controller.base.languages.message import JournalledText, Message, Number, find_english
from controller.base.languages.recognition import MessagePattern, build_patterns, recognize_message

_Value = TypeVar("_Value")
_Forms = tuple[str, ...]


class Catalogue:
    """
    The messages of one language.

    Args:
        entries: The translated forms of each English template; a missing one stays English.
        choose_form: Returns the index of the form for a count.
        script_templates: The templates that the scripts of the pages use.
        plurals: The English template of each English plural.
    """

    def __init__(
        self,
        language: str,
        entries: Mapping[str, _Forms],
        choose_form: Callable[[int], int] = lambda count: int(count != 1),
        script_templates: frozenset[str] = frozenset(),
        plurals: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.language = language
        self._entries = entries
        self._choose_form = choose_form
        self._script_templates = script_templates
        self._plurals = plurals
        locale = Locale.parse(language)
        marks = {".": get_decimal_symbol(locale), ",": get_group_symbol(locale)}
        self._number_marks = str.maketrans(marks)

    @property
    def name(self) -> str:
        """The language's own name for itself, such as `Deutsch`."""
        return str(Locale.parse(self.language).get_display_name(self.language)).capitalize()

    @property
    def script_entries(self) -> dict[str, _Forms]:
        return {
            template: forms
            for template, forms in self._entries.items()
            if template in self._script_templates
        }

    def find(self, template: str, plural: str = "", count: int | None = None) -> str:
        """Return the template in this language; the English one if it is not translated."""
        forms = self._entries.get(template)
        if forms is None:
            return find_english(template, plural, count)
        return forms[0 if count is None else self._choose_form(count)]

    def write(self, value: object) -> object:
        """Return a value of a message as this language writes it."""
        if isinstance(value, Number):
            return value.translate(self._number_marks)
        return self.find_journalled(value) if isinstance(value, JournalledText) else value

    def find_journalled(self, text: str) -> str:
        """Return an English text of a journal in this language; itself if none fits it."""
        known = self._recognize(text)
        if known is None:
            # A text may be sentences that are messages by themselves.
            sentences = [self._recognize(part) for part in re.split(r"(?<=[.!?]) ", text)]
            found = [part for part in sentences if part is not None]
            known = " ".join(found) if len(found) == len(sentences) else text
        return known

    def _recognize(self, text: str) -> str | None:
        if text in self._entries:
            return self._entries[text][0]
        return recognize_message(text, self._patterns, self.find)

    @cached_property
    def _patterns(self) -> tuple[MessagePattern, ...]:
        english = [(template, template) for template in self._entries]
        return build_patterns((*english, *self._plurals.items()))

    def translate(self, value: _Value) -> _Value:
        """Return a value of a view with every message in it as text of this language."""
        return cast(_Value, self._translate(value))

    def _translate(self, value: object) -> object:
        if isinstance(value, Message):
            return value.render(self.find, self.write)
        if isinstance(value, Number | JournalledText):
            return self.write(value)
        if isinstance(value, Mapping):
            return {key: self._translate(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self._translate(part) for part in value]
        return value


@cache
def load_catalogues() -> Mapping[str, Catalogue]:
    """Return every language by its code, English first."""
    _, *others = list_languages()
    read = {code: read_catalogue(FOLDER / f"{code}.po") for code in others}
    return {ENGLISH: Catalogue(ENGLISH, {}), **read}


def load_catalogue(language: str) -> Catalogue:
    """Return the language of this code, English for `AUTO`."""
    return load_catalogues()[ENGLISH if language == AUTO else language]


def negotiate_language(preferred: Sequence[str], available: Sequence[str]) -> str | None:
    """Return the available language that a person prefers, such as `de` for `de-AT`."""
    return negotiate_locale(preferred, available, sep="-")


def read_catalogue(file: Path) -> Catalogue:
    """Return the catalogue of a gettext file, which is named by its language."""
    with file.open("rb") as lines:
        catalog: Catalog = read_po(lines, locale=file.stem)
    translated = [entry for entry in catalog if _is_translated(entry)]
    plural_rule = Locale.parse(file.stem).plural_form
    tags = sorted(plural_rule.tags | {"other"}, key=_PLURAL_ORDER.index)
    return Catalogue(
        file.stem,
        {_template_of(entry): _forms_of(entry) for entry in translated},
        lambda count: tags.index(plural_rule(count)),
        frozenset(_template_of(entry) for entry in translated if _is_script(entry)),
        {str(entry.id[1]): _template_of(entry) for entry in translated if _has_plural(entry)},
    )


_PLURAL_ORDER = ("zero", "one", "two", "few", "many", "other")


def _is_translated(entry: Entry) -> bool:
    return bool(entry.id) and not entry.fuzzy and all(_forms_of(entry))


def _has_plural(entry: Entry) -> bool:
    return isinstance(entry.id, tuple | list)


def _template_of(entry: Entry) -> str:
    return str(entry.id[0] if _has_plural(entry) else entry.id)


def _forms_of(entry: Entry) -> _Forms:
    forms = entry.string if isinstance(entry.string, tuple | list) else (entry.string,)
    return tuple(str(form or "") for form in forms)


def _is_script(entry: Entry) -> bool:
    return any(path.endswith(".js") for path, _ in entry.locations)
