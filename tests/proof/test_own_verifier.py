# SPDX-License-Identifier: MIT
"""
The page about proof is enough to write a verifier: one that was written from it agrees.

Both are held against the test vectors and against journals that an earlier version wrote.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.appliance.backup.restore import restore_backup
from controller.base.errors import InputError
from controller.journal.checkpoint import (
    Checkpoint,
    derive_words,
    encode_checkpoint,
    encode_for_signing,
)
from controller.journal.hashchain import encode_canonical
from controller.journal.signing_key import verify_signature
from controller.journal.wordlist import WORDS
from controller.verify.verify import VerifyResult, verify_journal
from tests.proof import own_verifier
from tests.proof.make_vectors import FOLDER
from tests.support.chains import compute_root

COMPATIBILITY = Path(__file__).parent.parent / "compatibility"
VECTORS: dict[str, Any] = json.loads((FOLDER / "vectors.json").read_text())
JOURNALS: dict[str, Any] = json.loads((FOLDER / "journals.json").read_text())
ALLOWED = {*sys.stdlib_module_names, "cryptography"}

each_journal = pytest.mark.parametrize("name", sorted(JOURNALS))


def words_of(found: VerifyResult) -> str:
    return " ".join(
        (str(found.entries), *derive_words(found.entries, found.signatures.tree.root()))
    )


def is_spelled(text: str, spell: Callable[[Any], bytes]) -> bool:
    """Return whether a text is JSON in its one spelling."""
    try:
        return spell(json.loads(text)) == text.encode()
    except (ValueError, TypeError):
        return False


def test_the_own_verifier_uses_nothing_of_the_product() -> None:
    nodes = ast.walk(ast.parse(Path(own_verifier.__file__).read_text()))
    froms = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    nodes = ast.walk(ast.parse(Path(own_verifier.__file__).read_text()))
    names = [each.name for node in nodes if isinstance(node, ast.Import) for each in node.names]
    assert {name.partition(".")[0] for name in (*froms, *names)} <= ALLOWED


def test_the_page_lists_the_words_in_their_order() -> None:
    assert own_verifier.word_list() == list(WORDS)


@pytest.mark.parametrize("spelling", VECTORS["spellings"], ids=lambda each: each["utf8_hex"][:20])
def test_a_value_has_the_spelling_of_the_vectors(spelling: dict[str, Any]) -> None:
    expected = bytes.fromhex(spelling["utf8_hex"])
    assert own_verifier.spell(spelling["value"]).encode() == expected
    assert encode_canonical(spelling["value"]) == expected


@pytest.mark.parametrize("text", VECTORS["odd_spellings"])
def test_another_spelling_is_refused(text: str) -> None:
    assert not is_spelled(text, lambda value: own_verifier.spell(value).encode())
    assert not is_spelled(text, encode_canonical)


def test_a_tree_has_the_root_of_the_vectors() -> None:
    for tree in VECTORS["trees"]:
        lines = [line.encode() for line in tree["lines"]]
        assert own_verifier.tree_root(lines).hex() == tree["root"]
        assert compute_root(lines).hex() == tree["root"]


def test_a_checkpoint_is_that_of_the_vectors() -> None:
    key = VECTORS["public_key"]
    for each in VECTORS["checkpoints"]:
        size, root, at_ms = each["size"], each["root"], each["at_ms"]
        signed = own_verifier.signed_bytes(size, root, at_ms)
        assert signed == each["signed"].encode()
        assert signed == encode_for_signing(size=size, root=bytes.fromhex(root), at_ms=at_ms)
        signature = own_verifier.decode_base64(each["signature"])
        assert own_verifier.is_signed(key, each["signature"], signed)
        assert not own_verifier.is_signed(key, each["signature"], signed + b" ")
        assert verify_signature(bytes.fromhex(key), signature, signed)
        assert own_verifier.words(size, bytes.fromhex(root)) == each["words"]
        checkpoint = Checkpoint(size, bytes.fromhex(root), at_ms, signature)
        assert encode_checkpoint(checkpoint) == each["code"]


@each_journal
def test_the_own_verifier_finds_what_the_vectors_say(name: str) -> None:
    expected = JOURNALS[name]
    if expected["status"] == "refused":
        with pytest.raises(own_verifier.RefusedError):
            own_verifier.verify(FOLDER / name)
        return
    found = own_verifier.verify(FOLDER / name)
    assert ("broken" if found.breaks else "fine") == expected["status"]
    assert [line for line, _ in found.breaks][:1] == [expected["first_broken_line"]][
        : len(found.breaks)
    ]
    if expected["status"] == "fine":
        assert own_verifier.words(found.lines, found.root) == expected["words"]


@each_journal
def test_verify_finds_what_the_vectors_say(name: str) -> None:
    expected = JOURNALS[name]
    if expected["status"] == "refused":
        with pytest.raises(InputError):
            verify_journal(FOLDER / name, rereads=False)
        return
    found = verify_journal(FOLDER / name, rereads=False)
    assert ("broken" if found.is_broken else "fine") == expected["status"]
    assert (found.entries, found.signatures.tree.root().hex()) == (
        expected["size"],
        expected["root"],
    )
    assert words_of(found) == expected["words"]
    breaks = found.findings.in_order(is_break=True)
    assert next((each.line for each in breaks), 0) == expected["first_broken_line"]


def test_unknown_things_are_told_by_both() -> None:
    for name, what in (("unknown-kind", "weather"), ("unknown-key", "game.wind")):
        (note,) = own_verifier.verify(FOLDER / name).notes
        assert note[1] == f"unknown {what}"
        notes = verify_journal(FOLDER / name, rereads=False).findings.in_order(is_break=False)
        assert [each.line for each in notes if each.kind.value.startswith("unknown")] == [note[0]]


def test_a_kept_checkpoint_fits_only_its_own_journal() -> None:
    sound = own_verifier.verify(FOLDER / "sound")
    other = own_verifier.verify(FOLDER / "pictures")
    for size in sound.checkpoints:
        kept = own_verifier.words(size, sound.roots[size])
        assert sound.fits(kept)
        assert not other.fits(kept)


BACKUPS = [
    path for path in sorted(COMPATIBILITY.glob("*.zip")) if not path.name.startswith("event-")
]


@pytest.mark.parametrize("path", BACKUPS, ids=lambda path: path.stem)
def test_both_agree_on_journals_that_tables_wrote(path: Path, tmp_path: Path) -> None:
    restore_backup(path, tmp_path / "data", None, now=datetime(2026, 12, 1, tzinfo=UTC))
    found = own_verifier.verify(tmp_path / "data")
    product = verify_journal(tmp_path / "data", rereads=False)
    assert found.breaks == []
    assert (found.lines, found.root, found.signed) == (
        *(product.entries, product.signatures.tree.root()),
        product.signatures.signed,
    )


def test_the_own_verifier_runs_by_itself() -> None:
    done = subprocess.run(
        [sys.executable, own_verifier.__file__, FOLDER / "missing-line"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("line ")
