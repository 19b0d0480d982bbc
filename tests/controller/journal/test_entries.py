# SPDX-License-Identifier: MIT
"""Every entry of a table is read whole, and whatever else stands in a line is no error."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.entries import (
    ABOUT_THE_JOURNAL,
    ENDS_A_REQUEST,
    KINDS,
    READ,
    RULED,
    STARTS,
    RollEntry,
    TableEntry,
    UnknownEntry,
    decode_body,
    encode_part,
    list_keys,
    read_entry,
)
from controller.journal.hashchain import Body, Entry, decode_entry, encode_canonical
from controller.table.machine import step
from controller.table.state import TableState
from tests.support.table import any_event
from tests.support.table_entries import ANYTHING, parts_of

TESTS = Path(__file__).parents[2]


def written(value: Any) -> Any:
    """Return a value as it is read from the disk."""
    return json.loads(encode_canonical(value))


def old_journals() -> Iterator[tuple[str, bytes]]:
    for path in sorted((TESTS / "compatibility").glob("*.zip")):
        if path.name.startswith("event-"):
            continue
        with zipfile.ZipFile(path) as backup:
            for name in backup.namelist():
                if name.endswith("journal.jsonl"):
                    yield f"{path.name}/{name}", backup.read(name)
    for path in sorted((TESTS / "proof" / "vectors").glob("*/journal.jsonl")):
        yield path.parent.name, path.read_bytes()


OLD = dict(old_journals())


def require_whole(kind: str, body: Body) -> None:
    """Check that a value has every known key of its entry, each as it stands there."""
    said = decode_body(kind, body)
    assert isinstance(said, TableEntry), said
    again = written(encode_part(said))
    assert {key: again.get(key) for key in body if key in list_keys(type(said))} == {
        key: value for key, value in body.items() if key in list_keys(type(said))
    }


@pytest.mark.parametrize("journal", OLD)
def test_nothing_of_an_old_journal_is_lost(journal: str) -> None:
    entries = [decode_entry(line) for line in OLD[journal].splitlines() if is_entry(line)]
    assert entries
    for entry in entries:
        if entry.kind in KINDS:
            require_whole(entry.kind, entry.body)


def is_entry(line: bytes) -> bool:
    """Return whether a line is one; some vectors are broken on purpose."""
    try:
        decode_entry(line)
    except ValueError:
        return False
    return True


def test_there_are_old_journals_of_every_game() -> None:
    assert sum(name.endswith("data/journal.jsonl") or "zip" in name for name in OLD) == 8


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_a_value_comes_back_from_the_disk(kind: str, data: st.DataObject) -> None:
    value = data.draw(parts_of(KINDS[kind]))
    body = written(encode_part(value))
    assert decode_body(kind, body) == value
    assert decode_body(kind, {**body, "from a later version": 1}) == value


@pytest.mark.parametrize("seed", range(2))
def test_nothing_of_what_a_table_writes_is_lost(seed: int) -> None:
    chance, state = random.Random(seed), TableState()
    kinds = set()
    for _ in range(600):
        state, effects = step(state, any_event(state, chance))
        for effect in effects:
            kinds.add(effect.kind)
            require_whole(effect.kind, written(effect.body))
    assert {"game", "roll"} <= kinds


@given(kind=st.sampled_from([*KINDS, "weather"]), data=st.data())
def test_whatever_stands_there_is_no_error(kind: str, data: st.DataObject) -> None:
    keys = sorted(list_keys(KINDS[kind])) if kind in KINDS else ["wind"]
    body = data.draw(st.dictionaries(st.sampled_from([*keys, "odd"]), ANYTHING))
    said = decode_body(kind, body)
    assert said.kind == kind
    assert isinstance(said, TableEntry) or said.reason


def test_a_roll_of_format_1_says_nothing_of_a_frame() -> None:
    said = decode_body("roll", {"by": "Ada", "roll": "1", "by_hand": "", "lie": []})
    assert isinstance(said, RollEntry)
    assert (said.crop_px, said.frame_px) == ((0, 0, 0, 0), (0, 0))


def test_an_entry_that_does_not_fit_has_a_reason() -> None:
    body: Body = {"by": "Ada", "roll": "1", "by_hand": "", "lie": [{"face": "six"}]}
    found = read_entry(Entry(0, 0, "roll", body, "", ""))
    assert found == UnknownEntry("roll", "Expected `int`, got `str` - at `$.lie[0].face`")
    assert decode_body("weather", {}) == UnknownEntry("weather", "no kind of entry has this name")


def test_true_is_no_number() -> None:
    assert isinstance(decode_body("clock", {"jump_ms": True}), UnknownEntry)


def test_every_grouped_kind_is_known() -> None:
    assert set(KINDS) > STARTS | READ | ENDS_A_REQUEST | RULED | ABOUT_THE_JOURNAL


_COUNT_LEARNT = """
import sys

import msgspec

from controller.journal import entries

learnt = []


def profile(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        learnt.append(frame)


sys.setprofile(profile)
for kind in entries.KINDS:
    entries.decode_body(kind, {})
print(len(learnt))


class New(msgspec.Struct):
    number: int


msgspec.convert({"number": 1}, New)
print(len(learnt))
"""


def test_no_class_is_learnt_while_threads_read_entries() -> None:
    # In a process of its own: here others have read entries.
    command = [sys.executable, "-c", _COUNT_LEARNT]
    counted = subprocess.run(command, check=True, capture_output=True, text=True)
    assert counted.stdout.split() == ["0", "1"]
