# SPDX-License-Identifier: MIT
"""Sign the event's own journal, as a table signs its one."""

from __future__ import annotations

from controller.journal.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    build_checkpoint_body,
    encode_for_signing,
)
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import encode_tree_head
from controller.tournament.server.store.batch import JournalHead
from controller.tournament.server.store.values import Draft


def build_own_checkpoint(key: TableKey, head: JournalHead, at_ms: int) -> Draft:
    """Return the checkpoint that covers a journal up to this head, signed with its key."""
    size, root = head.size, head.build_tree().root()
    signed = key.sign(encode_for_signing(size=size, root=root, at_ms=at_ms))
    note = key.sign(encode_tree_head(key.public, size, root).encode())
    made = Checkpoint(size, root, at_ms, signed)
    body = build_checkpoint_body(made, key_hex=key.public_hex, note_signature=note)
    return Draft(CHECKPOINT, body)
