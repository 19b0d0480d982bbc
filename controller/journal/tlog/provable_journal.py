# SPDX-License-Identifier: MIT
"""Make proofs from a whole journal. Only checkpoints that were signed as notes carry proofs."""

from __future__ import annotations

from collections.abc import Sequence

from controller.base.errors import InputError
from controller.journal.checkpoint import decode_checkpoint, decode_key
from controller.journal.hashchain import Entry, encode_entry
from controller.journal.merkle import hash_leaf
from controller.journal.tlog.checkpoint_note import read_entry_note
from controller.journal.tlog.merkle_proofs import LeafTree
from controller.journal.tlog.proof_file import ConsistencyProof, InclusionProof
from controller.journal.tlog.signed_note import SignedNote


class ProvableJournal:
    """The entries of an unbroken journal, up to a checkpoint with a note; InputError without."""

    def __init__(self, entries: Sequence[Entry], size: int | None) -> None:
        self._entries = entries
        self.size, self.note = _find_note(entries, size)
        self._tree = LeafTree(hash_leaf(encode_entry(entry)) for entry in entries[: self.size])
        signed, _ = decode_checkpoint(entries[self.size].body, at_ms=entries[self.size].at_ms)
        if self._tree.root(self.size) != signed.root:
            expected = f"a checkpoint that fits the {self.size} entries before it"
            raise InputError(expected=expected, found="one of other entries", where="journal")

    def prove_entry(self, seq: int, *, where: str = "--roll") -> InclusionProof:
        """Prove that an entry is in the journal; InputError if the checkpoint is older than it."""
        if seq >= self.size:
            expected = f"an entry before the checkpoint of {self.size} entries"
            found = f"entry {seq}, which the next checkpoint covers"
            raise InputError(expected=expected, found=found, where=where)
        path = self._tree.prove_inclusion(seq, self.size)
        return InclusionProof(encode_entry(self._entries[seq]), seq, path, self.note)

    def prove_continuation(self, old_size: int) -> ConsistencyProof:
        """Prove that the checkpoint continues an older one; InputError if that is larger."""
        if old_size > self.size:
            expected = f"the size of an older checkpoint, 1 to {self.size}"
            raise InputError(expected=expected, found=str(old_size), where="--from")
        hashes = self._tree.prove_consistency(old_size, self.size)
        return ConsistencyProof(old_size, hashes, self.note)


def _find_note(entries: Sequence[Entry], size: int | None) -> tuple[int, SignedNote]:
    read = ((entry.seq, read_entry_note(entry)) for entry in entries)
    notes = [(seq, note) for seq, note in read if note is not None]
    found = next((each for each in reversed(notes) if size in (None, each[0])), None)
    if found is None:
        sizes = ", ".join(str(each[0]) for each in notes[-5:])
        which = f" of {size} entries" if size else ""
        expected = f"a checkpoint{which} that was signed as a note"
        found_text = (
            f"those of {sizes} entries, the newest ones" if sizes else "none in this journal"
        )
        raise InputError(expected=expected, found=found_text, where="journal")
    return found


def find_newest_key(entries: Sequence[Entry]) -> bytes:
    """Return the 32 bytes of the newest public key; InputError if no entry names one."""
    for entry in reversed(entries):
        if entry.kind == "key":
            return decode_key(entry.body)
    expected = "a journal whose table has a key"
    raise InputError(expected=expected, found="none that names one", where="journal")
