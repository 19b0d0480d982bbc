# SPDX-License-Identifier: MIT
"""
Follow the journal of a data folder and keep its games in the index.

The journal is only read. Each entry is checked once, when it is added: its link, the root and
the signatures of every checkpoint, and the rules. A later opening compares the lines that were
read then by their Merkle root, so any changed byte leads to a new index. The last game is read
again from its first entry; until its end it is in memory only, so play writes little.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.base.logs import Log
from controller.base.rebuilt_database import is_damage
from controller.history.index.game_reader import GameReader, OpenGame
from controller.history.index.store import (
    INDEX_FILE,
    DiceSetStart,
    GameStart,
    IndexStore,
    ReadSoFar,
)
from controller.history.views import IndexProgress
from controller.journal.checkpoint import decode_key
from controller.journal.entries import DiceSetEntry, read_entry
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry, parse_entry
from controller.journal.journal import GENESIS, JOURNAL_FILE, require_known_format
from controller.verify.findings import Finding
from controller.verify.signatures import SignatureCheck
from controller.verify.untrusted_files import MAX_LINE_BYTES

GAMES_A_COMMIT = 20

_LOG = Log("history")
_KEY = b'"kind":"key"'


class HistoryIndex:
    """The index of one data folder, a copy `in_memory`, read from `catch_up` on; for any thread."""

    def __init__(self, folder: Path, *, in_memory: bool = False) -> None:
        self.lock = threading.RLock()  # Held while the database or the last game is used.
        self.commits = 0  # How often it was written.
        # Whether the database must be opened and compared with the journal again.
        self.is_stale = True
        # Whether it was found undamaged and compared with the journal, or built again.
        self.is_checked = False
        self._folder = folder
        self._in_memory = in_memory
        self._work = threading.RLock()
        self.store = self._open_store()
        self._reset()

    @property
    def last_game(self) -> OpenGame | None:
        """The last game as far as the journal goes; None before the first."""
        return self._reader.open if self._reader else None

    @property
    def bytes_left(self) -> int:
        """How much of the journal is not read yet."""
        is_known = not self.is_stale and not self.store.is_replaced
        return max(0, self._count_bytes() - (self._bytes if is_known else 0))

    def read_progress(self) -> IndexProgress:
        """Return how far the index is, also while another process builds it."""
        with self.lock:
            if self.problem:
                return IndexProgress("refused", problem=self.problem)
            try:
                written = self.store.read_progress()
                games = self.store.find_last_start()[0]
            except sqlite3.Error:
                written, games = ReadSoFar(), 0
            entries = max(written.entries, self._signatures.tree.size)
            size, read = self._count_bytes(), max(written.size, self._bytes)
            is_ready = not self.is_stale and read >= size
            percent = 100 if is_ready else min(99, 100 * read // max(1, size))
            return IndexProgress("ready" if is_ready else "building", percent, entries, games)

    def refresh(self) -> None:
        """Continue where the index ends if the journal has its lines; sqlite3.Error, OSError."""
        with self._work, self.lock:
            self.store.close()
            self.store = self._open_store()
            self._reset()
            try:
                is_usable = self._resume()
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                is_usable = False
            if not is_usable:
                self._reset()
                self.store.clear()
            self.is_stale, self.is_checked = False, True
            self.commits += 1

    def catch_up(self, *, until: Callable[[], bool] = lambda: False) -> None:
        """Add what the journal has beyond the index, or a part; sqlite3.Error, OSError."""
        with self._work:
            # A shorter journal is another one, and a deleted index is to be made again.
            is_shorter = self._count_bytes() < self._bytes
            if self.is_stale or is_shorter or self.store.is_replaced:
                self.refresh()
            if self.problem:
                return
            try:
                self._add_lines(until)
            except sqlite3.Error:
                # What was read is not in the database, so it does not fit any more.
                self.is_stale = True
                raise

    def _add_lines(self, until: Callable[[], bool]) -> None:
        for line in self._read_lines():
            with self.lock:
                if not self._add_line(line):
                    break
            if len(self._done) >= GAMES_A_COMMIT:
                self._commit()
            if until():
                break
        self._finish()

    def close(self) -> None:
        with self.lock:
            self.store.close()

    def _open_store(self) -> IndexStore:
        path = self._folder / INDEX_FILE
        if self._in_memory:
            return IndexStore.copy(path)
        try:
            return IndexStore(path)
        except (sqlite3.Error, OSError) as error:
            # A folder that cannot be written has its index in memory alone.
            _LOG.warning("history is in memory", error=str(error))
            return IndexStore(None)

    def _count_bytes(self) -> int:
        try:
            return (self._folder / JOURNAL_FILE).stat().st_size
        except OSError:
            return 0

    def report_damage(self) -> None:
        """Have the database checked again, since it cannot be read."""
        self.is_stale, self.is_checked = True, False

    def _resume(self) -> bool:
        """Go to the start of the last game; return whether the index is one of this journal."""
        so_far = self.store.read_progress()
        number, start = self.store.find_last_start()
        if so_far.problem or not so_far.entries or not self.store.is_sound():
            return False
        if not self._skip_lines(so_far, start):
            return False
        self.is_checked = True
        self._games = max(0, number - 1)
        self._sets += [one for one in self.store.read_dice_sets() if one.entry < start.entry]
        with self.store.transaction():
            self.store.delete_games(number)
        return True

    def _reset(self) -> None:
        self._signatures = SignatureCheck()
        self._bytes = 0
        self._games = 0
        self._before: Entry | None = None
        self._reader: GameReader | None = None
        self.last_start = GameStart(0, 0)
        self._done: list[tuple[OpenGame, GameStart]] = []
        self._sets: list[DiceSetStart] = []
        self._written: tuple[str, int, int] = ("", 0, 0)
        # Why the journal does not verify; None if it does as far as it was read.
        self.problem: Message | None = None

    def _skip_lines(self, so_far: ReadSoFar, start: GameStart) -> bool:
        """Read up to the last game; return whether the lines are those of the index."""
        signatures = SignatureCheck()
        kept, before, before_start = deepcopy(signatures), b"", b""
        for number, line in enumerate(self._read_lines()):
            if number == start.entry:
                kept, before_start = deepcopy(signatures), before
            if number == so_far.entries:
                break
            if _KEY in line:
                _add_key(signatures, line)
            signatures.tree.append(line)
            before = line
        if (signatures.tree.size, signatures.tree.root()) != (so_far.entries, so_far.root):
            return False
        self._signatures, self._bytes = kept, start.byte
        self._before = decode_entry(before_start) if before_start else None
        return True

    def _read_lines(self) -> Iterator[bytes]:
        """Yield the complete lines from here on, without their newlines."""
        try:
            file_fd = open_regular_file(self._folder / JOURNAL_FILE)
        except FileNotFoundError:
            return
        with open(file_fd, "rb") as file:
            file.seek(self._bytes)
            # A line above the limit comes without its end, and is broken then.
            while line := file.readline(MAX_LINE_BYTES + 1):
                if not line.endswith(b"\n") and len(line) <= MAX_LINE_BYTES:
                    return
                yield line.removesuffix(b"\n")

    def _add_line(self, line: bytes) -> bool:
        """Add a line; return whether it verifies."""
        number = self._signatures.tree.size + 1
        try:
            entry = parse_entry(line, self._before)
            if entry.kind == GENESIS:
                require_known_format(entry, self._folder / JOURNAL_FILE)
        except (BrokenEntryError, InputError) as error:
            self.problem = message(
                "Line {line} of the journal is broken: {why}", line=number, why=str(error)
            )
            return False
        if broken := _find_break(self._signatures.add_line(line, entry), number):
            self.problem = broken
            return False
        if entry.kind == "game":
            self._start_game(entry)
        elif self._reader:
            self._reader.add_entry(entry)
        if isinstance(said := read_entry(entry), DiceSetEntry):
            self._sets.append(DiceSetStart(entry.seq, entry.at_ms, said.name))
        self._before = entry
        self._bytes += len(line) + 1
        return True

    def _start_game(self, entry: Entry) -> None:
        if self._reader:
            self._reader.leave()
            self._done.append((self._reader.open, self.last_start))
        self._games += 1
        self.last_start = GameStart(entry.seq, self._bytes)
        self._written = ("", 0, 0)
        try:
            self._reader = GameReader(self._games, entry, self._sets[-1].name if self._sets else "")
        except InputError:
            # A later version may know this game; the next one is read again.
            self._reader = None

    def _finish(self) -> None:
        with self.lock:
            self.problem = self.problem or _find_break(self._signatures.finish())
            if self.problem:
                self._done.clear()
                with self.store.transaction():
                    self.store.delete_games()
                    self.store.write_dice_sets(())
                    self.store.write_progress(ReadSoFar(problem=str(self.problem)))
                self.commits += 1
                return
            if self._done or self._written != self._describe_last():
                self._commit()

    def _commit(self) -> None:
        """Write the games that are over, the last one so far, and how far the journal was read."""
        with self.lock, self.store.transaction():
            for game, start in self._done:
                self.store.write_game(game, start)
            if self._reader:
                self.store.write_game(self._reader.open, self.last_start)
            self.store.write_dice_sets(self._sets)
            self._written = self._describe_last()
            tree = self._signatures.tree
            self.store.write_progress(ReadSoFar(tree.size, self._bytes, tree.root()))
            self._done.clear()
            self.commits += 1

    def _describe_last(self) -> tuple[str, int, int]:
        """Return what is written of the last game: while it is played, only that it began."""
        status = self._reader.open.status if self._reader else "open"
        size = 0 if status == "open" else self._signatures.tree.size
        return status, size, len(self._sets)


def _add_key(signatures: SignatureCheck, line: bytes) -> None:
    """Add the key of an entry that was checked before."""
    try:
        entry = decode_entry(line)
        if entry.kind == "key":
            signatures.keys.append(decode_key(entry.body))
    except (BrokenEntryError, InputError):
        return


def _find_break(found: Iterator[Finding], line: int = 0) -> Message | None:
    for finding in list(found):
        if finding.kind.is_break:
            line, why = finding.line or line, finding.what
            return message("Line {line} of the journal: {why}", line=line, why=why)
    return None
