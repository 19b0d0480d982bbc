# SPDX-License-Identifier: MIT
"""
One walk through a journal, past every check.

Lines are read one by one and not stored, so a journal of years needs no more memory than one of
an evening. Only a broken journal is read a second time, to locate the entries that the breaks
refer to. Nothing is written, and a table may continue writing meanwhile.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.base.errors import InputError, refuse_os_errors
from controller.journal.hashchain import Entry
from controller.journal.journal import GENESIS, JOURNAL_FILE, require_known_format
from controller.journal.picture_refs import DELETED
from controller.journal.tlog.kept_checkpoints import KeptCheckpoint
from controller.verify.bit_flips import find_flipped_newline
from controller.verify.chain import Chain
from controller.verify.chain_breaks import ChainBreaks, collect_wanted_links
from controller.verify.claims.circumstances import CameraCheck, ClockJumps, check_disclosure
from controller.verify.claims.dice import DiceClaimsCheck
from controller.verify.claims.known_kinds import KnownKindsCheck
from controller.verify.claims.requests import RequestsCheck
from controller.verify.findings import Finding, FindingKind, Findings
from controller.verify.pictures import CheckedFile, FileState, PictureCheck
from controller.verify.replay_check import ReplayCheck
from controller.verify.reread import ReaderFactory, RereadCheck, RereadOutcome, create_reader
from controller.verify.signatures import SignatureCheck
from controller.verify.untrusted_files import iter_lines_limited

_DIGEST = re.compile(rb'"(?:link|background|picture|clip)":"([0-9a-f]{64})"')
_MAX_PLACES = 3

MAX_JOURNAL_BYTES = 1 << 34  # Eight million rolls; no table has a larger journal.


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """The result of verifying a journal."""

    folder: Path
    format: int  # The journal's format; 0 if its first entry cannot be read.
    games: int
    rolls: int
    findings: Findings
    signatures: SignatureCheck  # Its checkpoints and keys; the tree is that of all lines.
    cameras: tuple[str, ...]  # The names of its cameras, in order.
    pictures: Mapping[FileState, int]  # Number of references to pictures and clips by state.
    # Number of pictures by outcome; `None` if they were not read again.
    reread: Mapping[RereadOutcome, int] | None
    # How many of the pictures that are read the same are certain only with what the table learnt.
    with_table: int

    @property
    def entries(self) -> int:
        """The number of lines, without a torn one."""
        return self.signatures.tree.size

    @property
    def is_broken(self) -> bool:
        return self.findings.count(is_break=True) > 0


def verify_journal(
    folder: Path,
    *,
    kept: Sequence[KeptCheckpoint] = (),
    key: bytes | None = None,
    rereads: bool = True,
    game: int | None = None,
    create_reader: ReaderFactory = create_reader,
    pictures: PictureCheck | None = None,
    each: Callable[[Entry], None] = lambda entry: None,
) -> VerifyResult:
    """
    Check everything that can be checked in a data folder.

    Args:
        folder: Of a table, which may be running, or a copy of one.
        kept: Checkpoints kept outside the journal.
        key: The public key that must have signed; `None` accepts those in the journal.
        game: The game whose pictures are there, from 1; `None` for all games.
        pictures: The check of pictures that are not in the folder; `None` for one in it.
        each: Called with every entry up to the first break of the chain.

    Raises:
        InputError: The journal is missing, unreadable or empty, has an unknown format, or has no
            such game.
    """
    pictures = pictures or PictureCheck(folder)
    rereading = RereadCheck(create_reader, pictures.read) if rereads else None
    walk = _TableWalk(folder, SignatureCheck(kept, key), rereading, pictures, game, each)
    path = folder / JOURNAL_FILE
    with refuse_os_errors("a journal that can be read", path):
        with open(open_regular_file(path), "rb") as file:
            _require_possible_size(os.fstat(file.fileno()).st_size, path)
            walk.read(iter_lines_limited(file))
        walk.end()
    result = walk.build_result()
    if not result.entries and not result.is_broken:
        expected, found = "a journal with an entry", "one without"
        raise InputError(expected=expected, found=found, where=str(path))
    if game is not None and game > result.games:
        expected = f"a game from 1 to {result.games}"
        raise InputError(expected=expected, found=str(game), where="--game")
    return result


def _require_possible_size(size: int, path: Path) -> None:
    """Refuse a file of holes, which takes no room on a disk and hours to read."""
    if size > MAX_JOURNAL_BYTES:
        expected = f"a journal of at most {MAX_JOURNAL_BYTES >> 20} MiB"
        raise InputError(expected=expected, found=f"{size >> 20} MiB", where=str(path))


class JournalWalk(ABC):
    """What the walk through any journal has in common; `format` is 0 before its first entry."""

    def __init__(self, path: Path, signatures: SignatureCheck) -> None:
        self.findings = Findings()
        self.chain = Chain()
        self.signatures = signatures
        self.format = 0
        self._path = path

    @property
    def games(self) -> int:
        """The number of games so far; 0 in a journal without games."""
        return 0

    def read(self, lines: Iterable[bytes]) -> None:
        """Check all lines, with their newlines."""
        for raw in lines:
            self.add(self.check_line(raw[:-1]) if raw.endswith(b"\n") else [self._check_tail(raw)])

    @abstractmethod
    def check_line(self, raw: bytes) -> Iterator[Finding]:
        """Check the next line, without its newline."""

    def end(self, wanted: Collection[str] = ()) -> dict[str, list[int]]:
        """Report what only the whole journal shows, and return some lines of each wanted digest."""
        links = set() if self.chain.is_whole else collect_wanted_links(self.chain)
        places = locate_digests(self._path, links.union(wanted)) if links or wanted else {}
        if not self.chain.is_whole:
            self.add(ChainBreaks(self.chain, places).explain())
        self.add(self.signatures.finish())
        return places

    def add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self.findings.add(finding)

    def locate(self, entry: Entry | None, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings about the entry of this line with its position, unless they have one."""
        seq = entry.seq if entry else None
        for each in findings:
            # The replay of an entry may begin a game, so its number is not known before.
            game = each.game or self.games
            yield each if each.line else replace(each, line=self.chain.lines, seq=seq, game=game)

    def check_first(self, entry: Entry) -> Iterator[Finding]:
        """Check the first entry of a sound chain, which names the format."""
        if entry.kind == GENESIS:
            self.format = require_known_format(entry, self._path)
            return
        what = "the journal does not begin with its first entry"
        expected = f"an entry of the kind {GENESIS}"
        yield Finding(FindingKind.MISSING, what, 1, entry.seq, expected=expected, found=entry.kind)

    def _check_tail(self, raw: bytes) -> Finding:
        """Explain a last line without newline: torn, being written, or with a flipped bit."""
        line = self.chain.lines + 1
        turned = find_flipped_newline(raw)
        if turned is None:
            what = f"the last line is incomplete ({len(raw)} bytes): torn, or being written now"
            return Finding(FindingKind.TORN, what, line)
        flip, entry = turned
        what = "one bit of the end of this line was flipped"
        expected, found = flip.written_text, flip.found_text
        return Finding(FindingKind.FLIPPED_BIT, what, line, entry.seq, self.games, expected, found)


