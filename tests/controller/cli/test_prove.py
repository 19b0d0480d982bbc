# SPDX-License-Identifier: MIT
"""`dicebell prove`: proofs that are checked with nothing but themselves and a public key."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.checkpoint import decode_checkpoint, encode_checkpoint, format_words
from controller.journal.journal import read_journal
from controller.journal.signing_key import PUBLIC_FILE, TableKey
from controller.table.events import GameClosed, GameStarted
from tests.support.begun_game import open_table
from tests.support.random_journal import lying

Output = pytest.CaptureFixture[str]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A table that has played two games, of which only the first has rolls."""
    data = tmp_path / "data"
    runtime = open_table(data)
    runtime.begin()
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    for roll in ("12345", "66666"):
        body = {"by": "Ada", "held": "", "roll": roll, "by_hand": "", "lie": lying(tuple(roll))}
        runtime._writer.append("roll", body)
    for _ in range(2):
        runtime.loop.handle(GameClosed())
        runtime.loop.handle(GameStarted("choice", ("Ada",)))
    runtime.loop.handle(GameClosed())
    runtime._writer.append("request", {"dice": 2, "for": "Zoe", "why": "", "by": "Dungeon"})
    body = {"by": "Zoe", "held": "", "roll": "36", "by_hand": "", "lie": lying(("3", "6"))}
    runtime._writer.append("answer", body)
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    runtime.loop.handle(GameClosed())
    runtime.close()
    return data


@pytest.fixture
def key(data: Path, tmp_path: Path) -> str:
    return str(shutil.copy(data / PUBLIC_FILE, tmp_path / "kept.pub"))


def proven(data: Path, path: Path, *options: str) -> str:
    assert main(["prove", str(data), *options, "--output", str(path)]) == 0
    return str(path)


