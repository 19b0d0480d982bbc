# SPDX-License-Identifier: MIT
"""A checkpoint as a note that a key of the test has signed."""

from __future__ import annotations

from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import build_note, encode_tree_head
from controller.journal.tlog.signed_note import SignedNote


def sign_note(key: TableKey, size: int, root: bytes) -> SignedNote:
    signature = key.sign(encode_tree_head(key.public, size, root).encode())
    return build_note(key.public, size, root, signature)