class _TableWalk(JournalWalk):
    def __init__(
        self,
        folder: Path,
        signatures: SignatureCheck,
        rereading: RereadCheck | None,
        pictures: PictureCheck,
        game: int | None,
        each: Callable[[Entry], None],
    ) -> None:
        super().__init__(folder / JOURNAL_FILE, signatures)
        self._folder = folder
        self._game = game
        self._each = each
        self._clock = ClockJumps()
        self._documented = KnownKindsCheck()
        self._cameras = CameraCheck()
        self._dice_claims = DiceClaimsCheck()
        self._requests = RequestsCheck()
        self._replay = ReplayCheck()
        self._pictures = pictures
        self._rereading = rereading

    @property
    def games(self) -> int:
        return self._replay.games

    def end(self, wanted: Collection[str] = ()) -> dict[str, list[int]]:
        places = super().end({*wanted, *self._pictures.foreign_digests})
        self.add(self._pictures.finish(places))
        if self._rereading:
            self.add(self._rereading.finish())
        return places

    def build_result(self) -> VerifyResult:
        return VerifyResult(
            folder=self._folder,
            format=self.format,
            games=self.games,
            rolls=self._replay.rolls,
            findings=self.findings,
            signatures=self.signatures,
            cameras=tuple(self._cameras.names),
            pictures=Counter(self._pictures.counts),
            reread=Counter(self._rereading.counts) if self._rereading else None,
            with_table=self._rereading.with_table if self._rereading else 0,
        )

    def check_line(self, raw: bytes) -> Iterator[Finding]:
        entry, is_sound = self.chain.add_line(raw, game=self.games)
        line = self.chain.lines
        yield from self.locate(entry, self.signatures.add_line(raw, entry, game=self.games))
        if entry is None or not is_sound:
            self._requests.forget()
        if entry is None:
            yield from self._replay.stop_following(line)
            return
        if line == 1 and is_sound:
            yield from self.check_first(entry)
        if self.chain.is_whole:
            self._each(entry)
        yield from check_disclosure(entry, line=line)
        yield from self.locate(entry, self._clock.check_entry(entry, is_sound=is_sound))
        yield from self.locate(entry, self._replay.add_entry(entry, line=line, is_sound=is_sound))
        for check in (self._documented, self._cameras, self._dice_claims, self._requests):
            yield from self.locate(entry, check.check_entry(entry))
        yield from self._check_pictures(entry, line)

    def _check_pictures(self, entry: Entry, line: int) -> Iterator[Finding]:
        game, rereading = self.games, self._rereading
        if rereading:
            yield from self.locate(entry, rereading.add_entry(entry))
        if self._game not in (None, game) and entry.kind != DELETED:
            return
        for looked in self._pictures.check_entry(entry, line=line, game=game):
            if isinstance(looked, Finding):
                yield looked
            elif isinstance(looked, CheckedFile) and rereading:
                dice = self._requests.dice_wanted or self._replay.dice_wanted
                yield from rereading.check_picture(
                    entry, looked, line=line, game=game, dice_wanted=dice
                )


def locate_digests(path: Path, wanted: Collection[str]) -> dict[str, list[int]]:
    """Return the first few lines of each wanted link and picture digest, or raise OSError."""
    places: dict[str, list[int]] = {}
    with open(open_regular_file(path), "rb") as file:
        for line, raw in enumerate(iter_lines_limited(file), start=1):
            for match in _DIGEST.finditer(raw):
                digest = match.group(1).decode()
                if digest in wanted and len(places.setdefault(digest, [])) < _MAX_PLACES:
                    places[digest].append(line)
    return places
