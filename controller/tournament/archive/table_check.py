# SPDX-License-Identifier: MIT
"""
The check of one table's journal in an archive, as a worker process does it.

It is unpacked to a folder like a table's data folder and checked as one. On the way past, what
the event's journal says of single lines is looked up, and cosignatures are verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.base.errors import InputError
from controller.journal.checkpoint import CHECKPOINT, decode_base64, decode_checkpoint, decode_key
from controller.journal.hashchain import BrokenEntryError, Entry, compute_link, decode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.signing_key import PUBLIC_FILE, load_public_key
from controller.journal.tlog.checkpoint_note import (
    TreeHead,
    derive_origin,
    encode_tree_head,
    is_signed_by,
    parse_tree_head,
)
from controller.journal.tlog.cosignature import COSIGNED, verify_cosignature
from controller.journal.tlog.kept_checkpoints import KeptCheckpoint
from controller.journal.tlog.signed_note import parse_note
from controller.tournament.archive.archive_reader import ArchiveReader, open_archive
from controller.tournament.archive.layout import FORKS_FILE, NOTE_FILE, table_folder
from controller.tournament.archive.line_claims import LineFacts
from controller.tournament.sending.event_witness import CONTRADICTED, WITNESSED
from controller.tournament.state.box_lines import BoxLines
from controller.verify.findings import Finding, FindingKind
from controller.verify.pictures import PictureCheck
from controller.verify.verify import VerifyResult, verify_journal
from vision.image_files import limit_to_one_thread


@dataclass(frozen=True, slots=True)
class TableTask:
    """What is to be checked of one table."""

    archive: Path
    key: str  # The key of the table in hexadecimal.
    event_key: str  # The key of the event in hexadecimal.
    wanted: frozenset[int]  # Numbers of the lines that the event's journal is about.
    rereads: bool
    kept: tuple[KeptCheckpoint, ...] = ()  # Checkpoints of this table that somebody kept.


@dataclass(slots=True)
class TableReport:
    """The result of checking one table."""

    key: str  # The key of the table in hexadecimal.
    result: VerifyResult | None = None  # That of its journal; None if it cannot be read.
    findings: list[Finding] = field(default_factory=list)
    facts: dict[int, LineFacts] = field(default_factory=dict)
    # The lines of the rolls that may decide an announced draw and were never corrected.
    seeds: set[int] = field(default_factory=set)
    known: int = 0  # The number of lines up to the first break of the chain.
    # The keys that its journal names, each with the number of its line.
    keys: list[tuple[str, int]] = field(default_factory=list)
    # The checkpoints of the event in its journal, each with the number of its line.
    witnessed: list[tuple[TreeHead, int]] = field(default_factory=list)
    contacts: int = 0  # How often its newest key wrote that it had witnessed the event.
    failure: str = ""  # Why the machine could not check it; empty if it could.

    @property
    def lines(self) -> int:
        return self.result.entries if self.result else 0

    @property
    def is_witness(self) -> bool:
        """
        Whether its newest key has cosigned the event's journal.

        It does so right after it has written `witnessed`. After the first one it may have lost its
        power in between. That the event cosigned what the table signed says nothing of this.
        """
        return self.contacts >= 2


def check_table(task: TableTask) -> TableReport:
    """Check one table of an archive; whatever is in the archive, this returns."""
    limit_to_one_thread()
    try:
        with TemporaryDirectory(prefix="dicebell-verify-") as temporary:
            return _check_in(task, Path(temporary))
    except OSError as error:
        return TableReport(task.key, failure=error.strerror or str(error))


def _check_in(task: TableTask, folder: Path) -> TableReport:
    try:
        with open_archive(task.archive) as archive:
            archive.unpack(table_folder(task.key), folder)
            return _TableWalk(task, folder, archive).check()
    except InputError as error:
        what = "this journal cannot be checked"
        found = str(error).replace(str(folder), task.key[:8])
        broken = Finding(FindingKind.DAMAGED, what, found=found)
        return TableReport(task.key, findings=[broken])


class _TableWalk:
    def __init__(self, task: TableTask, folder: Path, archive: ArchiveReader) -> None:
        self._task = task
        self._folder = folder
        self._archive = archive
        self._lines = BoxLines(task.key)
        self._signers: dict[int, tuple[str, bytes]] = {}
        self._report = TableReport(task.key)

    def check(self) -> TableReport:
        task, report = self._task, self._report
        report.findings += check_key_file(self._folder, task.key)
        journal = self._folder / JOURNAL_FILE
        if not journal.exists() or not journal.stat().st_size:
            # A table that was enrolled and has never sent a line.
            return report
        pictures = PictureCheck(
            Path(table_folder(task.key)), read_file=self._archive.read_picture, is_partial=True
        )
        report.result = verify_journal(
            self._folder,
            kept=task.kept,
            rereads=task.rereads,
            pictures=pictures,
            each=self._read_entry,
        )
        report.findings += self._check_note()
        report.findings += self._check_forks()
        return report

    def _read_entry(self, entry: Entry) -> None:
        """Note what an entry is; they come up to the first break of the chain."""
        report = self._report
        report.known = entry.seq + 1
        self._lines.apply(entry)
        if entry.kind in ("roll", "answer", "correction"):
            self._note_seed(entry)
        if entry.kind == "key":
            self._note_key(entry)
        elif entry.kind == CHECKPOINT:
            self._note_checkpoint(entry)
        elif entry.body.get("key") == self._task.event_key:
            for finding in self._check_contact(entry):
                report.findings.append(replace(finding, line=entry.seq + 1, seq=entry.seq))
        if entry.seq in self._task.wanted:
            report.facts[entry.seq] = self._read_facts(entry)

    def _note_seed(self, entry: Entry) -> None:
        roll = self._lines.find_roll(entry.seq)
        if roll is not None and roll.may_seed:
            self._report.seeds.add(roll.seq)
        elif roll is not None:
            self._report.seeds.discard(roll.seq)

    def _note_key(self, entry: Entry) -> None:
        try:
            self._report.keys.append((decode_key(entry.body).hex(), entry.seq))
        except InputError:
            return  # The check of signatures reports it.
        # What the key before cosigned is in the folder of that key.
        self._report.contacts = 0

    def _note_checkpoint(self, entry: Entry) -> None:
        """Remember what the checkpoint names; whether it fits is checked elsewhere."""
        try:
            checkpoint, key = decode_checkpoint(entry.body, at_ms=entry.at_ms)
        except InputError:
            return  # The check of signatures reports it.
        self._signers[entry.seq] = (key.hex(), checkpoint.root)

    def _read_facts(self, entry: Entry) -> LineFacts:
        """Return what an entry is; one line may be a roll and the end of its game."""
        facts = LineFacts(entry.link, entry.kind, entry.at_ms)
        roll = self._lines.find_roll(entry.seq)
        if roll is not None and roll.source.seq == entry.seq:
            facts = replace(
                facts, faces=roll.faces, is_shared=roll.is_shared, may_seed=roll.may_seed
            )
        end = self._lines.ends[-1] if self._lines.ends else None
        if end is not None and end.source.seq == entry.seq:
            facts = replace(facts, totals=end.totals, losers=end.losers)
        return facts

    def _check_contact(self, entry: Entry) -> Iterator[Finding]:
        if entry.kind == COSIGNED:
            yield from self._check_cosigned(entry)
        elif entry.kind == WITNESSED:
            self._report.contacts += 1
            yield from self._check_witnessed(entry)
        elif entry.kind == CONTRADICTED:
            yield from self._check_contradiction(entry)

    def _check_witnessed(self, entry: Entry) -> Iterator[Finding]:
        """Note a checkpoint of the event that the table saw; the event must have signed it."""
        head = self._read_event_head(entry, "seen")
        if head is not None:
            self._report.witnessed.append((head, entry.seq))
            return
        what = "the checkpoint that this table saw is not one of the event"
        yield Finding(FindingKind.COSIGNATURE, what)

    def _check_cosigned(self, entry: Entry) -> Iterator[Finding]:
        size, root = entry.body.get("size"), entry.body.get("root")
        signer, own_root = self._signers.get(size, ("", b"")) if type(size) is int else ("", b"")
        if type(size) is not int or not signer or own_root.hex() != root:
            what = "this cosignature is about a checkpoint that the journal does not have"
            yield Finding(FindingKind.COSIGNATURE, what, found=f"{size} entries, root {root}")
            return
        text = encode_tree_head(bytes.fromhex(signer), size, own_root)
        event_key = bytes.fromhex(self._task.event_key)
        cosignature = decode_base64(entry.body.get("cosignature"))
        if verify_cosignature(text, cosignature, event_key) is None:
            what = "this cosignature is not one of the event"
            yield Finding(FindingKind.COSIGNATURE, what, expected=f"by {event_key.hex()}")

    def _check_contradiction(self, entry: Entry) -> Iterator[Finding]:
        """Report two pasts that the event showed to this table, if it signed both."""
        seen, shown = (self._read_event_head(entry, name) for name in ("seen", "shown"))
        if seen is None or shown is None:
            return
        what = "the event showed this table a journal that does not continue the one before"
        expected = f"one that continues {seen.size} entries with root {seen.root.hex()}"
        found = f"{shown.size} entries with root {shown.root.hex()}"
        yield Finding(FindingKind.FORK, what, expected=expected, found=found)

    def _read_event_head(self, entry: Entry, name: str) -> TreeHead | None:
        """Return the checkpoint of the event in a note of an entry; None if it signed none."""
        public = bytes.fromhex(self._task.event_key)
        try:
            note = parse_note(str(entry.body.get(name)).encode())
            head = parse_tree_head(note)
        except InputError:
            return None
        return head if is_signed_by(note, derive_origin(public), public) else None

    def _check_note(self) -> Iterator[Finding]:
        """Compare the note beside the journal with it: a journal that was cut off is shorter."""
        path = self._folder / NOTE_FILE
        if not path.exists():
            return
        note = parse_note(path.read_bytes())
        head = parse_tree_head(note)
        signer, root = self._signers.get(head.size, ("", b""))
        result = self._report.result
        assert result is not None
        # A key that is new may not have signed yet.
        keys = [key for key, _ in self._report.keys]
        if not any(is_signed_by(note, head.origin, bytes.fromhex(key)) for key in keys):
            what = f"{NOTE_FILE} is not signed by a key of this journal"
            expected = f"a signature by {' or '.join(keys)}"
            yield Finding(FindingKind.SIGNATURE, what, expected=expected)
        elif head.size >= result.entries:
            what = f"the table signed {head.size} entries, and the journal ends before that"
            expected, found = f"more than {head.size} entries", f"{result.entries} entries"
            yield Finding(FindingKind.TRUNCATED, what, expected=expected, found=found)
        elif head.size < self._report.known and (not signer or root != head.root):
            what = f"the first {head.size} entries are not those that the table signed"
            expected = f"root {head.root.hex()}"
            yield Finding(FindingKind.REWRITTEN, what, head.size + 1, expected=expected)

    def _check_forks(self) -> Iterator[Finding]:
        """Report the other lines that the table sent, if they are intact entries."""
        path = self._folder / FORKS_FILE
        if not path.exists():
            return
        lines = (self._folder / JOURNAL_FILE).read_bytes().split(b"\n")
        for raw in path.read_bytes().splitlines():
            try:
                entry = decode_entry(raw)
            except BrokenEntryError as error:
                what = f"a line of {FORKS_FILE} is not an entry"
                yield Finding(FindingKind.DAMAGED, what, found=error.what)
                continue
            has_own = 0 <= entry.seq < len(lines) - 1
            if has_own and lines[entry.seq] != raw and compute_link(entry) == entry.link:
                what = f"the table also sent another entry {entry.seq}, a {entry.kind}"
                own = decode_link(lines[entry.seq])
                expected, found = f"link {own}", f"link {entry.link}"
                yield Finding(FindingKind.FORK, what, entry.seq + 1, entry.seq, 0, expected, found)


def check_key_file(folder: Path, key: str) -> Iterator[Finding]:
    """Compare the public key beside a journal with the one that the archive lists."""
    path = folder / PUBLIC_FILE
    try:
        found = load_public_key(path).hex() if path.exists() else "none"
    except InputError as error:
        found = error.found
    if found != key:
        what = f"{PUBLIC_FILE} is not the key of this journal"
        yield Finding(FindingKind.KEY, what, expected=key, found=found)


def decode_link(line: bytes) -> str:
    """Return the link of a line; a word instead if it is no entry."""
    try:
        return decode_entry(line).link
    except BrokenEntryError:
        return "unreadable"
