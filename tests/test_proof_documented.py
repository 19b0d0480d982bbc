# SPDX-License-Identifier: MIT
"""Everything that a journal can hold stands in the page about proof, and nothing else does."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from controller.journal.checkpoint import (
    WHAT,
    Checkpoint,
    build_checkpoint_body,
    encode_for_signing,
    format_words,
)
from controller.journal.entries import OUTDATED_KINDS
from controller.journal.hashchain import Body, Value
from controller.table.machine import step
from controller.table.state import TableState
from controller.verify.claims.known_kinds import KNOWN_KEYS, OBJECT_KEYS
from tests.support.table import any_event
from tests.vision.table_model.tables import fair_model
from vision.table_model.model_text import encode_model

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "proof.md").read_text(encoding="utf-8")
MODULES = [ast.parse(path.read_text()) for path in (ROOT / "controller").rglob("*.py")]
TABLES_PLAYED, EVENTS = 40, 120
_WRITERS = ("PendingEntry", "UnwrittenEntry", "append", "_append", "write_entry", "_write_entry")


def documented(name: str) -> dict[str, set[str]]:
    """Return the keys that a table of the page names in each of its rows."""
    found = re.search(rf"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", PAGE, re.DOTALL)
    assert found is not None
    rows = [line.split("|")[1:3] for line in found[1].splitlines()[2:]]
    return {kind.strip(" `"): set(re.findall(r"`(\w+)`", keys)) for kind, keys in rows}


KINDS, OBJECTS = documented("kinds"), documented("objects")


def constants() -> Mapping[str, str]:
    """Return every text that a module of the controller gives a name in capitals."""
    return {
        target.id: node.value.value
        for module in MODULES
        for node in module.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def kinds_written() -> Iterator[str]:
    """Yield the kind of every entry that the code makes, as it stands there."""
    named = constants()
    for module in MODULES:
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                kind = _kind_of(node)
                if isinstance(kind, ast.Constant):
                    yield str(kind.value)
                elif isinstance(kind, ast.Name) and kind.id in named:
                    yield named[kind.id]


def _kind_of(call: ast.Call) -> ast.expr | None:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if (name in _WRITERS and len(call.args) == 2) or (name == "PendingEntry" and call.args):
        return call.args[0]
    kinds = (word.value for word in call.keywords if word.arg == "kind")
    return next(kinds, None) if name == "build_next_entry" else None


@pytest.fixture(scope="module")
def played() -> Mapping[str, set[str]]:
    """Return which keys the entries of many tables have that are played at random, by kind."""
    seen: dict[str, set[str]] = defaultdict(set)
    for seed in range(TABLES_PLAYED):
        chance, state = random.Random(seed), TableState()
        for _ in range(EVENTS):
            state, effects = step(state, any_event(state, chance))
            for effect in effects:
                seen[effect.kind] |= set(effect.body)
                note_objects(effect.body, seen)
    return seen


def note_objects(body: Body, seen: dict[str, set[str]]) -> None:
    for key in OBJECTS:
        held: Value = body.get(key)
        for one in held if isinstance(held, list) else [held]:
            if isinstance(one, Mapping):
                seen[f"in {key}"] |= set(one)


def test_every_kind_of_entry_that_is_written_is_documented() -> None:
    written = set(kinds_written())
    assert {"genesis", "roll", "checkpoint", "key"} <= written
    assert written - set(KINDS) == set()


def test_no_kind_is_documented_that_nobody_writes() -> None:
    assert set(KINDS) - set(kinds_written()) == set()


def test_verify_knows_exactly_the_documented_kinds_and_keys() -> None:
    now = {kind: set(keys) for kind, keys in KNOWN_KEYS.items() if kind not in OUTDATED_KINDS}
    assert now == KINDS
    assert {key: set(names) for key, names in OBJECT_KEYS.items()} == OBJECTS


def test_every_key_of_what_was_played_is_documented(played: Mapping[str, set[str]]) -> None:
    assert {"game", "roll", "action", "undo", "closed", "in lie"} <= set(played)
    for kind, keys in played.items():
        known = OBJECTS[kind[3:]] if kind.startswith("in ") else KINDS[kind]
        assert keys - known == set(), kind


@pytest.fixture(scope="module")
def texts() -> set[str]:
    return {
        node.value
        for module in MODULES
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_documented_key_is_written_somewhere(kind: str, texts: set[str]) -> None:
    assert KINDS[kind] - texts == set()


def test_a_checkpoint_is_as_the_page_says() -> None:
    one = Checkpoint(128, bytes(range(32)), 1, bytes(64))
    body = build_checkpoint_body(one, key_hex="", note_signature=bytes(64))
    assert set(body) == KINDS["checkpoint"]
    assert f"`{format_words(one.size, one.root)}`" in PAGE
    (example,) = re.findall(r'^\{"at_ms".*\}$', PAGE, re.MULTILINE)
    signed = encode_for_signing(size=128, root=one.root, at_ms=1763759000000).decode()
    assert signed == example.replace("f00d...", one.root.hex())
    assert f"`{WHAT} SIZE`" in PAGE


def test_every_key_of_what_a_table_learnt_is_documented() -> None:
    section = PAGE.partition("### What the table learnt")[2].partition("\n## ")[0]
    parts = json.loads(encode_model(fair_model()).text)
    assert f"`version` ({parts['version']})" in section
    assert set(parts) - set(re.findall(r"`(\w+)`", section)) == set()
