# SPDX-License-Identifier: MIT
"""
The pictures that a journal names: there, and byte for byte those that were read.

A picture that is gone is no break where a later entry says that it was deleted; that entry
was written before the file went, so a table that runs meanwhile is never accused. What
stands under a name and does not belong to it is looked for among the other names: a swap
is told from a picture that was merely stored anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from controller.journal.hashchain import Entry
from controller.journal.picture_refs import DELETED, REFERENCE_KEYS, is_digest, list_deleted
from controller.journal.picture_store import PictureStore, compute_digest
from controller.verify.findings import Finding, FindingKind
from controller.verify.untrusted_files import read_jpeg_size_px, read_limited


class FileState(Enum):
    """How a named file is found."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """
    What was found under a name.

    Attributes:
        what: What it should be: `picture` or `clip`.
        digest: The name.
        path: Where it lies, or should lie.
        standing: How it is found there.
        size_px: Width and height of what is there, from its header; none where it is no JPEG.
    """

    what: str
    digest: str
    path: Path
    standing: FileState
    size_px: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class _FileRef:
    """Where a file is named, and what was found there instead; empty for nothing."""

    digest: str
    what: str
    line: int
    seq: int
    game: int
    found: str = ""


class PictureCheck:
    """
    Looks for what the entries name.

    Attributes:
        counts: How many names were found how; one that stands in several entries counts often.
    """

    def __init__(self, folder: Path) -> None:
        self._evidence = PictureStore(folder)
        self._missing: dict[str, list[_FileRef]] = {}
        self._changed: list[_FileRef] = []
        # In which line a roll of this game named a picture.
        self._roll_lines: dict[str, int] = {}
        self._game = 0
        self.counts: Counter[FileState] = Counter()

    def check_entry(self, entry: Entry, *, line: int, game: int) -> Iterator[Finding | CheckedFile]:
        """
        Look for what an entry names.

        Returns:
            What was found, and a finding where the name is none or something was deleted.
        """
        if entry.kind == DELETED:
            yield from self._add_deletions(entry, line, game)
            return
        if entry.kind == "roll":
            yield from self._check_roll(entry, line, game)
        for what in REFERENCE_KEYS:
            digest = entry.body.get(what, "")
            if not digest:
                continue
            if not is_digest(digest):
                finding = f"the {what} of this entry has no name that a {what} can have"
                expected, found = "64 hexadecimal digits", str(digest)
                yield Finding(
                    FindingKind.PICTURE_MISSING, finding, line, entry.seq, game, expected, found
                )
                continue
            yield self._check_file(_FileRef(digest, what, line, entry.seq, game))

    def _check_roll(self, entry: Entry, line: int, game: int) -> Iterator[Finding]:
        """Tell a roll that the camera read without a picture, or on that of another roll."""
        if game != self._game:
            self._roll_lines, self._game = {}, game
        digest, at = entry.body.get("picture", ""), (line, entry.seq, game)
        if not digest:
            if not entry.body.get("by_hand"):
                what = "the camera read this roll, and no picture of it is named"
                yield Finding(FindingKind.PICTURE_UNNAMED, what, *at)
        elif is_digest(digest):
            before = self._roll_lines.setdefault(digest, line)
            if before != line:
                what = f"the picture of this roll is that of the roll of line {before}"
                yield Finding(FindingKind.PICTURE_TWICE, what, *at, found=f"SHA-256 {digest}")

    def _check_file(self, named: _FileRef) -> CheckedFile:
        path = self._path_of(named)
        size_px = None
        try:
            content = read_limited(path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            self._missing.setdefault(named.digest, []).append(replace(named, found=reason))
            standing = FileState.MISSING
        else:
            found, size_px = compute_digest(content), read_jpeg_size_px(content)
            standing = FileState.UNCHANGED if found == named.digest else FileState.CHANGED
            if standing is FileState.CHANGED:
                self._changed.append(replace(named, found=found))
        self.counts[standing] += 1
        return CheckedFile(named.what, named.digest, path, standing, size_px)

    def _path_of(self, named: _FileRef) -> Path:
        if named.what == "clip":
            return self._evidence.clip_path(named.digest)
        return self._evidence.picture_path(named.digest)

    def _add_deletions(self, entry: Entry, line: int, game: int) -> Iterator[Finding]:
        """Take what was declared deleted off what is missing."""
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
        """The digests of what stands under names that are not theirs."""
        return {named.found for named in self._changed}

    def finish(self, named_in: Mapping[str, Sequence[int]]) -> Iterator[Finding]:
        """
        Tell what is missing or changed, now that all entries are known.

        Args:
            named_in: In which lines the journal names the foreign_digests.
        """
        for each in self._missing.values():
            for named in each:
                what = f"the {named.what} of this entry is missing, and nothing says that"
                what = f"{what} it was deleted"
                expected = str(self._path_of(named))
                at = (named.line, named.seq, named.game)
                yield Finding(FindingKind.PICTURE_MISSING, what, *at, expected, named.found)
        for named in self._changed:
            at = (named.line, named.seq, named.game)
            expected, found = f"SHA-256 {named.digest}", f"SHA-256 {named.found}"
            lines = named_in.get(named.found, ())
            if lines:
                what = (
                    f"the {named.what} of this entry was swapped for that of {_format_lines(lines)}"
                )
                yield Finding(FindingKind.PICTURE_SWAPPED, what, *at, expected, found)
            else:
                what = f"the {named.what} of this entry is not the one that was read"
                yield Finding(FindingKind.PICTURE_CHANGED, what, *at, expected, found)


def _format_lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    return f"lines {lines[0]} to {lines[-1]}"
