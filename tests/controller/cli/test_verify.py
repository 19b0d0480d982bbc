# SPDX-License-Identifier: MIT
"""`dicebell verify` as it is called: what it prints, how it ends, and that it writes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.checkpoint import encode_checkpoint, format_words
from controller.journal.hashchain import build_next_entry
from controller.journal.journal import JOURNAL_FILE, Journal
from controller.journal.signing_key import PUBLIC_FILE, TableKey
from controller.journal.tlog.signed_note import encode_note
from controller.verify.findings import FindingKind
from controller.verify.output import MAX_CHARACTERS
from tests.controller.verify.journals import SignedJournal, laid, played
from tests.support.chains import compute_root
from tests.support.signed_note import sign_note

DOCUMENT = Path(__file__).parents[3] / "docs" / "proof.md"


@pytest.fixture
def journal(tmp_path: Path) -> SignedJournal:
    journal = played(tmp_path / "data")
    journal.write(tmp_path / "data")
    return journal


@pytest.fixture
def data(journal: SignedJournal, tmp_path: Path) -> Path:
    return tmp_path / "data"


def verify(*arguments: object) -> int:
    return main(["verify", *map(str, arguments)])


def test_a_sound_journal_ends_with_0_and_says_so(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(data) == 0
    lines = capsys.readouterr().out.splitlines()
    size = len(journal.entries)
    assert any(line.startswith(f"{data}: {size} entries, 1 game, ") for line in lines)
    assert f"in words: {format_words(size, compute_root(journal.lines()))}" in lines
    assert any(line.startswith("signed to its end; by ") for line in lines)
    assert lines[-1] == "fine: nothing is broken"


def test_a_broken_journal_ends_with_1_and_a_line_for_each_break(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = journal.lines()
    laid(data, [*lines[:3], b"rub\x1bbish" * 100, *lines[5:]])
    assert verify(data, "--no-reread") == 1
    out = capsys.readouterr().out
    first, *_ = out.splitlines()
    assert first.startswith("break at line 4, game 1: this line is not an entry; expected an entry")
    assert "By their numbers 2 entries belong between them." in first
    assert "\x1b" not in out
    assert max(len(line) for line in out.splitlines()) < 5 * MAX_CHARACTERS
    assert "pictures were not read again" in out
    assert out.splitlines()[-1].startswith("broken: ")


def test_json_is_one_object_as_documented(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = journal.lines()
    laid(data, [*lines[:3], *lines[4:]])
    kept = encode_checkpoint(journal.kept[-1])
    assert verify(data, "--json", "--checkpoint", kept) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "broken"
    assert found["entries"] == len(lines) - 1
    assert found["kept"] == [{"size": journal.kept[-1].size, "fits": False}]
    assert found["break_count"] == len(found["breaks"])
    assert found["breaks"][0]["kind"] == FindingKind.REWRITTEN.value
    by_line = {each["line"]: each["kind"] for each in found["breaks"]}
    assert by_line[4] == FindingKind.MISSING.value
    document = DOCUMENT.read_text()
    for key in [*found, *found["breaks"][0], *(kind.value for kind in FindingKind)]:
        assert f"`{key}`" in document, key
    laid(data, lines[:-1])
    assert verify(data, "--json", "--no-reread", "--checkpoint", kept) == 1
    without_its_entry = json.loads(capsys.readouterr().out)
    assert without_its_entry["kept"] == found["kept"]


def test_kept_checkpoints_and_the_key_are_taken_in_every_form(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = journal.kept
    texts = ("--checkpoint", encode_checkpoint(first))
    words = ("--checkpoint", format_words(second.size, second.root).upper())
    assert verify(data, *texts, *words, "--key", data / PUBLIC_FILE) == 0
    out = capsys.readouterr().out
    assert f"kept checkpoint of {second.size} entries: fits" in out
    (data / "other").mkdir()
    TableKey.load_or_create(data / "other")
    assert verify(data, "--key", data / "other" / PUBLIC_FILE) == 1


def test_a_kept_note_is_taken_as_text_and_as_file(
    data: Path, journal: SignedJournal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laid(data, journal.lines())
    first, key = journal.kept[0], journal.key
    note = encode_note(sign_note(key, first.size, first.root))
    (tmp_path / "kept.note").write_text(note)
    forms = ("--checkpoint", note.rstrip(), "--checkpoint", str(tmp_path / "kept.note"))
    assert verify(data, *forms) == 0
    assert capsys.readouterr().out.count(f"kept checkpoint of {first.size} entries: fits") == 2
    (other := tmp_path / "other").mkdir()
    foreign = TableKey.load_or_create(other)
    made = encode_note(sign_note(foreign, first.size, first.root))
    assert verify(data, "--checkpoint", made) == 1
    assert "is not signed by this table" in capsys.readouterr().out
    lines = journal.lines()
    assert verify(laid(data, lines[: first.size]), "--checkpoint", note) == 1
    assert verify(data, "--checkpoint", str(tmp_path / "data" / "journal.jsonl")) == 2
    assert "expected a signed note" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere",), "expected the data folder of a table, found no such folder"),
        ((".",), "expected a journal that can be read"),
        (("data", "--checkpoint", "12 apples"), "checkpoint"),
        (("data", "--checkpoint", "dicebell1:1:2:3:4"), "checkpoint"),
        (("data", "--key", "data/journal.jsonl"), "expected a public Ed25519 key"),
        (("data", "--key", "nowhere"), "expected a key file that can be read"),
    ],
)
def test_wrong_input_ends_with_2_and_one_line(
    data: Path,
    arguments: tuple[str, ...],
    expected: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(data.parent)
    assert verify(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert expected in captured.err
    assert captured.err.count("\n") == 1


def test_a_journal_of_a_later_format_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = SignedJournal(TableKey.load_or_create(tmp_path), format=3)
    later.write(tmp_path)
    assert verify(tmp_path) == 2
    assert "expected a journal of format 1 or 2, found 3" in capsys.readouterr().err


def test_nothing_in_the_folder_is_touched(data: Path) -> None:
    def standing() -> dict[Path, tuple[int, int]]:
        files = (*data.rglob("*"), data)
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    before = standing()
    data.chmod(0o555)
    try:
        assert verify(data) == 0
    finally:
        data.chmod(0o755)
    assert standing() == before


def test_what_a_running_table_writes_meanwhile_is_no_break(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 2})
    last = journal.append("pause", {})
    assert verify(tmp_path) == 0
    with open(tmp_path / JOURNAL_FILE, "ab") as file:
        file.write(build_next_entry(last, at_ms=last.at_ms, kind="resume", body={}).link.encode())
    assert verify(tmp_path) == 0
    assert "the last line is incomplete (64 bytes)" in capsys.readouterr().out
    journal.close()


def test_a_message_is_one_line_whatever_stands_in_the_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = SignedJournal(TableKey.load_or_create(tmp_path))
    journal.add("game", {"game": "x\n" * 5000, "players": ["Ada"], "options": {}})
    journal.write(tmp_path)
    for command in ("report", "export"):
        assert main([command, str(tmp_path)]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert len(told) < 2000
        assert "entry 2: " in told or command == "export"


@pytest.mark.parametrize("content", [b"", b"\x00" * 500])
def test_a_journal_without_an_entry_is_nothing_to_be_checked(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (data / JOURNAL_FILE).write_bytes(content)
    assert verify(data) == 2
    assert "expected a journal with an entry, found one without" in capsys.readouterr().err
    assert verify(data, "--checkpoint", encode_checkpoint(journal.kept[0])) == 1
    assert verify(data, "--key", data / PUBLIC_FILE) == 1


def test_a_journal_that_was_converted_on_its_way_is_told_so(
    data: Path, journal: SignedJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    laid(data, [line + b"\r" for line in journal.lines()])
    assert verify(data) == 1
    assert "as if the file had been converted" in capsys.readouterr().out
    assert main(["report", str(data)]) == 2
    assert "found one without; from line 1 on the journal is broken" in capsys.readouterr().err
