# SPDX-License-Identifier: MIT
"""Messages: English by themselves, and anew in another language."""

from __future__ import annotations

import copy
import pickle

from controller.base.languages.catalogue import Catalogue, load_catalogues
from controller.base.languages.message import (
    JournalledText,
    Message,
    Number,
    chain_messages,
    message,
    plural_message,
)

GERMAN = Catalogue(
    "de",
    {
        "white {face}": ("weiße {face}",),
        "{player} keeps {dice}": ("{player} behält {dice}",),
        "{count} die is missing": ("{count} Würfel fehlt", "{count} Würfel fehlen noch"),
    },
)


def test_message_is_its_english_text() -> None:
    text = message("{player} keeps {dice}", player="Ada", dice="4 4")
    assert text == "Ada keeps 4 4"
    assert isinstance(text, Message)


def test_copy_of_a_message_can_be_translated() -> None:
    text = plural_message("{count} die is missing", "{count} dice are missing", 2)
    for same in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert same == text
        assert same.render(GERMAN.find) == "2 Würfel fehlen noch"


def test_values_that_are_messages_are_translated() -> None:
    dice = chain_messages([message("white {face}", face=4), "5"])
    text = message("{player} keeps {dice}", player="Ada", dice=dice)
    assert text == "Ada keeps white 4 5"
    assert text.render(GERMAN.find) == "Ada behält weiße 4 5"


def test_braces_in_a_name_stay_as_they_are() -> None:
    text = message("{player} keeps {dice}", player="{dice}", dice="{player}")
    assert text.render(GERMAN.find) == "{dice} behält {player}"


def test_count_decides_between_two_forms() -> None:
    texts = [
        plural_message("{count} die is missing", "{count} dice are missing", n) for n in (1, 2)
    ]
    assert texts == ["1 die is missing", "2 dice are missing"]
    assert [text.render(GERMAN.find) for text in texts] == [
        "1 Würfel fehlt",
        "2 Würfel fehlen noch",
    ]


def test_unknown_message_stays_english() -> None:
    assert message("Nobody plays").render(GERMAN.find) == "Nobody plays"


def test_views_are_translated_whole() -> None:
    die = message("white {face}", face=1)
    view = {"headline": die, "name": "white 1", "rows": [{"text": die}], "size": 3, "none": None}
    german = {"headline": "weiße 1", "name": "white 1", "rows": [{"text": "weiße 1"}]}
    assert GERMAN.translate(view) == {**german, "size": 3, "none": None}


def test_numbers_are_written_as_the_language_does() -> None:
    size = chain_messages([Number(1234.5, ",.1f"), Number(0.25, "g")], " / ")
    text = message("{size} mm", size=size)
    assert text == "1,234.5 / 0.25 mm"
    assert GERMAN.translate(text) == "1.234,5 / 0,25 mm"
    assert GERMAN.translate(message("{dice} dice", dice="1.5")) == "1.5 dice"


JOURNALLED = Catalogue(
    "de",
    {
        "A die leans.": ("Ein Würfel lehnt.",),
        "{count} die is missing here": ("Hier fehlt {count} Würfel", "Hier fehlen {count} Würfel"),
        "The disk refuses it: {error}.": ("Der Datenträger verweigert es: {error}.",),
        "The disk {verb} it: full.": ("Der Datenträger {verb} es: voll.",),
        "{a} {b}": ("{b} {a}",),
    },
    plurals={"{count} dice are missing here": "{count} die is missing here"},
)


def test_a_journalled_text_is_recognized_if_one_message_fits() -> None:
    for text, german in [
        ("A die leans.", "Ein Würfel lehnt."),
        ("1 die is missing here", "Hier fehlt 1 Würfel"),
        ("3 dice are missing here", "Hier fehlen 3 Würfel"),
        ("The disk refuses it: {x}.", "Der Datenträger verweigert es: {x}."),
        (
            "A die leans. The disk refuses it: no.",
            "Ein Würfel lehnt. Der Datenträger verweigert es: no.",
        ),
    ]:
        assert JOURNALLED.find_journalled(text) == german
        said = message("It says: {what}", what=JournalledText(text))
        assert JOURNALLED.translate(said) == f"It says: {german}"


def test_a_journalled_text_that_none_or_several_fit_stays() -> None:
    for text in ("Some words", "The disk refuses it: full.", "A die leans. Some words.", ""):
        assert JOURNALLED.find_journalled(text) == text


def test_no_pattern_of_a_catalogue_takes_another_message() -> None:
    """What the table writes today is found again: each message of its own, with its values."""
    german = load_catalogues()["de"]
    for text in (
        message("The disk refuses to write: {error}.", error="Input/output error"),
        message("This game needs {dice}.", dice="5 dice"),
        message("The {was} here was kept and now shows {face}. Turn it back.", was="4", face="5"),
    ):
        assert german.find_journalled(str(text)) == german.translate(text) != str(text)
