# SPDX-License-Identifier: MIT
"""Find the newest checkpoint of a running table as a note, with what others cosigned under it."""

from __future__ import annotations

from itertools import islice

from controller.base.errors import InputError
from controller.journal.checkpoint import decode_base64
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Entry
from controller.journal.tlog.checkpoint_note import parse_tree_head, read_entry_note
from controller.journal.tlog.cosignature import attach_cosignature, verify_cosignature
from controller.journal.tlog.signed_note import SignedNote

COSIGNED = "cosigned"
_MOST_BACK = 20_000  # A table writes a checkpoint every round, so it is far nearer than this.


def read_newest_note(entries: EntryReader) -> SignedNote | None:
    """Return the newest checkpoint with its valid cosignatures; None before the first."""
    cosigned: list[Entry] = []
    for entry in islice(entries.read_back(), _MOST_BACK):
        if entry.kind == COSIGNED:
            cosigned.append(entry)
        try:
            note = read_entry_note(entry)
        except InputError:
            continue
        if note is not None:
            return _attach_all(note, cosigned)
    return None


def _attach_all(note: SignedNote, cosigned: list[Entry]) -> SignedNote:
    head = parse_tree_head(note)
    for entry in reversed(cosigned):
        body = entry.body
        if (body.get("size"), body.get("root")) != (head.size, head.root.hex()):
            continue
        try:
            public = bytes.fromhex(str(body.get("key")))
        except ValueError:
            continue
        cosignature = decode_base64(body.get("cosignature"))
        if verify_cosignature(note.text, cosignature, public) is not None:
            note = attach_cosignature(note, public, cosignature)
    return note
