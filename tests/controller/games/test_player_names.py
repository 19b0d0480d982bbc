# SPDX-License-Identifier: MIT
"""The rule for names: joiners where they join, nothing that cannot be seen, and no look-alikes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.player_names import (
    NAME_LONGEST,
    clean_line,
    compute_look,
    compute_written_look,
    find_line_problem,
    remove_joiners,
    require_name,
)

ASTRONAUT = "\U0001f469\u200d\U0001f680"
PERSIAN = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


@pytest.mark.parametrize(
    "name",
    [
        "Olga",
        "Zo\u00eb O\u2019Neil-Smith",
        PERSIAN,
        "\u0d05\u0d35\u0d28\u0d4d\u200d",  # Malayalam, a joiner at the end
        "\u0d28\u0d4d\u200d\u0d31\u0d46",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala
        "Jo \u09b0\u200d\u09cd\u09af\u09be\u09a8\u09cd\u09a1\u09bf",  # Bengali, before the virama
        ASTRONAUT,
        "\U0001f469\U0001f3fd\u200d\U0001f680",  # with a tone of skin
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001fae8\u200d\u2194\ufe0f",  # newer than the Unicode of some Pythons
        "Jo\u203c\ufe0f 1\ufe0f\u20e3",
        WALES,
        "\u845b\U000e0100\u57ce",  # a variant of an ideograph
        "\u0f62\u0f92\u0fb1\u0f74\u0f51",  # Tibetan, with stacked letters
    ],
)
def test_a_name_that_people_have_is_taken(name: str) -> None:
    assert require_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "nothing that can be seen"),
        (" \u3000", "nothing that can be seen"),
        ("x" * 41, "41 characters, more than 40"),
        ("Ol\nga", "a line break or another control character (U+000A, after “Ol”)"),
        ("Olga\u200b", "an invisible character (U+200B, after “Olga”)"),
        ("\ufeffOlga", "an invisible character (U+FEFF, at the beginning)"),
        ("Ol\u00adga", "an invisible character (U+00AD, after “Ol”)"),
        ("Olga\u2800", "an invisible character (U+2800, after “Olga”)"),
        ("Olga\ufe0f", "an invisible character (U+FE0F, after “Olga”)"),
        ("Olga" + WALES[1:], "an invisible character (U+E0067, after “Olga”)"),
        ("Olga\u202e", "a character that turns the direction of writing (U+202E, after “Olga”)"),
        (
            "\u2068Olga",
            "a character that turns the direction of writing (U+2068, at the beginning)",
        ),
        ("Olga\u200d", "a joiner that joins nothing (U+200D, after “Olga”)"),
        ("O\u200clga", "a joiner that joins nothing (U+200C, after “O”)"),
        (PERSIAN + "\u200c", "a joiner that joins nothing (U+200C, after"),
        (ASTRONAUT + "\u200d", "a joiner that joins nothing (U+200D, after"),
        ("\ud800", "half a character (U+D800, at the beginning)"),
        ("Olga\ue000", "a character that screens may not know (U+E000, after “Olga”)"),
        ("\u0301Olga", "an accent without a letter (U+0301, at the beginning)"),
        ("a" + "\u0323\u0331" * 3, "more than 4 accents on one letter"),
    ],
)
def test_a_name_is_refused_for_its_true_reason(name: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        require_name(name, "by")
    assert reason in caught.value.found
    assert caught.value.where == "by"


def test_spaces_are_one_plain_space_each() -> None:
    assert require_name("\u00a0Ada \u2009 L.\u3000") == "Ada L."


def test_each_joiner_is_ignored_when_names_are_compared() -> None:
    assert compute_look(PERSIAN) == compute_look(PERSIAN.replace("\u200c", ""))
    assert compute_look(ASTRONAUT) == compute_look(ASTRONAUT.replace("\u200d", ""))
    for hidden in ("\u200b", "\u202e", "\u00ad", "\u2060", "\ufeff", "\u200d", "\ufe0f"):
        assert compute_look(f"Ol{hidden}ga") == compute_look("Olga")


def test_the_journal_of_an_event_tells_joiners_apart() -> None:
    assert compute_written_look("Olga\u200b") != compute_written_look("Olga")
    assert compute_written_look("Olga\ufe0f") == compute_written_look("Olga")


@given(st.text(max_size=NAME_LONGEST + 5))
def test_what_is_taken_is_taken_again_and_fits_every_format(text: str) -> None:
    cleaned = clean_line(text)
    assert clean_line(cleaned) == cleaned
    if find_line_problem(cleaned) is None:
        assert require_name(cleaned) == cleaned
        assert compute_look(cleaned)
        assert len(cleaned.encode()) <= 4 * NAME_LONGEST


@given(st.text(max_size=20))
def test_the_two_looks_differ_by_joiners_only(name: str) -> None:
    assert remove_joiners(compute_written_look(name)) == compute_look(name)
    assert remove_joiners(compute_look(name)) == compute_look(name)
