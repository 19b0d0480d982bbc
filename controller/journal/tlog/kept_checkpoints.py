# SPDX-License-Identifier: MIT
"""
Checkpoints that somebody kept outside a journal: as a code, by their words, or as a note.

A code and a note hold the whole root and a signature. Words hold some bits of the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from controller.base.durable_files import read_regular_file
from controller.base.errors import refuse_os_errors
from controller.journal.checkpoint import (
    Checkpoint,
    CheckpointWords,
    derive_words,
    encode_for_signing,
    format_words,
    parse_checkpoint,
)
from controller.journal.signing_key import verify_signature
from controller.journal.tlog.checkpoint_note import derive_origin, is_signed_by, parse_tree_head
from controller.journal.tlog.signed_note import MAX_NOTE_BYTES, SignedNote, parse_note


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A checkpoint as a signed note, with the size and the root, 32 bytes, that it names."""

    size: int
    root: bytes
    note: SignedNote


KeptCheckpoint: TypeAlias = Checkpoint | CheckpointWords | KeptNote


def parse_kept(text: str) -> KeptCheckpoint:
    """Parse a code, words, a note, or the path of a file with a note; InputError if it is none."""
    if "\n" in text:
        return _parse_kept_note(text.encode())
    path = Path(text)
    try:
        is_file = path.is_file()
    except OSError:
        is_file = False
    if not is_file:
        return parse_checkpoint(text)
    with refuse_os_errors("a file with a note", text):
        content = read_regular_file(path, MAX_NOTE_BYTES)
    return _parse_kept_note(content)


def has_root(kept: KeptCheckpoint, root: bytes) -> bool:
    """Return whether this is the root of a kept checkpoint, as far as it holds one."""
    if isinstance(kept, CheckpointWords):
        return kept.words == derive_words(kept.size, root)
    return kept.root == root


def is_kept_signed(kept: Checkpoint | KeptNote, key: bytes) -> bool:
    """Return whether this public key, 32 bytes, signed a kept checkpoint."""
    if isinstance(kept, KeptNote):
        return is_signed_by(kept.note, derive_origin(key), key)
    signed = encode_for_signing(size=kept.size, root=kept.root, at_ms=kept.at_ms)
    return verify_signature(key, kept.signature, signed)


def format_signature(kept: Checkpoint | KeptNote) -> str:
    """Return whose signature a kept checkpoint has, or the signature itself."""
    if isinstance(kept, KeptNote):
        return ", ".join(signed.name for signed in kept.note.signatures)
    return kept.signature.hex()


def format_root(kept: KeptCheckpoint) -> str:
    """Return the root of a kept checkpoint for people."""
    if isinstance(kept, CheckpointWords):
        return " ".join((str(kept.size), *kept.words))
    return f"root {kept.root.hex()}, in words {format_words(kept.size, kept.root)}"


def _parse_kept_note(content: bytes) -> KeptNote:
    # A copied text often lacks the newline at its end.
    note = parse_note(content if content.endswith(b"\n") else content + b"\n")
    head = parse_tree_head(note)
    return KeptNote(head.size, head.root, note)
