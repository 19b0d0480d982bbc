# SPDX-License-Identifier: MIT
"""Messages: English by themselves, and anew in another language."""

from __future__ import annotations

import copy
import pickle

from controller.languages.catalogue import Catalogue
from controller.languages.message import Message, chain_messages, message, plural_message

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
