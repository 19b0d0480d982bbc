# SPDX-License-Identifier: MIT
"""
Proofs as files: that an entry is in the journal, or that the journal was only continued.

An inclusion proof is a c2sp.org/tlog-proof@v1 with the entry's line as its extra data. A
consistency proof is the body of c2sp.org/tlog-witness, add-checkpoint. Both end with a note.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from controller.base.errors import InputError
from controller.journal.merkle import hash_leaf
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    decode_hash,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.merkle_proofs import MAX_HASHES, verify_consistency, verify_inclusion
from controller.journal.tlog.signed_note import SignedNote, encode_note, parse_note

MAX_PROOF_BYTES = 4_000_000  # More than the longest line in base64, a note and their digests.
_INCLUSION = "c2sp.org/tlog-proof@v1"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A line of the journal without its newline, its index, the digests, and a checkpoint."""

    line: bytes
    index: int
    hashes: tuple[bytes, ...]
    note: SignedNote


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """The size of an older checkpoint, the digests, and a newer checkpoint."""

    old_size: int
    hashes: tuple[bytes, ...]
    note: SignedNote


Proof: TypeAlias = InclusionProof | ConsistencyProof | SignedNote


def encode_proof(proof: Proof) -> str:
    """Return a proof as it is written to a file."""
    if isinstance(proof, SignedNote):
        return encode_note(proof)
    if isinstance(proof, InclusionProof):
        extra = base64.b64encode(proof.line).decode("ascii")
        head = [_INCLUSION, f"extra {extra}", f"index {proof.index}"]
    else:
        head = [f"old {proof.old_size}"]
    hashes = (base64.b64encode(each).decode("ascii") for each in proof.hashes)
    return "\n".join((*head, *hashes, "", encode_note(proof.note)))


def parse_proof(content: bytes) -> Proof:
    """Read a proof or a note, and verify nothing; InputError if it is neither."""
    if len(content) > MAX_PROOF_BYTES:
        raise _proof_error(f"{len(content)} bytes")
    head, separator, note = content.partition(b"\n\n")
    try:
        lines = head.decode("ascii").split("\n") if separator else []
    except UnicodeDecodeError:
        lines = []
    if lines and lines[0] == _INCLUSION:
        return _parse_inclusion(lines[1:], parse_note(note))
    if lines and lines[0].startswith("old "):
        old_size = _parse_number(lines[0], "old ")
        return ConsistencyProof(old_size, _parse_hashes(lines[1:]), parse_note(note))
    return parse_note(content)


def find_fault(proof: Proof, *, name: str, public: bytes, older: TreeHead | None = None) -> str:
    """
    Return why a proof by this origin and key, 32 bytes, does not hold; empty if it does.

    A consistency proof needs the `older` checkpoint. InputError if the note is no checkpoint.
    """
    note = proof if isinstance(proof, SignedNote) else proof.note
    head = parse_tree_head(note)
    if head.origin != name:
        return f"the checkpoint is of {head.origin}, not of {name}"
    if not is_signed_by(note, name, public):
        return f"the checkpoint is not signed by {name}"
    if isinstance(proof, InclusionProof):
        leaf = hash_leaf(proof.line)
        if not verify_inclusion(leaf, proof.index, head.size, proof.hashes, head.root):
            return f"this entry is not entry {proof.index} of the {head.size} signed entries"
    if isinstance(proof, ConsistencyProof):
        return _find_gap(proof, head, older)
    return ""


def _find_gap(proof: ConsistencyProof, head: TreeHead, older: TreeHead | None) -> str:
    if older is None or older.size != proof.old_size:
        given = "none was given" if older is None else f"that of {older.size} was given"
        return f"the proof continues a checkpoint of {proof.old_size} entries, and {given}"
    if not verify_consistency(older.size, head.size, proof.hashes, older.root, head.root):
        return (
            f"the {head.size} signed entries do not continue the {older.size} of the"
            " older checkpoint"
        )
    return ""


def _parse_inclusion(lines: Sequence[str], note: SignedNote) -> InclusionProof:
    extra, index, *hashes = [*lines, "", ""]
    if not extra.startswith("extra "):
        raise _proof_error("one without the entry (extra)")
    try:
        line = base64.b64decode(extra.removeprefix("extra "), validate=True)
    except ValueError as error:
        raise _proof_error("extra data that is not base64") from error
    found = _parse_hashes(hashes[: len(lines) - 2])
    return InclusionProof(line, _parse_number(index, "index "), found, note)


def _parse_number(line: str, prefix: str) -> int:
    number = line.removeprefix(prefix)
    if not line.startswith(prefix) or not _NUMBER.fullmatch(number):
        raise _proof_error(f"{line[:100]!r} instead of {prefix}N")
    return int(number)


def _parse_hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    if len(lines) > MAX_HASHES:
        raise _proof_error(f"{len(lines)} digests")
    return tuple(map(decode_hash, lines))


def _proof_error(found: str) -> InputError:
    return InputError(expected="a proof of `dicebell prove`", found=found, where="proof")
