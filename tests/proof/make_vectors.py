# SPDX-License-Identifier: MIT
"""
Write the test vectors: `python -m tests.proof.make_vectors`. Only a new format needs new ones.

The key is the same every time, and its secret half is in the vectors: nobody signs with it.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from controller.journal.checkpoint import (
    Checkpoint,
    encode_checkpoint,
    encode_for_signing,
    format_words,
)
from controller.journal.hashchain import Entry, Value, encode_canonical
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import PRIVATE_FILE, TableKey
from tests.controller.verify.journals import SignedJournal, edited, laid, relinked
from tests.support.chains import compute_root
from tests.support.proven_game import proven_game
from tests.support.random_journal import RandomGame

FOLDER = Path(__file__).parent / "vectors"
SECRET = bytes(range(32))
NESTED: Value = [1, [2, []]]
VALUES: tuple[Value, ...] = (
    *(None, True, False, 0, -1, 10**30, "", "Ada", [], {}, NESTED),
    {"b": 1, "a": 2, "": 3, "B": 4, "ä": 5, "aa": 6},
    # As UTF-16 the second key would come first.
    {"\uff41": 1, "\U0001d41a": 2},
    '"\\/\b\t\n\f\r\x00\x1f\x7f\u2028\u2029äß漢\U0001d41a',
)
ODD_SPELLINGS = (
    *('{"b":1,"a":2}', '{"a":1,"a":1}', '{"a": 1}', "[1,\n2]", "1.0", "1e3", "01", "-0", "+1"),
    *('"\\/"', '"\\u0041"', '"\\u000a"', '"\\u001F"', '"\\u00e4"', '"\\ud800"', "\ufeff1", " 1"),
    *("NaN", "'a'", '"\t"', "[1,]", "[" * 40 + "]" * 40),
)
"""Each is no JSON, or not in the one spelling."""


def make_vectors(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "vectors.json", _make_values())
    journals = {}
    for name, (data, status, line) in _make_journals(folder).items():
        lines = (data / "journal.jsonl").read_bytes().split(b"\n")[:-1]
        root = compute_root(lines)
        journals[name] = {
            "status": status,
            "first_broken_line": line,
            "size": len(lines),
            "words": format_words(len(lines), root),
            "root": root.hex(),
        }
    _write(folder / "journals.json", journals)


def _make_values() -> dict[str, object]:
    private = Ed25519PrivateKey.from_private_bytes(SECRET)
    key = TableKey(private)
    lines = [f"line {number}".encode() for number in range(9)]
    roots = [compute_root(lines[:size]) for size in range(len(lines) + 1)]
    signed = []
    for size, root in ((1, roots[1]), (128, bytes(range(32)))):
        data = encode_for_signing(size=size, root=root, at_ms=1_763_759_000_000)
        checkpoint = Checkpoint(size, root, 1_763_759_000_000, key.sign(data))
        code = encode_checkpoint(checkpoint)
        signed.append(
            {
                "size": size,
                "root": root.hex(),
                "at_ms": checkpoint.at_ms,
                "signed": data.decode(),
                "signature": code.split(":")[4],
                "code": code,
                "words": format_words(size, root),
            }
        )
    return {
        "spellings": [
            {"value": value, "utf8_hex": encode_canonical(value).hex()} for value in VALUES
        ],
        "odd_spellings": list(ODD_SPELLINGS),
        "trees": [
            {"lines": [line.decode() for line in lines[:size]], "root": root.hex()}
            for size, root in enumerate(roots)
        ],
        "secret_key": SECRET.hex(),
        "public_key": key.public_hex,
        "checkpoints": signed,
    }


def _make_journals(folder: Path) -> dict[str, tuple[Path, str, int]]:
    """Write the journals; return folder, status and first broken line of each."""
    made: dict[str, tuple[Path, str, int]] = {}

    def add(name: str, lines: Sequence[bytes], status: str, line: int = 0) -> None:
        shutil.rmtree(folder / name, ignore_errors=True)
        made[name] = laid(folder / name, lines), status, line

    journal = _play(folder / "work")
    lines, entries = journal.lines(), journal.entries
    roll = next(place for place, entry in enumerate(entries) if entry.kind == "roll")
    signed = next(place for place, entry in enumerate(entries) if entry.kind == "checkpoint")
    add("sound", lines, "fine")
    add(
        "changed-byte",
        _replace(lines, roll, lambda raw: raw.replace(b"Ada", b"Ida")),
        "broken",
        roll + 1,
    )
    add(
        "odd-spelling",
        _replace(lines, roll, lambda raw: raw.replace(b":", b": ", 1)),
        "broken",
        roll + 1,
    )
    add("missing-line", [*lines[:roll], *lines[roll + 1 :]], "broken", roll + 1)
    add(
        "relinked",
        relinked(edited(entries, "genesis", lambda body: {**body, "software": "another"})),
        "broken",
        signed + 1,
    )
    add("unknown-kind", _with_entry(entries[:roll], "weather", {"wind": 3}), "fine")
    add(
        "unknown-key",
        relinked(edited(entries[:signed], "game", lambda body: {**body, "wind": 3})),
        "fine",
    )
    add(
        "later-format",
        relinked(edited(entries, "genesis", lambda body: {**body, "format": 3})),
        "refused",
    )
    add(
        "odd-notation",
        relinked(edited(entries[:signed], "roll", lambda body: {**body, "roll": "six"})),
        "broken",
        roll + 1,
    )
    add("torn", lines[:roll], "fine")
    (folder / "torn" / "journal.jsonl").write_bytes(b"\n".join(lines[: roll + 1])[:-5])
    shutil.rmtree(folder / "work")
    made |= _make_pictures(folder)
    return made


def _make_pictures(folder: Path) -> dict[str, tuple[Path, str, int]]:
    made = {}
    for name in ("pictures", "picture-changed", "picture-missing", "picture-twice"):
        data = folder / name
        shutil.rmtree(data, ignore_errors=True)
        _lay_key(data)
        game = proven_game(data, "wuerfelspiel", events=2, mischief=0.0, seed=5)
        entries = game.journal.entries
        rolls = [place for place, entry in enumerate(entries) if entry.kind == "roll"]
        digest = str(entries[rolls[0]].body["picture"])
        path = PictureStore(data).picture_path(digest)
        line = rolls[0] + 1
        if name == "picture-changed":
            path.write_bytes(path.read_bytes() + b"!")
        elif name == "picture-missing":
            path.unlink()
        elif name == "picture-twice":
            last = rolls[-1]
            body = {**entries[last].body, "picture": digest}
            twice = relinked([*entries[:last], replace(entries[last], body=body)])
            laid(data, twice)
            line = last + 1
        (data / PRIVATE_FILE).unlink()
        made[name] = data, "fine" if name == "pictures" else "broken", line * (name != "pictures")
    return made


def _play(folder: Path) -> SignedJournal:
    _lay_key(folder)
    journal = SignedJournal(TableKey.load_or_create(folder))
    game = RandomGame(journal, "choice", seed=5, mischief=0.0)
    for _ in range(2):
        game.play(4)
        journal.sign()
    return journal


def _lay_key(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    private = Ed25519PrivateKey.from_private_bytes(SECRET)
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / PRIVATE_FILE).write_bytes(pem)


def _replace(lines: Sequence[bytes], at: int, change: Callable[[bytes], bytes]) -> list[bytes]:
    return [*lines[:at], change(lines[at]), *lines[at + 1 :]]


def _with_entry(entries: Sequence[Entry], kind: str, body: dict[str, Value]) -> list[bytes]:
    added = replace(entries[-1], kind=kind, body=body)
    return relinked([*entries, added])


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make_vectors(FOLDER)
    sys.stdout.write(f"{FOLDER}: {sum(1 for path in FOLDER.rglob('*') if path.is_file())} files\n")
