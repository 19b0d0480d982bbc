# SPDX-License-Identifier: MIT
"""
Events of an earlier version are read, checked and written again byte for byte.

Commit d8c6c347 wrote an event of duplicate and one of tables. The Swiss came later, with the kinds
that those have not: check-ins, announced draws, clocks of rounds, calls and appeals. A duplicate
event with the keys of its persons followed, one with players at a table's screen, and one with
sections and teams.
`expected_events.json` holds what `verify --json --no-reread` of their time printed, without the
findings: what a coach of that version judged, a later one may not know.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.journal.hashchain import Entry, decode_entry, encode_canonical
from controller.tournament.entries.codec import KINDS, decode_entry_body, encode_body

HERE = Path(__file__).parent
EXPECTED: dict[str, Any] = json.loads((HERE / "expected_events.json").read_text())


def read_own(name: str) -> list[Entry]:
    """Return the entries of the event's own journal."""
    with zipfile.ZipFile(HERE / f"{name}.zip") as archive:
        return [decode_entry(line) for line in archive.read("event/journal.jsonl").splitlines()]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_archive_of_an_event_verifies_as_before(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["verify", "--json", "--no-reread", "--jobs", "1", str(HERE / f"{name}.zip")]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    expected = EXPECTED[name]
    assert (found["status"], found["break_count"]) == ("fine", 0)
    assert {key: found["event"][key] for key in expected["event"]} == expected["event"]
    tables = [
        {key: table[key] for key in before}
        for table, before in zip(found["tables"], expected["tables"], strict=True)
    ]
    assert tables == expected["tables"]


@pytest.mark.parametrize("name", EXPECTED)
def test_an_entry_of_an_event_encodes_to_the_same_bytes(name: str) -> None:
    for entry in read_own(name):
        body = decode_entry_body(entry)
        if body is not None:
            assert encode_canonical(encode_body(body)) == encode_canonical(entry.body)


def test_the_events_have_every_kind_of_entry() -> None:
    assert {entry.kind for name in EXPECTED for entry in read_own(name)} >= set(KINDS)
