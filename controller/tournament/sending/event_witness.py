# SPDX-License-Identifier: MIT
"""
The table as a witness of the event's own journal.

It remembers the last checkpoint of that journal that it saw. It cosigns a newer one only if that
continues the remembered one, and remembers it before the cosignature leaves the table. It
also writes it into its own journal, which the organiser has no key to change. If the server shows
another past, the table keeps both checkpoints in its journal and cosigns no more.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.base.durable_files import PRIVATE, fsync_folder, read_regular_file, write_json
from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.base.strict_json import parse_json
from controller.journal.hashchain import Body
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    decode_hash,
    derive_origin,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.cosignature import compute_cosignature
from controller.journal.tlog.merkle_proofs import MAX_HASHES, verify_consistency
from controller.journal.tlog.signed_note import SignedNote, encode_note, parse_note

FILE_NAME = "tournament.seen"
WITNESSED = "witnessed"
CONTRADICTED = "contradicted"
_MOST_BYTES = 20_000
_MOST_NOTE_BYTES = 4_000
_NOTES = ("seen", "shown")


class EventWitness:
    """
    What one table knows of the journal of one event; for one thread.

    Args:
        server_key: The key of the event in hexadecimal.
        write_entry: Writes an entry to the table's journal, some time later.
    """

    def __init__(
        self, folder: Path, key: TableKey, server_key: str, write_entry: Callable[[str, Body], None]
    ) -> None:
        self._path = folder / FILE_NAME
        self._key = key
        self._server_key = server_key
        self._write_entry = write_entry
        self._seen, self._shown = load_seen(folder, server_key)

    @property
    def seen(self) -> TreeHead | None:
        """The last checkpoint that it cosigned; None before the first."""
        return parse_tree_head(self._seen) if self._seen else None

    @property
    def contradiction(self) -> Message | None:
        """What the server showed that it must not, in a sentence; None if all is well."""
        return describe_contradiction(self._seen, self._shown)

    def has_news(self, told: Any) -> bool:
        """Return whether an answer names a checkpoint with more entries than the remembered one."""
        size = told.get("size") if isinstance(told, dict) else None
        seen = self.seen
        return type(size) is int and size > (seen.size if seen else 0)

    def is_doubted(self, told: Any) -> bool:
        """Return whether an answer names a checkpoint that the remembered one may contradict."""
        seen = self.seen
        if seen is None or self._shown is not None or not isinstance(told, dict):
            return False
        size, root = told.get("size"), told.get("root")
        return type(size) is int and (
            size < seen.size or (size == seen.size and root != seen.root.hex())
        )

    def judge(self, body: dict[str, Any]) -> TreeHead | None:
        """
        Return the checkpoint in a server's proof if it continues the remembered one.

        Then it is remembered on the disk, and written to the journal if it is newer. If it
        contradicts that one, both are written to the journal.

        Raises:
            InputError: The answer is no checkpoint that the server signed, with a proof.
            OSError: The disk refuses.
        """
        content = str(body.get("checkpoint")).encode()
        if len(content) > _MOST_NOTE_BYTES:
            expected = f"a checkpoint of {_MOST_NOTE_BYTES} bytes at most"
            raise InputError(expected=expected, found=f"{len(content)} bytes")
        note = parse_note(content)
        head = parse_tree_head(note)
        public = bytes.fromhex(self._server_key)
        if not is_signed_by(note, derive_origin(public), public):
            raise InputError(expected="a checkpoint that the desk signed", found="another one")
        seen = self.seen
        if seen is not None and not _continues(seen, head, _read_hashes(body)):
            assert self._seen is not None, "it has a head"
            self._save(self._seen, note)
            said = {"seen": encode_note(self._seen), "shown": encode_note(note)}
            self._write_entry(CONTRADICTED, {"key": self._server_key, **said})
            return None
        if seen is None or head.size > seen.size:
            self._save(note, None)
            self._write_entry(WITNESSED, {"key": self._server_key, "seen": encode_note(note)})
        return head

    def cosign(self, head: TreeHead, at_s: int) -> bytes:
        """Return the request that holds the cosignature of a checkpoint."""
        assert self._seen is not None, "only what is remembered is cosigned"
        cosignature = compute_cosignature(self._seen.text, self._key, at_s)
        return json.dumps(
            {
                "size": head.size,
                "root": base64.b64encode(head.root).decode("ascii"),
                "cosignature": base64.b64encode(cosignature).decode("ascii"),
            }
        ).encode()

    def _save(self, seen: SignedNote | None, shown: SignedNote | None) -> None:
        content = {
            "key": self._server_key,
            "seen": encode_note(seen) if seen else None,
            "shown": encode_note(shown) if shown else None,
        }
        write_json(self._path, content, mode=PRIVATE)
        self._seen, self._shown = seen, shown


def load_seen(folder: Path, server_key: str) -> tuple[SignedNote | None, SignedNote | None]:
    """Return the checkpoint of an event that a table saw last, and one that contradicts it."""
    try:
        told = parse_json(read_regular_file(folder / FILE_NAME, _MOST_BYTES))
        if told["key"] != server_key:
            return None, None
        notes = [parse_note(told[name].encode()) if told[name] else None for name in _NOTES]
        for note in notes:
            if note is not None:
                parse_tree_head(note)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None, None
    return notes[0], notes[1]


def forget_seen(folder: Path) -> None:
    """Forget what a table saw of an event that it leaves; OSError if the disk refuses."""
    (folder / FILE_NAME).unlink(missing_ok=True)
    fsync_folder(folder)


def describe_contradiction(seen: SignedNote | None, shown: SignedNote | None) -> Message | None:
    """Return how two checkpoints contradict each other, in a sentence; None without a second."""
    if seen is None or shown is None:
        return None
    before, now = parse_tree_head(seen), parse_tree_head(shown)
    if now.size < before.size:
        return message(
            "The desk showed {before} entries of its own journal earlier, and has only {now}.",
            before=before.size,
            now=now.size,
        )
    return message(
        "The desk rewrote its own journal: its {now} entries do not continue the {before} that it "
        "showed earlier.",
        before=before.size,
        now=now.size,
    )


def _continues(seen: TreeHead, head: TreeHead, hashes: tuple[bytes, ...]) -> bool:
    if head.size == seen.size:
        return head.root == seen.root
    return verify_consistency(seen.size, head.size, hashes, seen.root, head.root)


def _read_hashes(body: dict[str, Any]) -> tuple[bytes, ...]:
    hashes = body.get("hashes")
    if not isinstance(hashes, list) or len(hashes) > MAX_HASHES:
        raise InputError(expected="the digests of a proof", found="none")
    return tuple(decode_hash(str(each)) for each in hashes)
