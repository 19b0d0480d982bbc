# SPDX-License-Identifier: MIT
"""
The pictures that a journal refers to: present, and byte for byte those that were read.

A missing picture is no break if a later entry marks it as deleted. That entry is written before
the file is deleted, so a running table causes no false break. A file with the wrong content is
compared with the other digests, which distinguishes a swap from a picture encoded again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from controller.journal.entries import ROLLS
from controller.journal.hashchain import Entry
from controller.journal.picture_refs import DELETED, REFERENCE_KEYS, is_digest, list_deleted
from controller.journal.picture_store import PictureStore, compute_digest
from controller.verify.findings import Finding, FindingKind
from controller.verify.untrusted_files import read_limited


class FileState(Enum):
    """The state of a file that an entry refers to."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What was found under a digest."""

    what: str  # `picture` or `clip`.
    digest: str  # Its digest in the entry.
    path: Path  # Its path, even if missing.
    standing: FileState
    content: bytes  # Its bytes; empty if missing.


@dataclass(frozen=True, slots=True)
class _FileRef:
    """An entry's reference to a file; `is_absent` if there is none, else it may be unreadable."""

    digest: str
    what: str
    line: int
    seq: int
    game: int
    found: str = ""
    is_absent: bool = False


class PictureCheck:
    """
    The check of the files that entries refer to.

    Args:
        read_file: Returns the file with a path in it; raises `OSError`.
        is_partial: Whether any of them may be missing, as from the archive of an event.
    """

    def __init__(
        self,
        folder: Path,
        *,
        read_file: Callable[[Path], bytes] = read_limited,
        is_partial: bool = False,
    ) -> None:
        self._evidence = PictureStore(folder)
        self._read_file = read_file
        self._is_partial = is_partial
        self._missing: dict[str, list[_FileRef]] = {}
        self._changed: list[_FileRef] = []
        # Lines of the rolls of all games, by the digest of their picture.
        self._roll_lines: dict[bytes, int] = {}
        # Number of references by state; each reference to the same file counts.
        self.counts: Counter[FileState] = Counter()

    def check_entry(self, entry: Entry, *, line: int, game: int) -> Iterator[Finding | CheckedFile]:
        """Yield the files of an entry, and findings about bad digests and deletions."""
        if entry.kind == DELETED:
            yield from self._add_deletions(entry, line, game)
            return
        if entry.kind in ROLLS:
            yield from self._check_roll(entry, line, game)
        for what in REFERENCE_KEYS:
            digest = entry.body.get(what, "")
            if not digest:
                continue
            if not is_digest(digest):
                finding = f"the {what} of this entry has an invalid name"
                expected, found = "64 hexadecimal digits", str(digest)
                yield Finding(
                    FindingKind.PICTURE_MISSING, finding, line, entry.seq, game, expected, found
                )
                continue
            yield self._check_file(_FileRef(digest, what, line, entry.seq, game))

    def read(self, digest: str) -> bytes | None:
        """Return a picture that is as it was stored; `None` if it is not, or is gone."""
        try:
            content = self._read_file(self._evidence.picture_path(digest))
        except (OSError, ValueError):
            return None
        return content if compute_digest(content) == digest else None

    def _check_roll(self, entry: Entry, line: int, game: int) -> Iterator[Finding]:
        """Find rolls that the camera read without a picture, or with that of another roll."""
        digest, at = entry.body.get("picture", ""), (line, entry.seq, game)
        if not digest:
            if not entry.body.get("by_hand"):
                what = "the camera read this roll, and the entry names no picture"
                yield Finding(FindingKind.PICTURE_UNNAMED, what, *at)
        elif is_digest(digest):
            before = self._roll_lines.setdefault(bytes.fromhex(digest), line)
            if before != line:
                what = f"this roll and the roll of line {before} have the same picture"
                yield Finding(FindingKind.PICTURE_TWICE, what, *at, found=f"SHA-256 {digest}")

    def _check_file(self, named: _FileRef) -> CheckedFile:
        path = self._path_of(named)
        content = b""
        try:
            content = self._read_file(path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            is_absent = isinstance(error, FileNotFoundError)
            unread = replace(named, found=reason, is_absent=is_absent)
            self._missing.setdefault(named.digest, []).append(unread)
            standing = FileState.MISSING
        else:
            found = compute_digest(content)
            standing = FileState.UNCHANGED if found == named.digest else FileState.CHANGED
            if standing is FileState.CHANGED:
                self._changed.append(replace(named, found=found))
        self.counts[standing] += 1
        return CheckedFile(named.what, named.digest, path, standing, content)

    def _path_of(self, named: _FileRef) -> Path:
        if named.what == "clip":
            return self._evidence.clip_path(named.digest)
        return self._evidence.picture_path(named.digest)

    def _add_deletions(self, entry: Entry, line: int, game: int) -> Iterator[Finding]:
        """Move files that are marked as deleted from missing to deleted."""
        gone: list[_FileRef] = []
        for digest in list_deleted(entry):
            gone += self._missing.pop(digest, [])
        self.counts[FileState.MISSING] -= len(gone)
        self.counts[FileState.DELETED] += len(gone)
        if gone:
            why, on = entry.body.get("why", ""), entry.body.get("on", "")
            lines = sorted({named.line for named in gone})
            what = f"picture deleted on {on} ({why}): {len(gone)}, of {_format_lines(lines)}"
            yield Finding(FindingKind.PICTURE_DELETED, what, line, entry.seq, game)

    @property
    def foreign_digests(self) -> set[str]:
        """The digests of content that was found under another digest."""
        return {named.found for named in self._changed}

    def finish(self, named_in: Mapping[str, Sequence[int]]) -> Iterator[Finding]:
        """Report missing and changed files; `named_in` has the lines with the foreign digests."""
        for each in self._missing.values():
            for named in each:
                if named.is_absent and self._is_partial:
                    continue
                state = "is missing" if named.is_absent else "cannot be read"
                what = f"the {named.what} of this entry {state}, and no entry says that it"
                what = f"{what} was deleted"
                expected = str(self._path_of(named))
                at = (named.line, named.seq, named.game)
                yield Finding(FindingKind.PICTURE_MISSING, what, *at, expected, named.found)
        for named in self._changed:
            at = (named.line, named.seq, named.game)
            expected, found = f"SHA-256 {named.digest}", f"SHA-256 {named.found}"
            lines = named_in.get(named.found, ())
            if lines:
                what = f"the {named.what} of this entry is that of {_format_lines(lines)}"
                yield Finding(FindingKind.PICTURE_SWAPPED, what, *at, expected, found)
            else:
                what = f"the {named.what} of this entry was changed after it was stored"
                yield Finding(FindingKind.PICTURE_CHANGED, what, *at, expected, found)


def _format_lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    return f"lines {lines[0]} to {lines[-1]}"
