# SPDX-License-Identifier: MIT
"""
Check lines as the continuation of a journal: chain, numbers and checkpoints.

A line that breaks the chain is refused. A checkpoint that contradicts the lines before it is a
line like any other, so it is stored; the flaw is recorded for the arbiter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.journal.checkpoint import (
    CHECKPOINT,
    decode_checkpoint,
    decode_key,
    decode_note_signature,
)
from controller.journal.hashchain import (
    GENESIS_PREV,
    BrokenEntryError,
    Entry,
    decode_sound,
    parse_entry,
)
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import verify_signature
from controller.journal.tlog.checkpoint_note import build_note, encode_tree_head, parse_tree_head
from controller.journal.tlog.kept_checkpoints import is_kept_signed
from controller.journal.tlog.signed_note import encode_note, parse_note
from controller.tournament.server.store.values import MOST_LINE_BYTES, BrokenBatchError

_DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class JournalHead:
    """Where a journal ends, and what the next line must fit."""

    size: int = 0  # The number of its lines.
    link: str = GENESIS_PREV  # The link of the last one.
    # The key that its newest `key` entry names, in hexadecimal; empty before the first.
    signer: str = ""
    subtrees: bytes = b""  # The complete subtrees of its Merkle tree, one after the other.
    note: str = ""  # Its newest valid checkpoint as a signed note; empty before the first.

    @property
    def is_signed(self) -> bool:
        """Whether its newest checkpoint covers all other lines."""
        if not self.note:
            return self.size == 0
        return parse_tree_head(parse_note(self.note.encode())).size == self.size - 1

    @property
    def last_entry(self) -> Entry | None:
        """A stand-in of the last entry: its number and its link alone; None before the first."""
        if not self.size:
            return None
        return Entry(seq=self.size - 1, at_ms=0, kind="", body={}, prev="", link=self.link)

    def build_tree(self) -> MerkleTree:
        """Return the tree over its lines."""
        starts = range(0, len(self.subtrees), _DIGEST_BYTES)
        parts = [self.subtrees[start : start + _DIGEST_BYTES] for start in starts]
        return MerkleTree.restore(self.size, parts)


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """Lines that continue a journal."""

    head: JournalHead  # Where the journal ends with these lines.
    entries: tuple[Entry, ...]
    flaws: tuple[tuple[int, str], ...]  # Numbers of checkpoints that are wrong, and why.


class ForkedChainError(Exception):
    """A whole entry follows another one than the last line; `line` is the evidence."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        super().__init__("the line follows another one")


def split_lines(body: bytes) -> tuple[bytes, ...]:
    """Return the lines of a request; the newline after the last one may be missing."""
    lines = body.split(b"\n")
    return tuple(lines[:-1] if not lines[-1] else lines)


def check_batch(head: JournalHead, lines: Sequence[bytes]) -> CheckedBatch:
    """
    Check lines that shall follow a journal's last one.

    Raises:
        BrokenBatchError: One of them is no entry or does not fit; none must be stored.
        ForkedChainError: The first one follows another line than the journal's last one.
    """
    before = head.last_entry
    entries: list[Entry] = []
    for line in lines:
        before = _parse_line(line, before, is_first=not entries)
        entries.append(before)
    return join_batch(head, entries, lines)


def join_batch(head: JournalHead, entries: Sequence[Entry], lines: Sequence[bytes]) -> CheckedBatch:
    """Continue a journal by entries which are chained to its last one, and by their lines."""
    tree, signer, note = head.build_tree(), head.signer, head.note
    flaws: list[tuple[int, str]] = []
    for entry, line in zip(entries, lines, strict=True):
        if entry.kind == "key":
            signer = _read_key(entry) or signer
        elif entry.kind == CHECKPOINT:
            flaw, made = _check_checkpoint(entry, tree, signer)
            flaws += [(entry.seq, flaw)] if flaw else []
            note = made or note
        tree.append(line)
    last = JournalHead(tree.size, entries[-1].link, signer, b"".join(tree.subtrees), note)
    return CheckedBatch(last, tuple(entries), tuple(flaws))


def _parse_line(line: bytes, before: Entry | None, *, is_first: bool) -> Entry:
    seq = before.seq + 1 if before else 0
    require_length(line, seq)
    try:
        return parse_entry(line, before)
    except BrokenEntryError as error:
        if is_first and before and _is_whole(line, seq):
            raise ForkedChainError(line) from error
        expected = "an entry that continues the journal"
        raise BrokenBatchError(expected=expected, found=error.what, where=f"line {seq}") from error


def require_length(line: bytes, seq: int) -> None:
    """Check that a line is one that every reader takes; BrokenBatchError if it is too long."""
    if len(line) > MOST_LINE_BYTES:
        expected = f"a line of at most {MOST_LINE_BYTES} bytes"
        raise BrokenBatchError(expected=expected, found=f"{len(line)} bytes", where=f"line {seq}")


def _is_whole(line: bytes, seq: int) -> bool:
    """Return whether a line is an intact entry with this number, whatever it follows."""
    entry = decode_sound(line)
    return entry is not None and entry.seq == seq


def _read_key(entry: Entry) -> str:
    try:
        return decode_key(entry.body).hex()
    except InputError:
        return ""


def _check_checkpoint(entry: Entry, tree: MerkleTree, signer: str) -> tuple[str, str]:
    """Return what is wrong with a checkpoint, empty for nothing, and its note if it has one."""
    try:
        checkpoint, key = decode_checkpoint(entry.body, at_ms=entry.at_ms)
        note = decode_note_signature(entry.body)
    except InputError as error:
        return f"this checkpoint is malformed: {error}", ""
    if (checkpoint.size, checkpoint.root) != (tree.size, tree.root()):
        return "the lines before this checkpoint are not those that it covers", ""
    if not is_kept_signed(checkpoint, key):
        return "this checkpoint is not signed by the key that it names", ""
    if signer and key.hex() != signer:
        return "this checkpoint names another key than the one of this journal", ""
    head = encode_tree_head(key, checkpoint.size, checkpoint.root).encode()
    if note is None:
        return "", ""
    if not verify_signature(key, note, head):
        return "the note of this checkpoint is not signed by the key that it names", ""
    return "", encode_note(build_note(key, checkpoint.size, checkpoint.root, note))
