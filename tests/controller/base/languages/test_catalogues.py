# SPDX-License-Identifier: MIT
"""Every catalogue has every message of the code, and each translation takes the same values."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

from tests.message_catalogues import LANGUAGES, ROOT, extract_messages, read_catalogue_file

FILES = sorted((ROOT / LANGUAGES).glob("*.po"))
_PLACEHOLDER = re.compile(r"\{(\w*)[^}]*\}|%\((\w+)\)s")
NUMBERS = {"count", "num"}


@pytest.fixture(scope="module")
def messages() -> Catalog:
    return extract_messages()


def forms_of(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, list | tuple) else (str(text),)


def entries_of(catalog: Catalog) -> dict[str, Entry]:
    return {forms_of(entry.id)[0]: entry for entry in catalog if entry.id}


def placeholders_of(text: str) -> Counter[str]:
    return Counter(one or other for one, other in _PLACEHOLDER.findall(text))


def test_messages_are_found_in_python_scripts_and_templates(messages: Catalog) -> None:
    endings = {Path(file).suffix for entry in messages for file, _ in entry.locations}
    assert endings == {".py", ".js", ".html"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
class TestCatalogue:
    def test_it_has_exactly_the_messages_of_the_code(self, file: Path, messages: Catalog) -> None:
        """`make messages` brings it up to date; new messages are then to be translated."""
        used, kept = entries_of(messages), entries_of(read_catalogue_file(file))
        assert {"missing": used.keys() - kept.keys(), "unused": kept.keys() - used.keys()} == {
            "missing": set(),
            "unused": set(),
        }
        assert not read_catalogue_file(file).obsolete

    def test_every_message_is_translated_in_all_its_forms(
        self, file: Path, messages: Catalog
    ) -> None:
        catalog = read_catalogue_file(file)
        incomplete = []
        for text, entry in entries_of(catalog).items():
            is_plural = isinstance(entry.id, list | tuple)
            forms = forms_of(entry.string)
            wanted = catalog.num_plurals if is_plural else 1
            if entry.fuzzy or len(forms) != wanted or not all(forms):
                incomplete.append(text)
        assert incomplete == []

    def test_translations_have_the_values_of_their_messages(
        self, file: Path, messages: Catalog
    ) -> None:
        wrong = []
        for text, entry in entries_of(read_catalogue_file(file)).items():
            # A form may leave out its number, as "one die" does.
            wanted = placeholders_of(forms_of(entry.id)[-1]).keys() - NUMBERS
            for form in filter(None, forms_of(entry.string)):
                found = placeholders_of(form)
                if found.keys() - NUMBERS != wanted or not _may_count(entry, found):
                    wrong.append((text, form))
        assert wrong == []


def _may_count(entry: Entry, found: Counter[str]) -> bool:
    is_plural = isinstance(entry.id, list | tuple)
    return is_plural or ("count" in found) == ("count" in placeholders_of(str(entry.id)))
