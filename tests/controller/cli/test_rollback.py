# SPDX-License-Identifier: MIT
"""A table that finds another journal than it signed says so on screen, in reports and to verify."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from controller.base.errors import InputError
from controller.cli.main import main
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.continuity.restore_marker import MARKER_FILE
from controller.journal.continuity.signing_memory import MEMORY_FILE
from controller.journal.hashchain import Body, Entry, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE, Journal, read_journal
from controller.journal.signing_key import PRIVATE_FILE, PUBLIC_FILE, TableKey
from controller.table.events import GameClosed, GameStarted
from tests.support.begun_game import open_table
from tests.support.full_disk import no_file_larger_than

Output = pytest.CaptureFixture[str]
NOTHING: Mapping[str, Any] = {"text": ""}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    play(tmp_path / "data")
    play(tmp_path / "data")
    return tmp_path / "data"


def play(data: Path) -> list[str]:
    """Start the table, play a game and end it; return what the screen said besides."""
    runtime = open_table(data)
    runtime.begin()
    said = []
    for event in (GameStarted("choice", ("Ada", "Ben")), GameClosed()):
        said.append((runtime.loop.snapshot()["notice"] or NOTHING)["text"])
        runtime.loop.handle(event)
    said.append((runtime.loop.snapshot()["notice"] or NOTHING)["text"])
    runtime.close()
    return said


def kinds_in(data: Path) -> list[str]:
    return [entry.kind for entry in read_journal(data).entries]


def verify(data: Path, capsys: Output, *options: str) -> dict[str, Any]:
    key = ["--key", str(data / PUBLIC_FILE)]
    status = main(["verify", str(data), "--no-reread", "--json", *key, *options])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert status == (found["status"] == "broken")
    return found


def swap_players(body: Body) -> Body:
    """Return the fields of an entry with the players the other way round."""
    other = {"Ada": "Ben", "Ben": "Ada"}
    players = body.get("players")
    if not isinstance(players, list):
        return body
    return {**body, "players": [other[str(name)] for name in players]}


def relink(data: Path) -> None:
    """Change every game of a journal and chain it anew; without the key nothing can be signed."""
    entries: list[Entry] = []
    for old in read_journal(data).entries:
        if old.kind != CHECKPOINT:
            before = entries[-1] if entries else None
            body = swap_players(old.body)
            entries.append(build_next_entry(before, at_ms=old.at_ms, kind=old.kind, body=body))
    lines = b"".join(encode_entry(entry) + b"\n" for entry in entries)
    (data / JOURNAL_FILE).write_bytes(lines)


def test_a_journal_relinked_without_the_key_is_told(data: Path, capsys: Output) -> None:
    relink(data)
    for _ in range(6):
        with open(data / JOURNAL_FILE, "rb") as file:
            lines = len(file.readlines())
        pad(data, lines)
    said = play(data)
    text = "The journal is not the one that was signed here."
    assert said == [text, text, ""]
    found = verify(data, capsys)
    assert [one["kind"] for one in found["breaks"]] == ["rolled back"]
    assert "entries with root" in found["breaks"][0]["expected"]
    assert main(["report", str(data), "--output", str(data.parent / "report.html")]) == 1
    report = (data.parent / "report.html").read_text()
    assert "The journal was not what the table had signed" in report
    assert play(data) == ["", "", ""]
    assert kinds_in(data).count("rollback") == 1


def pad(data: Path, lines: int) -> None:
    """Make a journal as long as before, as somebody does who puts other entries in."""
    journal, found = Journal.open(data)
    assert len(found.entries) == lines
    journal.append("pause", {})
    journal.close()


def test_an_older_backup_that_is_restored_is_told(data: Path, capsys: Output) -> None:
    saved = str(data.parent / "saved.zip")
    assert main(["backup", saved, "--data", str(data)]) == 0
    play(data)
    newer = (data / JOURNAL_FILE).read_bytes()
    capsys.readouterr()
    assert main(["restore", saved, "--data", str(data), "--force", "--data-only"]) == 0
    capsys.readouterr()
    assert newer.startswith((data / JOURNAL_FILE).read_bytes())
    said = play(data)
    assert said[0].startswith("The journal has fewer than the ")
    assert kinds_in(data)[-6:] == [
        *("restart", "restored", "rollback", "game", "closed", "checkpoint")
    ]
    found = verify(data, capsys)
    assert [one["kind"] for one in found["breaks"]] == ["rolled back"]
    assert "restored" in [one["kind"] for one in found["notes"]]
    assert not (data / MARKER_FILE).exists()


def test_a_newest_backup_that_is_restored_breaks_nothing(data: Path, capsys: Output) -> None:
    saved = str(data.parent / "saved.zip")
    assert main(["backup", saved, "--data", str(data)]) == 0
    assert main(["restore", saved, "--data", str(data), "--force", "--data-only"]) == 0
    capsys.readouterr()
    assert play(data)[0].startswith("The games come from a backup of 20")
    found = verify(data, capsys)
    assert found["breaks"] == []
    assert [one["kind"] for one in found["notes"]] == ["restored"]
    assert main(["report", str(data), "--output", str(data.parent / "report.html")]) == 0
    assert "The data was restored from a backup of" in (data.parent / "report.html").read_text()


def test_a_journal_that_was_taken_away_is_told(data: Path, capsys: Output) -> None:
    (data / JOURNAL_FILE).unlink()
    assert play(data)[0].startswith("The journal has fewer than the ")
    assert kinds_in(data)[:3] == ["genesis", "key", "rollback"]
    assert verify(data, capsys)["status"] == "broken"


def test_a_deleted_memory_is_told(data: Path, capsys: Output) -> None:
    (data / MEMORY_FILE).unlink()
    relink_nothing = (data / JOURNAL_FILE).read_bytes()
    assert play(data)[0] == "The table does not remember what it signed before."
    assert (data / JOURNAL_FILE).read_bytes().startswith(relink_nothing)
    found = verify(data, capsys)
    assert found["breaks"] == []
    assert [one["kind"] for one in found["notes"]] == ["memory lost"]
    assert play(data) == ["", "", ""]


@pytest.mark.parametrize("text", ["", "{", "[" * 3000, '{"checkpoint": 1, "key": ""}', "\0"])
def test_a_memory_that_is_none_is_a_lost_one(data: Path, text: str) -> None:
    (data / MEMORY_FILE).write_text(text)
    play(data)
    assert kinds_in(data).count("memory_lost") == 1


def test_a_new_key_and_no_memory_is_only_a_new_key(data: Path) -> None:
    for name in (PRIVATE_FILE, MEMORY_FILE):
        (data / name).unlink()
    play(data)
    assert {"memory_lost", "rollback"}.isdisjoint(kinds_in(data))


def test_nothing_is_signed_before_the_rollback_is_told(data: Path) -> None:
    (data / JOURNAL_FILE).unlink()
    journal, _ = Journal.open(data)
    journal.append("genesis", {"format": 2})
    with pytest.raises(InputError, match="expected a journal that begins with the"):
        journal.checkpoint(TableKey.load_or_create(data))
    assert journal.rollback is not None
    journal.append("rollback", journal.rollback)
    journal.checkpoint(TableKey.load_or_create(data))
    journal.close()


def test_a_cut_before_the_checkpoint_is_no_rollback(data: Path) -> None:
    """The memory is written first, and so it may be ahead of the journal by that one entry."""
    path = data / JOURNAL_FILE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    play(data)
    assert "rollback" not in kinds_in(data)


def test_nothing_is_signed_that_cannot_be_remembered(data: Path) -> None:
    journal, _ = Journal.open(data)
    journal.append("pause", {})
    before = (data / JOURNAL_FILE).read_bytes()
    memory = (data / MEMORY_FILE).read_bytes()
    with no_file_larger_than(50), pytest.raises(OSError, match="File too large"):
        journal.checkpoint(TableKey.load_or_create(data))
    journal.close()
    assert (data / JOURNAL_FILE).read_bytes() == before
    assert (data / MEMORY_FILE).read_bytes() == memory


def test_a_forged_rollback_says_that_nobody_signed_it(data: Path, capsys: Output) -> None:
    journal, _ = Journal.open(data)
    key = TableKey.load_or_create(data).public_hex
    code = f"dicebell1:9:0:{'A' * 43}:{'A' * 86}"
    journal.append("rollback", {"how": "older", "size": 9, "signed": code, "key": key})
    journal.close()
    (told,) = verify(data, capsys)["breaks"]
    assert told["expected"] == ""
    assert "is not signed by the key it names" in told["neighbours"]


def test_a_note_that_the_key_did_not_sign_is_told(data: Path, capsys: Output) -> None:
    entries = list(read_journal(data).entries)
    last = entries[-1]
    body = {**last.body, "note": "A" * 86}
    changed = build_next_entry(entries[-2], at_ms=last.at_ms, kind=last.kind, body=body)
    lines = [*map(encode_entry, entries[:-1]), encode_entry(changed)]
    (data / JOURNAL_FILE).write_bytes(b"".join(line + b"\n" for line in lines))
    (told,) = verify(data, capsys)["breaks"]
    assert told["what"] == "the note of this checkpoint is not signed by the key that it names"