def test_a_roll_is_proven_without_the_journal(
    data: Path, key: str, tmp_path: Path, capsys: Output
) -> None:
    proof = proven(data, tmp_path / "r.tlog-proof", "--game", "1", "--roll", "2")
    verifier = proven(data, tmp_path / "verifier", "--verifier-key")
    shutil.rmtree(data)
    for given in (key, Path(verifier).read_text().strip()):
        assert main(["prove", "--check", proof, "--key", given]) == 0
        assert "is a roll: 66666 by Ada" in capsys.readouterr().out
    assert main(["prove", "--check", proof, "--key", key, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["what"]) == ("proven", "roll")
    assert found["entry"]["roll"] == "66666"


def test_an_answer_to_a_request_is_proven_like_a_roll(
    data: Path, key: str, tmp_path: Path, capsys: Output
) -> None:
    entries = {entry.kind: entry.seq for entry in read_journal(data).entries}
    proof = proven(data, tmp_path / "answer", "--entry", str(entries["answer"]))
    assert main(["prove", "--check", proof, "--key", key]) == 0
    assert "is an answer: 36 for Zoe, " in capsys.readouterr().out
    assert main(["prove", "--check", proof, "--key", key, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["what"] == "answer"
    by_number = proven(data, tmp_path / "number", "--entry", str(entries["roll"]))
    by_roll = proven(data, tmp_path / "roll", "--game", "1", "--roll", "2")
    assert Path(by_number).read_text() == Path(by_roll).read_text()
    size = str(entries["answer"])
    for wanted, found in (
        (str(entries["request"]), "found a request"),
        ("9999", "found 9999 in a journal of"),
    ):
        assert main(["prove", str(data), "--entry", wanted]) == 2
        told = capsys.readouterr().err
        assert "--entry: expected an entry that is a roll, or the answer to a request" in told
        assert found in told
    first = next(entry.seq for entry in read_journal(data).entries if entry.kind == "checkpoint")
    assert main(["prove", str(data), "--entry", size, "--size", str(first)]) == 2
    assert "--entry: expected an entry before the checkpoint of" in capsys.readouterr().err


def test_every_changed_line_of_a_proof_is_told(
    data: Path, key: str, tmp_path: Path, capsys: Output
) -> None:
    path = tmp_path / "r.tlog-proof"
    proven(data, path, "--game", "1", "--roll", "2")
    lines = path.read_text().split("\n")
    entry = base64.b64decode(lines[1].removeprefix("extra "))
    swapped = base64.b64encode(entry.replace(b"66666", b"66665")).decode()
    forged = [
        [lines[0], f"extra {swapped}", *lines[2:]],
        [*lines[:2], "index 1", *lines[3:]],
        [*lines[:3], *lines[4:]],
        [*lines[:3], lines[4], lines[3], *lines[5:]],
        [line.replace("dicebell/", "dicebell/0") for line in lines],
    ]
    for text in forged:
        path.write_text("\n".join(text))
        assert main(["prove", "--check", str(path), "--key", key]) == 1
        assert capsys.readouterr().out.startswith("not proven: ")


def test_a_note_of_another_key_proves_nothing(data: Path, tmp_path: Path, capsys: Output) -> None:
    proof = proven(data, tmp_path / "note")
    other = tmp_path / "other"
    other.mkdir()
    TableKey.load_or_create(other)
    assert main(["prove", "--check", proof, "--key", str(other / PUBLIC_FILE)]) == 1
    assert "not proven: the checkpoint is of dicebell/" in capsys.readouterr().out


def test_a_continuation_is_proven_from_a_kept_checkpoint(
    data: Path, key: str, tmp_path: Path, capsys: Output
) -> None:
    first, *_, last = (e for e in read_journal(data).entries if e.kind == "checkpoint")
    size = str(first.seq)
    proof = proven(data, tmp_path / "proof", "--from", size)
    note = proven(data, tmp_path / "old", "--size", size)
    code = encode_checkpoint(decode_checkpoint(first.body, at_ms=first.at_ms)[0])
    for older in (note, code):
        assert main(["prove", "--check", proof, "--key", key, "--checkpoint", older]) == 0
        assert f"the {last.seq} entries continue the first {size}" in capsys.readouterr().out
    newer = proven(data, tmp_path / "new")
    assert main(["prove", "--check", proof, "--key", key, "--checkpoint", newer]) == 1
    assert main(["prove", "--check", proof, "--key", key]) == 1
    assert "none was given" in capsys.readouterr().out
    words = format_words(first.seq, bytes.fromhex(str(first.body["root"])))
    assert main(["prove", "--check", proof, "--key", key, "--checkpoint", words]) == 2
    assert "expected a checkpoint's code or note, found words" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--roll", "1"], "found 1 in a game without a roll"),
        (["--game", "1", "--roll", "3"], "expected a roll from 1 to 2 of game 1, found 3"),
        (["--from", "999"], "expected the size of an older checkpoint"),
        (["--size", "3"], "expected a checkpoint of 3 entries that was signed as a note"),
        (["--game", "1", "--roll", "1", "--size", "0"], ""),
    ],
)
def test_what_cannot_be_proven_is_one_line(
    data: Path, options: list[str], expected: str, capsys: Output
) -> None:
    try:
        status = main(["prove", str(data), *options])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status == 2
    assert expected in capsys.readouterr().err


def test_a_changed_journal_proves_nothing(data: Path, capsys: Output) -> None:
    path = data / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"66666", b"66665"))
    assert main(["prove", str(data)]) == 2
    assert "expected an unbroken journal" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\n\n", b"old 1\n\nx", b"c2sp.org/tlog-proof@v1\n\n\n\n", b"old x\n\na\n\n",
     b"c2sp.org/tlog-proof@v1\nindex 1\n\no\n1\nA\n\n", b"x" * 5_000_000],
)  # fmt: skip
def test_what_is_no_proof_is_one_line(
    data: Path, key: str, tmp_path: Path, content: bytes, capsys: Output
) -> None:
    path = tmp_path / "proof"
    path.write_bytes(content)
    assert main(["prove", "--check", str(path), "--key", key]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_check_wants_a_key_and_a_proof(data: Path, capsys: Output) -> None:
    assert main(["prove", "--check", "no"]) == 2
    assert "expected --key" in capsys.readouterr().err
    assert main(["prove"]) == 2
    assert "expected DATA, or --check FILE" in capsys.readouterr().err
    assert main(["prove", "--check", "no", "--key", str(data / PUBLIC_FILE)]) == 2
    assert "No such file" in capsys.readouterr().err
