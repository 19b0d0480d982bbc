# SPDX-License-Identifier: MIT
"""Journals to be checked, sound ones and what somebody may do to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from controller.journal.checkpoint import Checkpoint
from controller.journal.hashchain import Body, Entry, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.signing_key import TableKey
from controller.journal.tlog.kept_checkpoints import KeptCheckpoint
from controller.verify.findings import Finding, FindingKind
from controller.verify.verify import VerifyResult, verify_journal
from tests.support.proven_game import sign
from tests.support.random_journal import RandomGame, WrittenJournal


class SignedJournal(WrittenJournal):
    """A journal as a table writes it, with its key and checkpoints."""

    def __init__(self, key: TableKey, *, format: int = 2, name: str = "dicebell") -> None:
        super().__init__()
        self.key = key
        self.kept: list[Checkpoint] = []
        self.add("genesis", {"format": format, "software": name, "torn": ""})
        if format > 1:
            self.add("key", {"key": key.public_hex})

    def sign(self) -> Checkpoint:
        """Add a checkpoint."""
        self.kept.append(sign(self, self.key))
        return self.kept[-1]

    def lines(self) -> list[bytes]:
        """Return its lines, without their ends."""
        return [encode_entry(entry) for entry in self.entries]


def played(
    folder: Path, *, events: int = 12, seed: int = 1, game: str = "black-n-white"
) -> SignedJournal:
    """Return a journal with a checkpoint after some events of a game, and after some more."""
    folder.mkdir(exist_ok=True)
    journal = SignedJournal(TableKey.load_or_create(folder), name=f"seed {seed}")
    random_game = RandomGame(journal, game, seed=seed, mischief=0.0)
    for _ in range(2):
        random_game.play(events // 2)
        journal.sign()
    return journal


def laid(folder: Path, lines: Sequence[bytes], *, tail: bytes = b"") -> Path:
    """Write a journal of these lines, and perhaps something without an end."""
    folder.mkdir(exist_ok=True)
    # A new file each time: to write over an old one waits for the disk on some file systems.
    (folder / JOURNAL_FILE).unlink(missing_ok=True)
    (folder / JOURNAL_FILE).write_bytes(b"".join(line + b"\n" for line in lines) + tail)
    return folder


def checked(
    folder: Path,
    lines: Sequence[bytes],
    *,
    tail: bytes = b"",
    kept: Sequence[KeptCheckpoint] = (),
    key: bytes | None = None,
) -> VerifyResult:
    """Check a journal of these lines, without its pictures."""
    return verify_journal(laid(folder, lines, tail=tail), kept=kept, key=key, rereads=False)


def breaks_of(examined: VerifyResult) -> list[Finding]:
    """Return what is broken."""
    return list(examined.findings.in_order(is_break=True))


def notes_of(examined: VerifyResult) -> list[Finding]:
    """Return what is worth a note, but for what all these journals lack: pictures."""
    notes = examined.findings.in_order(is_break=False)
    return [note for note in notes if note.kind is not FindingKind.PICTURE_UNNAMED]


def kinds_of(findings: Sequence[Finding]) -> set[FindingKind]:
    """Return of which kinds findings are."""
    return {finding.kind for finding in findings}


def places_of(examined: VerifyResult) -> list[tuple[FindingKind, int]]:
    """Return what is broken in which lines."""
    return [(finding.kind, finding.line) for finding in breaks_of(examined)]


def relinked(entries: Sequence[Entry]) -> list[bytes]:
    """Return the lines of these entries with the whole chain made anew, as a forger would."""
    lines: list[bytes] = []
    before: Entry | None = None
    for entry in entries:
        before = build_next_entry(before, at_ms=entry.at_ms, kind=entry.kind, body=entry.body)
        lines.append(encode_entry(before))
    return lines


def edited(entries: Sequence[Entry], kind: str, change: Callable[[Body], Body]) -> list[Entry]:
    """Return the entries with the first of a kind changed, its link as it was."""
    place = next(index for index, entry in enumerate(entries) if entry.kind == kind)
    entry = replace(entries[place], body=change(entries[place].body))
    return [*entries[:place], entry, *entries[place + 1 :]]
