# SPDX-License-Identifier: MIT
"""An event in a real store, with tables whose journals are games by the rules."""

from __future__ import annotations

import base64
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.base.errors import InputError
from controller.journal.checkpoint import (
    CHECKPOINT,
    Checkpoint,
    build_checkpoint_body,
    encode_for_signing,
)
from controller.journal.hashchain import Body, Entry, build_next_entry, decode_entry, encode_entry
from controller.journal.merkle import MerkleTree
from controller.journal.signing_key import TableKey
from controller.journal.tlog.checkpoint_note import encode_tree_head
from controller.journal.tlog.cosignature import compute_cosignature
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.fields import Source
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import Draft
from controller.tournament.state.state import EventState
from tests.support.random_journal import BEGAN_MS, WrittenJournal
from tests.support.tournament_store import send, wait_until_open

Change = Callable[[Entry], Body | None]
"""Returns what the body of an entry becomes; None removes the entry."""


class RecordedTable(WrittenJournal):
    """A table of an event: its journal with checkpoints and notes."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir()
        self.key = TableKey.load_or_create(folder)
        self.sent = 0
        self._tree = MerkleTree()
        self.add("genesis", {"format": 2, "software": "dicebell", "torn": ""})
        self.add("key", {"key": self.key.public_hex})

    @property
    def box(self) -> str:
        return self.key.public_hex

    def source(self, entry: Entry) -> Source:
        return Source(self.box, entry.seq, entry.link)

    def sign(self) -> None:
        for entry in self.entries[self._tree.size :]:
            self._tree.append(encode_entry(entry))
        self.add(CHECKPOINT, sign_lines(self._tree, self.key, self.next_at_ms))

    def add_cosigned(self, key: TableKey, root: str = "") -> None:
        """Let whoever has this key cosign the newest checkpoint, perhaps with another root."""
        size, root = self.entries[-1].seq, root or str(self.entries[-1].body["root"])
        text = encode_tree_head(self.key.public, size, bytes.fromhex(root))
        made = encode_base64(compute_cosignature(text, key, 5))
        body: Body = {"size": size, "root": root, "key": key.public_hex, "cosignature": made}
        self.add("cosigned", body)


def encode_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class RecordedEvent:
    """An event that is being played; `now_ms` is its clock."""

    def __init__(self, store: JournalStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self.tables: list[RecordedTable] = []

    @property
    def state(self) -> EventState:
        return self.store.event.read(lambda state: state)

    def add_table(self) -> RecordedTable:
        number = len(self.tables) + 1
        table = RecordedTable(self.folder.with_name(f"table {number}"))
        self.tables.append(table)
        self.store.enrol(table.box, f"Table {number}").result()
        return table

    def send(self, table: RecordedTable) -> None:
        """Let a table send what it has written, and write what follows."""
        lines = tuple(encode_entry(entry) for entry in table.entries[table.sent :])
        answer = send(self.store, table.box, table.sent, lines)
        assert answer.next == len(table.entries)
        table.sent = answer.next
        self.write_due()

    def write(self, *entries: EventEntry) -> None:
        self.store.append_own([Draft(entry.kind, encode_body(entry)) for entry in entries])

    def write_due(self) -> None:
        while due := self.state.list_due(BEGAN_MS):
            self.write(due[0])


@contextmanager
def record_event(folder: Path) -> Iterator[RecordedEvent]:
    """Give an event in a new data folder; at the end its journal is signed."""
    folder.mkdir()
    refused: list[InputError] = []
    key = TableKey.load_or_create(folder)
    store = JournalStore(Database(folder), key, on_refused=refused.append, now_ms=lambda: BEGAN_MS)
    store.start()
    try:
        wait_until_open(store, refused)
        yield RecordedEvent(store, folder)
    finally:
        store.close()


@dataclass
class ArchiveFiles:
    """The files of an archive by name, to be changed and written again."""

    files: dict[str, bytes]

    @classmethod
    def read(cls, path: Path) -> ArchiveFiles:
        with zipfile.ZipFile(path) as archive:
            return cls({name: archive.read(name) for name in archive.namelist()})

    def write(self, path: Path, packing: int = zipfile.ZIP_STORED) -> Path:
        with zipfile.ZipFile(path, "w", packing) as archive:
            for name, content in self.files.items():
                archive.writestr(name, content)
        return path

    def entries(self, folder: str) -> list[Entry]:
        lines = self.files[f"{folder}journal.jsonl"].splitlines()
        return [decode_entry(line) for line in lines]

    def chain_again(self, folder: str, change: Change, key: TableKey) -> None:
        """Change a journal as its owner can: linked again and signed again to its end."""
        lines = list(chain_again(self.entries(folder), change, key))
        self.files[f"{folder}journal.jsonl"] = b"".join(line + b"\n" for line in lines)
        self.files.pop(f"{folder}checkpoint.note", None)
        manifest = json.loads(self.files["archive.json"])
        for told in (manifest["event"], *manifest["tables"]):
            if folder in ("event/", f"tables/{told['key']}/") and told["key"] == key.public_hex:
                told["lines"] = len(lines)
        self.files["archive.json"] = json.dumps(manifest).encode()


def chain_again(entries: Iterable[Entry], change: Change, key: TableKey) -> Iterator[bytes]:
    """Yield the lines of a journal in which entries are changed or missing."""
    before: Entry | None = None
    tree = MerkleTree()
    for entry in entries:
        body = change(entry)
        if body is None:
            continue
        if entry.kind == CHECKPOINT:
            body = sign_lines(tree, key, entry.at_ms)
        before = build_next_entry(before, at_ms=entry.at_ms, kind=entry.kind, body=body)
        line = encode_entry(before)
        tree.append(line)
        yield line


def sign_lines(tree: MerkleTree, key: TableKey, at_ms: int) -> Body:
    """Return the body of a checkpoint after these lines."""
    size, root = tree.size, tree.root()
    signature = key.sign(encode_for_signing(size=size, root=root, at_ms=at_ms))
    note = key.sign(encode_tree_head(key.public, size, root).encode())
    made = Checkpoint(size, root, at_ms, signature)
    return build_checkpoint_body(made, key_hex=key.public_hex, note_signature=note)
