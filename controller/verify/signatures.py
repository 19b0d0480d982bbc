# SPDX-License-Identifier: MIT
"""
The Merkle tree, its signatures, and checkpoints that someone kept.

Anyone with the file can rewrite a chain from any entry on. A signed or photographed root
cannot be rewritten. So each checkpoint in the journal is compared with the lines before it, and
each kept checkpoint with the journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from controller.base.errors import InputError
from controller.journal.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    CheckpointWords,
    decode_checkpoint,
    decode_key,
    decode_note_signature,
)
from controller.journal.hashchain import Entry
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import verify_signature
from controller.journal.tlog.checkpoint_note import encode_tree_head
from controller.journal.tlog.kept_checkpoints import (
    KeptCheckpoint,
    format_root,
    format_signature,
    has_root,
    is_kept_signed,
)
from controller.verify.findings import Finding, FindingKind


@dataclass(slots=True)
class KeptCheckResult:
    """The result for a kept checkpoint."""

    kept: KeptCheckpoint
    # Whether the journal has the entries that it covers; `None` if the journal is shorter.
    fits: bool | None = None
    is_followed: bool = False  # Whether its own entry comes next.


class SignatureCheck:
    """The check of checkpoints, line by line, by a key of 32 bytes or by the journal's own."""

    def __init__(self, kept: Sequence[KeptCheckpoint] = (), key: bytes | None = None) -> None:
        self.tree = MerkleTree()  # The tree of all lines so far.

        self.kept = [KeptCheckResult(checkpoint) for checkpoint in kept]
        self.checkpoints = 0  # Number of checkpoints in the journal.
        self.signed = 0  # Number of them with a valid signature.
        self.covered = 0  # Lines covered by the last one that fits and has a valid signature.
        self.keys: list[bytes] = []  # The public keys in the journal, in order, 32 bytes each.
        self.key = key
        self._last_fit: int | None = None
        self._misfit: Finding | None = None
        self._misfits = 0
        self._foreign: set[bytes] = set()
        # Line of the last game's end, until a checkpoint follows.
        self._ended = 0
        self._has_result = False

    def add_line(self, raw: bytes, entry: Entry | None, *, game: int = 0) -> Iterator[Finding]:
        """Check the next line, add it to the tree, and yield findings that the caller locates."""
        self._compare_kept(entry)
        if entry is not None and entry.kind == "key":
            yield from self._check_key(entry)
        if entry is not None and entry.kind == CHECKPOINT:
            self._ended = 0
            yield from self._check_checkpoint(entry, game)
        elif entry is not None:
            self._note_end(entry)
        self.tree.append(raw)

    def finish(self) -> Iterator[Finding]:
        """Report what only the whole journal shows."""
        self._compare_kept(None)
        if self._misfit:
            beside = self._misfit.neighbours
            if self._misfits > 1:
                beside += f" Later ones that do not fit: {self._misfits - 1}."
            yield replace(self._misfit, neighbours=beside)
        for check in self.kept:
            yield from self._check_kept(check)
        yield from self._find_unsigned()

    def _find_unsigned(self) -> Iterator[Finding]:
        if self.key is not None and not self.covered:
            what = "the given key signed nothing in this journal"
            yield Finding(FindingKind.SIGNATURE, what, expected=f"a checkpoint by {self.key.hex()}")
        elif not self.checkpoints:
            what = "this journal has no checkpoint, so nothing is signed"
            yield Finding(FindingKind.UNSIGNED, what)
        elif self._ended:
            what = "no checkpoint follows the end of this game, as after a power cut"
            yield Finding(FindingKind.UNSIGNED, what, self._ended)

    def _note_end(self, entry: Entry) -> None:
        """Remember the end of a game: its result, or its players leaving before that."""
        has_result = bool(entry.body.get("result"))
        if has_result or (entry.kind == "closed" and not self._has_result):
            self._ended = self.tree.size + 1
        if has_result or entry.kind in ("game", "undo", "correction"):
            self._has_result = has_result

    def _check_key(self, entry: Entry) -> Iterator[Finding]:
        try:
            key = decode_key(entry.body)
        except InputError as error:
            what = "this entry names no valid key"
            yield Finding(FindingKind.KEY, what, expected=error.expected, found=error.found)
            return
        if self.keys and key != self.keys[-1]:
            what, before = "the table signs with another key from here on", self.keys[-1].hex()
            yield Finding(FindingKind.KEY_CHANGED, what, expected=before, found=key.hex())
        self.keys.append(key)

    def _check_checkpoint(self, entry: Entry, game: int) -> Iterator[Finding]:
        self.checkpoints += 1
        try:
            checkpoint, key = decode_checkpoint(entry.body, at_ms=entry.at_ms)
            note = decode_note_signature(entry.body)
        except InputError as error:
            yield Finding(FindingKind.CHECKPOINT, f"this checkpoint is malformed: {error}")
            return
        is_signed = is_kept_signed(checkpoint, key)
        self.signed += is_signed
        if self._check_fit(checkpoint, entry, game) and is_signed:
            self._last_fit = self.tree.size + 1
            if self.key in (None, key):
                self.covered = checkpoint.size
        yield from self._check_signer(key)
        head = encode_tree_head(key, checkpoint.size, checkpoint.root).encode()
        if note is not None and not verify_signature(key, note, head):
            what = "the note of this checkpoint is not signed by the key that it names"
            yield Finding(FindingKind.SIGNATURE, what, found=note.hex())
        if not is_signed:
            what = "this checkpoint is not signed by the key that it names"
            expected, found = f"a signature by {key.hex()}", checkpoint.signature.hex()
            yield Finding(FindingKind.SIGNATURE, what, expected=expected, found=found)

    def _check_fit(self, checkpoint: Checkpoint, entry: Entry, game: int) -> bool:
        root = self.tree.root()
        if (checkpoint.size, checkpoint.root) == (self.tree.size, root):
            return True
        self._misfits += 1
        self._misfit = self._misfit or Finding(
            FindingKind.CHECKPOINT,
            "the lines before this checkpoint are not those that it covers",
            self.tree.size + 1,
            entry.seq,
            game,
            expected=f"{checkpoint.size} lines with root {checkpoint.root.hex()}",
            found=f"{self.tree.size} lines with root {root.hex()}",
            neighbours=self._describe_last_fit(),
        )
        return False

    def _describe_last_fit(self) -> str:
        if self._last_fit is None:
            return "No checkpoint before it fits."
        return f"The checkpoint of line {self._last_fit} fits, and so do all lines before it."

    def _check_signer(self, key: bytes) -> Iterator[Finding]:
        """Find a key that should not have signed, once for each key."""
        announced = self.keys[-1] if self.keys else None
        for right, which in ((self.key, "the given one"), (announced, "the one of this journal")):
            if right is not None and right != key and key not in self._foreign:
                self._foreign.add(key)
                what = f"this checkpoint names another key than {which}"
                yield Finding(FindingKind.KEY, what, expected=right.hex(), found=key.hex())

    def _compare_kept(self, next_entry: Entry | None) -> None:
        """Compare the kept checkpoints of this size with the lines so far."""
        for check in self.kept:
            if check.kept.size != self.tree.size or check.fits is not None:
                continue
            check.fits = has_root(check.kept, self.tree.root())
            check.is_followed = next_entry is not None and next_entry.kind == CHECKPOINT

    def _check_kept(self, check: KeptCheckResult) -> Iterator[Finding]:
        kept, size = check.kept, check.kept.size
        if check.fits is None:
            what = f"the kept checkpoint covers {size} entries, and the journal has fewer"
            expected, found = f"{size} entries or more", f"{self.tree.size} entries"
            yield Finding(FindingKind.TRUNCATED, what, expected=expected, found=found)
        elif not check.fits:
            what = f"the first {size} entries are not those of the kept checkpoint"
            expected, beside = format_root(kept), self._describe_smaller(size)
            yield Finding(FindingKind.REWRITTEN, what, expected=expected, neighbours=beside)
        elif not check.is_followed:
            yield self._unfollowed_finding(size)
        keys = dict.fromkeys(self.keys if self.key is None else [self.key])
        if isinstance(kept, CheckpointWords) or not keys:
            return
        if not any(is_kept_signed(kept, key) for key in keys):
            what = f"the kept checkpoint of {size} entries is not signed by this table"
            expected = f"a signature by {' or '.join(key.hex() for key in keys)}"
            yield Finding(
                FindingKind.SIGNATURE, what, expected=expected, found=format_signature(kept)
            )

    def _describe_smaller(self, size: int) -> str:
        sizes = [check.kept.size for check in self.kept if check.fits and check.kept.size < size]
        if not sizes:
            return "No smaller kept checkpoint fits."
        return f"The kept checkpoint of {max(sizes)} entries fits, and so do all entries before it."

    def _unfollowed_finding(self, size: int) -> Finding:
        expected = f"the checkpoint itself as entry {size}"
        what = f"the journal matches the kept checkpoint up to entry {size - 1}, and"
        if self.tree.size == size:
            what, found = f"{what} then ends", "the end of the journal"
            return Finding(FindingKind.TRUNCATED, what, expected=expected, found=found)
        what = f"{what} then continues with another entry"
        return Finding(FindingKind.REWRITTEN, what, line=size + 1, expected=expected)
