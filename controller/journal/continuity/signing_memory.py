# SPDX-License-Identifier: MIT
"""
The last checkpoint that the table signed, stored beside its key and in no backup.

Anybody who may write the journal can put an older one back, or chain a changed one again
without the key. The memory is written before each checkpoint, so it contradicts a journal that
does not begin with the signed entries. The table signs such a journal only after an entry has
recorded the contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.base.durable_files import BAD_JSON, PRIVATE, atomic_write, read_json
from controller.journal.checkpoint import Checkpoint, encode_checkpoint, parse_checkpoint
from controller.journal.hashchain import Body, encode_canonical
from controller.journal.merkle import MerkleTree

MEMORY_FILE = "table.signed"
ROLLBACK = "rollback"
"""The kind of the entry about a journal that contradicts the memory at a start."""
MEMORY_LOST = "memory_lost"  # The kind of the entry about a memory that is missing at a start.
OLDER, OTHER = "older", "other"
"""How a journal contradicts the memory: it ends too early, or its entries differ."""


@dataclass(frozen=True, slots=True)
class SigningMemory:
    """The last checkpoint that the table signed, and the key that it signed with."""

    checkpoint: Checkpoint
    key_hex: str  # The public key in hexadecimal.

    def save(self, folder: Path) -> None:
        """Write it to a data folder; OSError if the disk refuses."""
        text = {"checkpoint": encode_checkpoint(self.checkpoint), "key": self.key_hex}
        atomic_write(folder / MEMORY_FILE, encode_canonical(text) + b"\n", mode=PRIVATE)

    def find_contradiction(self, tree: MerkleTree) -> str:
        """Return how the first lines, up to the signed size, differ: `older`, `other` or empty."""
        if tree.size < self.checkpoint.size:
            return OLDER
        return "" if tree.root() == self.checkpoint.root else OTHER

    def build_rollback(self, how: str) -> Body:
        """Return the fields of the entry about this contradiction."""
        return {
            "how": how,
            "size": self.checkpoint.size,
            "signed": encode_checkpoint(self.checkpoint),
            "key": self.key_hex,
        }


def load_memory(folder: Path) -> SigningMemory | None:
    """Return the memory in a data folder; `None` if there is none or it cannot be read."""
    try:
        found = read_json(folder / MEMORY_FILE)
        checkpoint, key_hex = parse_checkpoint(str(found["checkpoint"])), found["key"]
    except BAD_JSON:
        return None
    if not isinstance(checkpoint, Checkpoint) or not isinstance(key_hex, str):
        return None
    return SigningMemory(checkpoint, key_hex)
