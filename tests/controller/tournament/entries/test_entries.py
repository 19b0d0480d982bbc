# SPDX-License-Identifier: MIT
"""Entries of an event have one spelling, and every wrong value is named."""

from __future__ import annotations

import re
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from controller.base.errors import InputError
from controller.journal.hashchain import build_next_entry, encode_canonical
from controller.tournament.entries.codec import (
    KINDS,
    EventEntry,
    decode_body,
    decode_entry_body,
    encode_body,
)
from controller.tournament.entries.entry_base import list_fields
from controller.tournament.entries.game_entries import ChoiceMade
from tests.controller.tournament.entries.examples import EXAMPLES
from tests.controller.tournament.entries.generated import ENTRIES

PAGE = (Path(__file__).parents[4] / "docs" / "event-journal.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: str(entry.kind))
def test_an_entry_reads_back_from_its_canonical_body(entry: EventEntry) -> None:
    body = encode_body(entry)
    assert encode_canonical(body)
    assert set(body) == {each.name for each in list_fields(type(entry))}
    assert decode_body(entry.kind, body) == entry


@settings(max_examples=300)
@given(entry=ENTRIES)
def test_a_body_decodes_and_encodes_to_the_same_bytes(entry: EventEntry) -> None:
    body = encode_body(entry)
    decoded = decode_body(entry.kind, body)
    assert decoded == entry
    assert encode_canonical(encode_body(decoded)) == encode_canonical(body)


def test_there_is_an_example_of_every_kind() -> None:
    assert {entry.kind for entry in EXAMPLES} == set(KINDS)


def test_every_kind_and_key_is_documented() -> None:
    found = re.search(r"<!-- kinds: begin -->\n(.*?)<!-- kinds: end -->", PAGE, re.DOTALL)
    assert found is not None
    rows = [line.split("|")[1:3] for line in found[1].splitlines()[2:]]
    documented = {kind.strip(" `"): re.findall(r"\[?`\w+`\]?", keys) for kind, keys in rows}
    written = {
        kind: [
            f"`{each.name}`" if each.default is MISSING else f"[`{each.name}`]"
            for each in list_fields(KINDS[kind])
        ]
        for kind in KINDS
    }
    assert documented == written


def test_a_default_key_is_absent() -> None:
    choice = ChoiceMade(1, 2, 3, ("4+10/4",))
    assert encode_body(choice) == {"game": 1, "roll": 2, "player": 3, "do": ["4+10/4"]}


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (
            "choice",
            {"player": 0},
            "choice.player: expected a whole number from 1 to 20000, found 0",
        ),
        ("choice", {"player": True}, "found true"),
        ("choice", {"player": "3"}, "found '3'"),
        ("choice", {"seat": 3}, "choice: expected no key but game, roll, player, do, by"),
        ("choice", {"do": "4+10/4"}, "choice.do: expected a list of 1 to 4, found '4+10/4'"),
        ("choice", {"do": []}, "choice.do: expected a list of 1 to 4, found a list"),
        ("choice", {"do": ["4+10/4\n"]}, "choice.do[0]: expected a text of one line"),
        ("choice", {"by": ""}, "choice: expected no key by where it has its default, found ''"),
        ("joined", {"name": " Ada"}, "joined.name: expected a name in its normal form"),
        ("joined", {"name": "\u2800"}, "joined.name: expected a text of one line"),
        ("joined", {"name": "A" * 41}, "joined.name: expected a text of one line, 1 to 40"),
        ("joined", {"token": "D" * 64}, "joined.token: expected 64 hexadecimal digits"),
        ("roll_opened", {"faces": "61344"}, "expected five digits from 1 to 6, the smallest first"),
        ("roll_opened", {"faces": "1344"}, "roll_opened.faces: expected five digits"),
        ("roll_opened", {"source": {"box": "a" * 64}}, "expected the keys box, seq, link"),
        (
            "draw",
            {"tables": [[1, 2], [3, 3]]},
            "draw.tables[1]: expected every value once, found 3",
        ),
        ("event", {"format": 2}, "event.format: expected a whole number from 1 to 1, found 2"),
        ("event", {"options": {"jokers": "yes"}}, "event.options.jokers: expected true, false"),
        ("event", {"style": "ladder"}, "event.style: expected one of duplicate, tables"),
        (
            "ruling",
            {"decision": "maybe"},
            "ruling.decision: expected one of keep, recompute, annul, restore",
        ),
        ("ruling", {"is_reserve": 1}, "ruling.is_reserve: expected true or false, found 1"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(
    kind: str, change: dict[str, Any], words: str
) -> None:
    example = next(entry for entry in EXAMPLES if entry.kind == kind)
    with pytest.raises(InputError) as refused:
        decode_body(kind, {**encode_body(example), **change})
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(InputError, match="choice: expected the key do, found none"):
        decode_body("choice", {"game": 1, "roll": 2, "player": 3})


def test_an_unknown_kind_is_skipped_but_never_proposed() -> None:
    with pytest.raises(InputError, match="kind: expected one of event, enrolled"):
        decode_body("weather", {})
    entry = build_next_entry(None, at_ms=1, kind="weather", body={"sky": "blue"})
    assert decode_entry_body(entry) is None


def test_a_wrong_entry_of_a_journal_is_named_by_its_number() -> None:
    entry = build_next_entry(None, at_ms=1, kind="left", body={"player": -1})
    with pytest.raises(InputError, match=r"entry 0, left\.player: expected a whole number"):
        decode_entry_body(entry)
